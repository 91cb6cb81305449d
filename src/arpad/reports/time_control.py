"""A time control as periods that can be counted: the code of TRF record 222 and of PGN, or the free text of record 122.

Nothing raises: a control that cannot be read has no periods and names its ``problem``; what a rule supplied is listed
in ``assumed``. The code is ``40/6000+30:900+30``. The text is Italian, English or shorthand; if it has no unit, these
rules decide:

- a base time up to 240 is in minutes, above it in seconds (no period is longer than four hours; 300 is
  five minutes);
- ``1:30`` and ``1h30`` are an hour and a half;
- of ``a/b`` without units, the 40 is the number of moves, otherwise the one up to 60, otherwise the first
  (``90/40``, ``30/90``); a time up to 4 is then in hours (``40/2``);
- a bare number after a control with a number of moves is the time for the rest, in minutes; any other bare
  number after a base time is the increment, in seconds. The choice does not touch the time for sixty moves:
  thirty minutes more and thirty seconds a move are then the same;
- a time in seconds after a base time is an increment, whether or not "per move" follows;
- a delay counts like an increment and is marked as a delay.

A text with an unknown word is not read at all, so that it cannot be misread.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

GAME_LENGTH = 60
"""The moves for which regulations count the time (1.1)."""

LONGEST = 24 * 3600
MOST_MOVES = 300
LONGEST_TEXT = 300


@dataclass(frozen=True, slots=True)
class ControlPeriod:
    """A number of moves (None: the rest of the game), its seconds, and the increment per move in seconds."""

    moves: int | None
    seconds: int
    increment: int = 0


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control, or the reason why the text could not be read."""

    text: str
    periods: tuple[ControlPeriod, ...] = ()
    """The periods, White's if the times differ; empty if the text could not be read."""

    black: tuple[ControlPeriod, ...] = ()
    """Black's periods if they differ from White's."""

    increment_from: int = 1
    """The first move that earns the increment."""

    delay: bool = False
    """The seconds per move are a delay, not an increment; both count the same."""

    problem: str = ""
    """``time-control-empty``, ``-unknown-word``, ``-not-understood`` or ``-out-of-range``."""

    word: str = ""
    """The word or sign that was not understood."""

    assumed: tuple[str, ...] = ()
    """What a rule supplied: ``hours``, ``minutes``, ``seconds``, ``increment``, ``moves-missing``, ``rest-missing``."""

    @property
    def readable(self) -> bool:
        """Return whether the text could be read."""
        return bool(self.periods)

    @property
    def first_control(self) -> int | None:
        """Return the moves of the first control; None if the first period is the whole game."""
        return self.periods[0].moves if self.periods else None

    def minutes(self, moves: int = GAME_LENGTH) -> Fraction | None:
        """Return the minutes for a number of moves; of unequal times the shorter."""
        return _minutes_for(self.periods, self.black, self.increment_from, moves) if self.periods else None


@lru_cache(maxsize=1024)
def _minutes_for(
    periods: tuple[ControlPeriod, ...], black: tuple[ControlPeriod, ...], increment_from: int, moves: int
) -> Fraction:
    """Return the minutes of the shorter time; kept, since many events have the same time control."""
    sides = (periods, black) if black else (periods,)
    return Fraction(min(_seconds_for(side, moves, increment_from) for side in sides), 60)


def _seconds_for(periods: Sequence[ControlPeriod], moves: int, increment_from: int) -> int:
    """Return the time up to a move; periods that begin later do not count."""
    total = moves_made = 0
    for index, period in enumerate(periods):
        if moves_made >= moves:
            break
        last = index == len(periods) - 1
        until = moves if last else min(moves, moves_made + (period.moves or 0))
        earning = max(0, until - max(moves_made, increment_from - 1))
        total += period.seconds + period.increment * earning
        moves_made = until
    return total


def checked(control: TimeControl) -> TimeControl:
    """Return the control with what is missing in ``assumed``, or with a problem if it cannot be played."""
    for period in (*control.periods, *control.black):
        moves = 1 if period.moves is None else period.moves
        if max(period.seconds, period.increment) > LONGEST or not 1 <= moves <= MOST_MOVES:
            return TimeControl(control.text, problem="time-control-out-of-range")
    if not control.minutes(GAME_LENGTH):
        return TimeControl(control.text, problem="time-control-out-of-range")
    assumed = list(control.assumed)
    if any(period.moves is None for period in control.periods[:-1]):
        assumed.append("moves-missing")
    if control.periods[-1].moves is not None:
        assumed.append("rest-missing")
    return replace(control, assumed=tuple(dict.fromkeys(assumed)))


