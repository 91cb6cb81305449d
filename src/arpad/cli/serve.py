"""``arpad serve``: the site and the API, on an office or without one; ``arpad work``: the jobs of an office's queue."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from types import FrameType
from typing import Annotated

import typer

from arpad.cli.common import Lang, words_for
from arpad.cli.office.options import ReadOptions, warn_of_readers
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.typed_values import parse_within

HIGHEST_PORT = 65535
MOST_WORKERS = 64
AGAIN_SECONDS = 5
"""How long after a worker died the next one starts."""

PATIENCE_SECONDS = 10
"""How long a worker may go on with its current jobs when the server ends."""


def serve(
    db: Annotated[
        str,
        typer.Option(
            "--db",
            envvar="ARPAD_DB",
            metavar="URL",
            help="The office; without it, only pages that need none.",
        ),
    ] = "",
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[str, typer.Option("--port", metavar="N", help="The port to listen on.")] = "8000",
    unix: Annotated[
        Path | None,
        typer.Option("--socket", metavar="PATH", help="Listen on a unix socket instead, behind a proxy."),
    ] = None,
    prefix: Annotated[
        str,
        typer.Option(
            "--prefix",
            envvar="ARPAD_PREFIX",
            metavar="PATH",
            help="The path below which the site is: /ratings.",
        ),
    ] = "",
    workers: Annotated[str, typer.Option("--workers", metavar="N", help="How many processes serve.")] = "1",
    *,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Start no worker: `arpad work` runs elsewhere.")
    ] = False,
    backups: Backups = None,
    keep: Keep = "",
    lang: Lang = None,
) -> None:
    """Serve the site and the API until interrupted.

    A worker runs with it. Outside this machine, use HTTPS in front of it.

    Example: arpad serve --db office.db --port 8000
    """
    words = words_for(lang)
    chosen, processes = (
        parse_within(port, "port", 1, HIGHEST_PORT),
        parse_within(workers, "workers", 1, MOST_WORKERS),
    )
    from arpad.system.event_log import wants_json
    from arpad.web.limited_process import check_environment
    from arpad.web.path_prefix import PREFIX, parse_prefix

    below = parse_prefix(prefix)
    if db:
        _look_at_office(
            db, below, words, public=unix is not None or not _is_loopback(host)
        )  # a wrong database is reported once, not from every worker
        warn_of_readers(db, words)
    check_environment()
    wants_json()  # refuses a wrong value of ARPAD_LOG
    listening = _listening(host, chosen) if unix is None else _unix_socket(unix)
    os.environ["ARPAD_DB"], os.environ[PREFIX] = db, below
    os.environ["ARPAD_ETAG_KEY"] = secrets.token_urlsafe(32)  # all workers give the same ETags
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # asked to end, as by Ctrl-C, it ends well
    set_backups(backups, keep)
    address = f"http://{host}:{chosen}{below}" if unix is None else f"unix:{unix}"
    typer.echo(words.text("serve.serving", address=address), err=True)
    with (
        suppress(KeyboardInterrupt),
        TemporaryDirectory(prefix="arpad-metrics-") as counts,
        _worker() if db and not no_worker else nullcontext(),
    ):
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = counts
        try:
            _run(listening, processes, behind_proxy=unix is not None)
        finally:
            del os.environ["PROMETHEUS_MULTIPROC_DIR"]


def _is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a host."""
    import ipaddress

    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _look_at_office(db: str, prefix: str, words: Words, *, public: bool) -> None:
    """Open the office once; warn if the links in its mails lead to another path than the site's.

    A site that others can reach needs a contact: its address is not of this machine alone, or its mails link to one.
    """
    from urllib.parse import urlsplit

    from arpad.office.office import open_office
    from arpad.store.settings import read_setting

    with closing(open_office(db, author="arpad serve")) as office, office.store.reading() as connection:
        address, contact = read_setting(connection, "site_address"), read_setting(connection, "contact")
    public = public or bool(address and not _is_loopback(urlsplit(address).hostname or ""))
    if public and not contact:
        raise BadInput("serve-contact")
    if address and urlsplit(address).path != prefix:
        typer.echo(words.text("serve.other-prefix", address=address, prefix=prefix or "/"), err=True)


