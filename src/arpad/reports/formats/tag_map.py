"""Find the values of a report in a file of games: in the tags of the games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arpad.reports.file_map import TAG_FIELDS, FileMap, Spot
from arpad.reports.formats.tagpairs import TaggedGame
from arpad.reports.report import Entrant
from arpad.reports.text_edits import TextEdit

_PLAYER_TAGS = {"name": "", "rating": "Elo", "title": "Title", "federation": "Fed", "id": "FideId"}
_EVENT_TAGS = {
    "name": "Event", "city": "Site", "federation": "EventCountry", "kind": "EventType", "first_day": "Date",
    "last_day": "Date", "time_control": "TimeControl", "coded_time_control": "TimeControl",
}  # fmt: skip
_SPELLINGS = str.maketrans({":": "-", "–": "-", "—": "-", "½": "1/2", " ": ""})


@dataclass(frozen=True)
class TagMap(FileMap):
    """The games of a file, with the players of each."""

    games: Sequence[TaggedGame]
    players: Sequence[tuple[int, int]]
    """The start numbers of White and Black in each game; 0 for no player."""

    rounds: Sequence[int]
    results: Mapping[str, str]
    """The results that the format knows."""

    source: Sequence[str]
    delimiter: str = '"'

    def player(self, entrant: Entrant, field: str) -> Spot | None:
        """Return the place of a field of an entrant: the first tag that has it."""
        tags = (game.places.get(tag) for game, tag in self._mentions(entrant, field))
        place = next((place for place in tags if place), None)
        return Spot(*place) if place else super().player(entrant, field)

    def _mentions(self, entrant: Entrant, field: str) -> Iterator[tuple[TaggedGame, str]]:
        """Yield each game of an entrant with the name of the tag of a field."""
        suffix = _PLAYER_TAGS.get(field)
        for game, pair in zip(self.games, self.players, strict=True):
            for side, number in zip(("White", "Black"), pair, strict=True):
                if number == entrant.number and suffix is not None:
                    yield game, f"{side}{suffix}"

    def game(self, entrant: Entrant, round_number: int, field: str) -> Spot | None:
        """Return the place of the result of an entrant in a round."""
        for game, pair, number in zip(self.games, self.players, self.rounds, strict=True):
            if number == round_number and entrant.number in pair:
                return Spot(*game.places.get("Result", (game.line, 1)))
        return super().game(entrant, round_number, field)

    def header(self, *tags: str) -> Spot | None:
        """Return the place of the first fact about the event that one of the tags of a TRF names."""
        names = [_EVENT_TAGS.get(TAG_FIELDS.get(tag, ""), "") for tag in tags]
        places = (game.places[name] for name in names for game in self.games if name in game.places)
        place = next(places, None)
        return Spot(*place) if place else None

    def write_result(self, line: int) -> list[TextEdit]:
        """Return the edit that writes a result: as the moves end, or in the spelling of the format."""
        game = next((game for game in self.games if game.places.get("Result", (0, 0))[0] == line), None)
        if game is None:
            return []
        (line, column), old = game.places["Result"], game.tags["Result"]
        spelled = old.translate(_SPELLINGS)
        ended = game.result if game.result in self.results else ""
        known = {text for text in (spelled, ended) if text in self.results and text != "*"}
        written = self.source[line - 1][column - 1 : column - 1 + len(old)]
        return [TextEdit(line, column, old, *known)] if len(known) == 1 and written == old else []
