"""The checkpoints of the ledger for those who keep them, and the activity log at the desk: who did what and when."""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from litestar import Response, get
from litestar.params import FromPath
from sqlalchemy import Connection

from arpad.explain.templates import fill_template
from arpad.explain.words import Words
from arpad.model.errors import ArpadError, BadInput
from arpad.model.typed_values import parse_day, parse_integer
from arpad.office.lists.published import publication_named
from arpad.office.office import Office, known_zone, local_moment, utc
from arpad.office.proof.checkpoints import VERB as SIGNED
from arpad.office.proof.checkpoints import (
    checkpoint,
    consistency,
    cosigned_checkpoint,
    line_proof,
    receipt,
    require_cosigned,
    witness_keys,
)
from arpad.office.proof.ledger_lines import LedgerLine, act_name, ledger_lines
from arpad.office.proof.signing_keys import key_statements, public_keys
from arpad.office.register.number_rows import public_player
from arpad.office.reports.visible import own_acts, own_key, visible_report
from arpad.proofs import lines, receipts
from arpad.proofs.receipts import document_bytes, proof_document
from arpad.store import ledger
from arpad.store.accounts import user_names
from arpad.store.ledger import Act, AskedActs
from arpad.store.settings import read_setting
from arpad.system.spreadsheet_cells import csv_text
from arpad.web.declared_forms import Unclear, picked_value
from arpad.web.forms import attachment, refuse
from arpad.web.reader import (
    ARBITER,
    COSTLY,
    OFFICER,
    OFFICER_OF_ALL,
    PUBLIC,
    caller_of,
    page_words,
    signed_in_user,
    words_for,
)
from arpad.web.requests import Refused, WebRequest, last_seal, office_of, require_office
from arpad.web.templates import page

MISSING = (
    "no-such-checkpoint", "signing-key-missing", "not-cosigned", "receipt-erased", "no-line-proof", "no-line",
    "line-proof-erased",
)  # fmt: skip
"""Refusals for which there is nothing to show or to download."""

FRESH = {"Cache-Control": "public, max-age=60"}


