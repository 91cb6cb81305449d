"""Pictures of an event with their text in the reader's language: a player's results, and the gains of all."""

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction

from markupsafe import Markup

from arpad.explain.pictures import PlayedGame, gain_bar, result_strip
from arpad.explain.player_figures import ALL, PlayerEvent, game_outcome, results_by_colour
from arpad.explain.words import Words
from arpad.lists.explanation import ExplainedGame
from arpad.model.disciplines import Discipline


def event_strip(event: PlayerEvent, hidden: Collection[int], words: Words) -> str:
    """Return the results of an event as a strip."""
    chess = event.changes_by_game
    counts = results_by_colour([event])[ALL]
    title = words.text("player.strip", wins=counts.wins, draws=counts.draws, losses=counts.losses)
    games = [
        PlayedGame(game_outcome(game, chess=chess), game.colour, _game_text(game, hidden, words))
        for game in event.games
    ]
    return result_strip(title, games)


def gain_bars(changes: Mapping[int, Fraction | int | None], words: Words) -> dict[int, Markup]:
    """Return a bar for the change of each player, the largest change as long as there is room."""
    largest = max((abs(Fraction(change)) for change in changes.values() if change), default=Fraction())
    return {
        player: Markup(gain_bar(words.number(change, signed=True), change, largest))  # noqa: S704  our own picture
        for player, change in changes.items()
        if change
    }


def _game_text(game: ExplainedGame, hidden: Collection[int], words: Words) -> str:
    colour = words.text(f"player.colour-{game.colour}" if game.colour in ("w", "b") else "player.colour-none")
    name = words.text("site.hidden-name") if game.opponent in hidden else game.name or "–"
    return words.text("player.strip-game", round=game.round, colour=colour, name=name, score=game.score)


def sign_of(discipline: Discipline) -> Callable[[str], str]:
    """Return the function that gives the sign of a result in a cross-table."""
    return lambda result: discipline.signs.get(result, "–")
