"""The tables of the office.

Most rows are added and never changed: a status, a merge, a change of name, a revision. The latest row is valid. Days
and times are ISO texts, so that both databases store and sort them alike; ``act`` is the number of the act that added
a row.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
META = MetaData(naming_convention=NAMING)
BY_CODE = Text().with_variant(Text(collation="C"), "postgresql")
"""Sorted by code point, so that the beginnings of words are found by a range on both databases."""


def _act() -> Column[int]:
    """The ledger's row is written last, hence a check at the end of the transaction.

    SQLite then looks for the rows that waited for it, hence an index, or each act would read every table.
    """
    target = ForeignKey("ledger.seq", deferrable=True, initially="DEFERRED")
    return Column("act", Integer, target, nullable=False, index=True)


def _id() -> Column[int]:
    """The number of a row, which Arpad counts itself."""
    return Column("id", Integer, primary_key=True, autoincrement=False)


def _number(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False, autoincrement=False)


def _text(name: str, *, null: bool = False) -> Column[str]:
    return Column(name, Text, nullable=null)


def _texts(*names: str) -> list[Column[str]]:
    return [_text(name) for name in names]


def _unique(name: str) -> Column[str]:
    return Column(name, Text, nullable=False, unique=True)


def _bytes(name: str) -> Column[bytes]:
    return Column(name, LargeBinary, nullable=False)


def _to(name: str, target: str, *, null: bool = False) -> Column[int]:
    return Column(name, Integer, ForeignKey(target), nullable=null)


def _ended(name: str, column: str, target: str) -> Table:
    """Return a table that refers to the rows of another one which an act revoked, undid or removed; they stay."""
    return Table(name, META, Column(column, Integer, ForeignKey(target), primary_key=True), _act())


def _publication() -> Column[int]:
    """A list's own row is written after those of its players, when its digest is known."""
    target = ForeignKey("publications.id", deferrable=True, initially="DEFERRED")
    return Column("publication", Integer, target, nullable=False)


ledger = Table(
    "ledger", META, Column("seq", Integer, primary_key=True, autoincrement=False),
    *_texts("at", "author", "verb", "details", "reason", "rows", "previous"), _unique("digest"),
)  # fmt: skip
"""``rows`` has the digests of the two parts of the act's row in ``act_rows``; without rows in the second only one."""

act_rows = Table(
    "act_rows", META,
    Column(
        "act", Integer, ForeignKey("ledger.seq", deferrable=True, initially="DEFERRED"), primary_key=True,
        autoincrement=False,
    ),
    _text("lines"), _bytes("digests"), _text("erasable_lines"), _bytes("erasable_digests"),
)  # fmt: skip
"""The rows that an act added, changed and deleted, each with its digest; ``store.written_rows`` describes them."""

settings = Table("settings", META, Column("name", Text, primary_key=True), _text("value"), _act())

setting_changes = Table("setting_changes", META, _id(), *_texts("name", "value"), _act())

editions = Table("editions", META, _id(), *_texts("edition", "about", "list", "since", "text"), _act())
"""The federation's own editions: what each sets, as the TOML that was adopted, for one list from a day on; ``about``
says whether it is about ratings or titles."""

edition_revocations = _ended("edition_revocations", "adoption", "editions.id")

# --------------------------------------------------------------------------------------------------- register

players = Table(
    "players", META, _id(),
    *_texts("name", "federation", "sex", "born", "title", "women_title", "other_titles", "affiliation"), _act(),
)  # fmt: skip

player_facts = Table(
    "player_facts", META, _id(), _to("player", "players.id"), *_texts("field", "value", "since"), _act(),
    Index(None, "player"),
)  # fmt: skip

clubs = Table(
    "clubs", META, _id(), _text("kind"), _unique("code"), *_texts("name", "region", "since", "until"), _act(),
)  # fmt: skip
"""Clubs and regions as they were entered; ``region`` is the code of the region that contains them."""

club_facts = Table(
    "club_facts", META, _id(), _to("club", "clubs.id"), *_texts("field", "value", "since"), _act(),
    Index(None, "club"),
)  # fmt: skip
"""Changes of clubs and regions, each from a day on. A player's club is a fact of ``player_facts``."""

identifiers = Table(
    "identifiers", META, *_texts("scheme", "value"), _to("player", "players.id"), _act(),
    PrimaryKeyConstraint("scheme", "value"), Index(None, "player"), sqlite_with_rowid=False,
)  # fmt: skip

