"""The officer's month: the draft of a list, publishing it, correcting it; decisions, appeals, players, ledger."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from litestar import Request, Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from arpad import accounts, calc
from arpad import office as verbs
from arpad.errors import BadInput
from arpad.model import ListName
from arpad.office.closing import next_day
from arpad.office.decisions import KINDS
from arpad.office.desk import setting, today
from arpad.office.in_force import newest
from arpad.office.register import SCHEMES, known_player
from arpad.published import DRAUGHTS
from arpad.regulations import CHESS, in_force
from arpad.report import MIRROR
from arpad.store import ledger, register
from arpad.store import reports as rows
from arpad.store.values import load
from arpad.web import queries
from arpad.web.access import OFFICER
from arpad.web.desk import desk_of, done, fields, for_all, number_in
from arpad.web.language import say_of
from arpad.web.pages import page
from arpad.web.visiting import number_of, office_here

Asked = Request[Any, Any, Any]
MOST_MOVES = 40
ACTS = 100


def _list(text: str) -> ListName:
    if text not in tuple(ListName):
        raise BadInput("value-unknown", option="list", value=text[:40], accepted=", ".join(ListName))
    return ListName(text)


# -------------------------------------------------------------------------------------------- drafts and lists


@get("/desk/lists", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def lists_page(request: Asked) -> Response[str]:
    """Each list with the next date on its calendar."""
    office = office_here(request)
    with office.store.reading() as connection:
        day = today(office, connection)
        last = {name: newest(queries.shown_publications(connection, name)) for name in ListName}
    following = {}
    for name, publication in last.items():
        if publication is None:
            following[name] = day.replace(day=1)
        elif name in DRAUGHTS:
            following[name] = _half_year(publication.day)
        else:
            rules = in_force(CHESS, name, publication.day).on(name)
            following[name] = next_day(publication.day, rules)
    return page(request, "desk_lists.html", last=last, following=following, names=tuple(ListName))


def _half_year(day: date) -> date:
    """The next 30 June or 31 December: the days of draughts lists, unless an officer names another."""
    june, december = date(day.year, 6, 30), date(day.year, 12, 31)
    return june if day < june else december if day < december else date(day.year + 1, 6, 30)


@get("/desk/draft", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def draft_page(request: Asked) -> Response[str]:
    """What would be published: the largest movements, who is new, and everything left out."""
    office = office_here(request)
    on_list = _list(request.query_params.get("list", ""))
    day = calc.parse_day(request.query_params.get("day", ""), "day")
    made = verbs.draft(office, on_list, day)
    closed = made.closed
    told = {
        *(m[0] for m in closed.movements[:MOST_MOVES]),
        *closed.entered,
        *closed.delisted,
        *(p for p, _ in closed.pending),
    }
    with office.store.reading() as connection:
        names = {number: person.name for number, person in register.people(connection, told).items()}
    return page(
        request, "desk_draft.html", on_list=on_list, day_=day, made=made, closed=closed, names=names,
        most=MOST_MOVES, players=len(closed.lines),
    )  # fmt: skip


@post("/desk/publish", opt=OFFICER, include_in_schema=False, status_code=200)
async def publish(request: Asked) -> Redirect:
    """Publish a list, once its digest is the one that was looked at."""
    given = await fields(request)

    def work() -> str:
        for_all(request)
        office, on_list = desk_of(request), _list(given.get("list", ""))
        day = calc.parse_day(given.get("day", ""), "day")
        if given.get("digest") and verbs.draft(office, on_list, day).closed.digest != given["digest"]:
            raise BadInput("draft-changed")
        return f"/lists/{verbs.publish(office, on_list, day).name}"

    return await done(work)


@get("/desk/corrections", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def corrections_page(request: Asked) -> Response[str]:
    """Corrections made so far, and the form for another."""
    office = office_here(request)
    with office.store.reading() as connection:
        made = [p for p in queries.shown_publications(connection) if p.corrects is not None]
        rated = rows.rated_already(connection, [p.id for p in queries.shown_publications(connection)])
        late = [f for f in rows.filed(connection).values() if f.status == rows.ACCEPTED and f.id not in rated]
    return page(request, "desk_corrections.html", made=made[::-1], late=late, names=tuple(ListName))


@post("/desk/corrections", opt=OFFICER, include_in_schema=False, status_code=200)
async def correct(request: Asked) -> Response[Any]:
    """Recompute from the first list that changes; what is out stays, revisions stand beside it."""
    form = await request.form()
    given = await fields(request)
    late = [number_in({"add": str(text)}, "add") for text in form.getall("add", [])]

    def work() -> str:
        for_all(request)
        found = verbs.revise(
            desk_of(request), _list(given.get("list", "")), reason=given.get("reason", ""),
            mode=given.get("mode", "lists"), add=late,
        )  # fmt: skip
        shown = [r for r in found.revisions if r.publication.kind == "published"]
        if shown:
            return f"/lists/{shown[0].publication.name}/difference"
        return "/desk/corrections"

    return await done(work)


# ------------------------------------------------------------------------------------------ decisions and appeals


@get("/desk/decisions", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def decisions_page(request: Asked) -> Response[str]:
    """Decisions that stand, appeals with their deadlines, and the forms for more."""
    office = office_here(request)
    with office.store.reading() as connection:
        standing = rows.standing_decisions(connection)
        acts = {act.seq: act for act in ledger.acts(connection)}
        filed = rows.filed(connection, [d.report for d in standing if d.report is not None])
        who = register.people(connection, [d.player for d in standing if d.player is not None])
    deadlines = {}
    for item in standing:
        days = 7
        about = filed.get(item.report) if item.report is not None else None
        if about is not None and about.first_day is not None and about.list not in DRAUGHTS:
            days = in_force(CHESS, about.list, about.first_day).on(about.list).appeal_days.value
        deadlines[item.id] = date.fromisoformat(acts[item.act].at[:10]) + timedelta(days=days)
    return page(
        request, "desk_decisions.html", decisions=[d for d in standing if d.kind != "appeal"][::-1],
        appeals=[d for d in standing if d.kind == "appeal"], acts=acts, filed=filed, who=who, kinds=KINDS,
        deadlines=deadlines, load=load, names=tuple(ListName), results=tuple(MIRROR),
    )  # fmt: skip


@post("/desk/decisions", opt=OFFICER, include_in_schema=False, status_code=200)
async def decide(request: Asked) -> Redirect:
    """Enter a decision."""
    given = await fields(request)

    def work() -> str:
        for_all(request)
        numbers = {name: number_in(given, name) for name in ("report", "player") if given.get(name)}
        values: dict[str, Any] = {
            n: number_in(given, n)
            for n in ("k", "capital", "number", "round", "first", "last")
            if given.get(n)
        }
        values |= {name: given[name] for name in ("result", "name") if given.get(name)}
        verbs.decide(
            desk_of(request), given.get("kind", ""), reason=given.get("reason", ""),
            report=numbers.get("report"), player=numbers.get("player"),
            federation=given.get("federation", "").upper() or None,
            on_list=_list(given["list"]) if given.get("list") else None,
            day=calc.parse_day(given["day"], "day") if given.get("day") else None, **values,
        )  # fmt: skip
        return "/desk/decisions"

    return await done(work)


@post("/desk/decisions/{number:int}/{verb:str}", opt=OFFICER, include_in_schema=False, status_code=200)
async def about_decision(request: Asked, number: FromPath[int], verb: FromPath[str]) -> Redirect:
    """Revoke a decision, enter an appeal against it, or settle an appeal."""
    given = await fields(request)

    def work() -> str:
        for_all(request)
        office, reason = desk_of(request), given.get("reason", "")
        match verb:
            case "revoke":
                verbs.revoke(office, number, reason)
            case "appeal":
                verbs.appeal(office, number, by=given.get("by", ""), reason=reason)
            case "settle":
                verbs.settle(office, number, given.get("outcome", ""), reason)
            case _:
                raise BadInput(
                    "value-unknown", option="verb", value=verb[:40], accepted="revoke, appeal, settle"
                )
        return "/desk/decisions"

    return await done(work)


# ----------------------------------------------------------------------------------------------------- players


@get("/desk/players", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def players_page(request: Asked, q: FromQuery[str] = "") -> Response[str]:
    """Find a player of the register, or enter a new one."""
    found = verbs.find_players(office_here(request), q.strip()[:100], 50) if q.strip() else []
    return page(request, "desk_players.html", asked=q.strip()[:100], people=found, schemes=SCHEMES)


@post("/desk/players", opt=OFFICER, include_in_schema=False, status_code=200)
async def new_player(request: Asked) -> Redirect:
    """Enter a player."""
    given = await fields(request)

    def work() -> str:
        born = given.get("born", "")
        number = verbs.register_player(
            desk_of(request), given.get("name", ""), federation=given.get("federation", ""),
            sex=given.get("sex", ""), born=calc.parse_birth(born, "born") if born else None,
            identifiers={s: given[s] for s in SCHEMES if given.get(s)}, reason=given.get("reason", ""),
        )  # fmt: skip
        return f"/desk/players/{number}"

    return await done(work)


@get("/desk/players/{number:int}", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def player_page(request: Asked, number: FromPath[int]) -> Response[str]:
    """A player of the register, with what an officer may change."""
    office = office_here(request)
    with office.store.reading() as connection:
        person = known_player(connection, number)
        merged = register.merged(connection).get(number)
        away = number in accounts.hidden(connection)
        day = today(office, connection)
    return page(request, "desk_player.html", person=person, merged=merged, away=away, day_=day)


@post("/desk/players/{number:int}/{verb:str}", opt=OFFICER, include_in_schema=False, status_code=200)
async def change_player(request: Asked, number: FromPath[int], verb: FromPath[str]) -> Redirect:
    """Correct a player, merge another into him, hide him or show him again."""
    given = await fields(request)

    def work() -> str:
        office, reason = desk_of(request), given.get("reason", "")
        match verb:
            case "correct":
                value: Any = given.get("value", "")
                field = given.get("field", "")
                value = calc.parse_birth(value, "born") if field == "born" else value
                since = calc.parse_day(given.get("since", ""), "since")
                verbs.change_player(office, number, since=since, reason=reason, **{field: value})
            case "merge":
                verbs.merge(office, number, number_in(given, "dropped"), reason)
            case "hide" | "show":
                accounts.hide_player(office, number, reason, hidden=verb == "hide")
            case _:
                raise BadInput(
                    "value-unknown", option="verb", value=verb[:40], accepted="correct, merge, hide, show"
                )
        return f"/desk/players/{number}"

    return await done(work)


# ------------------------------------------------------------------------------------------------------ ledger


@get("/desk/ledger", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def ledger_page(request: Asked) -> Response[str]:
    """Every act, the latest first."""
    office = office_here(request)
    with office.store.reading() as connection:
        last = ledger.next_seq(connection) - 1
        pages = max(1, -(-last // ACTS))
        number = min(max(1, number_of(request.query_params.get("page", "1"))), pages)
        first = max(1, last - number * ACTS + 1)
        until = last - (number - 1) * ACTS
        acts = [act for act in ledger.acts(connection, first) if act.seq <= until][::-1]
    return page(
        request, "desk_ledger.html", acts=acts, page_number=number, pages=pages,
        address=lambda to: f"/desk/ledger?page={to}",
    )  # fmt: skip


@post("/desk/verify", opt=OFFICER, include_in_schema=False, status_code=200)
async def verify(request: Asked) -> Response[str]:
    """Check the ledger, the reports and every list against what was written."""
    from litestar.concurrency import sync_to_thread

    def work() -> Response[str]:
        office = office_here(request)
        found = verbs.verify(office, recompute=False)
        say = say_of(request)
        told = [
            say.text(f"altered.{a.code}", **a.facts)
            if say.has(f"altered.{a.code}")
            else f"{a.code} {dict(a.facts)}"
            for a in found.altered
        ]
        with office.store.reading() as connection:
            name = setting(connection, "name")
        return page(request, "desk_verified.html", told=told, counted=found.counted, name=name)

    return await sync_to_thread(work)


ROUTES = (
    lists_page, draft_page, publish, corrections_page, correct, decisions_page, decide, about_decision,
    players_page, new_player, player_page, change_player, ledger_page, verify,
)  # fmt: skip
