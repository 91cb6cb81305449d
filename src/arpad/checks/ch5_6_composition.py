"""Chapters 5 and 6: unplayed games, newcomers, who must be rated in a round robin, matches."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from arpad.checks.context import Case, error, first_start_numbers, info, of_header, of_player, warning
from arpad.model.chess import ALL_PLAY_ALL, EventKind
from arpad.model.rules import Fact, Finding, Severity
from arpad.regulations.fide.entry_rating import first_event_minimum, opponents_article
from arpad.regulations.fide.event_kind import unplayed_games
from arpad.regulations.fide.games import decided_in, exception_for, match_waived
from arpad.reports.report import PLAYED, UNPLAYED_GAMES


def kind(case: Case) -> Iterator[Finding]:
    """Compare the stated or declared kind of tournament with the one that the pairings show."""
    met = case.met
    if met.stated is not None:
        if met.stated != met.shown:
            yield warning("kind-stated", stated=str(met.stated), found=str(met.shown))
        return
    if met.declared is None or met.declared == met.shown:
        return
    where = of_header(case.report, "092", "192")
    if met.contradicted:
        yield warning("kind-contradicted", **where, declared=str(met.declared), found=str(met.shown))
    else:
        yield info("kind-as-declared", **where, declared=str(met.declared), found=str(met.shown))


def unplayed(case: Case) -> Iterator[Finding]:
    """Count the games that were not played and are not rated (2017 5.1; 2009 5.1)."""
    cells = sum(
        1
        for cells in case.report.rounds
        for opponent, result in zip(cells.opponents, cells.results, strict=False)
        if opponent and result in UNPLAYED_GAMES
    )
    if cells:
        yield info("unplayed-games", case.rules.moves_to_be_played.article, games=-(-cells // 2))


def taken_out(case: Case) -> Iterator[Finding]:
    """Report games that were played and are not rated, for reasons that the edition allows (2024 5.1)."""
    report = case.report
    for game in case.facts.games_taken_out:
        about: dict[str, Fact] = {"round": game.round, "player": game.number}
        rule, index = exception_for(game.reason, case.rules), report.places.get(game.number)
        if (
            index is None
            or game.round not in report.round_numbers
            or report.round(game.round).results[index] not in PLAYED
        ):
            yield error("taken-out-no-game", **about, number=game.number, turn=game.round)
        elif rule is None:
            yield warning("taken-out-not-provided", **about, why=game.reason)
        else:
            yield info("taken-out", rule.article, **about, why=game.reason)


# ------------------------------------------------------------------------------------------- newcomers


def _as_round_robin(case: Case) -> bool:
    """Return whether newcomers are judged by the articles of the round robin."""
    return case.treated_as in ALL_PLAY_ALL


def first_event_round_robin(case: Case) -> Iterator[Finding]:
    """Report a newcomer with too few points in a round robin; their games are not counted."""
    rule = case.rules.first_score_round_robin
    if not _as_round_robin(case):
        return
    rule, _ = first_event_minimum(case.treated_as, case.rules)
    for index, halves, _, _ in case.newcomers:
        if halves < rule.value:
            yield _too_low(case, index, rule.article, rule.value, halves)


def first_event_swiss(case: Case) -> Iterator[Finding]:
    """Report a newcomer with too few points against rated opponents in a Swiss or team event (2017 6.31; 2009 6.41)."""
    rule = case.rules.first_score_swiss
    if _as_round_robin(case) or _match_of_rated(case):
        return
    rule, _ = first_event_minimum(case.treated_as, case.rules)
    for index, _, rated_games, rated_halves in case.newcomers:
        if rated_games and rated_halves < rule.value:
            yield _too_low(case, index, rule.article, rule.value, rated_halves)


def _too_low(case: Case, index: int, article: str, required: int, scored: int) -> Finding:
    name = case.report.entrants[index].name
    about: dict[str, Fact] = {"name": name, "score": Fraction(scored, 2), "required": Fraction(required, 2)}
    return info("first-event-ignored", article, **of_player(case.report, index, "half_points"), **about)


def first_rated_opponents(case: Case) -> Iterator[Finding]:
    """Report a newcomer who met too few rated opponents, or played too few games against them (8.21; 6.41)."""
    _, rule = first_event_minimum(case.treated_as, case.rules)
    if rule is None or _match_of_rated(case):
        return
    for index, _, rated_games, _ in case.newcomers:
        opponents = {opponent for opponent, _ in case.games_of(index)}
        rated = sum(case.ratings[opponent] is not None for opponent in opponents)
        if rated < rule.value:
            about: dict[str, Fact] = {"name": case.report.entrants[index].name}
            about |= {"rated": rated, "required": rule.value}
            article = opponents_article(rated_games, rule, case.rules)
            yield info("first-event-few-rated", article, **of_player(case.report, index), **about)


# ----------------------------------------------------------------------------------------- round robins


def _judged(case: Case) -> bool:
    """Return whether composition counts: in round robins with an unrated player, except championships (reading 9)."""
    championship = case.rules.championship is not None and case.facts.national_championship
    return case.kind in ALL_PLAY_ALL and case.any_unrated and not championship


def _unless_swiss(case: Case, finding: Finding) -> Finding:
    """Return a finding about a wrong composition; a warning if the results are presented as a Swiss (reading 9)."""
    return finding if _as_round_robin(case) else replace(finding, severity=Severity.WARNING)


def round_robin_share(case: Case) -> Iterator[Finding]:
    """Check the share of rated players in a round robin (2017 6.2; 2009 6.3; guide 8)."""
    rule = case.rules.round_robin_share
    if rule is None or not _judged(case):
        return
    players = len(case.playing)
    if case.rated < rule.value * players:
        required = -(-rule.value.numerator * players // rule.value.denominator)
        about = {"rated": case.rated, "players": players, "required": required}
        yield _unless_swiss(case, error("round-robin-few-rated", rule.article, **about))


def round_robin_small(case: Case) -> Iterator[Finding]:
    """Check the number of rated players in a small round robin (2017 6.21; 2009 6.31)."""
    rule = case.rules.round_robin_small
    if rule is None or not _judged(case):
        return
    players = len(case.playing)
    if players < rule.value.below and case.rated < rule.value.rated:
        about = {"rated": case.rated, "players": players, "required": rule.value.rated}
        about["below"] = rule.value.below
        yield _unless_swiss(case, error("round-robin-small-few-rated", rule.article, **about))


def round_robin_double(case: Case) -> Iterator[Finding]:
    """Check the number of players and rated players in a round robin of two cycles or more (2017 6.22; 2009 6.32)."""
    rule = case.rules.round_robin_double
    if rule is None or not _judged(case) or case.kind == EventKind.ROUND_ROBIN:
        return
    players = len(case.playing)
    if players < rule.value.players or case.rated < rule.value.rated:
        least = {"least": rule.value.players, "required": rule.value.rated}
        about = {"players": players, "rated": case.rated, **least}
        yield _unless_swiss(case, error("double-round-robin-few", rule.article, **about))


def championship(case: Case) -> Iterator[Finding]:
    """Check the number of rated players in a national championship played as a round robin (2017 6.23; 2009 6.33)."""
    rule = case.rules.championship
    if rule is None or case.kind not in ALL_PLAY_ALL or not case.any_unrated:
        return
    women = _women_only(case)
    required = rule.value.women if women else rule.value.rated
    counted = _counted_for_championship(case, women_only=women, men_only=rule.value.men_only)
    if case.facts.national_championship:
        if counted < required:
            about = {"rated": counted, "required": required}
            yield _unless_swiss(case, error("championship-few-rated", rule.article, **about))
    elif (
        case.facts.national_championship is None
        and counted >= required
        and any(
            any(True for _ in check(case))
            for check in (round_robin_share, round_robin_small, round_robin_double)
        )
    ):
        yield info("championship-unknown", rule.article, rated=counted, required=required)


def _women_only(case: Case) -> bool:
    """Return whether it is an event for women: as stated, else if only women took part."""
    if case.facts.women_only is not None:
        return case.facts.women_only
    return all(case.report.entrants[index].sex == "w" for index in case.met.places)


def _counted_for_championship(case: Case, *, women_only: bool, men_only: bool) -> int:
    rated = [case.report.entrants[index] for index in case.met.places if case.ratings[index] is not None]
    return len([e for e in rated if e.sex != "w"]) if men_only and not women_only else len(rated)


def round_robin_unplayed(case: Case) -> Iterator[Finding]:
    """Report a round robin with an unplayed game; it is treated as a Swiss (2017 6.4; 2009 6.43)."""
    rule = case.rules.unplayed_makes_swiss
    if rule is None or case.kind not in ALL_PLAY_ALL or case.met.complete:
        return
    missing = list(unplayed_games(case.met))
    players = first_start_numbers(
        case.report.entrants[index] for index in dict.fromkeys(p for pair in missing for p in pair)
    )
    yield warning("round-robin-unplayed", rule.article, games=len(missing), players=players)


# ---------------------------------------------------------------------------------------------- matches


def match_decided(case: Case) -> Iterator[Finding]:
    """Report games played after a match was decided; they are not rated (2024 6.2, RB 5.2; 2017 6.5; 2009 6.5)."""
    rule, length = case.rules.match_decided, case.facts.match_games
    if case.kind != EventKind.MATCH or not rule.value:
        return
    if case.facts.match_waived and case.rules.match_waiver is None:
        yield warning("match-waiver-not-provided", rule.article)
    if match_waived(case.facts, case.rules):
        yield info("match-waived", rule.article)
        return
    if length is None:
        yield info("match-length-unknown", rule.article)
        return
    decided = decided_in(case.report, length)
    for number, cells in case.report.numbered_rounds():
        if decided and number > decided and cells.results[case.met.places[0]] in PLAYED:
            yield warning("match-decided", rule.article, round=number, decided=decided, games=length)


def _match_of_rated(case: Case) -> bool:
    """Return whether it is a match and the edition rates only matches of rated players."""
    return case.kind == EventKind.MATCH and case.rules.match_unrated.value


def match_unrated(case: Case) -> Iterator[Finding]:
    """Report a match with an unrated player; it is not rated (2024 6.1, RB 5.1; 2017 6.6; 2009 6.6)."""
    if _match_of_rated(case) and case.any_unrated:
        index = next(index for index in case.met.places if case.ratings[index] is None)
        about = {"name": case.report.entrants[index].name}
        yield error(
            "match-with-unrated",
            case.rules.match_unrated.article,
            **of_player(case.report, index, "rating"),
            **about,
        )


CHECKS = (
    kind,
    unplayed,
    taken_out,
    first_event_round_robin,
    round_robin_share,
    round_robin_small,
    round_robin_double,
    championship,
    first_event_swiss,
    first_rated_opponents,
    round_robin_unplayed,
    match_decided,
    match_unrated,
)