@get("/checkpoint", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def newest(request: WebRequest) -> Response[str]:
    """Return the signed checkpoint of the ledger as it is now."""
    return _text(_of(request, None))


@get("/checkpoint/{size:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def earlier(request: WebRequest, size: FromPath[int]) -> Response[str]:
    """Return the signed checkpoint over the first acts, with the signatures of witnesses if there are any."""
    with require_office(request).store.reading() as connection:
        note = cosigned_checkpoint(connection, size)
    return _text(_of(request, size) if note is None else note.written())


@get("/checkpoint/cosigned", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def cosigned(request: WebRequest) -> Response[str]:
    """Return the newest checkpoint that witnesses have signed too."""
    with _missing_as_404():
        return _text(require_cosigned(require_office(request)).written())


@get("/checkpoint/witnesses", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def witnesses(request: WebRequest) -> Response[str]:
    """Return the public keys of the witnesses whose signatures the office keeps, one line each."""
    with require_office(request).store.reading() as connection:
        return _text("".join(f"{key.text()}\n" for key in witness_keys(connection)))


@get("/checkpoint/{first:int}/{later:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def growth(request: WebRequest, first: FromPath[int], later: FromPath[int]) -> Response[dict[str, object]]:
    """Return the proof that the ledger grew from one size to another, and nothing else happened to it."""
    with _missing_as_404():
        end, proof = consistency(require_office(request), first, later)
    return Response(proof_document(first, end, proof), headers=FRESH)


@get("/checkpoint/keys", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def keys(request: WebRequest) -> Response[str]:
    """Return every public key of the office, one line each, the newest last."""
    with require_office(request).store.reading() as connection:
        return _text("".join(f"{key.text()}\n" for key in public_keys(connection)))


@get("/checkpoint/statements", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def statements(request: WebRequest) -> Response[dict[str, object]]:
    """Return the statements with which each key announced the next one."""
    with require_office(request).store.reading() as connection:
        return Response({"statements": key_statements(connection)}, headers=FRESH)


def _of(request: WebRequest, size: int | None) -> str:
    with _missing_as_404():
        return checkpoint(require_office(request), size).written()


@contextmanager
def _missing_as_404() -> Iterator[None]:
    """Answer 404 where there is no such proof; other errors are those of every page."""
    try:
        yield
    except BadInput as error:
        if error.code not in MISSING:
            raise
        raise Refused(404, error.code, **error.facts) from None


def _text(text: str) -> Response[str]:
    return Response(text, media_type="text/plain; charset=utf-8", headers=FRESH)


NAME = "verify_receipts"
CHECKS = (
    "included-yes", "included-no", "signed-yes", "signed-no", "signed-open", "signed-browser", "file-yes", "file-no",
    "file-open", "line-yes", "line-no", "still-there", "line-after", "choose", "bad", "bad-key", "no-crypto",
)  # fmt: skip
"""The sentences that the script chooses from; those of the commands are the same."""

FACTS = ("origin", "act", "at", "size", "line", "list", "day", "revision", "number", "digest")
WORDS = ("title", "lead", "receipt", "report", "key", "check", "private", "noscript")


def verify_page(words: Words, keys: Sequence[str] = ()) -> str:
    """Return the page with the public keys of an office filled in; it also works as a saved file."""
    blanks = {name: f"{{{name}}}" for name in FACTS}
    about = {
        "act": receipts.ACT,
        "group": lines.GROUP,
        "schemas": [receipts.SCHEMA, lines.SCHEMA],
        "sentences": {name: words.text(f"proof.{name}", **blanks) for name in CHECKS},
    }
    parts = {
        "language": words.language,
        "keys": escape("\n".join(keys)),
        "words": json.dumps(about, ensure_ascii=False).replace("<", "\\u003c"),
        "back": escape(words.text("site.nav-verify")),
        "style": _source("css"),
        "script": _source("js"),
        **{part: escape(words.text(f"proof-page.{part}")) for part in WORDS},
    }
    return fill_template(NAME, parts)


@cache
def page_policy() -> str:
    """Return the content policy of the page: its own style and script, and nothing else."""
    style, script = (_digest(_source(ending)) for ending in ("css", "js"))
    return (
        f"default-src 'none'; script-src '{script}'; style-src '{style}'; font-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )


@cache
def _source(ending: str) -> str:
    return (files("arpad.explain") / "layouts" / f"{NAME}.{ending}").read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


@get("/desk/reports/{number:int}/receipt", opt=ARBITER, include_in_schema=False, sync_to_thread=True)
def report_receipt(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Return the receipt for a report."""
    office = require_office(request)
    with office.store.reading() as connection:
        visible_report(connection, signed_in_user(request), number)
    with _missing_as_404():
        document = receipt(office, number).document()
    return _file(document, f"{number}.receipt.json", "private, no-store")


@get(
    "/players/{number:int}/proof/{name:str}",
    opt=PUBLIC | COSTLY,
    include_in_schema=False,
    sync_to_thread=True,
)
def player_line(request: WebRequest, number: FromPath[int], name: FromPath[str]) -> Response[Any]:
    """Return the proof of a player's line on a list."""
    with require_office(request).store.reading() as connection:
        public_player(connection, number)
        publication = publication_named(connection, name)
        if publication is None:
            raise Refused(404, "no-list-here")
        with _missing_as_404():
            document = line_proof(connection, publication, number).document()
    return _file(document, f"{publication.name}.player-{number}.proof.json", "public, max-age=3600")


@get("/verify/receipts", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def check_in_browser(request: WebRequest) -> Response[str]:
    """Return the page that checks receipts without a server."""
    keys: list[str] = []
    if (office := office_of(request)) is not None:
        with office.store.reading() as connection:
            keys = [key.text() for key in public_keys(connection)]
    headers = {"Content-Security-Policy": page_policy(), "Cache-Control": "no-cache"}
    return Response(
        verify_page(page_words(request), keys), headers=headers, media_type="text/html; charset=utf-8"
    )


def _file(document: dict[str, Any], name: str, keep: str) -> Response[Any]:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": keep}
    return Response(document_bytes(document), headers=headers, media_type="application/json")


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

    authors: list[tuple[str, str]] = field(default_factory=list)
    verbs: list[tuple[str, str]] = field(default_factory=list)
    """What can be chosen: everybody who did something, and everything that was done."""


def acts_shown(office: Office, asked: AskedActs, before: int, words: Words, most: int = ACTS) -> ActsShown:
    """Return the latest acts before one that are asked for; without the signatures, unless they are asked for."""
    with office.store.reading() as connection:
        acts = ledger.latest_acts(connection, asked, before, most + 1, without="" if asked.verb else SIGNED)
        shown = _shown(connection, acts[:most], acts[most - 1].seq if len(acts) > most else 0, words)
        authors, verbs = ledger.authors_and_verbs(connection)
        names = user_names(connection)
    return replace(
        shown, authors=sorted((it, names.get(it, it)) for it in authors),
        verbs=sorted(((it, act_name(it, {}, words)) for it in verbs), key=lambda it: it[1]),
    )  # fmt: skip


def _shown(connection: Connection, acts: list[Act], older: int, words: Words) -> ActsShown:
    moments = {act.seq: local_moment(connection, act.at) for act in acts}
    after = ledger.some_acts(connection, {act.seq + 1 for act in acts} - {act.seq for act in acts})
    return ActsShown(
        ledger_lines(connection, acts, words), older, moments,
        frozenset(seq - 1 for seq, act in after.items() if act.verb == SIGNED),
    )  # fmt: skip


def _asked(request: WebRequest, office: Office) -> AskedActs:
    """Return which acts the address asks for; raise if it cannot be understood."""
    texts = {name: request.query_params.getall(name, [""])[-1].strip() for name in FIELDS}

    def midnight(day: date) -> str:
        with office.store.reading() as connection:
            zone = known_zone(read_setting(connection, "time_zone") or "UTC")
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
    caller = caller_of(request)
    if not caller.officer_of(""):
        with office.store.reading() as connection:
            acts, older = own_acts(caller, connection, before or ledger.next_seq(connection), ACTS)
            shown = _shown(connection, acts, older, words)
        key: Any = (before, own_key(caller), signed_in_user(request).login)
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
