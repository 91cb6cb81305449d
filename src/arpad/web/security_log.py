"""What concerns security, one line of JSON each: who signed in or tried to, who was refused; never a secret.

JSON keeps a line a line, whatever somebody typed as a login. The lines go to stderr, where the system that runs the
server collects them; Arpad itself keeps none.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

TOLD = ("login", "place", "path", "why", "key", "second_factor")


class JsonLines(logging.Formatter):
    """A record as one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Time in UTC, what happened, and whatever is known of it."""
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="seconds")
        known = {name: vars(record)[name] for name in TOLD if vars(record).get(name) not in (None, "")}
        return json.dumps({"time": when, "level": record.levelname, "event": record.getMessage(), **known})


def to_stderr() -> None:
    """Let the lines be written; once for each worker."""
    log = logging.getLogger("arpad.security")
    if not log.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(JsonLines())
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        log.propagate = False
