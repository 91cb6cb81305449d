"""The corpus, made by our own writers: ``python -m tests.fuzz.corpus`` writes it anew. Small files, one idea each."""

import gzip
import io
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from arpad.lists.canonical import REGISTER_HEAD, person_line, write_canonical
from arpad.lists.published import ListedPlayer, PublishedList
from arpad.model.act_seal import act_seal
from arpad.model.canonical_json import dump
from arpad.model.draughts import Category, DraughtsState
from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.proofs.checkpoints import checkpoint_of
from arpad.proofs.lines import LineProof, group_leaves, line_hash, line_hashes
from arpad.proofs.merkle import Tree
from arpad.proofs.receipts import ACT, Receipt, document_bytes, leaf_of
from arpad.proofs.signed_notes import public_key, sign_note
from arpad.proofs.witnesses import EVIDENCE
from arpad.publishing.fide_list import LAYOUTS, write_list
from arpad.publishing.list_pdf import printed_checkpoint
from arpad.reports.formats import read_report, write_report
from arpad.reports.formats.lists import draughts_list_csv as capitals
from arpad.reports.formats.sheet import template
from arpad.reports.stages import pack_stages
from tests.builders.chess import event
from tests.builders.offices import STANDARD, Clock, Desk, listed
from tests.builders.trf import HEAD, PAIR, player, text
from tests.builders.verbs import backup, publish
from tests.fuzz.readers import CORPUS
from tests.reports.formats.test_formats_hostile_input import LISTS, SEEDS

ROUNDS = """
1 2000 | 2w1 3b=
2 1950 | 1b0 4w1
3 1900 | 4w= 1w=
4 1850 | 3b= 2b0
"""
PGN = """[Event "Open"]
[Site "Trani ITA"]
[Date "2024.03.01"]
[Round "1"]
[White "Bianchi, Ada"]
[Black "Verdi, Ugo"]
[Result "1-0"]
[WhiteElo "2010"]
[BlackElo "1950"]
[TimeControl "5400+30"]

1. e4 e5 {a (comment)} 2. Nf3 $1 (2. f4 exf4) Nc6 ; to the end
1-0
"""
PDN = """[Event "Gara"]
[Date "2008.05.03"]
[White "Rossi"]
[Black "Neri"]
[Result "2-0"]
[GameType "22,W,8,8,N2,1"]

1. 22-18 11-14 2-0
"""
CLUBS = (
    "code,name,region,since\nMI1,Circolo di Milano,,2018-01-01\n---\nfide,club,from\n800101,MI1,2018-02-01\n"
)
FEES = """currency = "EUR"
categories = { first = 2251, step = 25 }
[[fee]]
name = "Rating fee"
per = "player"
amount = "1.00"
lists = ["standard"]
kinds = ["swiss"]
average_from = 2000
"""
FACTS = """registered = 2017-08-31
official = true
suspended_federations = ["ABC"]
list = "rapid"

[players.12]
k = 20
born = 2001
"""
EDITION = """id = "club-2018"
base = "fide-2017"
effective = 2018-01-01
source = "Decision of the board"

[every]
floor = { value = 1200, article = "own 2" }
championship = "none"

[rapid]
cap_rule = { value = "cap_one_game_per_event", article = "own 5" }
"""
GAMES = """event,name,first_day,last_day,round,white,black,result
1,Open,2018-01-05,2018-01-07,1,1,2,1-0
1,Open,2018-01-05,2018-01-07,2,2,3,=
---
id,name,federation,born,sex,title,rating,games,peak,opened
1,Ada,ITA,1990,F,,2010,40,2100,2018-01-01
2,Ugo,ITA,1991,M,FM,1950,12,1950,2018-01-01
3,Eva,ITA,,F,,,,,2018-01-01
"""
REGISTER = """Nome;Federazione;Sesso;Nato;Titolo;FIDE;FSI
Rossi, Mario;ita;M;1990;;800101;11
"Neri, Anna";ITA;f;12/05/2001;WFM;;12
"""
TIMES = (
    "90 min + 30 sec",
    "40 moves in 90 minutes, then 30 minutes, 30 seconds per move",
    "\n40/6000+30:900+30",
    "G/60 d5",
    "2 ore QPF",
    "1h30'+30\"",
)


PUBLISHED_CAPITALS = b"""\
id,name,category,title,capital,games,federation,sex,born,delisted,fid_number
11,"Rondine, Ada",maestro,,4120,20,ITA,F,1971,,77
12,"Scoiattolo, Bice",provinciale,mf,312,7,,,,d,
"""


