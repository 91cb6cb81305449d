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


def _text(name: str, *, null: bool = False) -> Column[str]:
    return Column(name, Text, nullable=null)


def _to(name: str, target: str, *, null: bool = False) -> Column[int]:
    return Column(name, Integer, ForeignKey(target), nullable=null)


def _publication() -> Column[int]:
    """A list's own row is written after those of its players, when its digest is known."""
    target = ForeignKey("publications.id", deferrable=True, initially="DEFERRED")
    return Column("publication", Integer, target, nullable=False)


ledger = Table(
    "ledger", META,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    _text("at"), _text("author"), _text("verb"), _text("details"), _text("reason"), _text("rows"),
    _text("previous"), Column("digest", Text, nullable=False, unique=True),
)  # fmt: skip
"""``rows`` is the digest of the act's row in ``act_rows``; empty if the act wrote no row that is proved."""

act_rows = Table(
    "act_rows", META,
    Column(
        "act", Integer, ForeignKey("ledger.seq", deferrable=True, initially="DEFERRED"), primary_key=True,
        autoincrement=False,
    ),
    _text("lines"), Column("digests", LargeBinary, nullable=False),
)  # fmt: skip
"""The rows that an act added, changed and deleted, each with its digest; ``store.written_rows`` describes them."""

settings = Table("settings", META, Column("name", Text, primary_key=True), _text("value"), _act())

setting_changes = Table(
    "setting_changes", META,
    Column("id", Integer, primary_key=True, autoincrement=False), _text("name"), _text("value"), _act(),
)  # fmt: skip

editions = Table(
    "editions", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _text("edition"), _text("about"), _text("list"), _text("since"), _text("text"), _act(),
)  # fmt: skip
"""The federation's own editions: what each sets, as the TOML that was adopted, for one list from a day on; ``about``
says whether it is about ratings or titles."""

edition_revocations = Table(
    "edition_revocations",
    META,
    Column("adoption", Integer, ForeignKey("editions.id"), primary_key=True),
    _act(),
)

# --------------------------------------------------------------------------------------------------- register

players = Table(
    "players", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _text("name"), _text("federation"), _text("sex"), _text("born"), _text("title"), _text("women_title"),
    _text("other_titles"), _text("affiliation"), _act(),
)  # fmt: skip

player_facts = Table(
    "player_facts", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _to("player", "players.id"), _text("field"), _text("value"), _text("since"), _act(),
    Index(None, "player"),
)  # fmt: skip

clubs = Table(
    "clubs", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _text("kind"), Column("code", Text, nullable=False, unique=True), _text("name"), _text("region"),
    _text("since"), _text("until"), _act(),
)  # fmt: skip
"""Clubs and regions as they were entered; ``region`` is the code of the region that contains them."""

club_facts = Table(
    "club_facts", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _to("club", "clubs.id"), _text("field"), _text("value"), _text("since"), _act(),
    Index(None, "club"),
)  # fmt: skip
"""Changes of clubs and regions, each from a day on. A player's club is a fact of ``player_facts``."""

identifiers = Table(
    "identifiers", META,
    _text("scheme"), _text("value"), _to("player", "players.id"), _act(),
    PrimaryKeyConstraint("scheme", "value"),
    Index(None, "player"),
    sqlite_with_rowid=False,
)  # fmt: skip

identifier_changes = Table(
    "identifier_changes", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _text("scheme"), _text("value"), _to("player", "players.id", null=True), _act(),
)  # fmt: skip
"""An identifier removed from a player, or given to another; the latest row has the holder, if there is one."""

name_keys = Table(
    "name_keys", META,
    Column("word", BY_CODE, nullable=False), Column("player", Integer, nullable=False),
    PrimaryKeyConstraint("word", "player"),
    Index("ix_name_keys_player", "player", "word"),
    sqlite_with_rowid=False,
)  # fmt: skip

merges = Table(
    "merges", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _to("kept", "players.id"), _to("dropped", "players.id"), _act(),
    Index(None, "dropped"),
)  # fmt: skip

unmerges = Table(
    "unmerges", META, Column("merge", Integer, ForeignKey("merges.id"), primary_key=True), _act()
)

distinct_players = Table(
    "distinct_players", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _to("player", "players.id"), _to("other", "players.id"), _act(),
)  # fmt: skip
"""Pairs of players with similar names who are two people, as an officer decided."""

