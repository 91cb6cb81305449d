"""A small office with everything a command may need, and for every command one way to call it that works."""

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from arpad.model.clubs import UnitKind
from arpad.model.rules import ListName
from arpad.office.accounts.users import invite_user
from arpad.office.arbiters.acts import register_arbiter
from arpad.office.clubs.acts import enter_club, transfer
from arpad.office.declared import perform
from arpad.office.fees.acts import issue_invoice, pay_invoice, set_fee_table
from arpad.office.fide.reference import add_reference
from arpad.office.notices.rows import add_follower
from arpad.office.office import Office
from arpad.office.proof.checkpoints import add_cosignatures, checkpoint, receipt
from arpad.office.proof.signing_keys import make_signing_key
from arpad.office.register.acts import add_identifier, remove_identifier, report_death
from arpad.office.registrations.acts import cancel_registration, register_event
from arpad.office.running.versions import send_version
from arpad.office.users import OWNER
from arpad.office.webhooks.acts import add_webhook
from arpad.office.who_is_who.acts import declare_distinct, declare_scheme, set_source_scheme
from arpad.proofs.signed_notes import COSIGNED, cosign, new_signing_key
from arpad.proofs.witnesses import watch
from arpad.reports.formats import write_report
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.draughts import board_report
from tests.builders.norms import enter_norm
from tests.builders.offices import FEW, STANDARD, Clock, Desk, list_bytes, listed, trf
from tests.builders.users import issue_token
from tests.builders.verbs import adopt_edition, appeal, backup, decide_entrants, merge, publish, withdraw
from tests.office.mail.mail_office import with_mail
from tests.paths import EXAMPLES
from tests.robustness.command_tree import Command

ROUNDS = """
1 2000 | 2w1 3b=
2 1950 | 1b0 4w1
3 1900 | 4w= 1w=
4 1850 | 3b= 2b0
"""
FACTS = "registered = 2018-01-01\n"
EDITION = 'id = "club-2018"\nbase = "fide-2017"\neffective = 2018-01-01\n'
CATEGORIES = '[blitz]\ncategories = { value = [{ name = "CM", rating = 2000 }], article = "own 4" }\n'
GAMES = """event,name,first_day,last_day,round,white,black,result
1,Open,2018-01-05,2018-01-07,1,1,2,1-0
1,Open,2018-01-05,2018-01-07,2,2,3,=
"""
PLAYERS = """id,name,federation,born,sex,title,rating,k
1,Ada,ITA,1990,F,,2010,20
2,Ugo,ITA,1991,M,FM,1950,20
3,Eva,ITA,,F,,1900,20
"""

FEES = 'currency = "EUR"\n[[fee]]\nname = "Rating fee"\nper = "player"\namount = "1.00"\n'
OFFICE = "--db {db} --author T. --now 2018-03-20T12:00:00Z"
HISTORY = "{games.csv} --ratings {players.csv} --edition fide-2017"

