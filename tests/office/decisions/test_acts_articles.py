"""Each decision cites the article of the edition that the event or list falls under (docs/readings.md, 29)."""

import pytest

from arpad.model.rules import ListName
from arpad.office.decisions.acts import KINDS, article_for
from arpad.regulations.editions import chess_edition

COLUMNS = (
    ("fide-2009", ListName.STANDARD),
    ("fide-2017", ListName.STANDARD),
    ("fide-2024", ListName.STANDARD),
    ("fide-2024", ListName.RAPID),
)
# By hand from the texts: 2009, 2017, the standard text of 2024, that of rapid and blitz.
ARTICLES = {
    "not-rated": ("0.5", "0.5", "0.4", "RB 0.4"),
    "appeal": ("0.5", "0.5", "0.4", "RB 0.4"),
    "declared-unrated": ("9.2", "9.2", "", ""),
    "rated-unreported": ("0.2", "", "0.2", "RB 0.2"),
    "official": ("0.3", "0.4", "0.3", "RB 0.3"),
    "longer-approved": ("4.12", "4.12", "", ""),
    "late-registration": ("0.4", "0.2", "0.2.4", "RB 0.2"),
    "by-round": ("4.13", "", "", ""),
    "rounds": ("", "4.13", "4.1", ""),
    "k": ("8.56", "8.56", "8.3.3", "RB 7.3.3"),
    "leave-out": ("13.2", "13.2", "", ""),
    "dispensation": ("13.3", "13.3", "10.1", "RB 9.1"),
    "suspended": ("13.1", "13.1", "10.1", "RB 9.1"),
    "rating-officer": ("9.3", "9.3", "9.3", "RB 8.3"),
    "hybrid_approved": ("", "", "0.2", "RB 0.2"),
    "match_waived": ("", "", "6.2", "RB 5.2"),
    "taken_out": ("", "", "5.1", "RB 4.1"),
    "result": ("", "", "", ""),
}


@pytest.mark.parametrize("kind", ARTICLES)
def test_the_article_of_each_kind(kind: str) -> None:
    found = tuple(article_for(kind, chess_edition(name).on(on_list)) for name, on_list in COLUMNS)
    assert found == ARTICLES[kind]


def test_every_kind_stands_in_the_table() -> None:
    assert set(KINDS) - set(ARTICLES) <= {"capital", "category", "fact", "fmjd", "last-event", "rated"}


def test_who_allowed_a_late_registration_decides() -> None:
    rules = chess_edition("fide-2024").on(ListName.STANDARD)
    by = {
        name: article_for("late-registration", rules, {"late_registration_by": name})
        for name in ("president", "qc")
    }
    assert by == {"president": "0.2.3", "qc": "0.2.4"}


def test_a_time_by_approval_cites_its_notice() -> None:
    names = ("fide-2024", "fide-2025-09", "fide-2025", "fide-2026")
    found = [article_for("fast_approved", chess_edition(name).on(ListName.STANDARD)) for name in names]
    assert found == ["", "notice 2025", "notice 2025", "notice 2026"]
