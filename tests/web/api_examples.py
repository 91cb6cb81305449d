"""The examples of the API: what the demo office answers at every address, with the parameters' own examples.

``python -m tests.web.api_examples`` asks anew and writes them; lists are cut to a few entries.
"""

import json
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from arpad.model.rules import ListName
from arpad.office.declarations import all_declared
from arpad.office.declared import Declared
from arpad.office.inbox.entrant_decisions import decide_entrants
from arpad.office.office import Office
from arpad.office.reports.entrant_rows import NEW
from arpad.office.settings.acts import change_settings
from arpad.office.users import Role
from arpad.reports.report import Entrant
from arpad.web.calculators import EVENT_EXAMPLE
from arpad.web.declared_routes import address_of
from tests.builders.chess import event
from tests.builders.norm_reports import TRF
from tests.builders.offices import WIN, list_bytes, listed, trf
from tests.builders.optional import of_features
from tests.builders.site_fixtures import OPEN, Served, copied, serving
from tests.builders.users import issue_token
from tests.builders.verbs import accept, register_player, registered, submit
from tests.paths import SOURCE
from tests.surfaces.doors import api, token_of
from tests.surfaces.examples import example_of, prepare

KEPT = SOURCE / "web" / "api" / "examples.json"
MOST = 2
INSTEAD = (
    "after",
    "date",
    "opponents",
    "federation",
    "region",
    "group",
    "fmjd",
    "replaces",
    "columns",
    "last_event",
    "follows",
    "means",
    "free",
)
"""Parameters that stand for others, or that need a report that was returned."""

ROWS = 3
RATED = [
    listed(1, 2000, name="Rossi, Mario", federation="ITA"),
    listed(2, 1900, name="Byrne, Aoife", federation="IRL"),
]
BODIES = {
    "/imports/list": list_bytes(date(2025, 6, 1), *RATED),
    "/imports/list/preview": list_bytes(date(2025, 6, 1), *RATED),
    "/imports/reference": list_bytes(date(2025, 6, 1), *RATED),
    "/calc/event": EVENT_EXAMPLE.encode(),
}
"""The bodies of addresses that take another file than a report."""


def asked(
    client: httpx.Client, path: str, method: str, operation: dict[str, Any], given: Mapping[str, Any]
) -> httpx.Response:
    """One address with the examples of its parameters, except those that are given."""
    address, query, headers = path, {}, {}
    for parameter in operation.get("parameters", []):
        values = [found["value"] for found in parameter.get("examples", {}).values()]
        instead = parameter["name"] in INSTEAD and not parameter.get("required")
        if not values or instead:
            continue
        if parameter["in"] == "path":
            address = address.replace("{" + parameter["name"] + "}", str(values[0]))
        elif parameter["in"] == "header":
            headers[parameter["name"]] = quote(str(values[0]))
        else:
            query[parameter["name"]] = given.get(parameter["name"], values[0])
    body = (
        next((data for end, data in BODIES.items() if path.endswith(end)), OPEN) if method == "post" else None
    )
    if method == "post":
        query.pop("facts", None)
    return client.request(method, address, params=query, content=body, headers=headers)


def shortened(value: Any) -> Any:
    """Enough to see what it looks like."""
    if isinstance(value, dict):
        return {name: shortened(entry) for name, entry in list(value.items())[:40]}
    return [shortened(entry) for entry in value[:MOST]] if isinstance(value, list) else value


def collected(served: Served) -> dict[str, Any]:
    """Every address with its answer; reports are sent first, so that there is one to follow."""
    scopes = ["submit", "running", "decide", "register", "lists"]
    token = issue_token(replace(served.office, author="examples"), "officer", "club", scopes)
    client = served.client()
    client.headers["authorization"] = f"Bearer {token}"
    client.post("/api/v1/running/open-2026", content=OPEN).raise_for_status()
    sent = client.post("/api/v1/reports", params={"name": "open.trf"}, content=OPEN).json()["report"]
    double = _enter_doubles(replace(served.office, author="examples"), sent)
    _enter_club(replace(served.office, author="examples"))
    _play_game(replace(served.office, author="examples"))
    with_norms = _make_norms(replace(served.office, author="examples"))
    document = client.get("/api/openapi.json").json()
    declared = {address_of(it) for it in all_declared().values()}
    found = {}
    for path, methods in sorted(document["paths"].items(), key=_order):
        for method, operation in sorted(methods.items()):
            if f"{method.upper()} {path}" in declared:
                continue
            own = re.fullmatch(r"/api/v1/reports/{number}(/receipt|/preview)?", path)
            mine = path.replace("{number}", str(sent)) if own else path
            mine = mine.replace("/reports/{number}", f"/reports/{with_norms}")
            answer = asked(client, mine, method, operation, {"dropped": double})
            assert answer.status_code < 300, (path, answer.text)
            found[f"{method.upper()} {path}"] = shown(answer)
    return found


def _order(item: tuple[str, Any]) -> tuple[int, str]:
    """The preview of an import comes first, and the import last: what is live would start from it."""
    path = item[0]
    return (-1 if path.endswith("/imports/list/preview") else int(path.endswith("/imports/list")), path)


def _enter_doubles(office: Office, report: int) -> int:
    """Enter a player twice, once with an alias; return the number that a merge drops."""
    player = register_player(office, "Lindqvist, Saga M.", federation="SWE").id
    decide_entrants(office, report, {9: player})
    return register_player(office, "Rossi, Mario (again)", federation="ITA").id


