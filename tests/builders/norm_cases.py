"""The cases of title norms, and how they are answered."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from arpad.model.exact import points
from arpad.model.rules import ListName
from arpad.rating.norms import Norm, find_norm
from arpad.regulations.all_editions import TITLE_EDITIONS
from arpad.regulations.editions import named
from arpad.regulations.fide.titles.field import Participant, is_strong_field
from arpad.regulations.fide.titles.games import NormCell, federation_of, norm_record
from arpad.regulations.fide.titles.requirements import Candidate, NormEvent
from arpad.regulations.fide.titles.rules import NormTitle
from tests.paths import CASES

Case = dict[str, Any]

NORMS: list[Case] = tomllib.loads((CASES / "norms.toml").read_text(encoding="utf-8"))["case"]

WRITTEN = re.compile(
    r"(?:(?P<times>\d+) x )?(?:(?P<title>[A-Z]+) )?(?P<rating>\d{4}|unrated) "
    r"(?P<federation>[A-Z]{3})(?:/(?P<origin>[A-Z]{3}))?(?P<zero> zero)? (?P<result>[-1=0+])"
)


def cells(case: Case) -> Iterator[NormCell]:
    """Yield the rounds of a case."""
    number = 0
    for text in case["games"]:
        if len(text) == 1:
            number += 1
            yield NormCell(number, text)
            continue
        written = WRITTEN.fullmatch(text)
        assert written, text
        for _ in range(int(written["times"] or 1)):
            number += 1
            same = case["given"].get("same", case["given"]["rounds"])
            rating = None if written["rating"] == "unrated" else int(written["rating"])
            yield NormCell(
                number, written["result"], written["title"] or "", rating, written["federation"],
                written["origin"] or "", f"id {(number - 1) % same}", bool(written["zero"]),
            )  # fmt: skip


def field_of(case: Case) -> list[Participant]:
    """Return the field of a case: thirty GM of the host, and the foreign players."""
    given, rounds = case["field"], case["given"]["rounds"]
    federations, everywhere = given["federations"].split(), frozenset(range(1, rounds + 1))
    host = [Participant("GM", 2480, case["given"]["host"], everywhere)] * 30
    return host + [
        Participant(
            "IM" if number <= given["titled"] else "FM",
            2300,
            federations[(number - 1) % len(federations)],
            everywhere - set(given.get("missed", {}).get(str(number), [])),
        )
        for number in range(1, given["foreign"] + 1)
    ]


def answer(case: Case) -> Norm:
    given, edition = case["given"], named(case["edition"], TITLE_EDITIONS)
    rules = edition.on(ListName.STANDARD)
    strong = "field" in case and is_strong_field(field_of(case), given["rounds"], given["host"], rules)
    event = NormEvent(given["system"], given["rounds"], given.get("kind", ""), given["host"], strong)
    sex = "w" if given.get("sex") else "m"
    player = Candidate(federation_of(given["federation"], "", edition.effective, rules), sex)
    record = norm_record(player, event, cells(case), rules, edition.effective)
    return find_norm(record, NormTitle(given["title"]), edition)


def shown(norm: Norm) -> Case:
    return {
        "norm": norm.norm,
        "used": len(norm.games),
        "games": norm.counted,
        "score": points(norm.score),
        "average": norm.average,
        "performance": norm.performance,
        "raised": norm.raised,
        "required": None if norm.needed is None else points(norm.needed),
        "dropped": list(norm.dropped),
        "failed": [item.name for item in norm.failed],
        "exempt": norm.exempt.article[-1] if norm.exempt else "none",
        "basis": norm.basis.article if norm.basis else "games",
    }


GM, IM, WGM, WIM = NormTitle


def norm(
    games: list[str], title: NormTitle = GM, *, edition: str = "titles-2024", sex: str = "m", **event: str
) -> Norm:
    """Return the norm of an Italian: each game is result, title, rating and federation, ``1 GM 2500 FRA``."""
    chosen = named(edition, TITLE_EDITIONS)
    cells = []
    for number, text in enumerate(games, start=1):
        result, *about = text.split()
        if not about:
            cells.append(NormCell(number, result))
            continue
        held, rating, federation = about
        cells.append(
            NormCell(
                number,
                result,
                held.strip("-"),
                int(rating) or None,
                federation.removesuffix("!"),
                "",
                str(number),
                federation.endswith("!"),
            )
        )
    happening = NormEvent(
        event.get("system", "swiss"), len(games), event.get("kind", ""), event.get("host", "")
    )
    rules = chosen.on(ListName.STANDARD)
    record = norm_record(Candidate("ITA", sex), happening, cells, rules, chosen.effective)
    return find_norm(record, title, chosen)