distinct_revocations = Table(
    "distinct_revocations",
    META,
    Column("pair", Integer, ForeignKey("distinct_players.id"), primary_key=True),
    _act(),
)

number_schemes = Table(
    "number_schemes", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _text("code"), _text("name"), _text("pattern"), _text("shown"), _act(),
)  # fmt: skip
"""Kinds of numbers that the office declared; the latest row of a code counts, one without a name withdraws it."""

source_schemes = Table(
    "source_schemes", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _text("kind"), _text("value"), _text("scheme"), _act(),
)  # fmt: skip
"""The scheme of the numbers in reports from a source; the latest row counts, one without a scheme withdraws it."""

# ---------------------------------------------------------------------------------------------------- reports

events = Table(
    "events", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _text("name"), _text("city"), _text("federation"), _text("first_day"), _text("last_day"),
    _text("registered"), _text("facts"), _act(),
)  # fmt: skip

reports = Table(
    "reports", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("digest", Text, nullable=False, unique=True),
    Column("data", LargeBinary, nullable=False),
    _text("file"), _text("received"), _text("list"), _text("name"), _text("city"), _text("federation"),
    _text("first_day"), _text("last_day"),
    Column("players", Integer, nullable=False), Column("rounds", Integer, nullable=False), Column("winner", Integer),
    Column("games", LargeBinary, nullable=False),
    _text("facts"), _text("findings"),
    _to("event", "events.id", null=True), _to("replaces", "reports.id", null=True), _act(),
    Index(None, "last_day", "name", "city"),
)  # fmt: skip
"""``digest`` is the SHA-256 of the bytes, with ``-2`` and so on if they are filed again after a return or a
withdrawal. ``winner`` is the place of the only first among the entrants. The index has what a search reads, so that it
need not walk over the bytes of every report."""

report_statuses = Table(
    "report_statuses", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _to("report", "reports.id"), _text("status"), _act(),
    Index(None, "report"),
)  # fmt: skip

norms = Table(
    "norms", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _to("player", "players.id"), _text("title"), _text("event"), _text("place"), _text("first_day"),
    _text("last_day"), _text("edition"), Column("games", Integer, nullable=False),
    Column("normal", Integer, nullable=False), Column("single_days", Integer, nullable=False),
    Column("special", Integer, nullable=False), Column("by_bye", Integer, nullable=False),
    _to("report", "reports.id", null=True), _act(),
    Index(None, "player"),
)  # fmt: skip
"""The norms that a player holds, from a report on file or entered by hand."""

norm_revocations = Table(
    "norm_revocations", META, Column("norm", Integer, ForeignKey("norms.id"), primary_key=True), _act()
)

sent_reports = Table(
    "sent_reports", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _to("report", "reports.id"), _text("day"), _act(),
    Index(None, "report"),
)  # fmt: skip
"""The day on which an officer sent a report to FIDE; the latest row counts."""

arbiters = Table("arbiters", META, Column("id", Integer, primary_key=True, autoincrement=False), _act())

arbiter_facts = Table(
    "arbiter_facts", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _to("arbiter", "arbiters.id"), _text("field"), _text("value"), _text("since"), _act(),
    Index(None, "arbiter"),
)  # fmt: skip
"""Name, FIDE number, federation and title of an arbiter, each from a day on."""

arbiter_licences = Table(
    "arbiter_licences", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _to("arbiter", "arbiters.id"), _text("since"), _text("until"), _act(),
    Index(None, "arbiter"),
)  # fmt: skip
"""A licence from one day to another, which may be empty; of two rows with the same first day the later counts."""

entrants = Table(
    "entrants", META,
    Column("report", Integer, ForeignKey("reports.id"), primary_key=True, autoincrement=False),
    _text("players"), _act(),
)  # fmt: skip
"""The players of an accepted report in the order of its entrants: their numbers as JSON."""

player_reports = Table(
    "player_reports", META,
    Column("player", Integer, nullable=False), Column("report", Integer, nullable=False),
    PrimaryKeyConstraint("player", "report"),
    sqlite_with_rowid=False,
)  # fmt: skip
"""The accepted reports of each player, to find them; it follows from ``entrants``."""

decisions = Table(
    "decisions", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _text("kind"), _to("report", "reports.id", null=True), _to("player", "players.id", null=True),
    _text("federation", null=True), _text("list", null=True), _text("day", null=True), _text("value"), _act(),
)  # fmt: skip