_CODE = re.compile(r"(?:([0-9]{1,3})/)?([0-9]{1,6})(?:\+([0-9]{1,4}))?")


def parse_code(code: str) -> TimeControl:
    """Read ``40/6000+30:900+30``: moves/seconds+increment, periods separated by colons."""
    text = code.strip()
    if text in ("", "-", "?"):
        return TimeControl(code, problem="time-control-empty")
    if len(text) > LONGEST_TEXT:
        return TimeControl(code, problem="time-control-not-understood")
    periods: list[ControlPeriod] = []
    for part in re.split(r"\s*:\s*", text):
        match = _CODE.fullmatch(part)
        if match is None:
            return TimeControl(code, problem="time-control-not-understood", word=part)
        moves, seconds, increment = match.groups()
        periods.append(ControlPeriod(int(moves) if moves else None, int(seconds), int(increment or 0)))
    return checked(TimeControl(code, tuple(periods)))


# ---------------------------------------------------------------------------------------------- free text
LONGEST_IN_MINUTES = 240
"""A base time without unit is in minutes up to here, in seconds above."""

MOST_HOURS = 4

_KINDS = {
    "hours": "h hr hrs hour hours ora ore stunde stunden heure heures hora horas",
    "minutes": "' m min mins minute minutes minuto minuti minuten minutos mn",
    "seconds": '" s sec secs second seconds secondo secondi sek sekunden seconde secondes segundo segundos',
    "moves": "moves mosse mm mvs züge coups jugadas movimientos",
    "move": "move mossa mv zug coup jugada movimiento",
    "link": "/ x in for per je pro par por à within entro un una das every each ogni ciascuna",
    "next": "+ , ; & plus più piu e ed and then poi quindi followed con with seguito seguiti dopo after",
    "increment": """increment increments incremento inc incr bonus fischer bronstein added aggiunti aggiuntivi
        extra cumulative cumulativo supplementari additional abbuono""",
    "delay": "delay d ritardo differimento dly",
    "rest": """rest resto finish end game partita g sd ko qpf sudden death quick play quickplay entire
        finire fine terminare termine completare remaining restante restanti rimanente rimanenti whole intera
        tutta tutto tutte all complete finale""",
    "noise": """. ( ) first prime primi addition aggiunta
        of the di del della dello da il la le i by time tempo player giocatore players giocatori
        ciascuno testa cadenza cadence is are thinking riflessione control controllo an on top to a ad al
        rapid rapido rapida blitz lampo semilampo classical standard""",
    "white": "white bianco",
    "black": "black nero",
}
_WORDS = {word: kind for kind, words in _KINDS.items() for word in words.split()}

_FROM_MOVE = re.compile(
    r"(?:(?:starting|beginning|a\s+partire|sin|fin|già|as)\s+)?"
    r"\b(?:from|dalla|dal|since|ab|starting|desde)\b\s+(?:the\s+|la\s+)?(?:(?:move|mossa|zug)\s+)?(?:n[.°o]?\s*)?"
    r"([0-9]{1,3}|one|first|very\s+first|start|beginning|prima|inizio|l'inizio)"
    r"(?:\s*(?:st|nd|rd|th|ma|a|ª|°|\^))?\b\s*(?:move|mossa)?"
)
_TOKEN = re.compile(
    r"@[0-9]+|[0-9]+:[0-9]{2}(?![0-9])|[0-9]+(?:[.,][0-9]+)?(?=\s*(?:h|hr|hrs|hour|hours|ora|ore)\b)|[0-9]+"
    r"|[^\W\d_]+|\S"
)
_QUOTES = str.maketrans("’‘′´`”“″–—", 5 * "'" + 3 * '"' + "--")
_REWRITTEN = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\b(?:senza|no|without)\s+(?:alcun\s+|any\s+)?increment[o]?s?\b", ""),
        (r"(?<=[a-z])-(?=[a-z])", " "),
        (r"\s-\s", " + "),
        (r"(?<=\d)(\s*(?:h|ora|ore|hours?))\s+(?:e|and)\s+(?=\d+\s*(?:'|m))", r"\1 "),
        (r"('|\bmin[a-z]*\.?)\s+(?=\d+\s*(?:\"|s\b|sec))", r"\1 + "),
        (r"(?<=\d)([^+,;\d]*)\b(inc[a-z]*|delay|d)\s*(?:of\s+|di\s+|/\s*)?(?=\d)", r"\1 + \2 "),
    )
)
"""Spellings rewritten first, since the clauses would misread them: compound hours, "no increment"."""

_SIDES = re.compile(r"\b(?:white|bianco|black|nero)\b")


