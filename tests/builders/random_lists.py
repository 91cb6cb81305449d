"""Random published lists with everything that is awkward in a file."""

from datetime import date
from random import Random

from arpad.lists.published import ListedPlayer, PublishedList
from arpad.model.rules import ListName

ODD_TEXTS = (
    "=1+1", "+x", "-", "@y", "'=z", '"q"', "a,b", "Tab\there", "new\nline", "cr\r", "\\back\\t", "a\x00\x1f", "\x85nel",
    "\u2028ls", "ßtraße", "STRASSE", "strasse", "İstanbul", "ΣΑΣ", "Σας", "Ö, é", " lead", "trail ", "x" * 61, "x" * 60,
    "y," * 40, "&<>", "_x0041_", "\u00a0nb", "\u200bz", "ﬁ", "Ǆ", "1", "12-3", "00", "漢字", "\U0001f600", "a\u0301",
    "Ꮿꮿ", "º", "D’A", "a\u00ady", "x,", "",
)  # fmt: skip
ODD_NUMBERS = ("A-12", "x y", "a\tb", "9" * 15, "9" * 22, "\\s", "=1", "0", "7=8", "٣", " 5")


def random_list(seed: int) -> PublishedList:
    """Return a list of chess, or every fourth time of draughts."""
    dice = Random(seed)  # noqa: S311
    draughts = seed % 4 == 3
    numbers = dice.sample(range(1, 3000), dice.choice((0, 1, 5, 30, 30, 250)))
    return PublishedList(
        ListName.ITALIANA if draughts else ListName.STANDARD, date(2024, 3, 1), seed + 1, "fide-2022",
        revision=dice.choice((1, 2)), inactive_leave_federation=dice.random() < 0.3,
        rows=tuple(_player(dice, number, draughts=draughts) for number in numbers),
    )  # fmt: skip


def _player(dice: Random, number: int, *, draughts: bool) -> ListedPlayer:
    rated = dice.random() < 0.8
    figures = (dice.randrange(1, 3000), 2000, 2000, 2000, 123456)
    return ListedPlayer(
        number, _text(dice), dice.choice(("", "ITA", "FRA", "SWE", "I/A", "ß", 'F"', "LONGFED")),
        dice.choice(("", "M", "F")), dice.choice(("", "", "GM", "x" * 6, "a,b")), dice.choice(("", "", "WGM")),
        dice.choice(("", "FI,NA", "LSI,FI,SI,SLI,NA", "=x")),
        dice.choice(("", "maestro", "provinciale", "other")) if draughts else "",
        dice.choice(figures) if rated else None, dice.choice((0, 5, 99, 100, 1000)), dice.choice((None, 10, 40, 100)),
        dice.choice((None, dice.randrange(1930, 2020), 2004, 2003, 1974)), dice.random() < 0.3,
        not rated and dice.random() < 0.5, _identifiers(dice),
    )  # fmt: skip


def _text(dice: Random) -> str:
    usual = f"Surname{dice.randrange(40)}, Name{dice.randrange(9)}"
    odd = dice.choice(ODD_TEXTS)
    joined = odd + dice.choice(("", ", ", " ", "b")) + dice.choice(ODD_TEXTS)
    return dice.choice((usual, usual, odd, joined))


def _identifiers(dice: Random) -> tuple[tuple[str, str], ...]:
    numbers = {}
    for scheme in ("fid", "fide", "fsi", "icu"):
        if dice.random() < 0.3:
            usual = str(dice.randrange(1, 3000))
            numbers[scheme] = dice.choice((usual, usual, f"0{usual}", dice.choice(ODD_NUMBERS)))
    return tuple(numbers.items())
