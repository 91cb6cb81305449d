"""Numbers, points and dates as people type them, for the command line, the site and the API alike.

All refuse what is wrong in the same words.
"""

from collections.abc import Collection
from datetime import date

from arpad.model.errors import BadInput
from arpad.model.exact import HalfPoints, read_number
from arpad.model.people import YEARS, Birth

HIGHEST_RATING = 4000
HIGHEST_K = 100


def check_within(value: int, option: str, low: int, high: int) -> None:
    """Refuse a number outside its bounds."""
    if not low <= value <= high:
        raise BadInput("out-of-range", option=option, value=value, low=low, high=high)


def check_among(text: str, option: str, accepted: Collection[str]) -> str:
    """Return a text that is one of those accepted; refuse another."""
    if text not in accepted:
        raise BadInput("value-unknown", option=option, value=text[:40], accepted=", ".join(accepted))
    return text


def check_rating(value: int, option: str) -> None:
    """Refuse a rating outside 0 to 4000."""
    check_within(value, option, 0, HIGHEST_RATING)


def parse_score(text: str, option: str) -> HalfPoints:
    """Return the half-points of points as people write them: 1, 0.5, 0,5, ½, 1/2, 2½."""
    cleaned = text.strip()
    if cleaned.endswith("½"):
        cleaned = f"{cleaned[:-1]}.5"
    score = read_number(cleaned)
    if score is None or score < 0 or (2 * score).denominator != 1:
        raise BadInput("bad-score", option=option, value=text, accepted="0, 0.5, 1")
    return int(2 * score)


def parse_integer(text: str, option: str) -> int:
    """Return a whole number."""
    cleaned = text.strip()
    if not cleaned.removeprefix("-").isdecimal() or len(cleaned) > 9:  # noqa: PLR2004  longer is no rating and no count
        raise BadInput("not-a-number", option=option, value=text)
    return int(cleaned)


def parse_within(text: str, option: str, low: int, high: int) -> int:
    """Return a whole number within bounds."""
    number = parse_integer(text, option)
    check_within(number, option, low, high)
    return number


def parse_day(text: str, option: str) -> date:
    """Return a date written YYYY-MM-DD."""
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        raise BadInput("not-a-date", option=option, value=text) from None
    if day.year not in YEARS:
        raise BadInput("out-of-range", option=option, value=day, low=YEARS[0], high=YEARS[-1])
    return day


def parse_birth(text: str, option: str) -> Birth:
    """Return a date of birth, or only its year."""
    return int(text) if text.isdecimal() and len(text) == 4 else parse_day(text, option)  # noqa: PLR2004  YYYY
