"""``arpad serve``: the site and the API, on an office or without one."""

from __future__ import annotations

import os
import signal
import socket
from typing import Annotated

import typer

from arpad.calc import parse_integer
from arpad.cli.face import Lang, reader
from arpad.errors import BadInput

HIGHEST_PORT = 65535
MOST_WORKERS = 64


def serve(
    db: Annotated[
        str,
        typer.Option(
            "--db", envvar="ARPAD_DB", metavar="URL", help="The office; without one only what needs none."
        ),
    ] = "",
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[str, typer.Option("--port", metavar="N", help="The port to listen on.")] = "8000",
    workers: Annotated[str, typer.Option("--workers", metavar="N", help="How many processes serve.")] = "1",
    *,
    lang: Lang = None,
) -> None:
    """Serve the site and the API until interrupted; put HTTPS before it for anything but this machine.

    As in: arpad serve --db office.db --port 8000
    """
    say = reader(lang)
    chosen, processes = _within(port, "port", HIGHEST_PORT), _within(workers, "workers", MOST_WORKERS)
    if db:
        from arpad.office.desk import open_office

        open_office(db).store.engine.dispose()  # a wrong database is said at once, not by every worker
    _refuse_taken(host, chosen)
    os.environ["ARPAD_DB"] = db
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # asked to end, as by Ctrl-C, it ends well
    import uvicorn

    typer.echo(say.text("serve.serving", address=f"http://{host}:{chosen}"), err=True)
    # The application is named, not imported: each worker loads it, and an access log would keep what people look up.
    uvicorn.run(
        "arpad.web.app:from_environment", factory=True, host=host, port=chosen, workers=processes,
        log_level="warning", access_log=False, server_header=False,
    )  # fmt: skip


def _refuse_taken(host: str, port: int) -> None:
    """One sentence, before anything is loaded, where the address cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput("address-not-free", host=host, port=port, reason=reason) from error


def _within(text: str, option: str, most: int) -> int:
    number = parse_integer(text, option)
    if not 1 <= number <= most:
        raise BadInput("out-of-range", option=option, value=number, low=1, high=most)
    return number
