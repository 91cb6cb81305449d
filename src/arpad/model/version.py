"""The version of Arpad: here, so that every package can say it without reading what is installed."""

VERSION = "0.1.0"
