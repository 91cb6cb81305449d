"""The question about one player's norm as people type it, without a report (``arpad calc norm``)."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Annotated, TypeAlias

from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.model.rules import Edition, ListName
from arpad.model.typed_values import check_rating, check_within, parse_integer
from arpad.rating.arguments import MOST_ITEMS, SHORT, EditionDay, choose_titles
from arpad.rating.calculator import Answer, Calculator, Question
from arpad.rating.norm_report import NormOptions
from arpad.rating.norms import Norm, find_norm
from arpad.rating.wins_left_out import MOST_ROUNDS
from arpad.regulations.all_editions import TITLE_EDITIONS
from arpad.regulations.fide.titles.games import RESULTS, NormCell, federation_of, norm_record
from arpad.regulations.fide.titles.requirements import KINDS, SWISS, Candidate, NormEvent
from arpad.regulations.fide.titles.rules import NormTitle, TitleRules
from arpad.reports.formats.trf_players import OLD_TITLES, TITLES

GAME_FORM = "ROUND:RESULT[:TITLE:RATING:FEDERATION[:ID]]"
SEXES = {"m": "m", "f": "w", "w": "w"}
OTHER_TITLES = ("AGM", "AIM", "AFM", "ACM", "NM", "WNM")
"""Arena and national titles: known, and no titles in the sense of the regulations."""

RATING_DIGITS = 4
_CODE = re.compile(r"[A-Z]{3}(?:/[A-Z]{3})?")


TitleEdition: TypeAlias = Annotated[
    str | None,
    Accepts(
        example="titles-2024", longest=SHORT, form="NAME",
        about="Edition by name (a command also takes a TOML file); default: today's in an office, else the newest.",
    ),
]  # fmt: skip
TitleSought: TypeAlias = Annotated[
    NormTitle,
    Accepts(
        example="IM", longest=SHORT, form="GM|IM|WGM|WIM", about="The title sought.",
        read=lambda text, _name: parse_title(text),
    ),
]  # fmt: skip
Federation: TypeAlias = Annotated[
    str,
    Accepts(
        example="HUN", longest=SHORT, form="CODE",
        about="The player's federation; FID/RUS with its origin.",
    ),
]  # fmt: skip
Rounds: TypeAlias = Annotated[
    Sequence[str],
    Accepts(
        example="1:1:GM:2500:GER 2:=:IM:2450:FRA:7", longest=MOST_ITEMS, form=GAME_FORM,
        about="A round; RESULT as in TRF: 1 = 0 + - U H Z.",
    ),
]  # fmt: skip
Sex: TypeAlias = Annotated[str, Accepts(example="f", longest=SHORT, form="m|f", about="For norms of women.")]
NumberOfRounds: TypeAlias = Annotated[
    int | None,
    Accepts(
        example="9", high=MOST_ROUNDS, form="N", about="Rounds of the event; default: the last one given."
    ),
]
Host: TypeAlias = Annotated[
    str, Accepts(example="GER", longest=SHORT, form="CODE", about="The federation of the event.")
]
SystemName: TypeAlias = Annotated[
    str,
    Accepts(
        example="swiss", longest=SHORT, form="swiss|round-robin|double-round-robin|team|knockout",
        about="System; default: swiss.",
    ),
]  # fmt: skip
Kind: TypeAlias = Annotated[
    str | None,
    Accepts(
        example="zonal", longest=SHORT, form="world-team|world-cup|national-championship|national-team|zonal",
        about="Kind of event.",
    ),
]  # fmt: skip
StrongField: TypeAlias = Annotated[
    bool, Accepts(example="false", about="Every round has the foreign field of 1.4.3d.")
]


@Calculator
def calculate_norm(  # noqa: PLR0913  what a norm may depend on
    question: Question, *, title: TitleSought, federation: Federation, game: Rounds = (), sex: Sex = "",
    system: SystemName = SWISS, rounds: NumberOfRounds = None, host: Host = "", kind: Kind = None,
    edition: TitleEdition = None, date_: EditionDay = None, strong_field: StrongField = False,
) -> Answer[Norm]:  # fmt: skip
    """Say whether a player made a title norm, with which games, article by article.

    Example: arpad calc norm --title GM --federation HUN --rounds 9 --game 1:1:GM:2500:GER --game 2:=:IM:2450:FRA
    """
    question.check_edition(edition, "titles-2024")
    on = question.today if edition is None and date_ is None else date_
    chosen = choose_titles(edition, on, question.title_editions)
    rules = chosen.on(ListName.STANDARD)
    cells = [parse_cell(text) for text in (*game, *typed_games(question))]
    if not cells:
        raise BadInput("no-games-given", option="game", accepted=GAME_FORM)
    number = _number_of_rounds(cells, rounds)
    event = NormEvent(
        parse_system(system, rules), number, parse_kind(kind),
        parse_federation(host, "host")[0] if host else "", strong_field,
    )  # fmt: skip
    first_day = date_ or chosen.effective
    code, origin = parse_federation(federation, "federation")
    player = Candidate(federation_of(code, origin, first_day, rules), parse_sex(sex) if sex else "")
    record = norm_record(player, event, cells, rules, first_day)
    return Answer(chosen, ListName.STANDARD, find_norm(record, title, chosen))


def typed_games(question: Question) -> list[str]:
    """Return the lines of a form as rounds: the result, then title, rating, federation and number in any order.

    The first line is round 1, or the round after those that are written as texts; an empty line is a round
    without a game.
    """
    lines = (question.one("games") or "").rstrip().splitlines()
    question.limit(len(lines), "games")
    rounds = enumerate(lines, start=len(question.all("game")) + 1)
    return [_game_text(number, line.replace(":", " ").split()) for number, line in rounds if line.strip()]


def _game_text(number: int, words: Sequence[str]) -> str:
    """Return the words of a line as ``parse_cell`` reads a round."""
    result, *opponent = words
    if not opponent:
        return f"{number}:{result}"
    fields = {"title": "", "rating": "", "federation": "", "id": ""}
    for word in opponent:
        fields[_field_of(word)] = word
    return ":".join((str(number), result, *fields.values()))


def _field_of(word: str) -> str:
    """Return which field of an opponent a word is."""
    if word.isdecimal():
        return "rating" if len(word) <= RATING_DIGITS else "id"
    code = word.upper()
    return "federation" if _CODE.fullmatch(code) and code not in (*TITLES, *OTHER_TITLES) else "title"


def _number_of_rounds(games: Sequence[NormCell], given: int | None) -> int:
    """Return the rounds of the event, without a number the last that has a game; refuse games that contradict."""
    last = max(game.round for game in games)
    rounds = last if given is None else given
    if last > rounds:
        raise BadInput("round-beyond", option="game", round=last, rounds=rounds)
    repeated = {game.round for game in games if [other.round for other in games].count(game.round) > 1}
    if repeated:
        raise BadInput("round-twice", option="game", round=min(repeated))
    _refuse_different_opponents(games)
    return rounds


def _refuse_different_opponents(games: Sequence[NormCell]) -> None:
    """Refuse an opponent who is somebody else when met again."""
    known: dict[str, tuple[str, str, str, bool]] = {}
    for game in games:
        person = (game.title, game.federation, game.origin, game.rating is None)
        if game.person and known.setdefault(game.person, person) != person:
            raise BadInput("opponent-differs", option="game", id=game.person.removeprefix("id "))


def norm_options(
    *,
    edition: str | None = None,
    day: date | None = None,
    system: str | None = None,
    kind: str | None = None,
    host: str | None = None,
    rounds: str | None = None,
    titles: Sequence[str] = (),
    player: int | None = None,
    editions: Sequence[Edition[TitleRules]] = TITLE_EDITIONS,
) -> NormOptions:
    """Return the options of a question about the norms of a report, as people type them."""
    if edition is not None and day is not None:
        raise BadInput("edition-or-date", option="edition")
    number = parse_integer(rounds, "rounds") if rounds is not None else None
    if number is not None:
        check_within(number, "rounds", 1, MOST_ROUNDS)
    return NormOptions(
        edition=edition,
        day=day,
        system=parse_system(system, choose_titles(edition, day, editions).on(ListName.STANDARD))
        if system is not None
        else "",
        kind=parse_kind(kind),
        host=parse_federation(host, "host")[0] if host is not None else "",
        rounds=number,
        titles=tuple(dict.fromkeys(parse_title(title) for title in titles)),
        players=frozenset({player}) if player is not None else None,
        editions=editions,
    )


def _one_of(text: str, option: str, accepted: Iterable[str], value: str | None = None) -> str:
    """Return a text, or a value that it means, if it is accepted."""
    meant = text if value is None else value
    if meant not in accepted:
        raise BadInput("value-unknown", option=option, value=text, accepted=", ".join(accepted))
    return meant


def parse_title(text: str) -> NormTitle:
    """Return a title that needs norms."""
    return NormTitle(_one_of(text, "title", tuple(NormTitle), text.strip().upper()))


def parse_system(text: str, rules: TitleRules) -> str:
    """Return a system in which norms can be made."""
    return _one_of(text, "system", rules.norm_systems.value)


def parse_kind(text: str | None) -> str:
    """Return a kind of event that the title regulations treat in their own way; empty for any other."""
    return "" if text is None else _one_of(text, "kind", KINDS)


def parse_sex(text: str) -> str:
    """Return the sex as ``m`` or ``w``."""
    sex = SEXES.get(text.strip().lower())
    if sex is None:
        raise BadInput("value-unknown", option="sex", value=text, accepted="m, f")
    return sex


def parse_federation(text: str, option: str) -> tuple[str, str]:
    """Return a federation and, written ``FID/RUS``, the original one of a player under the FIDE flag."""
    code = text.strip().upper()
    if not _CODE.fullmatch(code):
        raise BadInput("federation-code", option=option, value=text)
    federation, _, origin = code.partition("/")
    return federation, origin


def parse_cell(text: str) -> NormCell:
    """Return a round written ``ROUND:RESULT[:TITLE:RATING:FEDERATION[:ID]]``."""
    played, *parts = (part.strip() for part in text.split(":"))
    if len(parts) not in (1, 4, 5):
        raise BadInput("bad-form", option="game", value=text, accepted=GAME_FORM)
    number = parse_integer(played, "game")
    check_within(number, "game", 1, MOST_ROUNDS)
    result = parts[0].upper()
    if len(result) != 1 or result not in RESULTS:
        raise BadInput(
            "bad-score", option="game", value=parts[0], accepted="1, =, 0, +, -, U, H, Z, F, W, D, L"
        )
    if len(parts) == 1:
        if result in "1=0":
            raise BadInput("game-without-opponent", option="game", value=text, accepted=GAME_FORM)
        return NormCell(number, result)
    title, rating, federation = parts[1:4]
    code, origin = parse_federation(federation, "game") if federation else ("", "")
    person = f"id {parts[4]}" if len(parts) > 4 and parts[4] else f"round {number}"  # noqa: PLR2004  the fifth part
    return NormCell(number, result, _held_title(title), _rating(rating), code, origin, person)


def _held_title(text: str) -> str:
    title = text.upper()
    title = OLD_TITLES.get(text.lower(), title)
    if title and title not in TITLES and title not in OTHER_TITLES:
        accepted = "GM, IM, FM, CM, WGM, WIM, WFM, WCM"
        raise BadInput("value-unknown", option="game", value=text, accepted=accepted)
    return title


def _rating(text: str) -> int | None:
    number = parse_integer(text, "game") if text else 0
    check_rating(number, "game")
    return number or None