identifier_changes = Table(
    "identifier_changes", META, _id(), *_texts("scheme", "value"), _to("player", "players.id", null=True), _act(),
)  # fmt: skip
"""An identifier removed from a player, or given to another; the latest row has the holder, if there is one."""

name_keys = Table(
    "name_keys", META, Column("word", BY_CODE, nullable=False), _number("player"),
    PrimaryKeyConstraint("word", "player"), Index("ix_name_keys_player", "player", "word"),
    sqlite_with_rowid=False,
)  # fmt: skip

merges = Table(
    "merges", META, _id(), _to("kept", "players.id"), _to("dropped", "players.id"), _act(),
    Index(None, "dropped"),
)  # fmt: skip

unmerges = _ended("unmerges", "merge", "merges.id")

distinct_players = Table(
    "distinct_players", META, _id(), _to("player", "players.id"), _to("other", "players.id"), _act(),
)  # fmt: skip
"""Pairs of players with similar names who are two people, as an officer decided."""

distinct_revocations = _ended("distinct_revocations", "pair", "distinct_players.id")

number_schemes = Table("number_schemes", META, _id(), *_texts("code", "name", "pattern", "shown"), _act())
"""Kinds of numbers that the office declared; the latest row of a code counts, one without a name withdraws it."""

source_schemes = Table("source_schemes", META, _id(), *_texts("kind", "value", "scheme"), _act())
"""The scheme of the numbers in reports from a source; the latest row counts, one without a scheme withdraws it."""

# ---------------------------------------------------------------------------------------------------- reports

events = Table(
    "events", META, _id(), *_texts("name", "city", "federation", "first_day", "last_day", "registered", "facts"),
    _act(),
)  # fmt: skip

event_changes = Table(
    "event_changes", META, _id(), _to("event", "events.id"),
    *_texts("state", "name", "city", "federation", "first_day", "last_day", "facts"), _act(), Index(None, "event"),
)  # fmt: skip
"""What a registration became: changed, refused, cancelled or in force again. The latest row has all its values."""

reports = Table(
    "reports", META, _id(), _unique("digest"), _bytes("data"),
    *_texts("file", "received", "list", "name", "city", "federation", "first_day", "last_day"), _number("players"),
    _number("rounds"), Column("winner", Integer), _bytes("games"),
    *_texts("results", "facts", "findings"),
    _to("event", "events.id", null=True), _to("replaces", "reports.id", null=True), _act(),
    Index(None, "last_day", "name", "city"),
)  # fmt: skip
"""``digest`` is the SHA-256 of the bytes, with ``-2`` and so on if they are filed again after a return or a
withdrawal. ``winner`` is the place of the only first among the entrants. ``results`` is the digest of what the bytes
say about ratings and games (``reports.duplicates``), which stays the same if a name is erased from them. The index
has what a search reads, so that it need not walk over the bytes of every report."""

report_statuses = Table(
    "report_statuses", META, _id(), _to("report", "reports.id"), _text("status"), _act(),
    Index(None, "report"),
)  # fmt: skip

norms = Table(
    "norms", META, _id(), _to("player", "players.id"),
    *_texts("title", "event", "place", "first_day", "last_day", "edition"), _number("games"), _number("normal"),
    _number("single_days"), _number("special"), _number("by_bye"), _to("report", "reports.id", null=True), _act(),
    Index(None, "player"),
)  # fmt: skip
"""The norms that a player holds, from a report on file or entered by hand."""

norm_revocations = _ended("norm_revocations", "norm", "norms.id")

sent_reports = Table(
    "sent_reports", META, _id(), _to("report", "reports.id"), _text("day"), _act(),
    Index(None, "report"),
)  # fmt: skip
"""The day on which an officer sent a report to FIDE; the latest row counts."""

invoices = Table(
    "invoices", META, _id(), _number("year"), _number("sequence"), _to("report", "reports.id"),
    Column("credits", Integer, ForeignKey("invoices.id"), unique=True), *_texts("day", "currency"),
    Column("total", BigInteger, nullable=False), _text("content"), _act(), UniqueConstraint("year", "sequence"),
    Index(None, "report"),
)  # fmt: skip
"""Invoices and credit notes in one sequence for each year; ``credits`` is the invoice that a credit note cancels,
``total`` is in hundredths, and ``content`` is what the paper prints, as JSON."""