def _reports() -> Iterator[tuple[str, bytes]]:
    report = read_report(text(*HEAD, *PAIR))
    for number, seed in enumerate(SEEDS):
        yield f"trf/{number}.trf", seed
    for name in ("trf16", "trfx", "trf26"):
        yield f"trf/{name}.trf", write_report(event("Open", ROUNDS, date(2018, 1, 5)), name)[0]
    for name in ("crosstable", "games"):
        made = write_report(event("Open", ROUNDS, date(2018, 1, 5)), name)[0]
        yield f"sheet/{name}.csv", made
        yield f"rated/{name}.csv", made
        yield f"sheet/{name}-it.csv", template(name, "it", "csv")
        yield f"workbook/{name}.xlsx", write_report(report, f"{name}-xlsx")[0]
    yield "rated/open.trf", text(*HEAD, *PAIR)
    yield (
        "rated/entry.trf",
        text(*HEAD, player(1, "   2 w 1", "   2 b =", rating=""), player(2, "   1 b 0", "   1 w =")),
    )
    yield "rated/open.pgn", PGN.encode()
    yield "pgn/open.pgn", PGN.encode()
    yield "pgn/written.pgn", write_report(report, "pgn")[0]
    yield "pdn/gara.pdn", PDN.encode()
    yield "text/utf8.txt", "però\r\n".encode()
    yield "text/western.txt", "però\n".encode("cp1252")
    cell = '<c r="A1" t="inlineStr"><is><t>Nome</t></is></c><c r="B1"><v>12.0</v></c><c r="C1" t="s"><v>0</v></c>'
    sheet = f'<worksheet><sheetData><row r="1">{cell}</row></sheetData></worksheet>'
    yield "workbook/sheet.xml", b"\x00" + sheet.encode()
    yield "workbook/strings.xml", b"\x01<sst><si><t>Rating</t></si><si><r><t>a</t></r></si></sst>"


def _lists() -> Iterator[tuple[str, bytes]]:
    yield "rating-list/header.txt", LISTS[0]
    yield "rating-list/both.xml", LISTS[1]
    yield "rating-list/list.csv", b"id,name,fed,rating,rapid,k,born\n7,Ada,ITA,2300,2200,20,1990\n"
    for name in LAYOUTS:
        out = io.BytesIO()
        write_list([listed(1, 2000), listed(2, None, born=1990)], out, name, date(2018, 1, 1))
        yield f"rating-list/{name}", out.getvalue()
    yield (
        "capitals/list.csv",
        capitals.write(
            [
                DraughtsState("Rossi", 3400, Category.MAESTRO, "1"),
                DraughtsState("Neri", None, Category.REGIONALE),
            ]
        ),
    )
    yield "register/soci.csv", REGISTER.encode()
    yield "clubs/clubs.csv", CLUBS.encode()
    yield "capitals/published.csv", PUBLISHED_CAPITALS
    yield "capitals/it.csv", b"tessera;nome;categoria;capitale;ultima_gara\n1;Rossi;M;3400;2007\n"
    rows = (
        ListedPlayer(1, "Ada\tB\\", "ITA", "F", rating=2000, games=3, k=20, identifiers=(("fide", "7"),)),
    )
    yield (
        "canonical/list.txt",
        write_canonical(PublishedList(STANDARD, date(2018, 1, 1), 1, "fide-2017", rows=rows)),
    )
    line = ListedPlayer(player=1, name="Ada\tB\\", rating=1742, category="1742-81", own=("81",), games=3)
    yield (
        "canonical/dwz.txt",
        write_canonical(
            PublishedList(
                on_list=ListName("national", "dwz"), day=date(2026, 3, 1), number=1, edition="dwz-2026",
                columns=("index",), rows=(line,),
            )
        ),
    )  # fmt: skip


def _texts() -> Iterator[tuple[str, bytes]]:
    yield "facts/event.toml", FACTS.encode()
    yield "edition/club.toml", EDITION.encode()
    yield "fees/fees.toml", FEES.encode()
    yield "history/games.csv", GAMES.encode()
    for number, control in enumerate(TIMES):
        yield f"time-control/{number}.txt", control.encode()