revocations = Table(
    "revocations", META, Column("decision", Integer, ForeignKey("decisions.id"), primary_key=True), _act()
)

entrant_decisions = Table(
    "entrant_decisions", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _to("report", "reports.id"), Column("number", Integer, nullable=False), _text("state"),
    _to("player", "players.id", null=True), _text("name"), _text("born"), _text("source"), _act(),
    Index(None, "report"),
)  # fmt: skip
"""Who an entrant is, as an officer decided: the latest row of a start number counts for its report.

A row with a player is also an alias: the name, from the same source, is that player in later reports too.
"""

alias_revocations = Table(
    "alias_revocations",
    META,
    Column("decision", Integer, ForeignKey("entrant_decisions.id"), primary_key=True),
    _act(),
)

unknown_numbers = Table(
    "unknown_numbers", META,
    _to("player", "players.id"), _text("value"), _to("report", "reports.id"), _act(),
    PrimaryKeyConstraint("player", "value"),
)  # fmt: skip
"""Numbers with which reports named players, and of which nobody said what they are."""

running_versions = Table(
    "running_versions", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _text("tournament"), Column("version", Integer, nullable=False), Column("rounds", Integer, nullable=False),
    _text("digest"), _act(),
    Index(None, "tournament"),
)  # fmt: skip
"""Every version of a tournament in progress that was sent; no list reads them, and only the latest has its bytes."""

# ------------------------------------------------------------------------------------------------------ lists

