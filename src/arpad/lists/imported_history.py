"""What an imported list tells about a player's past: its K implies games and ratings (8.56, reading 6)."""

from datetime import date

from arpad.regulations.fide.rules import ChessRules, add_months


def top_was_reached(k: int, rules: ChessRules) -> bool:
    """Return whether only a player who reached the top rating can have this K.

    If everybody has the same K, as on the rapid and blitz lists until September 2022, K says nothing.
    """
    return k == rules.k_top.value and k not in {rules.k_usual.value, *_early(rules)}


def first_games_are_over(k: int, rules: ChessRules) -> bool:
    """Return whether only a player who has played a new player's games can have this K."""
    return k == rules.k_usual.value and k not in _early(rules)


def first_games_are_left(k: int, rules: ChessRules) -> bool:
    """Return whether this K is a new player's, and neither the usual one nor that of the top."""
    return k == rules.k_new.value and k not in (rules.k_usual.value, rules.k_top.value)


def _early(rules: ChessRules) -> set[int]:
    """Return the values of K that a player can have before the first games are over."""
    return {rules.k_new.value, *([rules.k_junior.value] if rules.k_junior else ())}


def last_list_of_inactive(day: date, rules: ChessRules) -> date | None:
    """Return the list that took the last game of a player imported as inactive, as late as the flag allows.

    If the edition lists inactive players for some time (7.23b of 2009), that time runs from the imported list.
    Otherwise the list does not matter, and the player stays inactive until the next game.
    """
    return add_months(day, -rules.inactive_months.value) if rules.inactive_listed_months else None
