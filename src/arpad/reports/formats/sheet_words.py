"""The words of a sheet: its columns and the facts about the event, in Italian and English.

One table for each drives both directions: the first two names are written, all of them are understood.
Case, accents and punctuation do not matter.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

_WRITTEN = {"it": 0, "en": 1}
"""Index of the name written in a language; other languages get the English one."""

# field: "Italian; English; further names"
PLAYER_COLUMNS: Mapping[str, str] = {
    "number": "N.; No.; nr; num; number; numero; start number; numero di tabellone; numero di partenza; sno;"
    " starting rank; n; id no",
    "title": "Titolo; Title; tit; categoria",
    "name": "Nome; Name; player; giocatore; giocatrice; nominativo; cognome e nome; full name; first name",
    "surname": "Cognome; Surname; last name; family name",
    "sex": "Sesso; Sex; gender; genere; s",
    "federation": "Federazione; Federation; fed; nazione; country; naz",
    "born": "Nascita; Birth; born; nato; nata; data di nascita; anno di nascita; anno; birthday; date of birth; year",
    "id": "Codice; ID; fide id; id fide; fideid; codice fide; fide no; fin; id number; tessera; membership",
    "rating": "Elo; Rating; rtg; irtg; elo fide; fide elo; fide rating; punteggio elo; rating fide; capitale; capital",
    "k": "K; K; coefficiente; coefficient; k factor",
    "team": "Squadra; Team",
    "points": "Punti; Points; pts; pt; score; tot; totale",
    "rank": "Posizione; Rank; pos; rk; classifica; place; final rank",
}
GAME_COLUMNS: Mapping[str, str] = {
    "round": "Turno; Round; rd; rnd; giornata; t",
    "date": "Data; Date; giorno; day",
    "board": "Scacchiera; Board; tavolo; table; bd; damiera; sc",
    "white": "Bianco; White; giocatore bianco; white player; white name; bianchi",
    "white_id": "Codice bianco; White ID; id bianco; white fide id",
    "white_rating": "Elo bianco; White Elo; white rating; rating bianco",
    "result": "Risultato; Result; ris; res; esito; score",
    "black": "Nero; Black; giocatore nero; black player; black name; neri",
    "black_id": "Codice nero; Black ID; id nero; black fide id",
    "black_rating": "Elo nero; Black Elo; black rating; rating nero",
}
EVENT_KEYS: Mapping[str, str] = {
    "name": "Manifestazione; Event; torneo; tournament; evento; event name; nome; name; nome torneo; tournament name; "
    "gara; nome gara",
    "city": "Luogo; City; sede; citta; place; site; localita; venue",
    "federation": "Federazione; Federation; fed",
    "first_day": "Primo giorno; First day; inizio; data inizio; start; start date; begins; dal; from; data di inizio",
    "last_day": "Ultimo giorno; Last day; fine; data fine; end; end date; ends; al; to; data di fine",
    "players": "Giocatori; Players; numero di giocatori; number of players",
    "rated_players": "Giocatori con Elo; Rated players; number of rated players",
    "teams": "Squadre; Teams; numero di squadre; number of teams",
    "rounds": "Turni; Rounds; numero di turni; number of rounds",
    "kind": "Sistema; System; tipo; type; tipo di torneo; tournament type; formula",
    "coded_kind": "Codice del sistema; System code",
    "chief_arbiter": "Arbitro; Arbiter; arbitro capo; chief arbiter; arbitro principale; direttore di gara",
    "deputies": "Arbitro collaboratore; Deputy arbiter; vice arbitro; collaboratore; deputy; deputy chief arbiter",
    "time_control": "Cadenza; Time control; tempo di riflessione; tempo; rate of play",
    "coded_time_control": "Codice del tempo; Time control code",
    "round_day": "Data del turno; Round date; data turno; date of round",
    "team": "Squadra; Team",
    "points": "Valore del risultato; Worth of a result",
    "match_points": "Valore dell'incontro; Worth of a match",
    "first_colour": "Primo colore; First colour; initial colour",
    "starting_rank": "Ordine di partenza; Starting rank",
    "pairing_program": "Programma; Pairing program",
    "tie_breaks": "Spareggi; Tie-breaks; tie breaks",
    "standings_order": "Ordine di classifica; Standings order",
    "board_colours": "Colori delle scacchiere; Board colours",
}
ONE_DAY = "Data; Date; giorno; day"
"""Keys of the day of a one-day event."""

SHEET_NAMES: Mapping[str, tuple[str, str]] = {
    "crosstable": ("Tabellone", "Crosstable"),
    "games": ("Partite", "Games"),
    "players": ("Giocatori", "Players"),
    "event": ("Manifestazione", "Event"),
}

_ROUND = re.compile(
    r"(?:r|rd|rnd|round|t|tur|turno|g)? ?0*([1-9][0-9]{0,2})|0*([1-9][0-9]{0,2}) ?(?:turno|round|rd|rnd)"
)


@lru_cache(maxsize=256)
def folded(text: str) -> str:
    """Return a name for comparison: lower-case without accents, points and colons, single blanks.

    Cached, since each cell of a row is compared with the headings of three tables.
    """
    letters = unicodedata.normalize("NFKD", text.replace("°", " ").replace("º", " ").casefold())
    plain = "".join(
        letter if letter.isalnum() else " " for letter in letters if not unicodedata.combining(letter)
    )
    return " ".join(plain.split())


def _names(words: str) -> list[str]:
    return [word.strip() for word in words.split(";")]


def _index(table: Mapping[str, str]) -> Mapping[str, str]:
    return {folded(name): field for field, words in table.items() for name in _names(words)}


_PLAYER_FIELDS, _GAME_FIELDS = _index(PLAYER_COLUMNS), _index(GAME_COLUMNS)
_EVENT_FIELDS = _index({**EVENT_KEYS, "one_day": ONE_DAY})


def heading(table: Mapping[str, str], field: str, language: str) -> str:
    """Return the word written above a column or before a fact."""
    return _names(table[field])[_WRITTEN.get(language, _WRITTEN["en"])]


def round_letter(language: str) -> str:
    """Return the letter before the number of a round."""
    return "T" if language == "it" else "R"


def sheet_name(kind: str, language: str) -> str:
    """Return the name of a worksheet."""
    return SHEET_NAMES[kind][_WRITTEN.get(language, _WRITTEN["en"])]


def player_field(text: str) -> str | None:
    """Return the field of a heading of a table of players, None if unknown; ``#`` is the number."""
    return "number" if text.strip() == "#" else _PLAYER_FIELDS.get(folded(text))


def game_field(text: str) -> str | None:
    """Return the field of a heading of a table of games, None if unknown."""
    return _GAME_FIELDS.get(folded(text))


def event_field(text: str) -> str | None:
    """Return the fact about the event for a key, None if unknown."""
    return _EVENT_FIELDS.get(folded(text))


def round_number(text: str) -> int | None:
    """Return the round of a heading: ``R3``, ``T. 3``, ``Turno 3``, ``3``."""
    match = _ROUND.fullmatch(folded(text))
    return int(match[1] or match[2]) if match else None
