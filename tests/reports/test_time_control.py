"""Time controls: every way of writing one that the reports hold, and the rules for what is left unsaid."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.reports.time_control import ControlPeriod, TimeControl, parse_code, parse_text, read_time_control
from tests.paths import SHARED

SHARED = SHARED / "data" / "trf"

FORTY_IN_NINETY = (ControlPeriod(40, 5400, 30), ControlPeriod(None, 1800, 30))
NINETY_THIRTY = (ControlPeriod(None, 5400, 30),)


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("90 min/40 moves + 30 min + 30 sec", FORTY_IN_NINETY),
        ("90min/40moves+30min+30sec", FORTY_IN_NINETY),
        ("90' x 40 + 30' + 30\"/mossa", FORTY_IN_NINETY),
        ("90’/40 + 30’ + 30”", FORTY_IN_NINETY),
        ("90/40+30+30", FORTY_IN_NINETY),
        ("90 min. for 40 moves + 30 min. + 30 sec. increment starting from move 1", FORTY_IN_NINETY),
        (
            "40 mosse in 90 minuti, poi 30 minuti, con incremento di 30 secondi per mossa dalla prima",
            FORTY_IN_NINETY,
        ),
        (
            "90 min per 40 mosse + 15 min + 30 sec a mossa",
            (ControlPeriod(40, 5400, 30), ControlPeriod(None, 900, 30)),
        ),
        ("40/6000+30:900+30", (ControlPeriod(40, 6000, 30), ControlPeriod(None, 900, 30))),
        ("100'x40+15'+30\"", (ControlPeriod(40, 6000, 30), ControlPeriod(None, 900, 30))),
        ("90+30", NINETY_THIRTY),
        ("90'+30\"", NINETY_THIRTY),
        ("90'+30''", NINETY_THIRTY),
        ("90' 30\"", NINETY_THIRTY),
        ("5400+30", NINETY_THIRTY),
        ("1h30 + 30s/mossa", NINETY_THIRTY),
        ("1 ora e 30 minuti + 30 secondi a mossa", NINETY_THIRTY),
        ("90 minutes + 30 seconds per move from move one", NINETY_THIRTY),
        ("90 minuti per tutta la partita con incremento di 30 secondi a mossa", NINETY_THIRTY),
        ("1:30 + 10 from move 1", (ControlPeriod(None, 5400, 10),)),
        ("1:30 plus 15 per move", (ControlPeriod(None, 5400, 15),)),
        ("All moves in 90 minutes, plus 10 seconds per move", (ControlPeriod(None, 5400, 10),)),
        ("G/60;inc30", (ControlPeriod(None, 3600, 30),)),
        ("G/60 inc 30", (ControlPeriod(None, 3600, 30),)),
        ("2h/40 + 1h", (ControlPeriod(40, 7200), ControlPeriod(None, 3600))),
        ("40/120, 60", (ControlPeriod(40, 7200), ControlPeriod(None, 3600))),
        (
            "2 hours for 40 moves, then 1 hour for the rest of the game",
            (ControlPeriod(40, 7200), ControlPeriod(None, 3600)),
        ),
        ("2h30 x 40 + 1h", (ControlPeriod(40, 9000), ControlPeriod(None, 3600))),
        ("40/2, 20/1, SD/30", (ControlPeriod(40, 7200), ControlPeriod(20, 3600), ControlPeriod(None, 1800))),
        ("90/30 + 30", (ControlPeriod(30, 5400), ControlPeriod(None, 1800))),
        (
            "90 minutes for the first 40 moves followed by 30 minutes with an addition of 30 seconds from move one",
            FORTY_IN_NINETY,
        ),
        ("90 min (40 moves) + 30 min + 30 sec", FORTY_IN_NINETY),
        (
            "1:40/40, 0:50/20, 0:15 + 30",
            (ControlPeriod(40, 6000, 30), ControlPeriod(20, 3000, 30), ControlPeriod(None, 900, 30)),
        ),
        ("1h30", (ControlPeriod(None, 5400),)),
        ("1 hour 30 minutes", (ControlPeriod(None, 5400),)),
        ("1,5 ore", (ControlPeriod(None, 5400),)),
        ("15 min + 10 s", (ControlPeriod(None, 900, 10),)),
        ("25'+10''", (ControlPeriod(None, 1500, 10),)),
        ("3+2", (ControlPeriod(None, 180, 2),)),
        ("300+3", (ControlPeriod(None, 300, 3),)),
        ("60 minutes QPF", (ControlPeriod(None, 3600),)),
        ("60 minuti QPF senza incremento", (ControlPeriod(None, 3600),)),
        ("120 minutes per player per game", (ControlPeriod(None, 7200),)),
        ("120", (ControlPeriod(None, 7200),)),
        ("15 minuti a testa", (ControlPeriod(None, 900),)),
    ],
)
def test_free_text(text: str, periods: tuple[ControlPeriod, ...]) -> None:
    control = parse_text(text)
    assert (control.problem, control.word, control.periods) == ("", "", periods)
    assert control.text == text


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("90+30", 120),
        ("3+2", 5),
        ("10+5", 15),
        ("90 min/40 moves + 30 min + 30 sec", 150),
        ("2h/40 + 1h", 180),
        # the third period begins after move 60 and gives nothing to a game of 60 moves: 100 + 50 + 60 x 30 s
        ("40/6000+30:20/3000+30:1500+30", 180),
        # thirty seconds only for moves 41 to 60: 120 + 30 + 10
        ("40 moves in 2 hours then 30 minutes to finish with 30 sec per move from move 41", 160),
        ("60 min + 25 sec", 85),
        # a sentence of the field 122 that leaves it open whether 30 is minutes or seconds: 120 either way
        ("90/40+30", 120),
    ],
)
def test_minutes_for_sixty_moves(text: str, minutes: int) -> None:
    assert parse_text(text).minutes() == minutes


def test_minutes_are_exact() -> None:
    assert parse_text("15 min + 7 s").minutes() == 22
    assert parse_code("100+1").minutes() == Fraction(160, 60)


@pytest.mark.parametrize(
    ("text", "assumed"),
    [
        ("90+30", ("minutes", "increment")),
        ("90 min + 30 sec", ()),
        ("5400+30", ("seconds",)),
        ("40/2, 1h", ("hours",)),
        ("90 min + 30 min + 30 sec", ("moves-missing",)),
        ("40 moves in 90 min", ("rest-missing",)),
    ],
)
def test_assumptions_are_listed(text: str, assumed: tuple[str, ...]) -> None:
    assert parse_text(text).assumed == assumed


def test_minutes_end_and_seconds_begin_at_240() -> None:
    assert parse_text("240").periods == (ControlPeriod(None, 14400),)
    assert parse_text("241").periods == (ControlPeriod(None, 241),)


def test_first_control() -> None:
    assert parse_text("40/120, 60").first_control == 40
    assert parse_text("30/90, 60").first_control == 30
    assert parse_text("90+30").first_control is None


def test_a_delay_counts_like_an_increment_and_is_marked() -> None:
    control = parse_text("G/90 d5")
    assert (control.periods, control.delay) == ((ControlPeriod(None, 5400, 5),), True)
    assert control.minutes() == 95
    assert not parse_text("90+5").delay


def test_unequal_times() -> None:
    control = parse_text("white 6 min, black 5 min")
    assert (control.periods, control.black) == ((ControlPeriod(None, 360),), (ControlPeriod(None, 300),))
    assert control.minutes() == 5
    assert parse_text("bianco 5', nero 5'").black == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "time-control-empty"),
        ("   ", "time-control-empty"),
        ("moves/time, increment", "time-control-not-understood"),
        ("as announced", "time-control-unknown-word"),
        ("15-20 min", "time-control-unknown-word"),
        ("90 30", "time-control-unknown-word"),
        ("bianco 6', nero 5' + 2\"", "time-control-not-understood"),
        ("0", "time-control-out-of-range"),
        ("900 h", "time-control-out-of-range"),
        ("9" * 400, "time-control-not-understood"),
    ],
)
def test_an_unreadable_text_names_its_problem(text: str, problem: str) -> None:
    control = parse_text(text)
    assert (control.problem, control.periods, control.minutes()) == (problem, (), None)


@pytest.mark.parametrize("code", ["", "?", "-", "40/", "x", "40/6000+30;900", "90 min", "1/2/3"])
def test_bad_codes(code: str) -> None:
    assert not parse_code(code).readable


def test_the_code_goes_before_the_text() -> None:
    assert read_time_control("90+30", "40/6000+30:900+30").periods == (
        ControlPeriod(40, 6000, 30),
        ControlPeriod(None, 900, 30),
    )
    assert read_time_control("90+30", "??").periods == NINETY_THIRTY
    assert read_time_control("", "??").problem == "time-control-not-understood"


periods_of_a_game = st.tuples(
    st.lists(
        st.builds(ControlPeriod, st.integers(1, 100), st.integers(1, 20000), st.integers(0, 120)), max_size=3
    ),
    st.builds(ControlPeriod, st.none(), st.integers(1, 20000), st.integers(0, 120)),
).map(lambda parts: (*parts[0], parts[1]))


@given(periods_of_a_game)
def test_every_code_is_read(periods: tuple[ControlPeriod, ...]) -> None:
    codes = [
        (f"{period.moves}/" if period.moves else "")
        + str(period.seconds)
        + (f"+{period.increment}" if period.increment else "")
        for period in periods
    ]
    assert parse_code(":".join(codes)).periods == periods


@given(periods_of_a_game, st.integers(1, 80))
def test_more_moves_never_have_less_time(periods: tuple[ControlPeriod, ...], moves: int) -> None:
    control = TimeControl("", periods)
    fewer, more = control.minutes(moves), control.minutes(moves + 1)
    assert fewer is not None
    assert more is not None
    assert fewer <= more


SCRAPS = """90 40 30 1 , + / x ' h min sec moves mosse per a in from dalla move mossa inc d G poi : - ½ 1:30
    @1 @ . white nero ² 1.5 "
"""
words = st.sampled_from(SCRAPS.split())


@given(st.lists(words, max_size=12).map(" ".join) | st.text(max_size=60))
def test_any_text_gives_a_value(text: str) -> None:
    for control in (parse_text(text), parse_code(text)):
        assert control.readable != bool(control.problem)
        assert (control.minutes() is None) != control.readable


def test_reports_at_hand() -> None:
    """All but the placeholder "moves/time, increment" of three sample files."""
    if not SHARED.is_dir():
        pytest.skip("the shared reports are not beside the repository")
    unread = set()
    found = 0
    for path in sorted(SHARED.rglob("*.t*")):
        for tag, text in re.findall(r"(?m)^(122|222)([^\r\n]*)", path.read_text(encoding="latin-1")):
            control = parse_text(text) if tag == "122" else parse_code(text)
            found += bool(text.strip())
            if text.strip() and not control.readable:
                unread.add(text.strip())
    assert found > 20
    assert unread == {"moves/time, increment"}
