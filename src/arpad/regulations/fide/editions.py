"""The FIDE rating regulations, edition by edition; each reads like its amendment.

The texts of 2009, 2017 and 2024 are known completely. The others were put together from FIDE's notices and from
federations' reports; if nothing is known, the nearest edition is used (docs/readings.md, 4). Each rule says how surely
it is known: read in the text unless it has another mark.

All are in one module since each is written as the changes to the one above: read from the top, it is the history.
Articles written ``RB`` belong to the separate rules for rapid and blitz, those written ``notice`` to a FIDE notice,
``B.01`` and ``B.06.1`` to the regulations for titles and for arbiters.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any, TypeAlias

from arpad.model.rules import Body, Confidence, Edition, ListName, Rule
from arpad.regulations.fide.article_numbers import (
    ARTICLES_2009,
    ARTICLES_2022,
    BLITZ_2022,
    QUICK_2022,
    QUICK_ARTICLES_2022,
    as_sure_as,
    renumbered,
)
from arpad.regulations.fide.change import (
    cap_every_game,
    cap_one_game_per_event,
    round_change,
    round_new_rating,
    until_eighteenth_birthday,
    until_end_of_eighteenth_year,
    with_current_rating,
    with_entry_rating,
)
from arpad.regulations.fide.entry_rating import (
    all_games,
    all_games_or_rated_ones,
    as_one_tournament,
    mean_of_tranches,
    months_after_first_tranche,
    months_before_list,
    months_with_the_lists_own,
    with_hypothetical_draws,
)
from arpad.regulations.fide.rules import (
    Championship,
    ChessRules,
    FastTime,
    FirstControl,
    Hypothetical,
    LeastField,
    Notice,
    OneOffAdjustment,
    SmallField,
    StrongField,
    TimeBounds,
    UnratedGap,
)
from arpad.regulations.tables import TABLE_8_1A, TABLE_8_1B

STANDARD, RAPID, BLITZ = ListName.STANDARD, ListName.RAPID, ListName.BLITZ
SECONDARY, INFERRED, UNKNOWN = Confidence.SECONDARY, Confidence.INFERRED, Confidence.UNKNOWN
CHECKED = date(2026, 11, 15)
Amendment: TypeAlias = Callable[[ChessRules], ChessRules]


def _unchanged(rules: ChessRules) -> ChessRules:
    return rules


def amend(
    previous: Edition[ChessRules],
    name: str,
    effective: date,
    source: str,
    *,
    every: Amendment = _unchanged,
    standard: Amendment = _unchanged,
    quick: Amendment = _unchanged,
    blitz: Amendment = _unchanged,
    by_name_only: bool = False,
    rest: Confidence | tuple[Confidence, Confidence] | None = None,
) -> Edition[ChessRules]:
    """Return the next edition: what changes on every list, on the standard one, on rapid and blitz, on blitz alone.

    ``rest`` says how surely everything that it does not change is known, or how surely on the standard list and on
    rapid and blitz; without it, as surely as before.
    """

    def amended(name: ListName, rules: ChessRules) -> ChessRules:
        if rest is not None:
            sure = rest if isinstance(rest, Confidence) else rest[name != STANDARD]
            rules = as_sure_as(rules, sure)
        rules = standard(every(rules)) if name == STANDARD else quick(every(rules))
        return blitz(rules) if name == BLITZ else rules

    return replace(
        previous,
        id=name,
        effective=effective,
        source=source,
        adopted="",
        base=previous.id,
        by_name_only=by_name_only,
        begins={},
        lists={name: amended(name, rules) for name, rules in previous.lists.items()},
    )


# ------------------------------------------------------------------------------------------------ 2009

FIDE_2009 = Edition(
    id="fide-2009",
    body="fide",
    effective=date(2009, 7, 1),
    adopted="FIDE General Assembly, 1982 to 2008",
    source="FIDE rating regulations as amended 1984-2008, Italian translation",
    checked=CHECKED,
    lists={
        STANDARD: ChessRules(
            registration=Rule(Notice(months=1), "0.4"),
            registration_norms=None,
            registration_strong=None,
            licensed_arbiters=None,
            official_always_rated=Rule(True, "0.3"),
            appeal_days=Rule(7, "0.5"),
            moves_counted=Rule(60, "1.1"),
            time_bands=Rule(((2200, 120), (1600, 90), (0, 60)), "1.1"),
            time_bands_per_game=None,
            time_bounds=None,
            first_control=Rule(FirstControl(40), "1.3"),
            deviations_approved=Rule(True, "2.1"),
            games_per_day=Rule(3, "3.1"),
            hours_per_day=Rule(12, "3.1"),
            duration_days=Rule(90, "4.1"),
            league_exempt=Rule(True, "4.11"),
            longer_by_approval=Rule(True, "4.12"),
            interim_after_days=None,
            ratings_by_round=Rule(True, "4.13"),
            moves_to_be_played=Rule(1, "5.1"),
            first_score_swiss=Rule(2, "6.41"),
            first_score_round_robin=Rule(2, "8.21"),
            first_rated_opponents=Rule(3, "8.21"),
            first_rated_opponents_swiss=Rule(3, "6.41"),
            first_at_floor=Rule(True, "8.31"),
            ignored_for_opponents=Rule(True, "6.1"),
            stages_together=Rule(True, "6.2"),
            round_robin_share=Rule(Fraction(1, 3), "6.3"),
            round_robin_small=Rule(SmallField(below=10, rated=4), "6.31"),
            round_robin_double=Rule(LeastField(players=6, rated=4), "6.32"),
            championship=Rule(Championship(rated=3, women=2, men_only=True), "6.33"),
            unplayed_makes_swiss=Rule(True, "6.43"),
            match_decided=Rule(True, "6.5"),
            match_unrated=Rule(True, "6.6"),
            floor=Rule(1200, "0.6"),
            list_months=Rule((1, 3, 5, 7, 9, 11), "7.11"),
            cutoff_days=Rule(7, "7.13"),
            official_cutoff_days=Rule(1, "7.13"),
            minimum_games=Rule(9, "7.14b"),
            minimum_games_team_championship=Rule(7, "7.14f"),
            minimum_games_affiliated=Rule(7, "7.14g"),
            minimum_tranche=None,
            window=Rule(24, "7.14c"),
            window_start=Rule(months_before_list, "7.14c"),
            inactive_months=Rule(12, "7.23a"),
            inactive_listed_months=Rule(24, "7.23b"),
            fraction_table=Rule(TABLE_8_1A, "8.1a"),
            expectation_table=Rule(TABLE_8_1B, "8.1b"),
            entry_formula=Rule(as_one_tournament, "8.3"),
            entry_bonus=Rule(Fraction(15), "8.23"),
            entry_hypothetical=None,
            entry_cap=None,
            entry_takes_standard=None,
            round_robin_entry=Rule(all_games, "8.21b"),
            rated_meanwhile=Rule(with_entry_rating, "8.4"),
            cap=Rule(400, "8.54"),
            cap_rule=Rule(cap_every_game, "8.54"),
            cap_exempt_from=None,
            unrated_gap=None,
            k_new=Rule(30, "8.56"),
            k_new_games=Rule(30, "8.56"),
            k_usual=Rule(15, "8.56"),
            k_top=Rule(10, "8.56"),
            k_top_from=Rule(2400, "8.56"),
            k_junior=None,
            k_junior_below=None,
            k_junior_until=None,
            k_times_games=None,
            rounding=Rule(round_new_rating, "8.57"),
            one_off_adjustment=None,
            arbiter_report_days=None,
            federation_report_days=None,
            report_within_lists=None,
            deaths_reported=None,
            articles=ARTICLES_2009,
        )
    },
)

FIDE_2009_NOTICE = amend(
    FIDE_2009,
    "fide-2009-notice",
    date(2009, 7, 1),
    "FIDE notice of 13 July 2009: the new K was not confirmed",
    by_name_only=True,
    every=lambda rules: replace(
        rules,
        k_new=Rule(25, "notice 2009"),
        entry_bonus=Rule(Fraction(25, 2), "notice 2009"),
        every_event_tested=Rule(True, "8.21", SECONDARY),
    ),
)

# ------------------------------------------------------------------- 2011: what is printed becomes what is applied

FIDE_2011 = amend(
    FIDE_2009,
    "fide-2011",
    date(2011, 7, 1),
    "FIDE rating regulations from 1 July 2011, as reported by federations: the text printed for 2009 is applied",
    rest=SECONDARY,
)

# ------------------------------------------------------------------------- 2012: monthly lists, rapid and blitz


def _quick_2012(standard: ChessRules, bounds: TimeBounds) -> ChessRules:
    """Return a rapid or blitz list of the first edition: one K for all, everything else like the standard list."""
    return replace(
        standard,
        registration=Rule(Notice(days=2), "RB 2012"),
        time_bands=None,
        time_bounds=Rule(bounds, "RB 2012"),
        first_control=None,
        games_per_day=None,
        hours_per_day=None,
        equal_times=Rule(True, "RB 2012"),
        entry_takes_standard=Rule(True, "RB 2012"),
        k_new=Rule(20, "RB 2012"),
        k_usual=Rule(20, "RB 2012"),
        k_top=Rule(20, "RB 2012"),
    )


def _with_quick_lists(edition: Edition[ChessRules]) -> Edition[ChessRules]:
    standard = edition.lists[STANDARD]
    unseen = as_sure_as(standard, INFERRED)
    began = Rule(date(2012, 1, 1), "RB 2012")
    return replace(
        edition,
        begins={RAPID: began, BLITZ: began},
        lists={
            STANDARD: standard,
            RAPID: _quick_2012(unseen, TimeBounds(15, least_allowed=True, most=60, most_allowed=False)),
            BLITZ: _quick_2012(unseen, TimeBounds(5, least_allowed=True, most=15, most_allowed=False)),
        },
    )


FIDE_2012 = _with_quick_lists(
    amend(
        FIDE_2011,
        "fide-2012",
        date(2012, 7, 1),
        "FIDE decisions of 2011: floor 1000, monthly lists; rules for rapid and blitz of November 2011",
        every=lambda rules: replace(
            rules,
            floor=Rule(1000, "0.6"),
            list_months=Rule(tuple(range(1, 13)), "7.3"),
            window=Rule(26, "7.14c", UNKNOWN),
            window_start=Rule(months_with_the_lists_own, "7.14c", UNKNOWN),
        ),
        rest=INFERRED,
    )
)

FSI_2012 = amend(
    FIDE_2012,
    "fsi-2012",
    date(2012, 7, 1),
    "Italian guide to the entry rating",
    by_name_only=True,
    standard=lambda rules: replace(
        rules,
        minimum_games=Rule(9, "guide"),
        minimum_tranche=Rule(3, "guide"),
        first_score_swiss=Rule(2, "guide"),
        first_score_round_robin=Rule(2, "guide"),
        first_rated_opponents=None,
        first_rated_opponents_swiss=None,
        first_at_floor=Rule(True, "guide"),
        window=Rule(25, "guide"),
        window_start=Rule(months_after_first_tranche, "guide"),
        entry_formula=Rule(mean_of_tranches, "guide"),
        entry_bonus=Rule(Fraction(15), "guide"),
        round_robin_entry=Rule(all_games_or_rated_ones, "guide"),
        articles={
            **rules.articles,
            "half": "guide",
            "below": "guide",
            "below-round-robin": "guide",
            "pooled": "guide",
            "minimum-round-robin": "guide",
        },
    ),
)

# --------------------------------------------------------------------------------------------- 2013, 2014

FIDE_2013 = amend(
    FIDE_2012,
    "fide-2013",
    date(2013, 7, 1),
    "FIDE Presidential Board, January 2013, as reported by federations",
    every=lambda rules: replace(
        rules,
        official_always_rated=Rule(True, "0.4", INFERRED),
        licensed_arbiters=Rule(True, "0.3", SECONDARY),
        games_per_day=None,
        articles={name: article for name, article in rules.articles.items() if name != "rated-unreported"},
    ),
    standard=lambda rules: replace(
        rules,
        registration=Rule(Notice(days=7), "0.2", SECONDARY),
        registration_norms=Rule(Notice(days=30), "0.2", SECONDARY),
    ),
)

FIDE_2014 = amend(
    FIDE_2013,
    "fide-2014",
    date(2014, 7, 1),
    "FIDE rating regulations from 1 July 2014, as quoted by federations",
    every=lambda rules: replace(
        rules,
        cutoff_days=Rule(3, "7.13", UNKNOWN),
        minimum_games=Rule(5, "7.14b", SECONDARY),
        minimum_games_team_championship=None,
        minimum_games_affiliated=None,
        first_score_swiss=Rule(1, "6.41", SECONDARY),
        first_rated_opponents_swiss=None,
        entry_bonus=Rule(Fraction(20), "8.23", UNKNOWN),
    ),
    standard=lambda rules: replace(
        rules,
        k_new=Rule(40, "8.56", SECONDARY),
        k_usual=Rule(20, "8.56", SECONDARY),
        k_junior=Rule(40, "8.56", SECONDARY),
        k_junior_below=Rule(2300, "8.56", SECONDARY),
        k_junior_until=Rule(until_eighteenth_birthday, "8.56", SECONDARY),
    ),
    quick=lambda rules: replace(
        rules,
        time_bounds=Rule(
            TimeBounds(10, least_allowed=False, most=60, most_allowed=False), "RB 2012", INFERRED
        ),
    ),
    blitz=lambda rules: replace(
        rules,
        time_bounds=Rule(TimeBounds(5, least_allowed=True, most=10, most_allowed=True), "RB 2012", INFERRED),
    ),
)

# --------------------------------------------------------------------------------------------------- 2017

FIDE_2017 = replace(
    amend(
        FIDE_2014,
        "fide-2017",
        date(2017, 7, 1),
        "FIDE rating regulations in force from 1 July 2017, Italian translation",
        every=lambda rules: replace(
            rules,
            deviations_approved=Rule(False, "2.1"),
            interim_after_days=Rule(90, "4.13"),
            ratings_by_round=None,
            first_score_swiss=Rule(1, "6.31"),
            first_score_round_robin=Rule(1, "6.1"),
            first_rated_opponents=None,
            first_at_floor=None,
            stages_together=None,
            round_robin_share=Rule(Fraction(1, 3), "6.2"),
            round_robin_small=Rule(SmallField(below=10, rated=4), "6.21"),
            round_robin_double=Rule(LeastField(players=6, rated=4), "6.22"),
            championship=Rule(Championship(rated=3, women=2, men_only=False), "6.23"),
            unplayed_makes_swiss=Rule(True, "6.4"),
            floor=Rule(1000, "7.14d"),
            list_months=Rule(tuple(range(1, 13)), "7.1"),
            inactive_listed_months=None,
            k_times_games=Rule(700, "8.56"),
            rounding=Rule(round_change, "8.57"),
            arbiter_report_days=Rule(7, "9.1"),
            federation_report_days=Rule(30, "9.1"),
            articles={**rules.articles, "entry-rounding": "8.3"},
        ),
        standard=lambda rules: replace(rules, first_control=Rule(FirstControl(40), "1.2")),
        quick=lambda rules: replace(
            rules,
            time_bounds=Rule(TimeBounds(10, least_allowed=False, most=60, most_allowed=False), "1.3"),
            games_per_day=Rule(15, "RB 2017", SECONDARY),
            first_score_swiss=Rule(2, "RB 2017", SECONDARY),
            first_score_round_robin=Rule(2, "RB 2017", SECONDARY),
            cap=Rule(735, "RB 2017", SECONDARY),
            cap_rule=Rule(cap_every_game, "RB 2017", SECONDARY),
        ),
        blitz=lambda rules: replace(
            rules,
            time_bounds=Rule(TimeBounds(5, least_allowed=True, most=10, most_allowed=True), "1.4"),
            games_per_day=Rule(30, "RB 2017", SECONDARY),
        ),
        rest=(Confidence.VERIFIED, INFERRED),
    ),
    adopted="FIDE General Assembly, 1982 to 2016",
)

# ------------------------------------------------------------------------------- 2020 and 2021: two decisions

FIDE_2020_11 = amend(
    FIDE_2017,
    "fide-2020-11",
    date(2020, 11, 1),
    "FIDE notice of 2 November 2020: inactive after two years, until further notice",
    every=lambda rules: replace(rules, inactive_months=Rule(24, "notice 2020")),
)

FIDE_2021 = amend(
    FIDE_2020_11,
    "fide-2021",
    date(2021, 2, 1),
    "FIDE decision on hybrid events from 1 February 2021; article 1.1 as federations quote it in 2021",
    every=lambda rules: replace(rules, hybrid_by_approval=Rule(True, "0.2")),
    standard=lambda rules: replace(rules, time_bands_per_game=Rule(True, "1.1", SECONDARY)),
)

# --------------------------------------------------------------------------------------- 2022 and after


def _marked_2022(rules: ChessRules) -> ChessRules:
    """Return the rules for rapid and blitz of 2022, taken from the standard ones, each as surely as it is known."""
    unknown = ("window", "window_start", "rounding", "arbiter_report_days", "federation_report_days")
    secondary = ("first_score_swiss", "first_score_round_robin", "cap", "cap_rule")
    return as_sure_as(as_sure_as(as_sure_as(rules, INFERRED), UNKNOWN, *unknown), SECONDARY, *secondary)


FIDE_2022 = amend(
    FIDE_2021,
    "fide-2022",
    date(2022, 1, 1),
    "FIDE rating regulations from 1 January 2022, sections 8.2 and 8.3 read, the rest as reported by federations",
    rest=INFERRED,
    every=lambda rules: replace(
        rules,
        licensed_arbiters=None,
        arbiters_fee=Rule(True, "B.06.1 6.1, 6.2", INFERRED),
        official_always_rated=Rule(True, "0.3", INFERRED),
        appeal_days=Rule(7, "0.4", INFERRED),
        appeal_to=Rule(Body.COUNCIL, "0.4", INFERRED),
        hybrid_by_approval=Rule(True, "0.2", SECONDARY),
        duration_days=None,
        league_exempt=None,
        longer_by_approval=None,
        games_excepted=Rule(True, "5.1", INFERRED),
        first_score_swiss=Rule(1, "8.2.1"),
        first_score_round_robin=Rule(1, "8.2.1"),
        ignored_for_opponents=None,
        round_robin_share=None,
        round_robin_small=None,
        round_robin_double=None,
        championship=None,
        unplayed_makes_swiss=None,
        match_decided=Rule(True, "6.2", INFERRED),
        match_waiver=Rule(True, "6.2", INFERRED),
        match_unrated=Rule(True, "6.1", INFERRED),
        floor=Rule(1000, "7.1.4", INFERRED),
        cutoff_days=Rule(3, "7.1.3", INFERRED),
        official_cutoff_days=Rule(1, "7.1.3", INFERRED),
        minimum_games=Rule(5, "7.1.4", SECONDARY),
        window=Rule(26, "7.1.4", UNKNOWN),
        window_start=Rule(months_with_the_lists_own, "7.1.4", UNKNOWN),
        fraction_table=Rule(TABLE_8_1A, "8.1.1", SECONDARY),
        expectation_table=Rule(TABLE_8_1B, "8.1.2", SECONDARY),
        entry_formula=Rule(as_one_tournament, "8.2.2"),
        entry_bonus=Rule(Fraction(20), "8.2.3"),
        round_robin_entry=None,
        rated_meanwhile=Rule(with_current_rating, "8.2.4"),
        cap=Rule(400, "8.3.1"),
        cap_rule=Rule(cap_one_game_per_event, "8.3.1"),
        k_times_games=Rule(700, "8.3.3"),
        rounding=Rule(round_change, "8.3.4", UNKNOWN),
        arbiter_report_days=Rule(7, "9.1", UNKNOWN),
        federation_report_days=Rule(30, "9.1", UNKNOWN),
        hybrid_games=Rule(True, "9.4", INFERRED),
    ),
    standard=lambda rules: replace(
        rules,
        registration=Rule(Notice(days=3), "0.2", SECONDARY),
        registration_norms=Rule(Notice(days=30), "B.01 1.1.1", SECONDARY),
        time_bands=Rule(((2400, 120), (1800, 90), (0, 60)), "1.1"),
        time_bands_per_game=Rule(True, "1.1"),
        first_control=Rule(FirstControl(30, or_more=True), "1.2", SECONDARY),
        interim_after_days=Rule(30, "4.1", SECONDARY),
        k_new=Rule(40, "8.3.3"),
        k_new_games=Rule(30, "8.3.3"),
        k_usual=Rule(20, "8.3.3"),
        k_top=Rule(10, "8.3.3"),
        k_top_from=Rule(2400, "8.3.3"),
        k_junior=Rule(40, "8.3.3"),
        k_junior_below=Rule(2300, "8.3.3"),
        k_junior_until=Rule(until_end_of_eighteenth_year, "8.3.3"),
        articles=ARTICLES_2022,
    ),
    quick=lambda rules: replace(
        _marked_2022(renumbered(rules, QUICK_2022)),
        registration=Rule(Notice(days=3), "RB 0.2", INFERRED),
        interim_after_days=None,
        articles=QUICK_ARTICLES_2022,
    ),
    blitz=lambda rules: replace(
        renumbered(rules, BLITZ_2022),
        time_bounds=Rule(
            TimeBounds(3, least_allowed=False, most=10, most_allowed=True), "RB 1.1.2", SECONDARY
        ),
    ),
)


def _standard_k(rules: ChessRules) -> ChessRules:
    """Return the rules with K as on the standard list of 2022, under the number of rapid and blitz."""
    standard = FIDE_2022.lists[STANDARD]
    names = (
        "k_new", "k_new_games", "k_usual", "k_top", "k_top_from", "k_junior", "k_junior_below", "k_junior_until",
    )  # fmt: skip
    changes: dict[str, Any] = {
        name: Rule(getattr(standard, name).value, "RB 7.3.3", SECONDARY) for name in names
    }
    return replace(rules, **changes)


FIDE_2022_10 = amend(
    FIDE_2022,
    "fide-2022-10",
    date(2022, 10, 1),
    "FIDE notice of August 2022 on rapid and blitz, as reported by federations",
    quick=lambda rules: replace(
        _standard_k(rules),
        one_off_adjustment=Rule(
            OneOffAdjustment(on=date(2022, 10, 1), standard_minus=100), "notice 2022", SECONDARY
        ),
    ),
)

FIDE_2022_11 = amend(
    FIDE_2022_10,
    "fide-2022-11",
    date(2022, 11, 1),
    "FIDE Council, 17 October 2022, on active players; what it decided is taken from the text of 2024",
    every=lambda rules: replace(rules, one_off_adjustment=None),
    standard=lambda rules: replace(rules, inactive_months=Rule(12, "7.2.2", INFERRED)),
    quick=lambda rules: replace(rules, inactive_months=Rule(12, "RB 6.2.2", INFERRED)),
)

FIDE_2023_12 = amend(
    FIDE_2022_11,
    "fide-2023-12",
    date(2023, 12, 25),
    "FIDE notice of December 2023 on registration",
    standard=lambda rules: replace(
        rules,
        registration=Rule(Notice(days=3), "0.2.2"),
        registration_norms=Rule(Notice(days=30), "B.01 1.1.1"),
        registration_strong=Rule(StrongField(above=2700, women_above=2500, notice=Notice(days=30)), "0.2.1"),
        late_registration=Rule(Body.QC, "0.2.4"),
        late_registration_strong=Rule(Body.PRESIDENT, "0.2.3"),
        articles={**rules.articles, "rated-unreported": "0.2"},
    ),
)

FIDE_2024 = amend(
    FIDE_2023_12,
    "fide-2024",
    date(2024, 3, 1),
    "FIDE rating regulations and rapid and blitz rating regulations from 1 March 2024",
    rest=Confidence.VERIFIED,
    every=lambda rules: replace(
        rules,
        entry_bonus=None,
        one_off_adjustment=Rule(
            OneOffAdjustment(on=date(2024, 3, 1), below=2000, share=Fraction(2, 5)), "notice 2024"
        ),
        arbiter_report_days=None,
        federation_report_days=None,
        articles={name: article for name, article in rules.articles.items() if name != "half"},
    ),
    standard=lambda rules: replace(
        rules,
        floor=Rule(1400, "7.1.4"),
        entry_formula=Rule(with_hypothetical_draws, "8.2.2"),
        entry_hypothetical=Rule(Hypothetical(opponents=2, rating=1800), "8.2.2"),
        entry_cap=Rule(2200, "8.2.3"),
        cap_rule=Rule(cap_every_game, "8.3.1"),
        report_due_days=Rule(5, "9.1"),
        report_within_lists=Rule(3, "9.1"),
        deaths_reported=Rule(True, "10.2"),
    ),
    quick=lambda rules: replace(
        rules,
        floor=Rule(1400, "RB 6.1.4"),
        entry_formula=Rule(with_hypothetical_draws, "RB 7.2.3"),
        entry_hypothetical=Rule(Hypothetical(opponents=2, rating=1800), "RB 7.2.3"),
        entry_cap=Rule(2200, "RB 7.2.4"),
        cap_rule=Rule(cap_every_game, "RB 7.3.1"),
        report_due_days=Rule(5, "RB 8.1"),
        report_within_lists=Rule(3, "RB 8.1"),
        deaths_reported=Rule(True, "RB 9.2"),
        articles={**rules.articles, "rated-unreported": "RB 0.2"},
    ),
)

FIDE_2024_12 = amend(
    FIDE_2024,
    "fide-2024-12",
    date(2024, 12, 1),
    "FIDE amendment of the rapid and blitz rules from 1 December 2024",
    every=lambda rules: replace(rules, one_off_adjustment=None),
    quick=lambda rules: replace(rules, unrated_gap=Rule(UnratedGap(gap=600, above=2600), "RB 7.3.1")),
)

FIDE_2025_09 = amend(
    FIDE_2024_12,
    "fide-2025-09",
    date(2025, 9, 1),
    "FIDE pilot of autumn 2025: three named events with 45+30 rated as standard",
    standard=lambda rules: replace(
        rules, fast_by_approval=Rule(FastTime(minutes=75, rounds_per_day=2, norms=False), "notice 2025")
    ),
)

FIDE_2025 = amend(
    FIDE_2025_09,
    "fide-2025",
    date(2025, 10, 1),
    "FIDE amendment of article 8.3.1 from 1 October 2025",
    standard=lambda rules: replace(rules, cap_exempt_from=Rule(2650, "8.3.1")),
)

FIDE_2026 = amend(
    FIDE_2025,
    "fide-2026",
    date(2026, 1, 1),
    "FIDE notice on faster time controls for the calendar of 2026",
    standard=lambda rules: replace(
        rules,
        fast_by_approval=Rule(FastTime(minutes=75, rounds_per_day=2, norms=True), "notice 2026", SECONDARY),
    ),
)

EDITIONS = (
    FIDE_2009,
    FIDE_2009_NOTICE,
    FIDE_2011,
    FIDE_2012,
    FSI_2012,
    FIDE_2013,
    FIDE_2014,
    FIDE_2017,
    FIDE_2020_11,
    FIDE_2021,
    FIDE_2022,
    FIDE_2022_10,
    FIDE_2022_11,
    FIDE_2023_12,
    FIDE_2024,
    FIDE_2024_12,
    FIDE_2025_09,
    FIDE_2025,
    FIDE_2026,
)

PROCEDURES = (
    cap_every_game,
    cap_one_game_per_event,
    round_change,
    round_new_rating,
    until_eighteenth_birthday,
    until_end_of_eighteenth_year,
    with_current_rating,
    with_entry_rating,
    all_games,
    all_games_or_rated_ones,
    as_one_tournament,
    mean_of_tranches,
    with_hypothetical_draws,
    months_after_first_tranche,
    months_with_the_lists_own,
    months_before_list,
)
"""What a federation's own edition may point to by name."""
