"""Whoever holds the file appends acts, well sealed but without the key of the office: each of them is named."""

import shutil
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import date
from hashlib import sha256
from itertools import cycle, product
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from sqlalchemy import delete, insert, update

from arpad.explain.words import LANGUAGES
from arpad.lists.sealed_blocks import SealedBlock, seal_table
from arpad.lists.table import lines_bytes, standings_bytes
from arpad.model.act_seal import act_seal, text_digest
from arpad.model.canonical_json import dump, load
from arpad.office.lists.block_rows import sealed_blocks
from arpad.office.lists.tables import list_blocks, publications, rated_reports
from arpad.office.proof.erased_texts import ERASED
from arpad.office.reports.tables import entrants, report_games, report_statuses, reports
from arpad.store import triggers as protect
from arpad.store.declared_tables import META, kept_tables, proved_tables, verbs
from arpad.store.ledger import append
from arpad.store.schema import grants, ledger, users
from arpad.store.written_rows import ActRecord
from tests.builders.chess import event
from tests.builders.offices import WIN, Clock, Desk, listed
from tests.builders.verbs import change_settings, open_office, verify
from tests.builders.verbs import ledger as office_ledger
from tests.builders.whole_office import END, build_office
from tests.commands import run, run_json
from tests.store.forging import Forger, forging
from tests.store.tampering import other_value


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    desk = Desk.made(str(folder / "office.db"), folder, Clock())
    build_office(desk)
    with closing(sqlite3.connect(desk.place)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    return Path(desk.place)


def found(place: Path, *, recompute: bool = True) -> list[tuple[str, dict[str, Any]]]:
    """Return the code and the facts of everything that verifying names."""
    office = open_office(str(place), now=Clock(END))
    try:
        return [(item.code, dict(item.facts)) for item in verify(office, recompute=recompute).altered]
    finally:
        office.close()


def codes(place: Path, *, recompute: bool = True) -> set[str]:
    return {code for code, _ in found(place, recompute=recompute)}


Forgery = Callable[[Forger], None]


def forged(whole: Path, tmp_path: Path, forge: Forgery) -> Path:
    place = tmp_path / "forged.db"
    shutil.copy(whole, place)
    with forging(place) as forger:
        forge(forger)
    return place


def test_an_honest_office_is_intact(whole: Path) -> None:
    assert found(whole) == []


# --------------------------------------------------------------------------------- every verb with every table


def altered(forger: Forger, table: str) -> dict[str, Any]:
    """Return the last row of a table with another value, as its act would be named."""
    columns = META.tables[table].columns
    row = forger.rows(table)[-1]
    keys = {column.name for column in META.tables[table].primary_key.columns}
    free = [
        column
        for column in columns
        if column.name not in {*keys, "act"} and (table, column.name) != ("users", "factor_used")
    ]
    for column in free[:1]:
        row[column.name] = other_value(column, row[column.name])
    if "act" in row:
        row["act"] = forger.last + 1
    return row


def added(forger: Forger, table: str) -> dict[str, Any]:
    """Return a row like the last one of a table under another key."""
    row = altered(forger, table)
    for column in META.tables[table].columns:
        if column.primary_key or column.unique:
            row[column.name] = other_value(column, row[column.name])
    return row


def judged(whole: Path, folder: Path, verb: str, table: str, how: str) -> set[str]:
    """Return what is said about one act of a verb with a changed, an added or a deleted row of a table."""

    def forge(forger: Forger) -> None:
        details = {"name": "Fed 2"}
        if how == "deleted":
            row = forger.rows(table)[-1]
            forger.delete(table, row)
            forger.append(verb, details, deleted=[(table, row)])
            return
        row = altered(forger, table) if how == "changed" else added(forger, table)
        forger.put(table, row)
        forger.append(verb, details, [(table, row)])

    return codes(forged(whole, folder, forge), recompute=False)


WAYS = ("changed", "added", "deleted")


def unnamed(
    whole: Path, folder: Path, verb: str, forgeries: Iterable[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Return the forgeries of a verb, each a table and a way, in which nothing was named."""
    return [(table, how) for table, how in forgeries if not judged(whole, folder, verb, table, how)]


SOME_VERBS = ("change-settings", "erase", "migrate", "publish", "no-such-verb")


@pytest.mark.parametrize("verb", SOME_VERBS)
def test_an_act_with_rows_of_another_table_is_named(whole: Path, tmp_path: Path, verb: str) -> None:
    """Each of these verbs with its share of the tables, so that every table is tried in one way."""
    tables = proved_tables()[SOME_VERBS.index(verb) :: len(SOME_VERBS)]
    assert unnamed(whole, tmp_path, verb, zip(tables, cycle(WAYS), strict=False)) == []


@pytest.mark.deep
@pytest.mark.parametrize("verb", sorted({*verbs(), *SOME_VERBS}))
def test_an_act_of_any_verb_with_rows_of_any_table_is_named(whole: Path, tmp_path: Path, verb: str) -> None:
    assert unnamed(whole, tmp_path, verb, product(proved_tables(), WAYS)) == []


def test_an_act_that_changes_the_key_names_the_accounts(whole: Path, tmp_path: Path) -> None:
    """It writes users, but none that its details do not name."""

    def forge(forger: Forger) -> None:
        row = altered(forger, "users")
        forger.put("users", row)
        forger.append("rotate-key", {"secrets": 1}, [("users", row)])

    assert codes(forged(whole, tmp_path, forge), recompute=False) == {"act-details"}


# --------------------------------------------------------------------------------------------- six old forgeries


def raised(forger: Forger, kind: str) -> list[tuple[str, dict[str, Any]]]:
    """Raise a rating on the newest list in force by 300 and seal the list again; return the changed rows."""
    block = forger.rows("list_blocks", "publication = 3")[0]
    publication = forger.rows("publications", "id = 3")[0]
    table = pl.read_ipc_stream(block["data"])
    table = table.with_columns(
        pl.when(pl.col("player") == 1).then(pl.col("rating") + 300).otherwise("rating").alias("rating")
    )
    (sealed,) = seal_table(table)
    block |= {"data": sealed.data, "seals": sealed.seals, "digest": sealed.digest}
    publication |= {
        "kind": kind,
        "digest": sha256(lines_bytes(table, publication["head"])).hexdigest(),
        "standings_digest": sha256(standings_bytes(table)).hexdigest(),
        "act": forger.last + 1,
    }
    for name, row in (("list_blocks", block), ("publications", publication)):
        forger.put(name, row)
    return [("list_blocks", block), ("publications", publication)]


def take_out(forger: Forger, table: str, row: dict[str, Any]) -> tuple[str, list[tuple[int, str]]]:
    """Take a row out of the record of its act as an erasure does; return the act and what was taken out."""
    key = ",".join(str(row[column.name]) for column in META.tables[table].primary_key.columns)
    line = f"{table}[{key}]"
    for record in forger.rows("act_rows"):
        lines = record["erasable_lines"].split("\n")
        if line in lines:
            place = lines.index(line)
            leaf = ActRecord(*list(record.values())[1:]).leaves()[place].hex()
            digests = record["erasable_digests"]
            left = {
                "erasable_lines": "\n".join(lines[:place] + lines[place + 1 :]),
                "erasable_digests": digests[: place * 16] + digests[(place + 1) * 16 :],
            }
            forger.put("act_rows", {**record, **left})
            return str(record["act"]), [(place, leaf)]
    raise AssertionError(line)


def erasure(player: int, **changed: Any) -> dict[str, Any]:
    """Return the details of an act of erasure."""
    nothing: dict[str, Any] = {"reports": {}, "ledger": {}, "lists": {}, "rows": {}}
    return {**nothing, "player": player, "numbers": [player], "by": "Nobody", **changed}


def raise_by_settings(forger: Forger) -> None:
    forger.append("change-settings", {"name": "Fed 2"}, raised(forger, "imported"))


def raise_by_import(forger: Forger) -> None:
    """The act says everything that an import says, about a list that is there."""
    rows = raised(forger, "imported")
    publication = rows[1][1]
    details = {name: publication[name] for name in ("list", "day", "revision", "digest")}
    forger.append("import-list", {**details, "publication": 3}, rows)


def raise_by_erasure(forger: Forger) -> None:
    published = forger.rows("publications", "id = 3")[0]
    (_, block), (_, publication) = raised(forger, "published")
    forger.put("publications", published)  # an erasure leaves the digests there
    act, removed = take_out(forger, "list_blocks", block)
    digests = {"digest": publication["digest"], "standings": publication["standings_digest"]}
    details = erasure(1, lists={"3": digests}, rows={act: removed})
    forger.append("erase", details, [("list_blocks", block)], lasting=False)


def turn_result_by_erasure(forger: Forger) -> None:
    row = forger.rows("reports", "id = 1")[0]
    data = row["data"].replace(b" w 1", b" w 0").replace(b" b 0", b" b 1")
    assert data != row["data"]
    row["data"] = data
    forger.put("reports", row)
    act, removed = take_out(forger, "reports", row)
    details = erasure(1, reports={"1": sha256(data).hexdigest()}, rows={act: removed})
    forger.append("erase", details, [("reports", row)], lasting=False)


def delete_report(forger: Forger) -> None:
    report = forger.rows("reports")[-1]
    rows = [("reports", report)]
    rows += [("report_statuses", it) for it in forger.rows("report_statuses", f"report = {report['id']}")]
    for table, row in rows:
        forger.delete(table, row)
    forger.append("change-settings", {"name": "Fed 2"}, deleted=rows)


def add_administrator(forger: Forger) -> None:
    user = forger.rows("users")[0] | {"id": 9, "login": "mallory"}
    grant = {"user": 9, "role": "administrator", "federation": ""}
    for table, row in (("users", user), ("grants", grant)):
        forger.put(table, row)
    forger.append("change-settings", {"name": "Fed 2"}, [("users", user), ("grants", grant)])


def replace_author(forger: Forger) -> None:
    replace_act(forger, author="Somebody", reason=f"{ERASED} asked")


def replace_reason(forger: Forger) -> None:
    replace_act(forger, reason="another reason")


def replace_details(forger: Forger) -> None:
    act = forger.rows("ledger", "seq = 25")[0]
    details = load(act["details"])
    replace_act(forger, details=dump({**details, "player": 2, "note": ERASED}))


def replace_act(forger: Forger, **values: str) -> None:
    """Change an old act, and let an erasure say that this was it."""
    act = forger.rows("ledger", "seq = 25")[0]
    texts = {
        name: [text_digest(act[name]), text_digest(values[name])]
        for name in ("details", "reason")
        if name in values
    }
    forger.put("ledger", {**act, **values})
    forger.append("erase", erasure(1, ledger={"25": texts}))


def rename_another(forger: Forger) -> None:
    """The name of a player who is not erased is changed, and his row is taken out of the record."""
    row = forger.rows("players", "id = 3")[0] | {"name": "Erased 1"}
    forger.put("players", row)
    act, removed = take_out(forger, "players", row)
    forger.append("erase", erasure(1, rows={act: removed}), [("players", row)], lasting=False)


def begin_again(forger: Forger) -> None:
    row = forger.rows("settings")[0] | {
        "name": "site_address",
        "value": "https://evil.example",
        "act": forger.last + 1,
    }
    forger.put("settings", row)
    forger.append("init", {"site_address": "x", "time_zone": "UTC"}, [("settings", row)])


def date_back(forger: Forger) -> None:
    forger.append("change-settings", {"name": "Fed 2"}, at="2017-01-01T00:00:00Z")


@pytest.mark.parametrize(
    ("forge", "named"),
    [
        (raise_by_settings, {"row-not-of-verb", "row-written-twice"}),
        (raise_by_import, {"row-written-twice", "act-publication"}),
        (raise_by_erasure, {"erasure-player", "erasure-row"}),
        (turn_result_by_erasure, {"erasure-player", "erasure-row"}),
        (delete_report, {"row-not-deletable"}),
        (add_administrator, {"row-not-of-verb"}),
        (replace_author, {"ledger-row"}),
        (replace_reason, {"erasure-act", "erasure-player"}),
        (replace_details, {"erasure-act", "erasure-player"}),
        (rename_another, {"erasure-row", "erasure-player"}),
        (begin_again, {"row-not-of-verb"}),
        (date_back, {"act-time"}),
    ],
)
def test_a_forged_act_is_named(whole: Path, tmp_path: Path, forge: Forgery, named: set[str]) -> None:
    assert named <= codes(forged(whole, tmp_path, forge))


def test_empty_triggers_are_named(whole: Path, tmp_path: Path) -> None:
    place = tmp_path / "forged.db"
    shutil.copy(whole, place)
    with closing(sqlite3.connect(place)) as database:
        triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, sql in triggers:
            database.execute(f"DROP TRIGGER {name}")
            database.execute(sql.partition("BEGIN")[0] + "BEGIN SELECT 1; END")
        database.execute("CREATE TRIGGER more AFTER INSERT ON users BEGIN DELETE FROM grants; END")
        database.commit()
    tables = {facts["table"] for code, facts in found(place, recompute=False) if code == "triggers-missing"}
    assert tables == {*kept_tables(), "users"}


# ------------------------------------------------------------------------------------------------- odd details

ODD: list[tuple[str, Any]] = [
    ("take-back", {"publications": 5}),
    ("take-back", {"publications": ["x", {"publication": [1]}]}),
    ("revise", {"revisions": 7}),
    ("revise", {"revisions": ["x", None]}),
    ("publish", {"publication": {"a": 1}}),
    ("import-list", {"publication": "x", "lines": 3}),
    ("adopt-edition", {"lists": 3, "edition": []}),
    ("remove-reference", {"references": "1"}),
    ("erase", {"player": 1}),
    ("erase", erasure(1, numbers=1)),
    ("erase", erasure(1, ledger={"1": 2})),
    ("erase", erasure(1, rows={"2": [1]})),
    ("erase", erasure(1, lists={"2": {"lines": {"9999": "00"}}})),
    ("erase", erasure(1, ledger={"1": {"author": ["0", "0"]}})),
    ("migrate", {"from": [], "to": {}}),
    ("merge", {"kept": "x"}),
    ("checkpoint", {"note": 3}),
    ("signing-key", {"public": 3}),
]  # fmt: skip


@pytest.mark.parametrize(("verb", "details"), ODD)
def test_odd_details_of_a_forged_act_stop_nothing(
    whole: Path, tmp_path: Path, verb: str, details: Any
) -> None:
    """Whatever the act says, verifying comes to its end; what it must not do is believe an erasure or a list."""
    place = forged(whole, tmp_path, lambda forger: forger.append(verb, details))
    assert codes(place) or verb in (
        "take-back",
        "adopt-edition",
        "remove-reference",
        "migrate",
        "merge",
        "signing-key",
    )


@pytest.mark.parametrize("details", ["5", "[]", "no JSON", '"text"', "null"])
def test_details_that_are_no_object_are_named(whole: Path, tmp_path: Path, details: str) -> None:
    def forge(forger: Forger) -> None:
        forger.append("change-settings", {"name": "x"})
        act = forger.rows("ledger", f"seq = {forger.last}")[0]
        values = [details if name == "details" else value for name, value in act.items() if name != "digest"]
        forger.put("ledger", {**act, "details": details, "digest": act_seal(values)})

    assert codes(forged(whole, tmp_path, forge))


# ------------------------------------------------------------------------------------------------ times, history


def test_an_act_that_is_entered_later_says_so(sqlite_desk: Desk) -> None:
    """The acts are dated October, February and March: the last two were entered after October."""
    for day in (date(2026, 10, 3), date(2026, 2, 1), date(2026, 3, 1)):
        sqlite_desk.on(day)
        change_settings(sqlite_desk.office, set_={"name": f"Name {day.month}"})
    facts = [act.facts for act in office_ledger(sqlite_desk.office)][-3:]
    assert [it.get("entered_after") for it in facts] == [None, "2026-10-03T12:00:00Z", "2026-10-03T12:00:00Z"]
    result = verify(sqlite_desk.office)
    assert result.intact
    assert [(item.facts["at"], item.facts["after"]) for item in result.later] == [
        ("2026-02-01T12:00:00Z", "2026-10-03T12:00:00Z"),
        ("2026-03-01T12:00:00Z", "2026-10-03T12:00:00Z"),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_says_which_acts_were_entered_later(
    sqlite_desk: Desk, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    run(
        capsys,
        "office settings change --set name=x --db",
        sqlite_desk.place,
        "--now",
        "2016-02-01T00:00:00Z",
        "--author",
        "A",
    )
    status, out, _ = run(capsys, "office", "verify", "--db", sqlite_desk.place, "--lang", language)
    assert status == 0
    assert "2016-02-01T00:00:00Z" in out
    document = run_json(capsys, "office", "verify", "--db", sqlite_desk.place)
    assert [act["at"] for act in document["entered_later"]] == ["2016-02-01T00:00:00Z"]


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM list_history WHERE publication = (SELECT min(publication) FROM list_history)",
        "UPDATE list_history SET block = block + 1",
        "UPDATE list_history SET publication = 99 WHERE publication = 2",
    ],
)
def test_a_history_that_is_gone_is_named(whole: Path, tmp_path: Path, statement: str) -> None:
    def forge(forger: Forger) -> None:
        forger.database.execute(statement)

    place = forged(whole, tmp_path, forge)
    tables = {facts["table"] for code, facts in found(place) if code in ("row-derived", "row-missing")}
    assert tables & {"list_history", "publications"}


# ------------------------------------------------------------------------------------------- drafts and live lists


@pytest.mark.parametrize(
    ("statement", "table"),
    [
        ("UPDATE live_rows SET rating = rating + 300", "live_lists"),
        ("UPDATE live_lists SET day = '2019-01-01'", "live_lists"),
        ("UPDATE live_lists SET list = 'unknown'", "live_lists"),
        ("UPDATE live_lists SET official = 1", "live_lists"),
        ("UPDATE drafts SET list = 'unknown' WHERE list = 'standard'", "drafts"),
        ("UPDATE drafts SET head = head || 'x'", "drafts"),
        ("UPDATE draft_blocks SET data = seals", "drafts"),
        ("DELETE FROM draft_blocks", "drafts"),
        ("UPDATE draft_inputs SET digest = 'x'", "drafts"),
    ],
)
def test_a_stale_draft_or_live_list_is_compared_with_its_digest(
    whole: Path, tmp_path: Path, statement: str, table: str
) -> None:
    """One act after the last computation they are no longer those of the office, but still as they were computed."""
    place = tmp_path / "forged.db"
    shutil.copy(whole, place)
    office = open_office(str(place), now=Clock(END), author="A")
    change_settings(office, set_={"name": "Other"})
    before = verify(office)
    assert (before.intact, "live-stale" in {item.code for item in before.stale}) == (True, True)
    office.close()
    with closing(sqlite3.connect(place)) as database:
        database.execute(statement)
        database.commit()
    assert table in {facts.get("table") for _, facts in found(place)}


# --------------------------------------------------------------------------------------- the same on both databases


def change_by_settings(desk: Desk, tables: list[str], *statements: Any) -> None:
    """Execute statements past the triggers, and let an act of settings say that it wrote the rows."""
    with desk.office.store.writing() as connection, protect.allow_changes(connection, tables):
        for statement in statements:
            connection.execute(statement)
        append(connection, "2018-03-01T12:00:00Z", "A", "change-settings", {"name": "Fed 2"}, "")


def change_rating(desk: Desk) -> None:
    (block,) = sealed_blocks_of(desk, 2)
    (raised_block,) = seal_table(block.table().with_columns(pl.col("rating") + 300))
    rating = update(list_blocks).where(list_blocks.c.publication == 2).values(raised_block._asdict())
    kind = update(publications).where(publications.c.id == 2).values(kind="imported")
    change_by_settings(desk, ["list_blocks", "publications"], rating, kind)


def remove_report(desk: Desk) -> None:
    tables = (rated_reports, entrants, report_statuses)
    gone = [delete(table).where(table.c.report == 1) for table in (*tables, report_games)]
    gone.append(delete(reports).where(reports.c.id == 1))
    change_by_settings(desk, [*(table.name for table in tables), "reports"], *gone)


def make_administrator(desk: Desk) -> None:
    user = {
        "id": 9, "login": "mallory", "name": "M", "password": "", "active": 1, "factor": "", "factor_used": 0,
        "password_ends": "",
    }  # fmt: skip
    with desk.office.store.writing() as connection:
        connection.execute(insert(users), user)
        connection.execute(insert(grants), {"user": 9, "role": "administrator", "federation": ""})
        append(connection, "2018-03-01T12:00:00Z", "A", "change-settings", {"name": "Fed 2"}, "")


def change_author(desk: Desk) -> None:
    with desk.office.store.writing() as connection, protect.allow_changes(connection, ["ledger"]):
        connection.execute(update(ledger).where(ledger.c.seq == 2).values(author="Somebody"))
        append(connection, "2018-03-01T12:00:00Z", "A", "erase", erasure(1, ledger={"2": {}}), "")


@pytest.mark.parametrize(
    ("forge", "named"),
    [
        (change_rating, {"row-not-of-verb", "list-act"}),
        (remove_report, {"row-not-deletable"}),
        (make_administrator, {"row-not-of-verb"}),
        (change_author, {"ledger-row"}),
    ],
)
def test_forged_acts_are_named_on_both_databases(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, forge: Callable[[Desk], None], named: set[str]
) -> None:
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.publish(date(2018, 2, 1))
    monkeypatch.setattr("arpad.store.ledger.refuse_undeclared", lambda *_: None)
    forge(desk)
    assert named <= {item.code for item in verify(desk.office).altered}


def sealed_blocks_of(desk: Desk, publication: int) -> list[SealedBlock]:
    with desk.office.store.reading() as connection:
        return list(sealed_blocks(connection, publication))


POSTGRESQL = {
    "function": "CREATE OR REPLACE FUNCTION arpad_kept() RETURNS trigger LANGUAGE plpgsql "
    "AS $$ BEGIN RETURN NEW; END $$",
    "disabled": "ALTER TABLE players DISABLE TRIGGER keep_players",
    "condition": "DROP TRIGGER keep_players ON players; CREATE TRIGGER keep_players BEFORE UPDATE OR DELETE ON players "
    "FOR EACH ROW WHEN (OLD.id < 0) EXECUTE FUNCTION arpad_kept()",
    "other": "CREATE TRIGGER more BEFORE INSERT ON users EXECUTE FUNCTION arpad_kept()",
}


@pytest.mark.parametrize("place", ["postgres"], indirect=True)
@pytest.mark.parametrize("change", POSTGRESQL)
def test_changed_triggers_are_named_on_postgresql(desk: Desk, change: str) -> None:
    with desk.office.store.writing() as connection:
        connection.exec_driver_sql(POSTGRESQL[change])
    found_codes = [item.code for item in verify(desk.office, recompute=False).altered]
    assert {*found_codes} == {"triggers-missing"}
    assert len(found_codes) == (len(kept_tables()) if change == "function" else 1)
