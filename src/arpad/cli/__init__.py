"""The command line: ``main`` runs one command; each verb has its module here."""

from arpad.cli.program import SECTIONS, VERBS, build, main

__all__ = ["SECTIONS", "VERBS", "build", "main"]