@lru_cache(maxsize=1024)
def read_time_control(text: str, code: str = "") -> TimeControl:
    """Return the time control of a report (1.1): its code if that can be read, otherwise its free text."""
    coded = parse_code(code)
    return coded if coded.readable or not text.strip() else parse_text(text)


def parse_text(text: str) -> TimeControl:
    """Read the free text of a report, in Italian or English words or in the usual shorthand."""
    plain = " ".join(text.lower().translate(_QUOTES).replace("''", '"').split())
    if not plain:
        return TimeControl(text, problem="time-control-empty")
    if len(plain) > LONGEST_TEXT:
        return TimeControl(text, problem="time-control-not-understood")
    coded = parse_code(plain)
    if coded.readable and all(period.seconds > LONGEST_IN_MINUTES for period in coded.periods):
        return replace(coded, text=text, assumed=("seconds", *coded.assumed))
    sides = _SIDES.findall(plain)
    if sides:
        return _unequal(text, plain, sides)
    return _Reading(text).control(plain)


def _unequal(text: str, plain: str, sides: list[str]) -> TimeControl:
    """Read ``white 6 min, black 5 min``: each colour named once, before its time."""
    parts = [part.strip(" ,;:-+") for part in _SIDES.split(plain)]
    if sorted(_WORDS[side] for side in sides) != ["black", "white"] or parts[0]:
        return TimeControl(text, problem="time-control-not-understood")
    read_sides = {
        _WORDS[side]: _Reading(text).control(part) for side, part in zip(sides, parts[1:], strict=True)
    }
    white, black = read_sides["white"], read_sides["black"]
    if not (white.readable and black.readable):
        return white if not white.readable else black
    if white.periods[0].increment != black.periods[0].increment:
        return TimeControl(text, problem="time-control-not-understood")
    return white if white.periods == black.periods else replace(white, black=black.periods)


@dataclass(slots=True)
class _Clause:
    """The text between two plus signs: a time, moves, and the kind of time."""

    moves: int | None = None
    amount: Fraction | None = None
    unit: int | None = None
    """Seconds of the unit; None if none is written."""

    in_hours: bool = False
    """No unit, and too little to be minutes."""

    per_move: bool = False
    rest: bool = False


