"""``arpad office init`` on a terminal, without arguments: questions, each with an explanation and a default.

Nothing is written before the last question, so that cancelling leaves nothing behind.
"""

from __future__ import annotations

import getpass
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from arpad.cli.common import usual_language
from arpad.explain.words import LANGUAGES, Words, load_words
from arpad.model.disciplines import DISCIPLINES
from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import LISTS
from arpad.model.typed_values import parse_day
from arpad.office.features import ALL, ANSWERS, GAMES, features_left_out

if TYPE_CHECKING:
    from arpad.office.office import Office

CHESS, DRAUGHTS = DISCIPLINES
FEDERATION = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class Answers:
    """Everything that the questions found out."""

    language: str
    database: str
    discipline: str
    features: str
    federation: str
    name: str
    time_zone: str
    numbers: tuple[str, ...]
    login: str
    password: str
    key_name: str
    list_file: str
    list_name: str
    list_day: date | None


def ask_all() -> Answers:
    """Ask every question, in the language of the first answer; Ctrl-C and the end of input cancel."""
    from arpad.office.proof.signing_keys import key_name as usual_key_name

    language = _choice(load_words(usual_language()), "language", LANGUAGES, usual_language())
    words = load_words(language)
    discipline = _choice(words, "discipline", GAMES, CHESS.name)
    features = _choice(words, "features", ANSWERS, ALL)
    federation = _text(words, "federation", "ITA", _federation)
    name = _text(words, "name", words.text("guided.name-default", federation=federation), _plain)
    time_zone = _text(words, "time-zone", "Europe/Rome", _zone)
    usual = DRAUGHTS if discipline == DRAUGHTS.name else CHESS
    numbers = _choice(words, "numbers", [*usual.schemes, "-"], "-")
    database = _text(words, "database", "office.db", _new_database)
    login, password = _account(words)
    key_name = _text(words, "key", usual_key_name(name, federation), _key_name)
    list_file = _text(words, "import", "-", _existing_file)
    list_name, day = "", None
    if list_file:
        names = [str(listed) for listed in LISTS if listed.game == usual.name]
        list_name = _choice(words, "import-list", names, names[0])
        day = parse_day(_text(words, "import-day", f"{date.today():%Y-%m-01}", _day), "date")  # noqa: DTZ011  the day on the user's clock
    return Answers(
        language, database, discipline, features, federation, name, time_zone,
        () if numbers == "-" else (numbers,), login, password, key_name, list_file, list_name, day,
    )  # fmt: skip


def confirmed(words: Words, answers: Answers) -> bool:
    """Show the answers and ask whether the office is to be made."""
    typer.echo()
    for name in (
        "database",
        "discipline",
        "features",
        "federation",
        "name",
        "time_zone",
        "login",
        "key_name",
        "list_file",
    ):
        value = str(getattr(answers, name)) or words.text("guided.none")
        typer.echo(f"  {words.text(f'guided.shown-{name}')}: {value}")
    return bool(typer.confirm(words.text("guided.confirm"), default=True))


def set_up(answers: Answers, author: str, now: Callable[[], Any]) -> list[str]:
    """Make the office with its account, key and first list; return what was done. After an error nothing is left."""
    from arpad.office.office import init

    words = load_words(answers.language)
    office = init(
        answers.database, federation=answers.federation, name=answers.name, time_zone=answers.time_zone,
        numbers=answers.numbers, without=features_left_out(answers.features, answers.discipline), now=now,
        author=author,
    )  # fmt: skip
    key = _new_key_file(office)
    try:
        done = [
            words.text("office.made", place=office.store.address),
            *_create_office(office, answers, words),
        ]
    except BaseException:
        office.close()
        _remove(answers.database, key)
        raise
    office.close()
    return [*done, words.text("guided.next", db=answers.database)]


def _create_office(office: Office, answers: Answers, words: Words) -> list[str]:
    from arpad.office.accounts.users import add_user
    from arpad.office.imports.acts import import_list
    from arpad.office.proof.signing_keys import make_first_key
    from arpad.office.settings.acts import change_settings
    from arpad.office.users import Role

    done = []
    reason = words.text("guided.reason")
    change_settings(office, set_={"language": answers.language}, reason=reason)
    if answers.login:
        roles = [Role.ADMINISTRATOR, Role.OFFICER]
        add_user(office, answers.login, role=roles, password=answers.password)
        done.append(words.text("user.added", login=answers.login))
    if answers.key_name and (key := make_first_key(office, answers.key_name)) is not None:
        done.append(words.text("guided.key-made", key=key.text()))
    if answers.list_file and answers.list_day is not None:
        from arpad.model.rules import ListName

        taken = import_list(
            office, Path(answers.list_file), ListName(answers.list_name), answers.list_day, reason=reason
        )
        facts = {"rows": taken.rows, "newcomers": taken.newcomers, "changed": taken.changed}
        done.append(words.text("office.imported", **facts))
    return done


