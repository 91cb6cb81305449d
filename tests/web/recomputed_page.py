"""A reader with the page of a player, a pencil and the printed tables: every published number is computed again.

Nothing of Arpad is used but the tables 8.1a, 8.1b and 19, which a reader finds in the regulations. The page is read as
text: headings, sentences, tables of games, steps.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from html import unescape
from math import floor

from arpad.regulations.tables import TABLE_8_1A, TABLE_8_1B, TABLE_19

NUMBER = r"[+−]?\d+(?:\.\d+)?"
HEADING = re.compile(
    rf"List of (\d+ \w+ \d+)(?: corrected \(revision \d+\))? ?: ?(?:({NUMBER}|–) → ({NUMBER}|–)|unrated)"
)
PRODUCT = re.compile(
    rf"Scored ({NUMBER}), expected ({NUMBER}): ({NUMBER}) × K (\d+) = ({NUMBER}), rounded ({NUMBER})\."
)
LIFTED = re.compile(r"below (\d+) was raised by (\d+) % of the distance to \d+: from (\d+) to (\d+)\.")
DELISTED = re.compile(r"(\d+) is below the lowest published rating of (\d+)")


def plain(html: str) -> str:
    """Return the text of some HTML, without the pictures."""
    text = re.sub(r"<svg.*?</svg>", "", html, flags=re.DOTALL)
    return (
        re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", text)))
        .replace(" )", ")")
        .replace("( ", "(")
        .strip()
    )


def number(text: str) -> Fraction:
    """Return a number as the page writes it."""
    return Fraction(text.replace("−", "-"))


def rounded(value: Fraction) -> set[int]:
    """Return the whole numbers that a value may be rounded to: two if it is exactly between them."""
    low = floor(value)
    part = value - low
    return {low, low + 1} if part == Fraction(1, 2) else {low + 1} if part > Fraction(1, 2) else {low}


@dataclass
class Row:
    """A row of a table of games."""

    rating: int | None
    score: Fraction
    expected: Fraction | None
    difference: Fraction | None
    points: Fraction | None
    counts: bool
    capped: bool


@dataclass
class ReadEvent:
    """A tournament as the page shows it."""

    name: str
    own: int | None
    k: int | None
    capitals: tuple[int, int] | None
    rows: list[Row]
    sums: list[Fraction]
    text: str

    @property
    def counted(self) -> list[Row]:
        """The games that count."""
        return [row for row in self.rows if row.counts]


@dataclass
class ReadPeriod:
    """A list as the page shows it."""

    day: str
    before: int | None
    after: int | None
    told: str
    text: str
    events: list[ReadEvent] = field(default_factory=list)


def read_periods(html: str) -> Iterator[ReadPeriod]:
    """Yield the lists of a page, the latest first."""
    for section in re.findall(r'<section class="period".*?</section>', html, re.DOTALL):
        heading = HEADING.search(plain(section.partition("</h3>")[0]))
        assert heading is not None, plain(section)[:200]
        day, before, after = heading.groups()
        told = re.search(r'<p class="told">(.*?)</p>', section, re.DOTALL)
        assert told is not None
        period = ReadPeriod(day, _whole(before), _whole(after), plain(told[1]), plain(section))
        period.events = [
            _event(part)
            for part in re.findall(r"<details.*?</details>", section, re.DOTALL)
            if "<table" in part
        ]
        yield period


def _whole(text: str | None) -> int | None:
    return None if text in (None, "–") else int(number(text or ""))


def _event(html: str) -> ReadEvent:
    text = plain(html)
    own = re.search(r"own rating (\d+), K (\d+)", text)
    capital = re.search(r"capital (\d+) → (\d+)", text)
    name = re.search(r"<b>(.*?)</b>", html, re.DOTALL)
    body, _, foot = html.partition("<tfoot>")
    rows = [_row(row) for row in re.findall(r"<tr[^>]*>\s*<td.*?</tr>", body, re.DOTALL)]
    sums = [
        number(cell)
        for cell in map(plain, re.findall(r"<td[^>]*>(.*?)</td>", foot.partition("</table>")[0], re.DOTALL))
        if cell
    ]
    return ReadEvent(
        plain(name[1]) if name else "", int(own[1]) if own else None, int(own[2]) if own else None,
        (int(capital[1]), int(capital[2])) if capital else None, rows, sums, text,
    )  # fmt: skip


def _row(html: str) -> Row:
    cells = [plain(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", html, re.DOTALL)]
    values = [None if cell == "–" else number(cell) for cell in cells[3:]]
    rating, score, expected, difference, points = [*values, None, None, None][:5]
    return Row(
        None if rating is None else int(rating), score or Fraction(0), expected, difference, points,
        'class="out"' not in html, "difference capped" in html,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------- computing


def recompute_chess(periods: list[ReadPeriod]) -> int:
    """Compute the published ratings of a chess list again, the earliest first; return how many."""
    for period in periods:
        if period.told.startswith("Taken over"):
            continue
        if product := PRODUCT.search(period.told):
            value: int | None = _rated(period, product)
        elif first := re.search(r"First rating: (\d+), from", period.told):
            value = _entry(period)
            assert value == int(first[1])
        else:
            value = period.before
        if lifted := LIFTED.search(period.told):
            below, percent, start, end = map(int, lifted.groups())
            assert value == start
            assert end - start in rounded(Fraction(percent * (below - start), 100))
            value = end
        if delisted := DELISTED.search(period.told):
            assert value == int(delisted[1]) < int(delisted[2])
            value = None
        assert value == period.after, period
    return len(periods)


def _rated(period: ReadPeriod, product: re.Match[str]) -> int:
    """Compute the new rating of a rated player: game by game, event by event, with K, rounded once."""
    score, expected, difference, k, change, gained = map(number, product.groups())
    counted = [
        (event, row)
        for event in period.events
        if event.own
        for row in event.counted
        if row.expected is not None
    ]
    for event, row in counted:
        assert row.rating is not None
        assert event.own is not None
        gap = event.own - row.rating
        assert row.expected == Fraction(
            TABLE_8_1B.expected(max(-400, min(400, gap)) if row.capped else gap), 100
        )
        assert row.difference == row.score - row.expected
        assert row.points == row.difference * (event.k or 0)
    for event in period.events:
        if event.own and event.sums:
            own = [row for row in event.counted if row.expected is not None]
            totals = [
                sum(getattr(row, name) for row in own)
                for name in ("score", "expected", "difference", "points")
            ]
            assert event.sums == totals
            assert event.k == k
            assert re.search(rf"{re.escape(_signed(totals[2], 2))} × K {event.k} = ", event.text)
    assert score == sum(row.score for _, row in counted)
    assert expected == sum(row.expected or 0 for _, row in counted)
    assert difference == score - expected
    assert change == difference * k
    assert gained in rounded(change)
    start = period.before or next(event.own for event in period.events if event.own)
    return int(start + gained)


def _signed(value: Fraction, places: int) -> str:
    text = f"{abs(float(value)):.{places}f}"
    return f"−{text}" if value < 0 else f"+{text}" if value else text


def _entry(period: ReadPeriod) -> int:
    """Compute a first rating from the games of all events below it that are not set aside (12.4)."""
    aside = set(re.findall(r"event (.*?) (?:is ignored|is no tranche|of \d)", period.text))
    games = [row for event in period.events if event.name not in aside for row in event.counted if row.rating]
    score, total = (
        sum((row.score for row in games), Fraction(0)),
        Fraction(sum(row.rating or 0 for row in games)),
    )
    count = len(games)
    if added := re.search(r"(\d+) hypothetical opponents of (\d+)", period.text):
        extra, rating = int(added[1]), int(added[2])
        score, total, count = score + Fraction(extra, 2), total + extra * rating, count + extra
    average_step = re.search(
        rf"score ({NUMBER}) in (\d+) games?, average of the opponents ({NUMBER})", period.text
    )
    assert average_step is not None, period.text
    assert (number(average_step[1]), int(average_step[2])) == (score, count), period.text
    average = total / count
    above = 2 * score - count
    if above > 0 and (bonus := re.search(r"above 50 %, (\d+) for each", period.text)):
        value = average + above * int(bonus[1])
    else:
        p = max(rounded(Fraction(100 * score, count)))
        value = average + TABLE_8_1A.difference(p)
    if cap := re.search(r"an entry rating is at most (\d+)", period.text):
        value = min(value, Fraction(int(cap[1])))
    return max(rounded(value))


def recompute_draughts(periods: list[ReadPeriod]) -> int:
    """Compute the published capitals of a draughts list again; return how many lists were computed."""
    for period in periods:
        capital = period.before
        for event in reversed(period.events):
            assert event.capitals is not None
            if capital is not None:
                assert event.capitals[0] == capital, period
            if event.counted:
                assert _capital(event) == event.capitals[1], event.text
            capital = event.capitals[1]
        if malus := re.search(r"No tournament in the year: (\d+) − (\d+) = (\d+)", period.text):
            start, taken, end = map(int, malus.groups())
            assert (start, end) == (capital, start - taken)
            capital = end
        if "capital cancelled" in period.text:
            capital = None
        assert capital == period.after, period.text
    return len(periods)


def _capital(event: ReadEvent) -> int:
    """Compute the capital after an event: D = PO − PA, V = D × S, then thresholds, bonus and quota of the steps."""
    assert event.capitals is not None
    start = Fraction(event.capitals[0])
    scored, expected = sum(row.score for row in event.counted), Fraction(0)
    for row in event.counted:
        assert row.rating is not None
        assert row.expected == Fraction(TABLE_19.expected(int(start) - row.rating), 100), event.text
        assert row.difference == row.score - row.expected
        expected += row.expected
    difference = scored - expected
    assert event.sums == [scored, expected, difference]
    if weight := re.search(r"The event counts for (\d+) %", event.text):
        difference = difference * int(weight[1]) / 100
    s = re.search(r"Development coefficient \(S\) = (\d+)", event.text)
    assert s is not None, event.text
    value = start + difference * int(s[1])
    for bound, new, old in re.findall(
        r"the threshold of (\d+) is passed.*?S is (\d+) instead of (\d+)", event.text
    ):
        value = int(bound) + (value - int(bound)) * Fraction(int(new), int(old))
    rounded_value = max(rounded(value))
    if minimum := re.search(r"is below the minimum: the capital is set back to (\d+)", event.text):
        rounded_value = max(rounded_value, int(minimum[1]))
    for sign, amount in re.findall(
        r"(?:Bonus of the first tournament of the year|Corrective factor \(Q\)): \d+ ([+−-]) (\d+)",
        event.text,
    ):
        rounded_value += int(amount) if sign == "+" else -int(amount)
    return rounded_value
