"""The security log: sign-ins, failed attempts and refusals, one line of JSON each; never a secret.

JSON keeps every record on one line, whatever was typed as a login. The lines go to stderr, where the system that runs
the server collects them; Arpad stores none.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

TOLD = ("login", "place", "path", "why", "key", "second_factor")


class JsonLines(logging.Formatter):
    """Format a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the time in UTC, the event and its facts."""
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="seconds")
        facts = {name: vars(record)[name] for name in TOLD if vars(record).get(name) not in (None, "")}
        return json.dumps({"time": when, "level": record.levelname, "event": record.getMessage(), **facts})


def to_stderr() -> None:
    """Write the log to stderr; called once per worker."""
    log = logging.getLogger("arpad.security")
    if not log.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(JsonLines())
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        log.propagate = False
