"""How a player gets a title: from norms, or by rating alone (B.01 1.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arpad.regulations.fide.titles.requirements import Requirement
from arpad.regulations.fide.titles.rules import NormTitle, TitleRules


@dataclass(frozen=True, slots=True)
class HeldNorm:
    """A norm that a player holds, as far as an application asks about it."""

    counted: int
    """As how many games it counts."""

    normal: bool
    """Whether the articles on federations were met without exemption."""

    single_days: int
    """Days of the tournament with one round."""

    special: bool
    """Whether the tournament is one of 1.5.6."""

    after: bool
    """Whether it was made after the day from which 1.5.6 applies."""

    by_bye: bool = False
    """Whether it has eight games after a forfeit win or a bye (B.01 1.4.1c)."""


def application(
    title: NormTitle, norms: Sequence[HeldNorm], peak: int, rules: TitleRules
) -> Iterator[Requirement]:
    """Yield the requirements of an application.

    Articles (B.01 1.5.1, B.01 1.5.3, B.01 1.4.3e, B.01 1.1.3a, B.01 1.4.1c, B.01 1.5.6).
    """

    def require(name: str, rule_name: str, required: int, actual: int, *, most: bool = False) -> Requirement:
        rule = getattr(rules, rule_name)
        holds = actual <= required if most else actual >= required
        return Requirement(name, rule.article, required, actual, holds, rule.confidence)

    total = sum(norm.counted for norm in norms)
    yield require("application-games", "application_games", rules.application_games.value, total)
    yield require("title-rating", "title_rating", rules.title_rating.value.of(title), peak)
    normal = sum(norm.normal for norm in norms)
    yield require("normal-norms", "norms_without_exemption", rules.norms_without_exemption.value, normal)
    if rules.single_round_days is not None and title in (NormTitle.GM, NormTitle.WGM):
        days = max((norm.single_days for norm in norms), default=0)
        yield require("single-rounds", "single_round_days", rules.single_round_days.value, days)
    by_bye = sum(norm.by_bye for norm in norms)
    yield require("bye-norms", "bye_norm", rules.bye_norm.value.per_application, by_bye, most=True)
    if rules.big_swiss is not None and any(norm.after for norm in norms):
        yield require("special-norms", "big_swiss", 1, sum(norm.special for norm in norms))


def titles_by_rating(rating: int, games: int, sex: str, rules: TitleRules) -> tuple[str, ...]:
    """Return the titles that a rating gives, the highest first (B.01 1.3)."""
    values = rules.rating_titles.value
    if games < values.games:
        return ()
    needed = {"FM": values.fm, "CM": values.cm}
    if sex == "w":
        needed |= {"WFM": values.wfm, "WCM": values.wcm}
    return tuple(title for title, least in needed.items() if rating >= least)
