"""How alike two names are."""

import pytest

from arpad.reports.name_scores import name_score, name_words


def score(name: str, other: str) -> int:
    return name_score(name_words(name), name_words(other))


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Short, Nigel", "Short, Nigel D."),
        ("Short, N", "Short, Nigel D."),
        ("Nigel Short", "Short, Nigel"),
        ("McCarthy, John", "Mc Carthy, John"),
        ("Müller, Jörg", "Mueller, Joerg"),
        ("Isserman, Ryhor", "Issermann, Ryhar"),
        ("Perez, Juan", "Perez Garcia, Juan Carlos"),
        ("Каспаров, Гарри", "Kasparov, Garri"),
    ],
)
def test_spellings_of_one_name_are_near(name: str, other: str) -> None:
    assert score(name, other) >= 83
    assert score(other, name) == score(name, other)


def test_a_family_name_and_a_given_name_in_common_need_one_more_fact() -> None:
    assert score("Grienitz,Kai-Oliver", "Grienitz-Dechau, Kai") == 82


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Short, Nigel", "Adams, Michael"),
        ("Milov, Leonid", "Sokolin, Leonid M."),
        ("guest12", "guest13"),
        ("", "Rossi"),
        ("Polgar, Judit", "Polgar, Zsuzsa"),
    ],
)
def test_two_names_are_not_near(name: str, other: str) -> None:
    assert score(name, other) < 83