invoice_payments = Table(
    "invoice_payments", META, _id(), _to("invoice", "invoices.id"), _text("day"), _act(), Index(None, "invoice"),
)  # fmt: skip
"""The day on which an invoice was paid; the latest row counts, and an empty day opens the invoice again."""

arbiters = Table("arbiters", META, _id(), _act())

arbiter_facts = Table(
    "arbiter_facts", META, _id(), _to("arbiter", "arbiters.id"), *_texts("field", "value", "since"), _act(),
    Index(None, "arbiter"),
)  # fmt: skip
"""Name, FIDE number, federation and title of an arbiter, each from a day on."""

arbiter_licences = Table(
    "arbiter_licences", META, _id(), _to("arbiter", "arbiters.id"), *_texts("since", "until"), _act(),
    Index(None, "arbiter"),
)  # fmt: skip
"""A licence from one day to another, which may be empty; of two rows with the same first day the later counts."""

entrants = Table(
    "entrants", META, Column("report", Integer, ForeignKey("reports.id"), primary_key=True, autoincrement=False),
    _text("players"), _act(),
)  # fmt: skip
"""The players of an accepted report in the order of its entrants: their numbers as JSON."""

player_reports = Table(
    "player_reports", META, _number("player"), _number("report"), PrimaryKeyConstraint("player", "report"),
    sqlite_with_rowid=False,
)  # fmt: skip
"""The accepted reports of each player, to find them; it follows from ``entrants``."""

decisions = Table(
    "decisions", META, _id(), _text("kind"), _to("report", "reports.id", null=True),
    _to("player", "players.id", null=True), _text("federation", null=True), _text("list", null=True),
    _text("day", null=True), _text("value"), _act(),
)  # fmt: skip

revocations = _ended("revocations", "decision", "decisions.id")

entrant_decisions = Table(
    "entrant_decisions", META, _id(), _to("report", "reports.id"), _number("number"), _text("state"),
    _to("player", "players.id", null=True), *_texts("name", "born", "source"), _act(),
    Index(None, "report"),
)  # fmt: skip
"""Who an entrant is, as an officer decided: the latest row of a start number counts for its report.

A row with a player is also an alias: the name, from the same source, is that player in later reports too.
"""

alias_revocations = _ended("alias_revocations", "decision", "entrant_decisions.id")

unknown_numbers = Table(
    "unknown_numbers", META, _to("player", "players.id"), _text("value"), _to("report", "reports.id"), _act(),
    PrimaryKeyConstraint("player", "value"),
)  # fmt: skip
"""Numbers with which reports named players, and of which nobody said what they are."""

running_versions = Table(
    "running_versions", META, _id(), _text("tournament"), _number("version"), _number("rounds"), _text("digest"),
    _act(), Index(None, "tournament"),
)  # fmt: skip
"""Every version of a tournament in progress that was sent; no list reads them, and only the latest has its bytes."""

# ------------------------------------------------------------------------------------------------------ lists

publications = Table(
    "publications", META, _id(), *_texts("list", "day"), _number("revision"), _number("number"),
    *_texts("kind", "edition", "head", "digest", "standings_digest", "inputs_digest", "making", "published"),
    _to("base", "publications.id", null=True), _to("corrects", "publications.id", null=True), _act(),
    UniqueConstraint("list", "day", "revision"),
)  # fmt: skip

taken_back = _ended("taken_back", "publication", "publications.id")
"""Publications that were taken back: their rows stay, and are ignored from that act on."""

list_blocks = Table(
    "list_blocks", META, _publication(), _number("block"), _bytes("data"), _bytes("seals"), _text("digest"),
    PrimaryKeyConstraint("publication", "block"),
)  # fmt: skip
"""The players of a list as sealed blocks of columns; ``store.list_blocks`` describes them."""

list_history = Table(
    "list_history", META, _publication(), _number("block"), _text("changes"),
    PrimaryKeyConstraint("publication", "block"),
)  # fmt: skip
"""Players on a list for whom something differs from the list before; ``store.list_history`` describes it."""

rated_reports = Table(
    "rated_reports", META, _publication(), _to("report", "reports.id"),
    PrimaryKeyConstraint("publication", "report"), Index(None, "report"),
)  # fmt: skip

rankings = Table(
    "rankings", META, _publication(), Column("cut", BY_CODE, nullable=False), _number("total"), _text("bands"),
    PrimaryKeyConstraint("publication", "cut"),
)  # fmt: skip