VALID: dict[str, str] = {
    "rate": "{open.trf}",
    "check": "{open.trf}",
    "explain": "{open.trf} 1",
    "convert": "{open.trf} {out}.csv",
    "standings": "{open.trf}",
    "replay": "{games.parquet}",
    "demo": "{out}",
    "deploy-files": "{out}",
    "examples": "{out}",
    "history": "{reports} --system icu --out {out}",
    "whatif": HISTORY + " --set k_usual=10",
    "simulate": "--players 40 --years 1 --edition fide-2017",
    "serve": "--db {db} --port 45871",
    "work": "--once --db {db}",
    "office user add": "anna --role officer --db {db}",
    "office user change": "ugo --active yes " + OFFICE,
    "office user invite": "anna anna@example.org --role officer " + OFFICE,
    "office user invite-again": "bea " + OFFICE,
    "office user list": "--db {db}",
    "office user mails": "ugo --language it " + OFFICE,
    "office token issue": "ugo club --scope submit " + OFFICE,
    "office token list": "--db {db}",
    "office token withdraw": "1 " + OFFICE,
    "config": "",
    "config show": "",
    "config set": "author Anna",
    "config unset": "author",
    "calc change": "--rating 1850 --games 40 --game 1900:1 --edition fide-2017",
    "calc initial": "--event 2000,2000,2000,2000,2000:3 --edition fide-2024",
    "calc round-robin": "--player 2000:2 --player 1900:1.5 --player 1850:1.5 --player 1800:3 --player -:2 "
    "--counted-before 5 --edition fide-2017",
    "calc k": "--rating 2350 --games 40 --edition fide-2017",
    "calc expected": "--rating 1850 --opponent 2000 --edition fide-2017",
    "calc performance": "2400 2350 2300 --score 2 --edition fide-2017",
    "calc norm": "--title GM --federation ITA --game 1:1:GM:2500:FRA --edition titles-2024",
    "norms": "{open.trf}",
    "reconcile": "--before {standard-2018-01-01.txt} --after {lists/standard-2018-02-01-r1.txt} {open.trf}",
    "editions": "",
    "editions show": "fide-2017",
    "editions diff": "fide-2014 fide-2017",
    "rubele event": "{board.csv} --discipline italiana",
    "rubele board": "{board.csv} --discipline italiana",
    "rubele promotions": "{board.csv} --discipline italiana",
    "rubele year-end": "{capitals.csv} --year 2008 --discipline italiana",
    "rubele change": "--discipline italiana --capital 3400 --scored 9 --expected 9.30",
    "rubele expected": "--discipline italiana --capital 3400 --opponent 3500",
    "rubele convert": "--to italiana --from maestro",
    "rubele groups": "--players 62 --rounds 6 --groups 4",
    "office init": "--db {new}",
    "office edition adopt": "{edition.toml} --since 2018-04-01 --reason why " + OFFICE,
    "office edition list": "--db {db}",
    "office edition revoke": "2 --reason why " + OFFICE,
    "office import-list": "{list.txt} --date 2018-03-01 --list rapid --yes " + OFFICE,
    "office list add": "ireland --system icu " + OFFICE,
    "office list all": "--db {db}",
    "office fide export-players": "{new}.txt --db {db}",
    "office fide reference": "{list.txt} --fewer --day 2018-03-01 " + OFFICE,
    "office fide references": "--db {db}",
    "office fide show": "9001 --db {db}",
    "office fide search": "Player --db {db}",
    "office fide remove": "2018-01-01 " + OFFICE,
    "office tournament register": "Gran --first-day 2018-04-01 --last-day 2018-04-02 " + OFFICE,
    "office tournament change": "1 --city Roma " + OFFICE,
    "office tournament refuse": "1 --reason why " + OFFICE,
    "office tournament cancel": "1 --reason why " + OFFICE,
    "office tournament reinstate": "2 --reason why " + OFFICE,
    "office tournament deadlines": "--db {db}",
    "office arbiter register": "Bianchi,Anna --fide 800124 --title IA " + OFFICE,
    "office arbiter change": "1 --set title=FA " + OFFICE,
    "office arbiter license": "1 --since 2018-01-01 " + OFFICE,
    "office arbiter import": "{arbiters.csv} " + OFFICE,
    "office arbiter list": "--db {db}",
    "office tournament sent": "1 " + OFFICE,
    "office fide reconcile": "--db {db}",
    "office fee table": "--db {db}",
    "office fee set-table": "{fees.toml} " + OFFICE,
    "office fee invoice": "1 --to Club " + OFFICE,
    "office fee invoices": "2018 --db {db}",
    "office fee invoices-csv": "2018 --out {out} --db {db}",
    "office fee show": "2018/1 --db {db}",
    "office register enter": "Bruni,Ada --federation ITA --born 1990 " + OFFICE,
    "office register change": "1 --since 2018-03-01 --set title=CM --reason why " + OFFICE,
    "office register death": "1 2018-03-01 --reason why " + OFFICE,
    "office register withdraw-death": "6 --reason why " + OFFICE,
    "office register number": "1 fsi 4711 " + OFFICE,
    "office register remove-number": "5 fsi 4712 --reason why " + OFFICE,
    "office import-register": "{register.csv} --date 2018-03-01 " + OFFICE,
    "office search": "Player --db {db}",
    "office merge": "5 6 --confirmed --reason why " + OFFICE,
    "office unmerge": "1 --reason why " + OFFICE,
    "office duplicate list": "--db {db}",
    "office duplicate lists": "--db {db}",
    "office duplicate two-people": "1 2 " + OFFICE,
    "office duplicate revoke": "1 --reason why " + OFFICE,
    "office alias list": "--db {db}",
    "office alias revoke": "1 --reason why " + OFFICE,
    "office number schemes": "--db {db}",
    "office feature list": "--db {db}",
    "office feature off": "draughts --reason why " + OFFICE,
    "office feature on": "draughts --reason why " + OFFICE,
    "office number scheme": "icu --name Irish --pattern 9{5} " + OFFICE,
    "office number withdraw-scheme": "own --reason why " + OFFICE,
    "office number source": "federation IRL fsi " + OFFICE,
    "office number withdraw-source": "federation FRA " + OFFICE,
    "office fide enter": "9006 " + OFFICE,
    "office privacy hide": "1 --reason why " + OFFICE,
    "office privacy show": "1 --reason why " + OFFICE,
    "office privacy erase": "1 --confirm 1 --reason why " + OFFICE,
    "office privacy data": "1 --out {out} " + OFFICE,
    "office privacy files": "{out} " + OFFICE,
    "office fee paper": "2018/1 --out {out} --db {db}",
    "office fee pay": "2018/1 " + OFFICE,
    "office fee reopen": "2018/2 --reason why " + OFFICE,
    "office fee credit": "2018/1 --reason wrong " + OFFICE,
    "office fee account": "2018 --db {db}",
    "office fee account-csv": "2018 --out {out} --db {db}",
    "office fide report-file": "1 --out {out} --db {db}",
    "office fide numbers": "--db {db}",
    "office title norm": "1 IM --event Open --first-day 2018-01-01 --last-day 2018-01-09 --games 9 " + OFFICE,
    "office title record": "1 " + OFFICE,
    "office title revoke": "1 --reason why " + OFFICE,
    "office title norms": "1 --db {db}",
    "office title report-norms": "1 --db {db}",
    "office proof make-key": "ratings.example.org --lost --reason test --file {out} " + OFFICE,
    "office proof rotate-key": "--reason test " + OFFICE,
    "office proof keys": "--db {db}",
    "office proof checkpoint": "--db {db}",
    "office proof cosigned": "{signed.checkpoint} --db {db} --author x",
    "office proof receipt": "1 --db {db}",
    "verify": "{receipt.json} --office {db}",
    "witness add": "{now.checkpoint} --dir {out} --key {keys.txt}",
    "witness check": "--dir {witness}",
    "witness list": "--dir {witness}",
    "witness cosign": "ratings.example.org --dir {witness}",
    "office title apply": "1 IM --on 2018-03-20 --db {db}",
    "office title check": "1 --on 2018-03-20 --db {db}",
    "office title propose": "--db {db}",
    "office submit": "{third.trf} " + OFFICE,
    "office running send": "{third.trf} third " + OFFICE,
    "office running list": "--db {db}",
    "office running end": "cup " + OFFICE,
    "office reports": "--db {db}",
    "office report": "2 --db {db}",
    "office matches": "2 --db {db}",
    "office match": "2 1=new " + OFFICE,
    "office accept": "2 " + OFFICE,
    "office return": "2 --reason why " + OFFICE,
    "office withdraw": "2 --reason why " + OFFICE,
    "office reinstate": "4 --reason why " + OFFICE,
    "office inbox join": "2 3 --reason why " + OFFICE,
    "office inbox accept": "2 " + OFFICE,
    "office decide": "not-rated --report 1 --reason why " + OFFICE,
    "office revoke": "1 --reason why " + OFFICE,
    "office appeal": "1 --by Club --reason why --db {db} --author T. --now 2018-02-21T12:00:00Z",
    "office settle": "3 rejected --reason why " + OFFICE,
    "office club enter": "TO1 Torino --since 2018-01-01 " + OFFICE,
    "office club change": "MI1 --since 2018-03-01 --reason why --set name=Milano " + OFFICE,
    "office club from-report": "1 " + OFFICE,
    "office club transfer": "1 MI1 --since 2018-03-01 " + OFFICE,
    "office club list": "--db {db}",
    "office club show": "MI1 --db {db}",
    "office club import": "{clubs.csv} --since 2018-01-01 " + OFFICE,
    "office club import-members": "{members.csv} " + OFFICE,
    "office settings show": "--db {db}",
    "office settings change": "--set name=Other " + OFFICE,
    "office settings logo": "{logo.png} " + OFFICE,
    "office settings remove-logo": OFFICE,
    "office draft": "standard 2018-03-01 --db {db}",
    "office live update": "standard " + OFFICE,
    "office live show": "standard --db {db}",
    "office publish": "standard 2018-03-01 --files txt " + OFFICE,
    "office take-back": "blitz 2018-01-01 --reason why " + OFFICE,
    "office lists": "--db {db}",
    "office revise": "standard --reason why " + OFFICE,
    "office player": "1 --db {db}",
    "office explain": "1 --date 2018-02-15 --db {db}",
    "office ranking": "standard --club MI1 --group u20 --date 2018-02-15 --db {db}",
    "office category list": "blitz --date 2018-01-15 --db {db}",
    "office draughts points": "italiana --db {db}",
    "office draughts promotions": "italiana --from 2018-01-01 --to 2018-12-31 --db {db}",
    "office draughts fmjd": "--date 2018-06-30 --db {db}",
    "office verify": "--quick --db {db}",
    "office ledger": "--db {db}",
    "office backup": "{out} --db {db}",
    "office jobs": "--db {db}",
    "office webhook add": "http://localhost:9/arpad --kind list-published --private-host localhost " + OFFICE,
    "office webhook list": "--db {db}",
    "office follower list": "--db {db}",
    "office follower forget": "anna@example.org " + OFFICE,
    "office webhook remove": "1 " + OFFICE,
    "office webhook log": "1 --db {db}",
    "office webhook changes": "--db {db}",
    "office webhook retry": "1 " + OFFICE,
    "office mail list": "--db {db}",
    "office mail retry": OFFICE,
    "office mail test": "ugo@example.org " + OFFICE,
    "office restore": "{backup.zip} --db {new}",
    "office rehearse": "{backup.zip} --db {db}",
    "calc event": "{event.json} --system icu",
    "office draughts points-csv": "italiana --out {out} --db {db}",
    "office fide reconcile-csv": "--out {out} --db {db}",
    "office fide report": "1 --db {db}",
    "office running show": "cup --db {db}",
    "office title certificate": "1 1 IM --db {db}",
    "office title it1": "1 1 IM --out {out} --db {db}",
    "office title it2": "1 IM --out {out} --db {db}",
    "office title it3": "1 --out {out} --db {db}",
    "office title tournament": "1 --db {db}",
    "office today": "--db {db}",
    "office export": "{out} --db {db}",
    "office open-data": "{out} --db {db}",
    "office migrate": OFFICE,
    "office rotate-key": OFFICE,
    "monitor points": HISTORY,
    "monitor drift": HISTORY,
    "monitor calibration": HISTORY,
    "monitor islands": HISTORY,
    "monitor integrity": HISTORY,
    "monitor lists": "--db {db}",
    "monitor keep": "--db {db}",
    "monitor report": HISTORY + " --out {out}",
}
"""Every command with arguments that it accepts; ``{name}`` is a file of the household, ``{out}`` a new one."""


