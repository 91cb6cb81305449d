"""The library: the public names of ``import arpad``."""

from arpad.library.calculations import (
    coefficient,
    edition,
    editions,
    entry_rating,
    expected_score,
    find_norm,
    performance_rating,
    rate_round_robin,
    rating_change,
)
from arpad.library.lists import RatingList, read_list
from arpad.library.norms import Norms
from arpad.library.reports import Check, Explanation, Rating, Report, example, formats, read
from arpad.library.words import in_words, sentence
from arpad.model.chess import Change, Entry, RatedGame
from arpad.model.errors import ArpadError, BadInput, NoEdition, NoList, Unreadable
from arpad.model.rules import Edition, Finding, ListName, Rule, Severity, Step
from arpad.rating.norms import Norm
from arpad.rating.preview import RatedEntrant
from arpad.rating.round_robin import RoundRobinPlayer, RoundRobinRating
from arpad.regulations.chess.rules import ChessRules
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.report import Entrant

__all__ = [
    "ArpadError",
    "BadInput",
    "Change",
    "Check",
    "ChessRules",
    "Edition",
    "Entrant",
    "Entry",
    "Explanation",
    "Finding",
    "ListName",
    "ListRow",
    "NoEdition",
    "NoList",
    "Norm",
    "Norms",
    "RatedEntrant",
    "RatedGame",
    "Rating",
    "RatingList",
    "Report",
    "RoundRobinPlayer",
    "RoundRobinRating",
    "Rule",
    "Severity",
    "Step",
    "Unreadable",
    "coefficient",
    "edition",
    "editions",
    "entry_rating",
    "example",
    "expected_score",
    "find_norm",
    "formats",
    "in_words",
    "performance_rating",
    "rate_round_robin",
    "rating_change",
    "read",
    "read_list",
    "sentence",
]
