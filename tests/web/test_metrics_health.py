"""Health and figures: for machines that watch the server."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.parser import text_string_to_metric_families

from arpad.model.errors import BadInput
from arpad.system.server_settings import secret
from arpad.web import metrics
from arpad.web.metrics import OTHER, Measured, area_of
from tests.builders.site_fixtures import Served


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    path = tmp_path / "token"
    path.write_text("a secret of thirty-two letters\n", encoding="utf-8")
    monkeypatch.setenv("ARPAD_METRICS_TOKEN_FILE", str(path))
    return "a secret of thirty-two letters"


def samples(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """What Prometheus itself reads."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_a_server_lives_and_is_ready(served: Served, bare: Served) -> None:
    for site in (served, bare):
        for path, word in (("/health/live", "alive\n"), ("/health/ready", "ready\n")):
            response = site.client().get(path)
            assert (response.status_code, response.text) == (200, word)
            assert response.headers["cache-control"] == "no-store"


def test_a_server_without_its_database_lives_and_is_not_ready(own: Served) -> None:
    own.office.store.engine.dispose()
    place = Path(own.office.store.address)
    place.rename(place.with_name("away.db"))
    try:
        assert own.client().get("/health/live").status_code == 200
        response = own.client().get("/health/ready")
        assert (response.status_code, response.headers["retry-after"]) == (503, "60")
    finally:
        place.with_name("away.db").rename(place)
    assert own.client().get("/health/ready").status_code == 200


def test_the_figures_need_the_token(served: Served, token: str) -> None:
    assert served.client().get("/metrics").status_code == 401
    wrong = served.client().get("/metrics", headers={"authorization": "Bearer wrong"})
    assert wrong.status_code == 401
    response = served.client().get("/metrics", headers={"authorization": f"Bearer {token}"})
    assert response.status_code == 200
    known = samples(response.text)
    assert known["arpad_database_up", ()] == 1
    assert known["arpad_ledger_acts", ()] > 100
    assert known["arpad_list_day_timestamp_seconds", (("list", "standard"),)] > 1.6e9
    assert known["arpad_reports", (("status", "accepted"),)] > 10


def test_without_a_token_there_are_no_figures(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARPAD_METRICS_TOKEN", raising=False)
    assert served.client().get("/metrics").status_code == 404


def test_a_secret_file_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARPAD_METRICS_TOKEN_FILE", "nowhere")
    with pytest.raises(BadInput, match="secret-unreadable"):
        secret("ARPAD_METRICS_TOKEN")


def asked(measured: Measured, method: str, path: str) -> None:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(_message: Any) -> None:
        return

    asyncio.run(measured({"type": "http", "method": method, "path": path}, receive, send))


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Measured:
    """A layer around a site that answers 200, and fails below /fails."""
    registry = CollectorRegistry()
    labels = ["method", "area", "status"]
    monkeypatch.setattr(metrics, "_own", registry)
    monkeypatch.setattr(metrics, "REQUESTS", Counter("arpad_requests", "x", labels, registry=registry))
    monkeypatch.setattr(
        metrics, "SECONDS", Histogram("arpad_request_seconds", "x", ["area"], registry=registry)
    )

    async def inside(scope: Any, _receive: Any, send: Any) -> None:
        if scope["path"].startswith("/fails"):
            raise RuntimeError
        await send({"type": "http.response.start", "status": 200})

    return Measured(inside, iter(["/players/{number:int}", "/api/v1/lists/{name:str}", "/", "/fails"]))


def test_requests_are_counted_by_area(counts: Measured) -> None:
    for method, path in (
        ("GET", "/players/7"), ("GET", "/players/8"), ("GET", "/api/v1/lists/standard"), ("GET", "/wp-admin/x"),
        ("BREW", "/"),
    ):  # fmt: skip
        asked(counts, method, path)
    with pytest.raises(RuntimeError):
        asked(counts, "GET", "/fails/now")
    known = samples(metrics.figures(None).decode())

    def count(method: str, area: str, status: str) -> float:
        return known["arpad_requests_total", (("area", area), ("method", method), ("status", status))]

    assert count("GET", "/players", "200") == 2
    assert count("GET", "/api/v1/lists", "200") == 1
    assert count("GET", OTHER, "200") == 1
    assert count(OTHER, "/", "200") == 1
    assert count("GET", "/fails", "500") == 1
    assert known["arpad_request_seconds_count", (("area", "/players"),)] == 2


@pytest.mark.parametrize(
    ("path", "area"),
    [
        ("/", "/"),
        ("/players/7/history", "/players"),
        ("/api/v1/players/7", "/api/v1/players"),
        ("/api/openapi.json", "/api/openapi.json"),
    ],
)
def test_the_area_of_an_address(path: str, area: str) -> None:
    assert area_of(path) == area
