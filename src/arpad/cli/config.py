"""``arpad config``: show, set and unset the user's own values for ``--db``, ``--author`` and ``--lang``."""

import os
from typing import Annotated, TypeAlias

import typer

from arpad.cli import settings_file
from arpad.cli.common import (
    LANGUAGE_VARIABLE,
    Json,
    Lang,
    console,
    print_json,
    set_default_language,
    table,
    words_for,
)
from arpad.cli.typer_groups import Commands
from arpad.explain.words import LANGUAGES, Words
from arpad.model.errors import BadInput
from arpad.model.typed_values import check_among

VARIABLES = {"db": "ARPAD_DB", "author": "ARPAD_AUTHOR", "lang": LANGUAGE_VARIABLE}
"""Setting → the environment variable that comes before it."""

Name: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", help="db, author or lang.")]

app = Commands(no_args_is_help=False)


@app.callback(invoke_without_command=True)
def config(context: typer.Context, *, json: Json = False, lang: Lang = None) -> None:
    """Set your database, your name and your language once."""
    set_default_language(lang)
    if not context.invoked_subcommand:
        show(json=json)


@app.command()
def show(
    *,
    every: Annotated[bool, typer.Option("--all", help="Also the settings of a server.")] = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Show your settings, and where each comes from.

    Example: arpad config show --all
    """
    words = words_for(lang)
    if every:
        _show_server(words, json=json)
        return
    saved = settings_file.read_strictly()
    values = {name: os.environ.get(variable) or saved.get(name) for name, variable in VARIABLES.items()}
    if json:
        print_json("arpad.config/1", {"file": settings_file.path(), **values})
        return
    rows = []
    for name, variable in VARIABLES.items():
        source = variable if os.environ.get(variable) else settings_file.path() if name in saved else ""
        rows.append((name, values[name] or words.text("config.none"), source))
    columns = [(words.text(f"config.{name}"), "left") for name in ("name", "value", "source")]
    console().print(table(columns, rows))


def _show_server(words: Words, *, json: bool) -> None:
    """Show every setting of a server; of a secret only whether there is one."""
    from arpad.system.server_settings import all_values

    values = all_values()
    if json:
        rows = {value.setting.variable: {"value": value.text, "source": value.source} for value in values}
        print_json("arpad.server-settings/1", {"settings": rows})
        return
    columns = [(words.text(f"config.{name}"), "left") for name in ("name", "value", "source", "about")]
    lines = [
        (
            value.setting.variable,
            value.text or words.text("config.none"),
            value.source or words.text("config.default"),
            words.text(f"server-setting.{value.setting.name}"),
        )
        for value in values
    ]
    console().print(table(columns, lines))


@app.command("set")
def set_(
    name: Name,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="The value.")],
    *,
    lang: Lang = None,
) -> None:
    """Set your database, your name or your language for all later commands.

    Example: arpad config set db office.db

    Example: arpad config set lang it
    """
    words = words_for(lang)
    _check_name(name)
    if name == "lang" and value not in LANGUAGES:
        raise BadInput("value-unknown", option="VALUE", value=value, accepted=", ".join(LANGUAGES))
    if name == "db" and "://" not in value:
        value = os.path.abspath(value)  # noqa: PTH100  later commands run in other folders
    settings_file.write({**settings_file.read_strictly(), name: value})
    typer.echo(words.text("config.saved", name=name, value=value, path=settings_file.path()))


@app.command()
def unset(name: Name, *, lang: Lang = None) -> None:
    """Remove one of your settings.

    Example: arpad config unset db
    """
    words = words_for(lang)
    _check_name(name)
    saved = dict(settings_file.read_strictly())
    if name in saved:
        del saved[name]
        settings_file.write(saved)
    typer.echo(words.text("config.removed", name=name, path=settings_file.path()))


def _check_name(name: str) -> None:
    check_among(name, "NAME", settings_file.NAMES)
