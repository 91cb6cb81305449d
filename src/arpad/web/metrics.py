"""Figures about the server and the office, in the text format of Prometheus.

Requests are counted around the whole site, pages from the cache included. Several processes of one server share their
counts through files in the folder of ``PROMETHEUS_MULTIPROC_DIR``, which ``arpad serve`` makes.
"""

import hmac
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime

from litestar import Response, get
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from arpad import __version__
from arpad.model.errors import ArpadError
from arpad.office.lists import rows as lists
from arpad.office.office import Office
from arpad.office.reports import rows as reports
from arpad.office.reports.tables import STATUSES
from arpad.store import bulk, jobs, ledger
from arpad.system.event_log import log_event
from arpad.system.server_settings import secret
from arpad.web.middleware import Application, Message, Receive, Scope, Send
from arpad.web.reader import PUBLIC, bearer_token
from arpad.web.requests import Refused, WebRequest, office_of

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of the client library with the folder for the counts of several processes."""

TOKEN = "ARPAD_METRICS_TOKEN"  # noqa: S105  the name of the variable
"""The token that a request for the figures must carry; without one nobody gets them."""

CONTENT_TYPE = CONTENT_TYPE_LATEST
OTHER = "other"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

_own = CollectorRegistry()
REQUESTS = Counter(
    "arpad_requests", "Requests by method, first part of the address and status.",
    ["method", "area", "status"], registry=_own,
)  # fmt: skip
SECONDS = Histogram(
    "arpad_request_seconds", "Seconds from a request to the end of its response.",
    ["area"], buckets=BUCKETS, registry=_own,
)  # fmt: skip
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})


class Measured:
    """ASGI layer that counts requests and measures their time."""

    def __init__(self, inside: Application, paths: Iterator[str]) -> None:
        self.inside = inside
        self.areas = frozenset(area_of(path) for path in paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and note its status and time."""
        if scope["type"] != "http":
            await self.inside(scope, receive, send)
            return
        status, began = 500, time.perf_counter()

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.inside(scope, receive, noting)
        finally:
            area = area_of(scope["path"])
            known = area if area in self.areas else OTHER  # else anybody could fill the memory with new names
            method = scope["method"] if scope["method"] in METHODS else OTHER
            REQUESTS.labels(method, known, str(status)).inc()
            seconds = time.perf_counter() - began
            SECONDS.labels(known).observe(seconds)
            log_event("request", method=method, area=known, status=status, ms=round(seconds * 1000))


def area_of(path: str) -> str:
    """Return the part of an address that stands for its pages: its first name, two more below the API."""
    names = path.strip("/").split("/")
    return "/" + "/".join(names[:3] if names[0] == "api" else names[:1])


class OfficeFigures:
    """Collects the figures of an office at the moment somebody asks."""

    def __init__(self, office: Office) -> None:
        self.office = office

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the figures; without the database, only that it does not answer."""
        began = time.perf_counter()
        try:
            with self.office.store.reading() as connection:
                queue = jobs.counts(connection)
                published = lists.all_publications(connection)
                acts = ledger.next_seq(connection) - 1
                filed = {status: reports.count(connection, status) for status in STATUSES}
        except ArpadError:
            yield GaugeMetricFamily("arpad_database_up", "Whether the database answers.", 0)
            return
        yield GaugeMetricFamily("arpad_database_up", "Whether the database answers.", 1)
        yield GaugeMetricFamily(
            "arpad_database_seconds", "Seconds that these queries took.", time.perf_counter() - began
        )
        yield GaugeMetricFamily("arpad_ledger_acts", "Acts in the ledger.", acts)
        waiting = GaugeMetricFamily("arpad_jobs", "Jobs by kind and state.", labels=["kind", "state"])
        for (kind, state), count in sorted(queue.items()):
            waiting.add_metric([kind, state], count)
        yield waiting
        by_status = GaugeMetricFamily("arpad_reports", "Reports by status.", labels=["status"])
        for status, count in filed.items():
            by_status.add_metric([status], count)
        yield by_status
        newest = GaugeMetricFamily(
            "arpad_list_day_timestamp_seconds", "Day of the newest list, midnight UTC.", labels=["list"]
        )
        for name in sorted({str(item.list) for item in published}):
            day = max(item.day for item in published if str(item.list) == name)
            newest.add_metric([name], datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
        yield newest


def figures(office: Office | None) -> bytes:
    """Return all figures of this server and its office."""
    registry = CollectorRegistry()
    if os.environ.get(FOLDER):
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library's own
    else:
        registry = _own
    text: bytes = generate_latest(registry)
    about = CollectorRegistry()
    about.register(_About())
    if office is not None:
        about.register(OfficeFigures(office))
    return text + generate_latest(about)


class _About:
    def collect(self) -> Iterator[GaugeMetricFamily]:
        family = GaugeMetricFamily("arpad_info", "The version of Arpad.", labels=["version"])
        family.add_metric([__version__], 1)
        yield family


NO_STORE = {"Cache-Control": "no-store"}


@get("/health/live", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def live() -> Response[str]:
    """Answer as long as the process does."""
    return Response("alive\n", media_type="text/plain", headers=NO_STORE)


@get("/health/ready", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def ready(request: WebRequest) -> Response[str]:
    """Answer 200 if the database of the office can be read, else 503."""
    office = office_of(request)
    if office is not None:
        with office.store.reading() as connection:  # else the answer is that of every page: 503
            bulk.head(connection)
    return Response("ready\n", media_type="text/plain", headers=NO_STORE)


@get("/metrics", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def server_figures(request: WebRequest) -> Response[bytes]:
    """Return figures for Prometheus to whoever sends the token of the server; without a token there are none."""
    token = secret(TOKEN)
    if not token:
        raise Refused(404, "no-page")
    if not hmac.compare_digest(bearer_token(request).encode(), token.encode()):
        raise Refused(401, "token-needed", scope="metrics")
    return Response(figures(office_of(request)), media_type=CONTENT_TYPE, headers=NO_STORE)
