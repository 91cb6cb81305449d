"""The FIDE title regulations (Handbook B.01), edition by edition; each reads like its amendment.

The text of 2024 is known completely. The others were put together from openings, quotations and programs: each is
written as a change of the next one, from 2024 backwards, since that is the way in which they are known. Each rule says
how surely it is known (docs/readings.md, 71).

Two levels of numbers, as 1.41c, are those of the texts before 2022; ``Annex`` is the annex with the tables,
``Council`` a resolution of FIDE's Council.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from datetime import date
from fractions import Fraction
from typing import Any

from arpad.model.rules import Confidence, Edition, ListName, Rule
from arpad.regulations.fide.titles.rules import (
    BigSwiss,
    ByeNorm,
    ByTitle,
    DirectRatings,
    ForeignField,
    GamesAs,
    RatingTitles,
    TeamGames,
    TitledShare,
    TitleRules,
    Twice,
)
from arpad.regulations.tables import TABLE_8_1A

SECONDARY, INFERRED, UNKNOWN = Confidence.SECONDARY, Confidence.INFERRED, Confidence.UNKNOWN
CHECKED = date(2026, 11, 16)
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

# ------------------------------------------------------------------------------------------------ 2024

TITLES_2024 = Edition(
    id="titles-2024",
    base="titles-2023",
    body="fide",
    effective=date(2024, 1, 1),
    source="FIDE title regulations from 1 January 2024, text, table 1.4.9 and Annex",
    checked=CHECKED,
    lists={
        ListName.STANDARD: TitleRules(
            title_sexes=Rule(("WGM", "WIM", "WFM", "WCM"), "0.3"),
            title_counts_from_confirmation=Rule(True, "0.4.2"),
            title_publication_days=Rule(30, "2.4"),
            direct_ratings=Rule(DirectRatings(2300, 2200, 2100, 2000, 2100, 2000, 1900, 1800, 30), "0.6.2"),
            norm_registration_days=Rule(30, "1.1.1"),
            norm_hours_per_day=Rule(12, "1.1.2"),
            norm_rounds_per_day=Rule(2, "1.1.3"),
            norm_minutes=Rule(120, "1.1.3"),
            single_round_days=Rule(3, "1.1.3a"),
            day_of_game_after=Rule(30, "1.1.4"),
            direct_norm_games=Rule(9, "1.2.1"),
            rating_titles=Rule(RatingTitles(2300, 2200, 2100, 2000, 30), "1.3"),
            norm_games=Rule(9, "1.4.1a"),
            team_games=Rule(TeamGames(7, 7, 9), "1.4.1b"),
            cup_games=Rule(GamesAs(8, 9), "1.4.1b"),
            bye_norm=Rule(ByeNorm(9, 8, 9, 1), "1.4.1c"),
            points_above_count=Rule(True, "1.4.1d"),
            end_left_out=Rule(True, "1.4.1e"),
            fixed_all_rounds=Rule(True, "1.4.1e"),
            wins_left_out=Rule(True, "1.4.1f"),
            complete_mix=Rule(True, "1.4.1f"),
            outside_fide=Rule(("NON",), "1.4.2a"),
            fide_flag=Rule("FID", "1.4.2a"),
            flag_origin_since=Rule(date(2022, 12, 15), "Council 2022"),
            unrated_zero=Rule(True, "1.4.2b"),
            unplayed_not_counted=Rule(True, "1.4.2c"),
            last_round_forfeit=Rule(True, "1.4.2c"),
            norm_systems=Rule(("swiss", "round-robin", "double-round-robin", "knockout", "team"), "1.4.2e"),
            foreign_federations=Rule(2, "1.4.3"),
            exempt_championship=Rule(True, "1.4.3a"),
            exempt_team_championship=Rule(True, "1.4.3b"),
            exempt_zonal=Rule(True, "1.4.3c"),
            exempt_swiss=Rule(ForeignField(20, 3, 10, 1), "1.4.3d"),
            norms_without_exemption=Rule(1, "1.4.3e"),
            own_share=Rule(Fraction(3, 5), "1.4.4"),
            one_share=Rule(Fraction(2, 3), "1.4.4"),
            federations_from_games=Rule(9, "Annex"),
            titled_share=Rule(TitledShare(HALF, 0, ("GM", "IM", "FM", "WGM", "WIM", "WFM")), "1.4.5a"),
            sought_gm=Rule(TitledShare(THIRD, 3, ("GM",)), "1.4.5b"),
            sought_im=Rule(TitledShare(THIRD, 3, ("GM", "IM")), "1.4.5c"),
            sought_wgm=Rule(TitledShare(THIRD, 3, ("GM", "IM", "WGM")), "1.4.5d"),
            sought_wim=Rule(TitledShare(THIRD, 3, ("GM", "IM", "WGM", "WIM")), "1.4.5e"),
            met_twice=Rule(Twice(6, HALF), "1.4.5f"),
            raised_to=Rule(ByTitle(2200, 2050, 2000, 1850), "1.4.6c"),
            unrated_as=Rule(1400, "1.4.6d"),
            unrated_share=None,
            least_average=Rule(ByTitle(2380, 2230, 2180, 2030), "1.4.8a"),
            least_score=Rule(Fraction(35, 100), "1.4.8b"),
            least_performance=Rule(ByTitle(2600, 2450, 2400, 2250), "1.4.8"),
            performance_table=Rule(TABLE_8_1A, "1.4.9"),
            application_games=Rule(27, "1.5.1"),
            title_rating=Rule(ByTitle(2500, 2400, 2300, 2200), "1.5.3"),
            big_swiss=Rule(BigSwiss(40, 2000, 1, date(2022, 6, 30), ("b", "c", "d", "e", "f")), "1.5.6"),
            most_games=Rule(13, "1.7"),
            application_days=Rule(45, "3"),
        )
    },
)

# ----------------------------------------------------------------------------------- backwards from 2024


def before(
    later: Edition[TitleRules],
    name: str,
    effective: date,
    source: str,
    *,
    rest: Confidence,
    base: str = "",
    change: Callable[[TitleRules], TitleRules] = lambda rules: rules,
) -> Edition[TitleRules]:
    """Return an edition as the changes to a later one; ``rest`` says how surely everything else is known.

    ``base`` is the edition before it, which it amended.
    """
    rules = as_sure_as(later.lists[ListName.STANDARD], rest, (item.name for item in fields(TitleRules)))
    lists = {ListName.STANDARD: change(rules)}
    return replace(later, id=name, effective=effective, source=source, base=base, lists=lists)


def as_sure_as(rules: TitleRules, confidence: Confidence, names: Iterable[str]) -> TitleRules:
    """Return the same rules, those with these names known as surely as that."""
    marked: dict[str, Any] = {
        name: replace(rule, confidence=confidence)
        for name in names
        if (rule := getattr(rules, name)) is not None
    }
    return replace(rules, **marked)


def _verified(rules: TitleRules, *names: str) -> TitleRules:
    return as_sure_as(rules, Confidence.VERIFIED, names)


def _of_2023(rules: TitleRules) -> TitleRules:
    """Return the rules of 2023: other unrated players, a limit for them, and eight games that count as eight."""
    rules = replace(
        rules,
        direct_ratings=Rule(replace(rules.direct_ratings.value, games=0), "0.6.2", INFERRED),
        title_publication_days=None,
        norm_minutes=replace(rules.norm_minutes, confidence=UNKNOWN) if rules.norm_minutes else None,
        bye_norm=Rule(replace(rules.bye_norm.value, counted=8), "1.4.1c", UNKNOWN),
        unrated_as=Rule(1000, "1.4.6d", SECONDARY),
        unrated_share=Rule(Fraction(1, 5), "1.4.6d", SECONDARY),
    )
    rules = as_sure_as(rules, UNKNOWN, ["single_round_days", "application_days"])
    return _verified(
        rules, "points_above_count", "end_left_out", "fixed_all_rounds", "exempt_swiss", "big_swiss",
        "flag_origin_since",
    )  # fmt: skip


TITLES_2023 = before(
    TITLES_2024,
    "titles-2023",
    date(2023, 1, 1),
    "FIDE title regulations of 2023: remarks in the arbiters' manual, the rest from the text of 2024",
    rest=INFERRED,
    base="titles-2022",
    change=_of_2023,
)


def _of_2022(rules: TitleRules) -> TitleRules:
    """Return the rules of 2022: of the events of 1.5.6 only the Swiss."""
    last = TITLES_2023.lists[ListName.STANDARD]
    unknown = [
        item.name
        for item in fields(TitleRules)
        if (rule := getattr(last, item.name)) is not None and rule.confidence == UNKNOWN
    ]
    big = replace(last.big_swiss.value, others=()) if last.big_swiss else None
    rules = replace(rules, big_swiss=Rule(big, "1.5.6") if big else None)
    rules = as_sure_as(rules, SECONDARY, ["unrated_as", "unrated_share"])
    rules = as_sure_as(rules, UNKNOWN, unknown)
    return _verified(
        rules, "points_above_count", "end_left_out", "fixed_all_rounds", "exempt_swiss", "flag_origin_since"
    )


TITLES_2022 = before(
    TITLES_2023,
    "titles-2022",
    date(2022, 1, 1),
    "FIDE title regulations of 2022: points named by the Qualification Commission, the rest from the text of 2024",
    rest=INFERRED,
    base="titles-2017",
    change=_of_2022,
)

_LETTERS_2017 = {
    "exempt_swiss": "1.43e",
    "norms_without_exemption": "1.43f",
    "end_left_out": "1.42d",
    "fixed_all_rounds": "1.42d",
    "wins_left_out": "1.42e",
    "complete_mix": "1.42e",
    "title_counts_from_confirmation": "0.43",
    "raised_to": "1.46c",
}
"""Articles of 2017 that do not follow from those of 2022 by dropping a dot."""


def _two_levels(article: str) -> str:
    """Return an article as the texts before 2022 number it: 1.4.1c is 1.41c."""
    return re.sub(r"^(\d+\.\d+)\.(\d+)", r"\1\2", article)


def _of_2017(rules: TitleRules) -> TitleRules:
    """Return the rules of 2017: no rule on missed rounds, no 1.5.6, other numbers of the articles."""
    numbered: dict[str, Any] = {
        item.name: replace(rule, article=_LETTERS_2017.get(item.name, _two_levels(rule.article)))
        for item in fields(TitleRules)
        if (rule := getattr(rules, item.name)) is not None
    }
    rules = replace(rules, **numbered)
    rules = replace(
        rules,
        big_swiss=None,
        flag_origin_since=None,
        title_publication_days=Rule(60, "0.42"),
        norm_minutes=Rule(120, "1.13", SECONDARY),
        bye_norm=replace(rules.bye_norm, confidence=SECONDARY),
        exempt_swiss=Rule(replace(rules.exempt_swiss.value, absences=None), "1.43e", SECONDARY),
        unrated_as=Rule(1000, "1.46d", SECONDARY),
        unrated_share=Rule(Fraction(1, 5), "1.46d", SECONDARY),
    )
    rules = _verified(rules, "wins_left_out", "raised_to", "rating_titles", "title_counts_from_confirmation")
    return as_sure_as(
        rules,
        UNKNOWN,
        [
            "single_round_days", "fixed_all_rounds", "end_left_out", "complete_mix", "last_round_forfeit",
            "points_above_count", "direct_norm_games", "direct_ratings", "application_days", "norm_registration_days",
            "norm_hours_per_day", "day_of_game_after", "outside_fide", "fide_flag", "unrated_zero",
            "unplayed_not_counted", "norm_systems", "federations_from_games", "met_twice",
        ],
    )  # fmt: skip


TITLES_2017 = before(
    TITLES_2022,
    "titles-2017",
    date(2017, 7, 1),
    "FIDE title regulations of 2017: the opening of the text, numbers from programs",
    rest=SECONDARY,
    base="titles-2014",
    change=_of_2017,
)


def _of_2014(rules: TitleRules) -> TitleRules:
    """Return the rules of 2014: titles by rating without a number of games."""
    rules = replace(rules, rating_titles=Rule(replace(rules.rating_titles.value, games=0), "1.3", INFERRED))
    rules = as_sure_as(
        rules,
        SECONDARY,
        [
            "least_performance", "least_average", "titled_share", "sought_gm", "sought_im", "sought_wgm", "sought_wim",
            "norm_games", "points_above_count", "application_games", "title_rating", "norm_minutes",
            "norm_rounds_per_day", "norm_hours_per_day", "single_round_days",
        ],
    )  # fmt: skip
    return _verified(rules, "title_publication_days", "title_counts_from_confirmation")


TITLES_2014 = before(
    TITLES_2017,
    "titles-2014",
    date(2014, 7, 1),
    "FIDE title regulations of 2014: articles 0.1 to 0.5, the rest as in 2017",
    rest=UNKNOWN,
    base="titles-2013",
    change=_of_2014,
)


def _of_2013(rules: TitleRules) -> TitleRules:
    """Return the rules of 2013: those of 2014, as surely known."""
    kept = TITLES_2014.lists[ListName.STANDARD]
    marks: dict[str, Any] = {item.name: getattr(kept, item.name) for item in fields(TitleRules)}
    return replace(rules, **marks)


TITLES_2013 = before(
    TITLES_2014,
    "titles-2013",
    date(2013, 7, 1),
    "FIDE title regulations of 2013: articles quoted by federations, the rest as in 2014",
    rest=UNKNOWN,
    base="titles-2009",
    change=_of_2013,
)

TITLES_2009 = before(
    TITLES_2013,
    "titles-2009",
    date(2009, 7, 1),
    "FIDE title regulations of 2009: the opening of a German translation, the rest as in 2013",
    rest=UNKNOWN,
    change=lambda rules: as_sure_as(
        replace(rules, unrated_as=Rule(1200, "1.46d", UNKNOWN)),
        SECONDARY,
        ["points_above_count", "last_round_forfeit", "application_games"],
    ),
)

EDITIONS = (
    TITLES_2009,
    TITLES_2013,
    TITLES_2014,
    TITLES_2017,
    TITLES_2022,
    TITLES_2023,
    TITLES_2024,
)
"""The editions, oldest first."""