publications = Table(
    "publications", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _text("list"), _text("day"), Column("revision", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    _text("kind"), _text("edition"), _text("head"), _text("digest"), _text("standings_digest"),
    _text("inputs_digest"), _text("making"), _text("published"),
    _to("base", "publications.id", null=True), _to("corrects", "publications.id", null=True), _act(),
    UniqueConstraint("list", "day", "revision"),
)  # fmt: skip

taken_back = Table(
    "taken_back", META,
    Column("publication", Integer, ForeignKey("publications.id"), primary_key=True), _act(),
)  # fmt: skip
"""Publications that were taken back: their rows stay, and are ignored from that act on."""

list_blocks = Table(
    "list_blocks", META,
    _publication(), Column("block", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False), Column("seals", LargeBinary, nullable=False), _text("digest"),
    PrimaryKeyConstraint("publication", "block"),
)  # fmt: skip
"""The players of a list as sealed blocks of columns; ``store.list_blocks`` describes them."""

list_history = Table(
    "list_history", META,
    _publication(), Column("block", Integer, nullable=False), _text("changes"),
    PrimaryKeyConstraint("publication", "block"),
)  # fmt: skip
"""Players on a list for whom something differs from the list before; ``store.list_history`` describes it."""

rated_reports = Table(
    "rated_reports", META,
    _publication(), _to("report", "reports.id"),
    PrimaryKeyConstraint("publication", "report"),
    Index(None, "report"),
)  # fmt: skip

rankings = Table(
    "rankings", META,
    _publication(), Column("cut", BY_CODE, nullable=False), Column("total", Integer, nullable=False), _text("bands"),
    PrimaryKeyConstraint("publication", "cut"),
)  # fmt: skip

ranking_pages = Table(
    "ranking_pages", META,
    _publication(), Column("cut", BY_CODE, nullable=False), Column("page", Integer, nullable=False),
    Column("rank", Integer, nullable=False), Column("ranked_before", Integer, nullable=False),
    Column("players", LargeBinary, nullable=False),
    PrimaryKeyConstraint("publication", "cut", "page"),
)  # fmt: skip

# ------------------------------------------------------------------------------------------------ reference lists

reference_lists = Table(
    "reference_lists", META,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _text("source"), _text("day"), _text("lists"), _text("file"), _text("sha256"),
    Column("rows", Integer, nullable=False), _text("digest"), _act(),
)  # fmt: skip
"""Lists of another body that are kept beside the register: ``lists`` are those whose ratings it has."""

reference_removals = Table(
    "reference_removals", META,
    Column("reference", Integer, ForeignKey("reference_lists.id"), primary_key=True), _act(),
)  # fmt: skip
"""Reference lists that were removed: their blocks are deleted, their rows stay."""

reference_blocks = Table(
    "reference_blocks", META,
    _to("reference", "reference_lists.id"), Column("block", Integer, nullable=False),
    Column("first", BigInteger, nullable=False), Column("last", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False), _text("digest"),
    PrimaryKeyConstraint("reference", "block"),
)  # fmt: skip
"""The players of a reference list as sealed blocks of columns, by number; ``store.reference_blocks`` describes them."""

reference_words = Table(
    "reference_words", META,
    _to("reference", "reference_lists.id"), Column("block", Integer, nullable=False),
    Column("first", BY_CODE, nullable=False), Column("last", BY_CODE, nullable=False),
    Column("data", LargeBinary, nullable=False), _text("digest"),
    PrimaryKeyConstraint("reference", "block"),
)  # fmt: skip
"""The words of the names of the newest reference list, by which it is searched."""

# --------------------------------------------------------------------------------------------------- accounts


def _number(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False, autoincrement=False)


users = Table(
    "users", META,
    Column("id", Integer, primary_key=True, autoincrement=False), Column("login", Text, nullable=False, unique=True),
    _text("name"), _text("password"), _number("active"), _text("factor"), _number("factor_used"),
    _text("password_ends"),
)  # fmt: skip
recovery_codes = Table(
    "recovery_codes", META, _number("user"), _text("digest"), PrimaryKeyConstraint("user", "digest")
)
grants = Table(
    "grants", META, _number("user"), _text("role"), _text("federation"),
    PrimaryKeyConstraint("user", "role", "federation"),
)  # fmt: skip
sessions = Table(
    "sessions", META, Column("digest", Text, primary_key=True), _number("user"), _text("begun"), _text("ends"),
    _text("seen"), _text("browser"),
)  # fmt: skip
failures = Table("failures", META, _text("key"), _text("at"), Index(None, "key"))
tokens = Table(
    "tokens", META,
    Column("id", Integer, primary_key=True, autoincrement=False), _number("user"), _text("name"),
    Column("digest", Text, nullable=False, unique=True), _text("scopes"), _text("made"), _text("ends"),
)  # fmt: skip
counters = Table(
    "counters", META, _text("key"), _number("slot"), _number("count"), PrimaryKeyConstraint("key", "slot"),
)  # fmt: skip

mail_choices = Table(
    "mail_choices", META,
    Column("user", Integer, primary_key=True, autoincrement=False), _text("address"), _text("language"),
    _text("unwanted"),
)  # fmt: skip
"""The address and language of a user's mails, and the kinds that are not wanted."""

password_links = Table(
    "password_links", META, Column("digest", Text, primary_key=True), _number("user"), _text("ends")
)
known_places = Table(
    "known_places",
    META,
    _number("user"),
    _text("place"),
    _text("seen"),
    PrimaryKeyConstraint("user", "place"),
)
"""From where a user signed in, as two bytes of a digest: enough to see that a place is new."""

# ---------------------------------------------------------------------------------------------- other passing rows

hidden_players = Table(
    "hidden_players", META, Column("player", Integer, primary_key=True, autoincrement=False)
)
drafts = Table(
    "drafts", META,
    _text("list"), _text("day"), _text("ledger"), _text("inputs_digest"), _text("version"), _text("head"),
    _text("digest"),
    PrimaryKeyConstraint("list", "day"),
)  # fmt: skip
draft_blocks = Table(
    "draft_blocks", META,
    _text("list"), _text("day"), _number("block"), Column("data", LargeBinary, nullable=False),
    Column("seals", LargeBinary, nullable=False), _text("digest"),
    PrimaryKeyConstraint("list", "day", "block"),
)  # fmt: skip
draft_inputs = Table(
    "draft_inputs", META,
    _text("list"), _text("day"), _number("part"), Column("data", LargeBinary, nullable=False), _text("digest"),
    PrimaryKeyConstraint("list", "day", "part"),
)  # fmt: skip
"""The last draft of each list: what it says, its players in blocks, and the files of its inputs in parts.

``ledger`` is the seal of the last act that the draft has seen.
"""

column_parts = Table(
    "column_parts", META,
    _text("name"), _number("part"), _number("act"), Column("data", LargeBinary, nullable=False), _text("digest"),
    PrimaryKeyConstraint("name", "part"),
)  # fmt: skip
"""Copies in columns of the register's players, identifiers and names; ``act`` is the last act whose rows a part has."""

running_tournaments = Table(
    "running_tournaments", META,
    Column("name", Text, primary_key=True), _text("title"), _text("federation"), _text("list"), _text("first_day"),
    _text("last_day"), _text("sender"), _text("arbiters"), _number("version"), _number("rounds"), _number("players"),
    _text("digest"), _text("received"), _text("ended"), Column("report", Integer), _text("file"),
    Column("data", LargeBinary, nullable=False), Column("marks", LargeBinary, nullable=False), _text("document"),
)  # fmt: skip
"""Tournaments in progress, each in its latest version; a new version replaces the row."""

live_lists = Table(
    "live_lists", META,
    _text("list"), _text("layer"), _text("day"), Column("official", Integer), _text("basis"), _number("act"),
    _text("at"), _number("version"),
    PrimaryKeyConstraint("list", "layer"),
)  # fmt: skip
"""The live lists: what would be published now. ``layer`` is ``accepted`` or ``received``, ``official`` is the published
list from which ``live_rows`` differ, ``act`` the last act that was seen; ``store.live_rows`` describes them."""

live_reports = Table(
    "live_reports", META,
    _text("list"), _text("layer"), _number("report"), _text("players"),
    PrimaryKeyConstraint("list", "layer", "report"),
)  # fmt: skip
"""The reports of a live list; ``players`` are the entrants of a received one, who are not on file yet."""

live_rows = Table(
    "live_rows", META,
    _text("list"), _text("layer"), _number("player"), Column("rating", Integer), Column("before", Integer),
    _number("games"), _number("events"), _number("listed"), _text("line"),
    PrimaryKeyConstraint("list", "layer", "player"),
)  # fmt: skip
"""The players with an event, or whose line differs from that of the official list; ``line`` is empty if the list would
not show them."""

monitor_pages = Table(
    "monitor_pages", META,
    _number("publication"), _text("kind"), _text("language"), _text("version"), _text("made"), _text("body"),
    PrimaryKeyConstraint("publication", "kind", "language"),
)  # fmt: skip

monitor_runs = Table(
    "monitor_runs", META,
    _number("publication"), _text("state"), _text("language"), _text("version"), _text("at"), _text("reason"),
    PrimaryKeyConstraint("publication", "state", "language"),
)  # fmt: skip
"""Examinations that are running or have failed; ``reason`` says why, once in each language."""

jobs = Table(
    "jobs", META,
    _text("kind"), _text("key"), _text("payload"), _text("state"), _text("due"), _number("asked"),
    _number("attempts"), _text("lease"), _text("holder"), _text("error"), _text("changed"),
    PrimaryKeyConstraint("kind", "key"),
    Index("ix_jobs_due", "state", "due"),
)  # fmt: skip
"""The work of the worker processes; ``store.jobs`` describes it."""

change_readers = Table(
    "change_readers", META, Column("reader", Text, primary_key=True), _number("act"), _number("part")
)
"""How far each reader of the changes has come: every webhook, and the notices by mail."""

webhooks = Table(
    "webhooks", META,
    Column("id", Integer, primary_key=True, autoincrement=False), _text("url"), _text("secret"), _text("kinds"),
    _text("private_host"), _text("made"),
)  # fmt: skip
"""Addresses of programs that are told of changes. ``secret`` is encrypted; ``kinds`` is empty for all kinds."""

webhook_deliveries = Table(
    "webhook_deliveries", META, _number("webhook"), _text("change"), _text("kind"), _text("made"), _text("done"),
    PrimaryKeyConstraint("webhook", "change"),
)  # fmt: skip
"""Every change that a webhook was or will be told of; ``done`` is when its receiver accepted it."""

webhook_attempts = Table(
    "webhook_attempts", META,
    Column("id", Integer, primary_key=True, autoincrement=False), _number("webhook"), _text("change"), _text("at"),
    _number("status"), _text("error"),
    Index("ix_webhook_attempts_webhook", "webhook", "change"),
)  # fmt: skip
"""Every attempt to tell a receiver: the status of its answer, or 0 and the code of the error."""

followers = Table(
    "followers", META,
    Column("id", Integer, primary_key=True, autoincrement=False), Column("address", Text, nullable=False, unique=True),
    _text("language"), Column("token", Text, nullable=False, unique=True), _text("made"),
)  # fmt: skip
"""The mail addresses of visitors who follow something, in small letters."""

follows = Table(
    "follows", META, _number("follower"), _text("kind"), _text("target"), _text("made"), _text("confirmed"),
    PrimaryKeyConstraint("follower", "kind", "target"),
)  # fmt: skip
follow_requests = Table("follow_requests", META, _text("key"), _text("at"), Index(None, "key"))
"""Requests to follow in the last day: digests of addresses and networks."""
