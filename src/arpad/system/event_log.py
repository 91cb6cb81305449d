"""The log of a server: one line of JSON for each event, on stderr, where the system that runs it collects the lines.

Sign-ins, failed attempts and refusals are always written, with login and address, so that an attack can be seen and
stopped. With ``ARPAD_LOG=json`` every request, job, act, mail and error is a line too; those name no person: no login,
no address, no path below its first name, no search, no text of an error. JSON keeps a record on one line, whatever was
typed. ``docs/guides/deployment.md`` lists the fields.
"""

import json
import logging
import os
import sys
import traceback
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from threading import Lock
from typing import Any

from arpad.model.errors import ArpadError, BadInput

FORMAT = "ARPAD_LOG"
TEXT, JSON = "text", "json"
SECURITY = "arpad.security"
SECURITY_FIELDS = ("login", "place", "path", "why", "key", "second_factor")
EVENT_FIELDS = "arpad_event"
"""The attribute of a record with the fields of an event of ours."""

_log = logging.getLogger("arpad.events")
_log.setLevel(logging.CRITICAL + 1)  # nothing, until somebody asks for lines of JSON


def wants_json() -> bool:
    """Whether every event is written as a line of JSON."""
    chosen = os.environ.get(FORMAT, "") or TEXT
    if chosen not in (TEXT, JSON):
        raise BadInput("value-unknown", option=FORMAT, value=chosen[:20], accepted=f"{TEXT}, {JSON}")
    return chosen == JSON


def log_event(event: str, level: int = logging.INFO, /, **fields: int | str) -> None:
    """Write an event with its fields, which must name no person; without ``ARPAD_LOG=json`` nothing is written."""
    if _log.isEnabledFor(level):
        _log.log(level, event, extra={EVENT_FIELDS: fields})


class JsonLines(logging.Formatter):
    """Format a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the time in UTC, the level, the event and its fields."""
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        head = {"time": when, "level": record.levelname.lower()}
        return json.dumps({**head, **_fields(record)}, ensure_ascii=False, default=str)


def _fields(record: logging.LogRecord) -> Mapping[str, Any]:
    attributes = vars(record)
    if record.name == SECURITY:
        facts = {name: attributes.get(name) for name in SECURITY_FIELDS}
        return {"event": record.getMessage(), **{n: v for n, v in facts.items() if v not in (None, "")}}
    if EVENT_FIELDS in attributes:
        return {"event": record.getMessage(), **attributes[EVENT_FIELDS]}
    kind = "error" if record.levelno >= logging.ERROR else "warning"
    return {"event": kind, "source": record.name, "what": str(record.msg), **_error_fields(record)}


def _error_fields(record: logging.LogRecord) -> Mapping[str, Any]:
    """Return what an error is and where it was raised; never its text, which may name people."""
    arguments = record.args if isinstance(record.args, tuple) else ()
    error = record.exc_info[1] if record.exc_info else None
    error = error or next((item for item in arguments if isinstance(item, BaseException)), None)
    if error is None:
        return {}
    fields: dict[str, Any] = error_fields(error)
    if record.exc_info:
        places = traceback.extract_tb(error.__traceback__)
        fields["trace"] = [f"{place.filename.rpartition('arpad/')[2]}:{place.lineno}" for place in places]
    return fields


def error_fields(error: BaseException) -> dict[str, str]:
    """Return the kind of an error, and its code if it is one of ours."""
    fields = {"error": type(error).__name__}
    return {**fields, "code": error.code} if isinstance(error, ArpadError) else fields


class FewTraces(logging.Filter):
    """Let the trace of an error through the first, second, fourth, eighth … time it occurs at the same place.

    A visitor who causes the same error again and again cannot fill the log. Each trace says how often it occurred.
    """

    MOST_PLACES = 200
    """Places that are told apart; all others count as one."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = Lock()
        self._times: Counter[tuple[str, str, int]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is written: always, unless it has the trace of an error that occurred often."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return True
        frames = traceback.extract_tb(error.__traceback__)
        place = (
            type(error).__name__,
            *((frames[-1].filename, frames[-1].lineno or 0) if frames else ("", 0)),
        )
        with self._lock:
            if place not in self._times and len(self._times) >= self.MOST_PLACES:
                place = ("", "", 0)
            self._times[place] += 1
            times = self._times[place]
        record.msg = f"{record.msg} (error no. {times} at this place)"
        return times & (times - 1) == 0


_few_traces = FewTraces()


def to_stderr() -> None:
    """Write the log to stderr; called once in each process of a server."""
    security = logging.getLogger(SECURITY)
    if security.handlers:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    security.addHandler(handler)
    security.setLevel(logging.INFO)
    security.propagate = False
    for name in ("arpad.web", "arpad.worker", "uvicorn.error"):
        logging.getLogger(name).addFilter(_few_traces)
    if wants_json():
        root = logging.getLogger()
        root.handlers[:] = [handler]
        root.setLevel(logging.WARNING)
        _log.setLevel(logging.INFO)