def shown(answer: httpx.Response) -> Any:
    """Return what an example shows of an answer: the data, the name of a PDF, else some lines of a file."""
    kind = answer.headers["content-type"]
    if "pdf" in kind:
        assert answer.content.startswith(b"%PDF")
        return "%PDF-1.7 …"
    return shortened(answer.json()) if "json" in kind else "\n".join(answer.text.splitlines()[:ROWS])


@of_features("clubs", "arbiters", "registrations")
def _enter_club(office: Office) -> None:
    """Enter a club with a member, an arbiter and a tournament, which the demo does not have."""
    from arpad.model.clubs import UnitKind
    from arpad.office.arbiters.acts import register_arbiter
    from arpad.office.clubs.acts import enter_club, transfer
    from arpad.office.registrations.acts import cancel_registration, register_event

    since = date(2024, 1, 1)
    enter_club(office, "LOM", "Lombardia", kind=UnitKind.REGION, since=since)
    enter_club(office, "MI1", "Circolo di Milano", kind=UnitKind.CLUB, region="LOM", since=since)
    transfer(office, 1, "MI1", since=since)
    register_arbiter(office, "Neri, Anna", federation="ITA", title="IA", since=since)
    register_event(office, "Open", federation="ITA", first_day=date(2025, 1, 10), last_day=date(2025, 1, 12))
    cancel_registration(office, 2, reason="entered twice")


def _make_norms(office: Office) -> int:
    """Accept a report with norms, enter what belongs to it; return its number."""
    sent = submit(office, TRF.encode(), "norms.trf")
    codes = {finding.code for finding in sent.findings}
    new = {it.entrant.number: NEW for it in sent.doubts}
    accept(office, sent.report, matches=new, overrule=codes, reason="a made report")
    _enter_for_report(office)
    return sent.report


@of_features("fees", "fide")
def _enter_for_report(office: Office) -> None:
    """Keep a fee table and two lists of FIDE."""
    from arpad.office.fees.acts import issue_invoice, pay_invoice, set_fee_table
    from arpad.office.fide.reference import add_reference
    from tests.builders.reference import row, write_reference

    set_fee_table(office, 'currency = "EUR"\n[[fee]]\nname = "Rating fee"\nper = "player"\namount = "1.00"\n')
    for report in (1, 2, 4):
        issue_invoice(office, report, to=["Circolo di Bellariva"])
    pay_invoice(office, "2025/3")
    with tempfile.TemporaryDirectory() as folder:
        for day, gain in ((date(2024, 12, 1), 0), (date(2025, 1, 1), 25)):
            people = [registered(office, number) for number in (1, 2)]
            lines = [row(int(it.identifier("fide")), it.name, rating=2000 + gain) for it in people]
            add_reference(office, write_reference(Path(folder), f"{day}.txt", *lines), day)


def _play_game(office: Office) -> None:
    """Let two players play a game for the next list, and keep live lists."""
    people = [registered(office, number) for number in (1, 2)]
    entrants = tuple(
        Entrant(place, person.name, id=person.identifier("fide"), federation=person.federation)
        for place, person in enumerate(people, start=1)
    )
    played = event("Match of January", WIN, date(2025, 1, 10))
    sent = submit(office, trf(replace(played, entrants=entrants)), "match.trf")
    accept(office, sent.report)
    _keep_live_lists(office)


@of_features("live")
def _keep_live_lists(office: Office) -> None:
    from arpad.office.live.acts import update_live

    change_settings(office, set_={"live_lists": "public"})
    update_live(office, ListName.STANDARD)


def shape(value: Any) -> Any:
    """What an answer is made of, without its values."""
    if isinstance(value, dict):
        return {name: shape(entry) for name, entry in value.items()}
    return [shape(value[0])] if isinstance(value, list) and value else type(value).__name__


def kept() -> dict[str, Any]:
    """Return the examples as they are written down."""
    answers: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return answers


def declared_answer(declared: Declared[..., Any], demo: Path, folder: Path) -> httpx.Response:
    """Return the answer to the example of an act or a query, in an office of its own."""
    with serving(copied(demo, folder)) as running:
        prepare(replace(running.office, author="tests"), declared)
        login = "administrator" if declared.who.role == Role.ADMINISTRATOR else "officer"
        return api(declared, example_of(declared), running, token_of(running, login))


def make_all(features: Sequence[str]) -> dict[str, Any]:
    """Return the examples of all addresses; of some features only, beside those that are written down."""
    from arpad.demo.build import build

    chosen = [it for it in all_declared().values() if not features or it.feature in features]
    with tempfile.TemporaryDirectory() as name:
        demo = Path(name) / "demo"
        build(demo)
        made = kept()
        if not features:
            with serving(copied(demo, Path(name))) as running:
                made = collected(running)
        for declared in chosen:
            if declared.is_act or declared.path:
                own = Path(name) / declared.key
                own.mkdir()
                made[address_of(declared)] = shown(declared_answer(declared, demo, own))
    return made


if __name__ == "__main__":
    text = json.dumps(make_all(sys.argv[1:]), indent=1, ensure_ascii=False, sort_keys=True)
    KEPT.write_text(f"{text}\n", encoding="utf-8")