def _columns() -> Iterator[tuple[str, bytes]]:
    import polars as pl

    days = [date(2018, 1, 5), date(2018, 1, 6)]
    games = {"date": days, "white": [1, 2], "black": [2, 3], "result": ["1-0", "1/2-1/2"]}
    told = {"event": [1, 1], "first_day": days, "white": [1, 2], "black": [2, 3], "result": ["1-0", "="]}
    for name, columns in (("games", games), ("history", told)):
        parquet = io.BytesIO()
        pl.DataFrame(columns).write_parquet(parquet, compression="uncompressed")
        yield f"games/{name}.parquet", parquet.getvalue()


def _office() -> Iterator[tuple[str, bytes]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        desk = Desk.made(str(folder / "office.db"), folder, Clock())
        desk.list(date(2018, 1, 1), *[listed(number, 2050 - 50 * number) for number in range(1, 5)])
        desk.report(event("Open", ROUNDS, date(2018, 1, 10)))
        desk.on(date(2018, 2, 1))
        publish(desk.office, STANDARD, date(2018, 2, 1), folder / "lists", kinds=("canonical",))
        (bundle,) = (folder / "lists").glob("*.bundle.zip")
        yield "bundle/whole.zip", bundle.read_bytes()
        backup(desk.office, folder / "backup.zip")
        yield "backup/whole.zip", (folder / "backup.zip").read_bytes()
        desk.office.close()
    # the first byte chooses a member of the bundle by its place in the order of their names
    yield "bundle/period.bin", b'\x06{"list": "standard"}'
    odd = Person(1, "Player\t1", "ITA", identifiers=(("fide", "90 01"),))
    yield "bundle/register.bin", f"\x07{REGISTER_HEAD}{person_line(odd)}\n".encode()
    yield "bundle/line.bin", b"\x081\t{}\n"
    yield "backup/rows.bin", b'\x05{"id": 1}\n'


def _archives() -> Iterator[tuple[str, bytes]]:
    report = text(*HEAD, *PAIR)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("a/open.trf", (2018, 1, 5, 0, 0, 0)), report)
    yield "archive/reports.zip.bin", b"\x00" + packed.getvalue()
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        info = tarfile.TarInfo("open.trf")
        info.size = len(report)
        tar.addfile(info, io.BytesIO(report))
    yield "archive/reports.tar.bin", b"\x01" + plain.getvalue()
    yield "archive/reports.tar.gz.bin", b"\x02" + gzip.compress(plain.getvalue(), mtime=0)
    yield "stages/two.zip", pack_stages([("first.trf", report), ("second.trf", report)])


def _kept() -> Iterator[tuple[str, bytes]]:
    """Yield what people keep of a ledger of three acts, signed by a key that is the same each time."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    seal = {"count": 2, "root": Tree(group_leaves(line_hashes(b"1\tAda\n2\tUgo\n"))).root().hex()}
    facts = {
        "list": "standard",
        "day": "2018-02-01",
        "revision": 1,
        "publication": 1,
        "digest": "0" * 64,
        "lines": seal,
    }
    values: dict[str, int | str] = {
        "seq": 3,
        "at": "2018-02-01T12:00:00Z",
        "verb": "publish",
        "details": dump(facts),
    }
    act = tuple(values.get(name, "") for name in ACT)
    own = act_seal(act)
    tree = Tree([leaf_of("00" * 32), leaf_of("11" * 32), leaf_of(own)])
    now = checkpoint_of("ratings.example.org", tree, time="2018-02-01T12:00:00Z")
    note = sign_note(now.text(), now.origin, private)
    other = sign_note(replace(now, root=bytes(32)).text(), now.origin, private)
    receipt = Receipt(act, 3, tuple(tree.inclusion(2)), note)
    line = LineProof(receipt, 1, "1\tAda", 0, (line_hash(b"1\tAda"), line_hash(b"2\tUgo")), ())
    public = public_key(now.origin, private).text()
    evidence = {"schema": EVIDENCE, "keys": [public], "first": note.written(), "second": other.written()}
    yield "kept/now.checkpoint", note.written().encode()
    yield "kept/receipt.json", document_bytes(receipt.document())
    yield "kept/line.json", document_bytes(line.document())
    yield "kept/evidence.json", document_bytes(evidence)
    yield "kept/list.pdf", b"%PDF-1.7\n" + printed_checkpoint(now, "0" * 64).encode()


def corpus() -> Iterator[tuple[str, bytes]]:
    """Every file of the corpus, by its path."""
    for part in (_reports, _lists, _texts, _columns, _office, _archives, _kept):
        yield from part()


if __name__ == "__main__":
    for name, data in corpus():
        path = CORPUS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
