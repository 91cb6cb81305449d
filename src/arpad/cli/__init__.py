"""The command line: ``main`` runs one command; each verb has its module here."""

from arpad.cli.program import VERBS, build, main

__all__ = ["VERBS", "build", "main"]
