"""The log of a server: one line of JSON for each event, and nothing in it that names a person."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from arpad.model.errors import BadInput
from arpad.system.event_log import FORMAT, FewTraces, JsonLines, log_event, wants_json

EVENTS = logging.getLogger("arpad.events")


@pytest.fixture
def written(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    before = EVENTS.level
    EVENTS.setLevel(logging.INFO)
    yield caplog
    EVENTS.setLevel(before)


def line(record: logging.LogRecord) -> dict[str, Any]:
    text = JsonLines().format(record)
    assert "\n" not in text
    fields: dict[str, Any] = json.loads(text)
    return {name: value for name, value in fields.items() if name != "time"}


def test_an_event_has_its_own_fields(written: pytest.LogCaptureFixture) -> None:
    log_event("request", method="GET", area="/players", status=200, ms=3)
    expected = {
        "level": "info", "event": "request", "method": "GET", "area": "/players", "status": 200, "ms": 3,
    }  # fmt: skip
    assert [line(record) for record in written.records] == [expected]


def test_an_error_is_named_by_kind_code_and_place_and_never_by_its_text(
    written: pytest.LogCaptureFixture,
) -> None:
    def fail() -> None:
        raise BadInput("no-such-user", login="Anna\nRossi")

    try:
        fail()
    except BadInput as error:
        logging.getLogger("arpad.web").exception("%s %s failed", "GET", "/players/Rossi")
        logging.getLogger("arpad.worker").warning("waiting for the database: %s", error)
    failed, waited = map(line, written.records)
    assert failed.pop("trace")[-1].rpartition(":")[0].endswith("test_event_log.py")
    assert failed == {
        "level": "error", "event": "error", "source": "arpad.web", "what": "%s %s failed", "error": "BadInput",
        "code": "no-such-user",
    }  # fmt: skip
    assert (waited["event"], waited["code"]) == ("warning", "no-such-user")
    assert "Rossi" not in json.dumps([failed, waited])


def test_without_the_setting_events_are_not_written(caplog: pytest.LogCaptureFixture) -> None:
    assert not EVENTS.isEnabledFor(logging.WARNING)
    log_event("act", seq=1, verb="init")
    log_event("job", logging.WARNING, kind="mail")
    assert caplog.records == []


def test_the_setting_has_two_values(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, expected in (("", False), ("text", False), ("json", True)):
        monkeypatch.setenv(FORMAT, value)
        assert wants_json() is expected
    monkeypatch.setenv(FORMAT, "xml")
    with pytest.raises(BadInput, match="value-unknown"):
        wants_json()


def fails(number: int) -> None:
    raise ValueError(number)


def test_the_trace_of_an_error_that_comes_again_is_written_ever_more_rarely(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = logging.getLogger("tests.traces")
    log.addFilter(FewTraces())
    for number in range(1_000):
        try:
            fails(number)
        except ValueError:
            log.exception("GET %s failed", f"/{number}")
    log.error("without a trace")

    texts = caplog.messages
    assert [text.partition("(")[2] for text in texts[:-1]] == [
        f"error no. {2**power} at this place)" for power in range(10)
    ]
    assert texts[-1] == "without a trace"


def test_errors_at_many_places_are_bounded_too() -> None:
    few = FewTraces()
    kinds = [type(f"Error{number}", (Exception,), {}) for number in range(2 * FewTraces.MOST_PLACES)]
    records = [
        logging.LogRecord("tests", logging.ERROR, "", 0, "failed", None, (kind, kind(), None))
        for kind in kinds
    ]
    passed = sum(few.filter(record) for record in records)
    assert FewTraces.MOST_PLACES < passed < FewTraces.MOST_PLACES + 10