def _new_key_file(office: Office) -> Path | None:
    """Return the file that a new key of the office would be in; None if there is none, or one from before."""
    from arpad.office.proof.signing_keys import key_file

    file = key_file(office)
    return file if file is not None and not file.exists() else None


def _remove(database: str, key: Path | None) -> None:
    """Delete the files of an office that could not be completed; a database on a server stays."""
    if key is not None:
        key.unlink(missing_ok=True)
    if "://" not in database:
        path = Path(database)
        for end in ("", "-wal", "-shm", "-journal", ".key"):
            path.with_name(f"{path.name}{end}").unlink(missing_ok=True)


# ------------------------------------------------------------------------------------------------ one question


def _explain(words: Words, key: str) -> None:
    typer.echo()
    typer.echo(words.text(f"guided.{key}-about"))


def _text(words: Words, key: str, default: str, check: Callable[[str], str]) -> str:
    """Ask until the answer is accepted; ``-`` stands for none."""
    _explain(words, key)
    while True:
        answer = str(typer.prompt(words.text(f"guided.{key}"), default=default)).strip()
        try:
            return check("" if answer == "-" else answer)
        except ArpadError as error:
            typer.echo(words.error(error))


def _choice(words: Words, key: str, accepted: list[str] | tuple[str, ...], default: str) -> str:
    """Ask for one of some words."""
    _explain(words, key)
    question = f"{words.text(f'guided.{key}')} ({', '.join(accepted)})"
    while True:
        answer = str(typer.prompt(question, default=default)).strip().lower()
        if answer in accepted:
            return answer
        error = BadInput("value-unknown", option=key, value=answer[:20], accepted=", ".join(accepted))
        typer.echo(words.error(error))


def _account(words: Words) -> tuple[str, str]:
    """Ask for the first account, and twice for its password; ``-`` for none."""
    from arpad.office.accounts.passwords import check_password
    from arpad.office.accounts.users import check_login

    login = _text(words, "login", _user_name(), lambda text: check_login(text) if text else "")
    if not login:
        return "", ""
    _explain(words, "password")
    while True:
        password = str(
            typer.prompt(
                words.text("site.password"), hide_input=True, confirmation_prompt=words.text("guided.again")
            )
        )
        try:
            check_password(password, (login,))
        except ArpadError as error:
            typer.echo(words.error(error))
            continue
        return login, password


def _user_name() -> str:
    try:
        name = re.sub(r"[^a-z0-9.-]", "", getpass.getuser().lower())
    except (OSError, KeyError):
        name = ""
    return name or "admin"


def _federation(text: str) -> str:
    code = text.upper()
    if not FEDERATION.fullmatch(code):
        raise BadInput("bad-form", option="federation", value=text[:20], accepted="ITA")
    return code


def _plain(text: str) -> str:
    if len(text) > 100 or not text.isprintable():  # noqa: PLR2004  as the setting
        raise BadInput("setting-name", option="name", most=100)
    return text


def _zone(text: str) -> str:
    from arpad.office.office import known_zone

    known_zone(text)
    return text


def _new_database(text: str) -> str:
    """Refuse a path that is taken, or whose folder is missing; a URL is tried when the office is made."""
    path = Path(text)
    if not text or ("://" not in text and path.exists()):
        raise BadInput("office-exists", place=text)
    if "://" not in text and not path.parent.is_dir():
        raise BadInput("database-not-opened", place=text, reason=str(path.parent))
    return text


def _key_name(text: str) -> str:
    if "+" in text or len(text) > 100 or not text.isprintable() or " " in text:  # noqa: PLR2004  a line of a checkpoint
        raise BadInput("bad-form", option="key", value=text[:40], accepted="ratings.example.org")
    return text


def _existing_file(text: str) -> str:
    if text and not Path(text).is_file():
        raise BadInput("guided-no-file", path=text)
    return text


def _day(text: str) -> str:
    return str(parse_day(text, "date"))