class _Reading:
    """Reader of one free text: its clauses in order, then their periods."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.periods: list[ControlPeriod] = []
        self.increment: int | None = None
        self.increment_from = 1
        self.delay = False
        self.assumed: list[str] = []
        self.moves: int | None = None
        """Moves whose time follows: "40 moves, 90 minutes"."""

    def control(self, plain: str) -> TimeControl:
        marked = _FROM_MOVE.sub(lambda match: f" @{match[1] if match[1].isdigit() else 1} ", plain)
        for pattern, replacement in _REWRITTEN:
            marked = pattern.sub(replacement, marked)
        clauses, unknown = self._clauses(_TOKEN.findall(marked))
        if unknown:
            return TimeControl(self.text, problem="time-control-unknown-word", word=unknown)
        if not all(self._take(clause) for clause in clauses) or not self.periods or self.moves is not None:
            return TimeControl(self.text, problem="time-control-not-understood")
        periods = tuple(replace(period, increment=self.increment or 0) for period in self.periods)
        control = TimeControl(
            self.text, periods, (), self.increment_from, self.delay, "", "", tuple(self.assumed)
        )
        return checked(control)

    def _clauses(self, tokens: list[str]) -> tuple[list[_Clause], str]:
        """Return the clauses of the text, or the first unknown word."""
        clauses, words = [], list[str]()
        for token in [*tokens, "+"]:
            if _WORDS.get(token) == "next":
                clause = self._clause(words)
                if isinstance(clause, str):
                    return [], clause
                clauses.append(clause)
                words = []
            else:
                words.append(token)
        return clauses, ""

    def _clause(self, words: list[str]) -> _Clause | str:
        """Return one clause, or the word that could not be read."""
        clause, bare = _Clause(), list[int]()
        kinds = [_kind(word) for word in words]
        index = 0
        while index < len(words):
            word, kind = words[index], kinds[index]
            if kind == "number":
                index += self._number(clause, words, kinds, index, bare)
            elif kind == "clock":
                hours, minutes = word.split(":")
                if not _set_time(clause, Fraction(int(hours) * 60 + int(minutes)), 60):
                    return word
            elif kind == "from":
                self.increment_from, clause.per_move = int(word[1:]), True
            elif kind in ("increment", "delay", "move"):
                clause.per_move = True
                self.delay = self.delay or kind == "delay"
            elif kind in ("rest", "moves"):
                clause.rest = True
            elif kind == "":
                return word
            index += 1
        joined = kinds.count("number") < 2 or "link" in kinds  # noqa: PLR2004  two bare numbers need their slash
        return clause if _settle(clause, bare, joined=joined) else " ".join(words)

    def _number(
        self, clause: _Clause, words: list[str], kinds: list[str], index: int, bare: list[int]
    ) -> int:
        """Read a number and its unit; return how many further words were used."""
        unit = kinds[index + 1] if index + 1 < len(kinds) else ""
        amount = Fraction(words[index].replace(",", "."))
        if unit in ("moves", "move") and clause.moves is None:
            clause.moves = int(amount)
            return 1
        if unit == "hours":
            number, after = (*kinds[index + 2 : index + 4], "", "")[:2]
            if number == "number" and after not in ("seconds", "hours", "moves", "move"):
                amount, seconds, used = amount * 60 + int(words[index + 2]), 60, 2 + (after == "minutes")
            else:
                seconds, used = 3600, 1
        elif unit in ("minutes", "seconds"):
            seconds, used = 60 if unit == "minutes" else 1, 1
        else:
            bare.append(int(amount))
            return 0
        if not _set_time(clause, amount, seconds):
            bare.extend((0, 0, 0))  # a clause with two times cannot be read
            return 1
        return used

    def _take(self, clause: _Clause) -> bool:
        """Turn a clause into a period, an increment, or the moves of its neighbour."""
        if clause.amount is None:
            return self._take_moves(clause)
        after_open = bool(self.periods) and self.periods[-1].moves is None
        in_seconds = clause.unit == 1
        bare_increment = clause.unit is None and after_open and clause.moves is None and not clause.rest
        seconds_after = in_seconds and bool(self.periods)
        if clause.moves is None and (clause.per_move or seconds_after or bare_increment):
            return self._take_increment(clause)
        moves, self.moves = clause.moves if clause.moves is not None else self.moves, None
        seconds = self._base_seconds(clause)
        if seconds.denominator != 1:
            return False
        self.periods.append(ControlPeriod(moves, int(seconds)))
        return True

    def _take_moves(self, clause: _Clause) -> bool:
        if clause.moves is None:
            return True
        if self.periods and self.periods[-1].moves is None and self.increment is None:
            self.periods[-1] = replace(self.periods[-1], moves=clause.moves)
            return True
        accepted, self.moves = self.moves is None, clause.moves
        return accepted

    def _take_increment(self, clause: _Clause) -> bool:
        assert clause.amount is not None  # noqa: S101  the caller checked it
        if clause.unit is None and not clause.per_move:
            self.assumed.append("increment")
        seconds = clause.amount * (clause.unit or 1)
        if self.increment is not None or seconds.denominator != 1:
            return False
        self.increment = int(seconds)
        return True

    def _base_seconds(self, clause: _Clause) -> Fraction:
        assert clause.amount is not None  # noqa: S101  the caller checked it
        if clause.unit is not None:
            return clause.amount * clause.unit
        if clause.in_hours:
            self.assumed.append("hours")
            return clause.amount * 3600
        in_minutes = clause.amount <= LONGEST_IN_MINUTES
        self.assumed.append("minutes" if in_minutes else "seconds")
        return clause.amount * (60 if in_minutes else 1)


def _kind(token: str) -> str:
    if token[0] == "@" and len(token) > 1:
        return "from"
    if token[0] in "0123456789":
        return "clock" if ":" in token else "number"
    return _WORDS.get(token, "")


def _set_time(clause: _Clause, amount: Fraction, unit: int) -> bool:
    """Set the time of a clause; return False if it has one."""
    if clause.amount is not None:
        return False
    clause.amount, clause.unit = amount, unit
    return True


def _settle(clause: _Clause, bare: list[int], *, joined: bool) -> bool:
    """Decide whether the numbers without unit are moves or the time."""
    if len(bare) == 2 and joined and clause.amount is None and clause.moves is None:  # noqa: PLR2004  the a/b of 40/120
        moves, time = min(bare, bare[::-1], key=lambda pair: (pair[0] != 40, pair[0] > GAME_LENGTH))  # noqa: PLR2004  forty moves are the usual first control
        clause.moves, clause.amount = moves, Fraction(time)
        clause.in_hours = time <= MOST_HOURS
        return True
    if len(bare) == 1 and clause.amount is None:
        clause.amount = Fraction(bare[0])
        return True
    if len(bare) == 1 and joined and clause.moves is None and not clause.per_move:
        clause.moves = bare[0]
        return True
    return not bare
