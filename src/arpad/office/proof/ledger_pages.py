"""The activity log at the desk: who did what and when, by person, kind, tournament and day, and as CSV."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlencode

from litestar import Response, get
from sqlalchemy import Connection

from arpad.explain.words import Words
from arpad.model.errors import ArpadError
from arpad.model.typed_values import parse_day, parse_integer
from arpad.office.office import Office, known_zone, local_moment, utc
from arpad.office.proof.checkpoints import VERB as SIGNED
from arpad.office.proof.ledger_lines import LedgerLine, act_name, ledger_lines
from arpad.office.reports.pages import own_acts, own_key
from arpad.store import ledger
from arpad.store.accounts import all_users
from arpad.store.ledger import Act, AskedActs
from arpad.store.settings import read_setting
from arpad.system.spreadsheet_cells import csv_text
from arpad.web.auth import OFFICER, OFFICER_OF_ALL, caller_of, signed_in_user
from arpad.web.declared_forms import Unclear, picked_value
from arpad.web.desk import attachment
from arpad.web.forms import refuse
from arpad.web.language import words_for
from arpad.web.requests import WebRequest, last_seal, require_office
from arpad.web.templates import page

ACTS = 100
MOST_EXPORTED = 100_000
FIELDS = ("author", "verb", "report", "first", "until")


@dataclass(frozen=True, slots=True)
class ActsShown:
    """The acts of a page, the latest first, and what the page must know to name them."""

    lines: list[LedgerLine]
    older: int
    """The act before which the next page begins; 0 at the end."""

    moments: Mapping[int, datetime]
    """When each act was done, by the clock of the office."""

    signed: frozenset[int]
    """The acts after which the ledger was signed."""

    names: Mapping[str, str]
    """The names of the people who have an account, by login."""

    authors: list[tuple[str, str]] = field(default_factory=list)
    verbs: list[tuple[str, str]] = field(default_factory=list)
    """What can be chosen: everybody who did something, and everything that was done."""


def acts_shown(office: Office, asked: AskedActs, before: int, words: Words, most: int = ACTS) -> ActsShown:
    """Return the latest acts before one that are asked for; without the signatures, unless they are asked for."""
    with office.store.reading() as connection:
        acts = ledger.latest_acts(connection, asked, before, most + 1, without="" if asked.verb else SIGNED)
        shown = _shown(connection, acts[:most], acts[most - 1].seq if len(acts) > most else 0, words)
        authors, verbs = ledger.authors_and_verbs(connection)
    return replace(
        shown, authors=sorted((it, shown.names.get(it, it)) for it in authors),
        verbs=sorted(((it, act_name(it, {}, words)) for it in verbs), key=lambda it: it[1]),
    )  # fmt: skip


def _shown(connection: Connection, acts: list[Act], older: int, words: Words) -> ActsShown:
    moments = {act.seq: local_moment(connection, datetime.fromisoformat(act.at)) for act in acts}
    after = ledger.some_acts(connection, {act.seq + 1 for act in acts} - {act.seq for act in acts})
    return ActsShown(
        ledger_lines(connection, acts, words), older, moments,
        frozenset(seq - 1 for seq, act in after.items() if act.verb == SIGNED),
        {user.login: user.name for user in all_users(connection)},
    )  # fmt: skip


def _asked(request: WebRequest, office: Office) -> AskedActs:
    """Return which acts the address asks for; raise if it cannot be understood."""
    texts = {name: request.query_params.getall(name, [""])[-1].strip() for name in FIELDS}
    with office.store.reading() as connection:
        zone = known_zone(read_setting(connection, "time_zone") or "UTC")

    def midnight(day: date) -> str:
        return utc(datetime.combine(day, time(), zone))

    first, until = (parse_day(texts[name], name) if texts[name] else None for name in ("first", "until"))
    report = texts["report"]
    return AskedActs(
        texts["author"], texts["verb"],
        parse_integer(picked_value(request, "report", report, "report"), "report") if report else 0,
        midnight(first) if first else "", midnight(until + timedelta(days=1)) if until else "",
    )  # fmt: skip


def _before(request: WebRequest) -> int:
    asked = request.query_params.get("before", "")
    return int(asked) if asked.isdecimal() and len(asked) < 10 else 0  # noqa: PLR2004  what a number can be


@get("/desk/ledger", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def ledger_page(request: WebRequest) -> Response[str]:
    """Show the acts, the latest first; an officer who is bound to a federation sees the acts about it."""
    office, words, before = require_office(request), words_for(request), _before(request)
    if not caller_of(request).officer_of(""):
        with office.store.reading() as connection:
            acts, older = own_acts(request, connection, before or ledger.next_seq(connection), ACTS)
            shown = _shown(connection, acts, older, words)
        key: Any = (before, own_key(request), signed_in_user(request).login)
        return page(
            request, "proof/ledger.html", seal=last_seal(office), key=key, whole=False, texts={}, read=lambda: shown
        )  # fmt: skip
    texts = {name: request.query_params.get(name, "") for name in FIELDS}
    asked = AskedActs()
    try:
        asked = _asked(request, office)
    except Unclear as unclear:
        values = {name: [text] for name, text in texts.items()}
        refuse(request, unclear, values, "/desk/ledger", choices=unclear.choices)
    except ArpadError as error:
        refuse(request, error, {name: [text] for name, text in texts.items()}, "/desk/ledger")
    return page(
        request, "proof/ledger.html", seal=last_seal(office), key=(asked, before, *texts.values()), whole=True,
        texts=texts, asked=urlencode({name: text for name, text in texts.items() if text}),
        read=lambda: acts_shown(office, asked, before, words),
    )  # fmt: skip


@get("/desk/ledger/acts.csv", opt=OFFICER_OF_ALL, include_in_schema=False, sync_to_thread=True)
def ledger_csv(request: WebRequest) -> Response[bytes]:
    """Return the acts that the page shows, all of them, as CSV."""
    office, words = require_office(request), words_for(request)
    shown = acts_shown(office, _asked(request, office), 0, words, MOST_EXPORTED)
    heading = [
        words.text(f"site.{it}") for it in ("act", "moment", "author", "verb", "ledger-about-what", "reason")
    ]
    rows = [
        (
            line.act.seq, shown.moments[line.act.seq].isoformat(timespec="seconds"), line.act.author, line.name,
            "; ".join(piece.text for piece in line.pieces), line.act.reason,
        )
        for line in shown.lines
    ]  # fmt: skip
    return attachment(csv_text(heading, rows).encode(), "text/csv", "acts.csv")


ROUTES = (ledger_page, ledger_csv)