ranking_pages = Table(
    "ranking_pages", META, _publication(), Column("cut", BY_CODE, nullable=False), _number("page"),
    _number("rank"), _number("ranked_before"), _bytes("players"),
    PrimaryKeyConstraint("publication", "cut", "page"),
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ reference lists

reference_lists = Table(
    "reference_lists", META, _id(), *_texts("source", "day", "lists", "file", "sha256"), _number("rows"),
    _text("digest"), _act(),
)  # fmt: skip
"""Lists of another body that are kept beside the register: ``lists`` are those whose ratings it has."""

reference_removals = _ended("reference_removals", "reference", "reference_lists.id")
"""Reference lists that were removed: their blocks are deleted, their rows stay."""

reference_blocks = Table(
    "reference_blocks", META, _to("reference", "reference_lists.id"), _number("block"),
    Column("first", BigInteger, nullable=False), Column("last", BigInteger, nullable=False), _bytes("data"),
    _text("digest"), PrimaryKeyConstraint("reference", "block"),
)  # fmt: skip
"""The players of a reference list as sealed blocks of columns, by number; ``store.reference_blocks`` describes them."""

reference_words = Table(
    "reference_words", META, _to("reference", "reference_lists.id"), _number("block"),
    Column("first", BY_CODE, nullable=False), Column("last", BY_CODE, nullable=False), _bytes("data"),
    _text("digest"), PrimaryKeyConstraint("reference", "block"),
)  # fmt: skip
"""The words of the names of the newest reference list, by which it is searched."""

# --------------------------------------------------------------------------------------------------- accounts

users = Table(
    "users", META, _id(), _unique("login"), *_texts("name", "password"), _number("active"), _text("factor"),
    _number("factor_used"), _text("password_ends"),
)  # fmt: skip
recovery_codes = Table(
    "recovery_codes", META, _number("user"), _text("digest"), PrimaryKeyConstraint("user", "digest"),
)  # fmt: skip
grants = Table(
    "grants", META, _number("user"), *_texts("role", "federation"),
    PrimaryKeyConstraint("user", "role", "federation"),
)  # fmt: skip
sessions = Table(
    "sessions", META, Column("digest", Text, primary_key=True), _number("user"),
    *_texts("begun", "ends", "seen", "browser"),
)  # fmt: skip
failures = Table("failures", META, *_texts("key", "at"), Index(None, "key"))
tokens = Table(
    "tokens", META, _id(), _number("user"), _text("name"), _unique("digest"), *_texts("scopes", "made", "ends"),
)  # fmt: skip
counters = Table(
    "counters", META, _text("key"), _number("slot"), _number("count"), PrimaryKeyConstraint("key", "slot"),
)  # fmt: skip

mail_choices = Table(
    "mail_choices", META, Column("user", Integer, primary_key=True, autoincrement=False),
    *_texts("address", "language", "unwanted"),
)  # fmt: skip
"""The address and language of a user's mails, and the kinds that are not wanted."""

password_links = Table(
    "password_links", META, Column("digest", Text, primary_key=True), _number("user"), _text("ends"),
)  # fmt: skip
known_places = Table(
    "known_places", META, _number("user"), *_texts("place", "seen"), PrimaryKeyConstraint("user", "place"),
)  # fmt: skip
"""From where a user signed in, as two bytes of a digest: enough to see that a place is new."""

# ---------------------------------------------------------------------------------------------- other passing rows

hidden_players = Table(
    "hidden_players", META, Column("player", Integer, primary_key=True, autoincrement=False),
)  # fmt: skip
drafts = Table(
    "drafts", META, *_texts("list", "day", "ledger", "inputs_digest", "version", "head", "digest"),
    PrimaryKeyConstraint("list", "day"),
)  # fmt: skip
draft_blocks = Table(
    "draft_blocks", META, *_texts("list", "day"), _number("block"), _bytes("data"), _bytes("seals"),
    _text("digest"), PrimaryKeyConstraint("list", "day", "block"),
)  # fmt: skip
draft_inputs = Table(
    "draft_inputs", META, *_texts("list", "day"), _number("part"), _bytes("data"), _text("digest"),
    PrimaryKeyConstraint("list", "day", "part"),
)  # fmt: skip
"""The last draft of each list: what it says, its players in blocks, and the files of its inputs in parts.

``ledger`` is the seal of the last act that the draft has seen.
"""

column_parts = Table(
    "column_parts", META, _text("name"), _number("part"), _number("act"), _bytes("data"), _text("digest"),
    PrimaryKeyConstraint("name", "part"),
)  # fmt: skip
"""Copies in columns of the register's players, identifiers and names; ``act`` is the last act whose rows a part has."""

running_tournaments = Table(
    "running_tournaments", META, Column("name", Text, primary_key=True),
    *_texts("title", "federation", "list", "first_day", "last_day", "sender", "arbiters"), _number("version"),
    _number("rounds"), _number("players"), *_texts("digest", "received", "ended"), Column("report", Integer),
    _text("file"), _bytes("data"), _bytes("marks"), _text("document"),
)  # fmt: skip
"""Tournaments in progress, each in its latest version; a new version replaces the row."""

live_lists = Table(
    "live_lists", META, *_texts("list", "layer", "day"), Column("official", Integer), _text("basis"),
    _number("act"), _text("at"), _number("version"), _text("digest"), PrimaryKeyConstraint("list", "layer"),
)  # fmt: skip
"""The live lists: what would be published now. ``layer`` is ``accepted`` or ``received``, ``official`` is the published
list from which ``live_rows`` differ, ``act`` the last act that was seen, ``digest`` that of everything when it was
computed; ``store.live_rows`` describes them."""

live_reports = Table(
    "live_reports", META, *_texts("list", "layer"), _number("report"), _text("players"),
    PrimaryKeyConstraint("list", "layer", "report"),
)  # fmt: skip
"""The reports of a live list; ``players`` are the entrants of a received one, who are not on file yet."""

live_rows = Table(
    "live_rows", META, *_texts("list", "layer"), _number("player"), Column("rating", Integer),
    Column("before", Integer), _number("games"), _number("events"), _number("listed"), _text("line"),
    PrimaryKeyConstraint("list", "layer", "player"),
)  # fmt: skip
"""The players with an event, or whose line differs from that of the official list; ``line`` is empty if the list would
not show them."""

monitor_pages = Table(
    "monitor_pages", META, _number("publication"), *_texts("kind", "language", "version", "made", "body"),
    PrimaryKeyConstraint("publication", "kind", "language"),
)  # fmt: skip

monitor_runs = Table(
    "monitor_runs", META, _number("publication"), *_texts("state", "language", "version", "at", "reason"),
    PrimaryKeyConstraint("publication", "state", "language"),
)  # fmt: skip
"""Examinations that are running or have failed; ``reason`` says why, once in each language."""

jobs = Table(
    "jobs", META, *_texts("kind", "key", "payload", "state", "due"), _number("asked"), _number("attempts"),
    *_texts("lease", "holder", "error", "changed"), PrimaryKeyConstraint("kind", "key"),
    Index("ix_jobs_due", "state", "due"),
)  # fmt: skip
"""The work of the worker processes; ``store.jobs`` describes it."""

change_readers = Table(
    "change_readers", META, Column("reader", Text, primary_key=True), _number("act"), _number("part"),
)  # fmt: skip
"""How far each reader of the changes has come: every webhook, and the notices by mail."""

webhooks = Table("webhooks", META, _id(), *_texts("url", "secret", "kinds", "private_host", "made"))
"""Addresses of programs that are told of changes. ``secret`` is encrypted; ``kinds`` is empty for all kinds."""

webhook_deliveries = Table(
    "webhook_deliveries", META, _number("webhook"), *_texts("change", "kind", "made", "done"),
    PrimaryKeyConstraint("webhook", "change"),
)  # fmt: skip
"""Every change that a webhook was or will be told of; ``done`` is when its receiver accepted it."""

webhook_attempts = Table(
    "webhook_attempts", META, _id(), _number("webhook"), *_texts("change", "at"), _number("status"),
    _text("error"), Index("ix_webhook_attempts_webhook", "webhook", "change"),
)  # fmt: skip
"""Every attempt to tell a receiver: the status of its answer, or 0 and the code of the error."""

followers = Table(
    "followers", META, _id(), _unique("address"), _text("language"), _unique("token"), _text("made"),
)  # fmt: skip
"""The mail addresses of visitors who follow something, in small letters."""

follows = Table(
    "follows", META, _number("follower"), *_texts("kind", "target", "made", "confirmed"),
    PrimaryKeyConstraint("follower", "kind", "target"),
)  # fmt: skip
follow_requests = Table("follow_requests", META, *_texts("key", "at"), Index(None, "key"))
"""Requests to follow in the last day: digests of addresses and networks."""
