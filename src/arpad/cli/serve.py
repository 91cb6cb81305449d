"""``arpad serve``: the site and the API, on an office or without one."""

from __future__ import annotations

import os
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
    os.environ["ARPAD_DB"] = db
    import uvicorn

    typer.echo(say.text("serve.serving", address=f"http://{host}:{chosen}"), err=True)
    # The application is named, not imported: each worker loads it, and an access log would keep what people look up.
    uvicorn.run(
        "arpad.web.app:from_environment", factory=True, host=host, port=chosen, workers=processes,
        log_level="warning", access_log=False, server_header=False,
    )  # fmt: skip


def _within(text: str, option: str, most: int) -> int:
    number = parse_integer(text, option)
    if not 1 <= number <= most:
        raise BadInput("out-of-range", option=option, value=number, low=1, high=most)
    return number