@dataclass(frozen=True)
class Household:
    """The folder in which everything is."""

    folder: Path

    def valid(self, name: str, parameter: str = "") -> list[str]:
        """A command's arguments that work, such that the parameter matters."""
        text = VALID[name]
        if parameter in {"--db", "--simulated"}:
            text = text.replace(HISTORY, "--edition fide-2017" if parameter == "--simulated" else "--db {db}")
        return [self._filled(word) for word in text.split()]

    def _filled(self, word: str) -> str:
        if not word.startswith("{"):
            return word
        name, _, rest = word[1:].partition("}")
        known = {"db": "office.db", "new": "fresh/new.db", "out": "fresh/out"}
        return str(self.folder / known.get(name, name)) + rest

    def fresh(self) -> None:
        """Restore the initial state; the database is copied only if it was touched, which most refusals do not."""
        folder, database = self.folder / "fresh", self.folder / "office.db"
        folder.mkdir(exist_ok=True)
        for path in folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        keys = [self.folder / "office.db.key", self.folder / "office.db.signing-key"]
        copies = sorted(self.folder.glob("office.db*"))
        if copies == [database, *keys] and all(
            _state(path) == _state(self.folder / path.name.replace("office", "kept")) for path in copies
        ):
            return
        for copy in copies:  # first: a connection that was broken off may still have the file open
            if copy.is_dir():
                shutil.rmtree(copy)
            else:
                copy.unlink()
        shutil.copy2(self.folder / "kept.db", database)
        for key in keys:
            shutil.copy2(self.folder / key.name.replace("office", "kept"), key)

    def files(self) -> dict[str, tuple[int, int]]:
        """Every file with its size and time; what the database keeps beside itself is its own affair."""
        return {
            f"{folder}/{name}".removeprefix(f"{self.folder}/"): _state(Path(folder, name))
            for folder, _, names in os.walk(self.folder)
            for name in names
            if ".db-" not in name
        }