@contextmanager
def _worker() -> Iterator[None]:
    """Run a worker process beside the server; one that dies is replaced, and it ends with the server."""
    ending = Event()

    def keep_one() -> None:
        while not ending.is_set():
            # The database is passed in the environment: a command line with its password would be seen by others.
            with subprocess.Popen(
                [sys.executable, "-m", "arpad", "work"],
                stdin=subprocess.PIPE,
                env={**os.environ, PARENT: "serve"},
            ) as worker:
                while worker.poll() is None and not ending.wait(0.2):
                    pass
                if ending.is_set():
                    _end(worker)
            ending.wait(AGAIN_SECONDS)

    keeper = Thread(target=keep_one, name="arpad-worker", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        ending.set()
        keeper.join()


def _end(worker: subprocess.Popen[bytes]) -> None:
    """Ask a worker to end after its current jobs; kill it after a while, another then does them again."""
    worker.terminate()
    try:
        worker.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        worker.kill()


def _run(listening: socket.socket, processes: int, *, behind_proxy: bool) -> None:
    """Serve with several processes; one that dies is replaced."""
    from uvicorn import Config, Server
    from uvicorn.config import LOGGING_CONFIG
    from uvicorn.supervisors import Multiprocess

    from arpad.system.event_log import wants_json
    from arpad.web.server import END_SECONDS, HeadLimit

    # The application is named, not imported: each worker loads it, and an access log would keep what people look up.
    config = Config(
        "arpad.web.app:from_environment", factory=True, workers=processes,
        log_config=None if wants_json() else LOGGING_CONFIG, log_level="warning", access_log=False,
        server_header=False, http=HeadLimit, ws="none", timeout_graceful_shutdown=END_SECONDS,
        forwarded_allow_ips="*" if behind_proxy else None,  # only the proxy may open the socket
    )  # fmt: skip
    if processes > 1:
        Multiprocess(config, sockets=[listening]).run()
    else:
        Server(config).run(sockets=[listening])


_WAITING = 128
"""Visitors who may wait while the site is loaded: the address is printed before, and must not refuse them."""


def _unix_socket(path: Path) -> socket.socket:
    """Return a listening socket at a path, for its user and group alone; one that a dead server left is replaced."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.is_socket() and not _answers(path):
            path.unlink()
        listening.bind(str(path))
        path.chmod(0o660)
        listening.listen(_WAITING)
    except (OSError, ValueError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput("socket-not-free", path=str(path), reason=reason) from error
    listening.set_inheritable(True)
    return listening


def _answers(path: Path) -> bool:
    """Return whether a server listens on a socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trial:
        return trial.connect_ex(str(path)) == 0


def _listening(host: str, port: int) -> socket.socket:
    """Return the listening socket; refuse in one sentence, before anything is loaded, if the address is not free."""
    listening = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Inherited by every connection: else the second part of an answer waits until the first is acknowledged.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listening.bind(address)
        listening.listen(_WAITING)
    except (OSError, UnicodeError) as error:
        if listening is not None:
            listening.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput("address-not-free", host=host, port=port, reason=reason) from error
    listening.set_inheritable(True)
    return listening


PARENT = "ARPAD_PARENT"
"""Set by ``arpad serve`` for its worker, which ends when the pipe on its stdin is closed."""

Backups = Annotated[
    Path | None,
    typer.Option(
        "--backups",
        envvar="ARPAD_BACKUPS",
        metavar="DIR",
        help="The folder for nightly backups; default: none.",
    ),
]
Keep = Annotated[
    str,
    typer.Option(
        "--keep", envvar="ARPAD_BACKUPS_KEEP", metavar="D,W,M",
        help="Backups to keep: of so many days, weeks and months; default: 7,5,12.",
    ),
]  # fmt: skip


def work(
    options: ReadOptions,
    *,
    once: Annotated[bool, typer.Option("--once", help="Do what is due now, then end.")] = False,
    nightly_now: Annotated[
        bool, typer.Option("--nightly-now", help="Also do the jobs of the night now, then end.")
    ] = False,
    backups: Backups = None,
    keep: Keep = "",
) -> None:
    """Do the jobs of an office until stopped: mails, nightly verification and backup.

    Several workers may run at once.

    Example: arpad work --db office.db --backups backups
    """
    words = options.words
    set_backups(backups, keep)
    from arpad.system import event_log
    from arpad.worker.loop import ask_for_nights, work_once
    from arpad.worker.loop import work as work_on

    with options.opened() as office:
        if nightly_now:
            ask_for_nights(office)
        if once or nightly_now:
            count = work_once(office)
            options.tell(words.text("worker.done", jobs=count), "arpad.work/1", {"jobs": count})
            return
        logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="arpad work: %(message)s")
        event_log.to_stderr()
        stop = Event()
        _stop_on_signals(stop)
        if os.environ.pop(PARENT, ""):
            Thread(target=_stop_with_parent, args=(stop,), daemon=True).start()
        work_on(office, stop)


def set_backups(backups: Path | None, keep: str) -> None:
    """Pass the folder and the numbers of backups to the worker, through its environment."""
    from arpad.office.backup.acts import KEEP, parse_day_of_week, parse_kept
    from arpad.system.atomic_files import prepare_folder
    from arpad.worker.kinds import BACKUPS, REHEARSE

    parse_kept(keep)
    if day := os.environ.get(REHEARSE, ""):
        parse_day_of_week(day)
    if backups is not None:
        prepare_folder(backups)
    os.environ[BACKUPS], os.environ[KEEP] = str(backups or ""), keep


def _stop_on_signals(stop: Event) -> None:
    """End after the current jobs at the first signal, at once at the second."""

    def handle(number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            os._exit(128 + number)
        stop.set()

    signal.signal(signal.SIGTERM, handle)
    signal.signal(signal.SIGINT, handle)


def _stop_with_parent(stop: Event) -> None:
    while os.read(0, 1024):
        pass
    stop.set()