def _state(path: Path) -> tuple[int, int]:
    status = path.lstat()
    return status.st_size, status.st_mtime_ns


def replaced(command: Command, words: Sequence[str], name: str, value: str) -> list[str]:
    """The arguments with one parameter given another value."""
    flags = {each.name for each in command.parameters if each.kind == "flag"}
    found = list(words)
    arguments = [each.name for each in command.parameters if each.argument]
    place, positional = 0, 0
    while place < len(found):
        word = found[place]
        if word.startswith("--"):
            if word == name:
                found[place + 1] = value
                return found
            place += 1 if word in flags else 2
            continue
        if arguments[positional] == name:
            found[place] = value
            return found
        positional = min(positional + 1, len(arguments) - 1)  # the last argument may be repeated
        place += 1
    return [*found, value] if name in arguments else [*found, name, value]


def furnish(folder: Path) -> Household:
    """Make the household."""
    import polars as pl

    _open_office(folder)
    (bundle,) = (folder / "lists").glob("*.bundle.zip")
    shutil.copyfile(bundle, folder / "bundle.zip")
    texts = {
        "facts.toml": FACTS, "edition.toml": EDITION, "games.csv": GAMES, "players.csv": PLAYERS,
        "register.csv": "name,federation,born,fsi\nBruni Ada,ITA,1990,4711\n",
        "clubs.csv": "code,name\nRM1,Roma\n",
        "arbiters.csv": "name,fide\nVerdi Luca,800125\n",
        "fees.toml": FEES,
        "members.csv": "player,club,from\n3,MI1,2018-02-01\n",
        "capitals.csv": "name,capital,last_event\nRossi,3400,2008-03-09\nNeri,3100,2007-03-09\n",
    }  # fmt: skip
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "open.trf").write_bytes(trf(event("Open", ROUNDS, date(2018, 1, 10))))
    (folder / "third.trf").write_bytes(trf(event("Third", ROUNDS, date(2018, 3, 10))))
    (folder / "reports").mkdir()
    shutil.copyfile(folder / "open.trf", folder / "reports" / "open.trf")
    (folder / "board.csv").write_bytes(write_report(board_report(), "crosstable")[0])
    (folder / "list.txt").write_bytes(list_bytes(date(2018, 3, 1), listed(1, 2000), listed(2, 1900)))
    shutil.copyfile(EXAMPLES / "ireland" / "event.json", folder / "event.json")
    (folder / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    days = [date(2018, 1, 5), date(2018, 1, 6)]
    games = pl.DataFrame({"date": days, "white": [1, 2], "black": [2, 3], "score": [2, 1]})
    games.write_parquet(folder / "games.parquet")
    return Household(folder)


def _open_office(folder: Path) -> None:  # noqa: PLR0915  one line for each thing
    """An office with something of everything in it, closed again, and its backup."""
    desk = with_mail(Desk.made(str(folder / "kept.db"), folder, Clock()), "ugo")
    desk.list(date(2018, 1, 1), *[listed(number, 2050 - 50 * number) for number in range(1, 9)])
    national = EDITION.replace("club", "blitz") + CATEGORIES
    adopt_edition(desk.office, national, lists=[ListName.BLITZ], since=date(2018, 1, 1), reason="why")
    desk.list(date(2018, 1, 1), listed(1, 2000), on_list=ListName.BLITZ)
    desk.report(event("Open", ROUNDS, date(2018, 1, 10)))
    desk.on(date(2018, 2, 1))
    publish(desk.office, STANDARD, date(2018, 2, 1), folder / "lists", kinds=FEW)
    desk.on(date(2018, 2, 20))
    desk.send(event("Second", ROUNDS, date(2018, 2, 10)))
    decide(desk.office, "not-rated", reason="why", report=1)
    decision = decide(desk.office, "not-rated", reason="why", report=2)
    appeal(desk.office, decision, by="Club", reason="why")
    final = desk.send(event("Final", ROUNDS, date(2018, 2, 15)))
    decide_entrants(desk.office, final.report, {1: 1})
    withdrawn = desk.send(event("Cancelled", ROUNDS, date(2018, 2, 5))).report
    withdraw(desk.office, withdrawn, reason="why")
    merge(desk.office, 7, 8, reason="why", confirmed=True)
    declare_distinct(desk.office, 3, 4)
    report_death(desk.office, 6, date(2018, 2, 1), reason="why")
    add_identifier(desk.office, 5, "fsi", "4712")
    declare_scheme(desk.office, "own", name="Own", pattern="9{5}")
    set_source_scheme(desk.office, "federation", "FRA", "fsi")
    enter_club(desk.office, "MI1", "Circolo di Milano", kind=UnitKind.CLUB, since=date(2018, 1, 1))
    transfer(desk.office, 1, "MI1", since=date(2018, 1, 1))
    send_version(desk.office, trf(event("Cup", ROUNDS, date(2018, 2, 20))), "cup.trf", "cup")
    add_reference(desk.office, folder / "standard-2018-01-01.txt", date(2018, 1, 1))
    add_reference(desk.office, folder / "lists" / "standard-2018-02-01-r1.txt", date(2018, 2, 1))
    register_arbiter(desk.office, "Rossi, Mario")
    add_webhook(desk.office, "http://localhost:9/", private_host="localhost")
    with desk.office.store.unlogged_writing() as connection:
        add_follower(connection, "anna@example.org", "it", "token", "2018-02-01T12:00:00Z")
    enter_norm(desk.office, 1, days=(date(2018, 1, 1), date(2018, 1, 9)))
    adopt_edition(
        desk.office,
        EDITION.replace("club", "rapid"),
        lists=[ListName.RAPID],
        since=date(2019, 1, 1),
        reason="why",
    )
    for name in ("Spring", "Summer"):
        register_event(desk.office, name, first_day=date(2018, 4, 1), last_day=date(2018, 4, 2))
    cancel_registration(desk.office, 2, reason="why")
    set_fee_table(desk.office, FEES)
    charged = desk.report(event("Charged", ROUNDS, date(2018, 2, 12)))
    issue_invoice(desk.office, charged, to=["Club"])
    issue_invoice(desk.office, desk.report(event("Paid", ROUNDS, date(2018, 2, 13))), to=["Club"])
    pay_invoice(desk.office, "2018/2")
    remove_identifier(desk.office, 6, "fide", "9006", reason="why")
    issue_token(desk.office, "ugo", "club", ["submit"])
    perform(
        invite_user, desk.office, OWNER, {"login": "bea", "address": "bea@example.org", "role": "arbiter"}
    )
    _signed(desk.office, folder)
    backup(desk.office, folder / "backup.zip")
    desk.office.close()


def _signed(office: Office, folder: Path) -> None:
    """Give the office a key, and keep a receipt of its first report and a checkpoint, with a witness."""
    public = make_signing_key(office, "ratings.example.org")
    (folder / "keys.txt").write_text(f"{public.text()}\n", encoding="ascii")
    (folder / "now.checkpoint").write_text(checkpoint(office).written(), encoding="utf-8")
    watch(folder / "witness", str(folder / "now.checkpoint"), [public])
    witness = new_signing_key("club.example.org", COSIGNED)
    (folder / "witness" / "witness.key").write_text(witness.text(), encoding="ascii")
    signed = cosign(checkpoint(office), witness.name, witness.private, 1)
    add_cosignatures(office, signed, [witness.public])
    (folder / "signed.checkpoint").write_text(signed.written(), encoding="utf-8")
    (folder / "receipt.json").write_bytes(json.dumps(receipt(office, 1).document()).encode())
