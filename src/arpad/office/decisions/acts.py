"""Officers' decisions about reports, players, federations and lists; each has a reason, can be revoked and appealed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal

from sqlalchemy import Connection

from arpad.explain.words import Words
from arpad.model.canonical_json import dump, load
from arpad.model.declared import Accepts
from arpad.model.draughts import FMJD_MOST, category_named
from arpad.model.errors import BadInput, NoEdition
from arpad.model.rules import LISTS, Body, ListName, Rule
from arpad.office.declared import FederationCode, ListChosen, PlayerNumber, Reason, ReportNumber, act
from arpad.office.editions.acts import category_names, chess_rules
from arpad.office.office import ActContext, local_day
from arpad.office.register import rows as register
from arpad.office.reports import rows
from arpad.office.reports import rows as stored_decisions
from arpad.office.reports.fact_forms import facts_in_words
from arpad.office.reports.rows import COUNTS, FACT, UNRATED, Decision
from arpad.office.reports.stated_facts import list_after_facts, players_not_in_report, stated_document
from arpad.office.reports.status import report_on_file
from arpad.office.reports.tables import decisions, revocations
from arpad.office.users import Permission, Role, User, officer_of_all
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.systems import system_named, system_of
from arpad.reports.event_facts import FACT_TYPES
from arpad.reports.report import MIRROR
from arpad.reports.time_control import read_time_control
from arpad.store import ledger


@dataclass(frozen=True, slots=True)
class DecisionKind:
    """A kind of decision: what it concerns and which values it needs; ``decision_articles`` has its article."""

    about: str
    """``report``, ``player``, ``federation`` or ``list``."""

    needs: tuple[str, ...] = ()
    feature: str = ""
    """The feature without which nobody needs it; empty for one that every office may need."""

    @property
    def group(self) -> str:
        """The group under which the desk offers it: ``game`` for games and rounds of a report."""
        return "game" if {"round", "first", "last"} & {*self.needs} else self.about

    @property
    def parameters(self) -> list[str]:
        """The parameters of ``decide`` that it needs, as ``date`` and ``value.k``."""
        return [name if name in _ABOUT else f"value.{name}" for name in (self.about, *self.needs)]


_ABOUT = ("report", "player", "federation", "list", "date")
"""What a decision is about, each in a parameter of its own; everything else is a value."""


KINDS: Mapping[str, DecisionKind] = {
    FACT: DecisionKind("report"),
    "not-rated": DecisionKind("report"),
    "declared-unrated": DecisionKind("report"),
    "rated-unreported": DecisionKind("report"),
    COUNTS: DecisionKind("report", ("list",)),
    "official": DecisionKind("report"),
    "longer-approved": DecisionKind("report"),
    "late-registration": DecisionKind("report"),
    "by-round": DecisionKind("report"),
    "rounds": DecisionKind("report", ("first", "last")),
    "result": DecisionKind("report", ("number", "round", "result")),
    "k": DecisionKind("player", ("list", "date", "k")),
    "capital": DecisionKind("player", ("list", "capital"), "draughts"),
    "category": DecisionKind("player", ("list", "date", "category")),
    "fmjd": DecisionKind("player", ("date", "fmjd"), "draughts"),
    "last-event": DecisionKind("list", ("date",), "draughts"),
    "leave-out": DecisionKind("player", ("date",)),
    "dispensation": DecisionKind("player", ("date",)),
    "suspended": DecisionKind("federation", ("date",)),
    "rating-officer": DecisionKind("federation", ("name",)),
}
DRAUGHTS_ONLY = ("capital", "category", "last-event")


def _may_decide(connection: Connection, user: User, given: Mapping[str, Any]) -> bool:
    """Return whether an officer may take a decision: officers of its federation state the facts of a report."""
    about_facts = states_facts(given["kind"]) and given["report"] is not None
    federation = report_on_file(connection, given["report"]).federation if about_facts else ""
    return user.may(Role.OFFICER, federation)


OF_ALL = officer_of_all("decide")
Kind = Annotated[str, Accepts("not-rated", longest=60, word="decision-kind", personal=False)]
Values = Annotated[dict[str, str], Accepts("k=20", longest=500, word="decision-values", personal=True)]
DecisionDay = Annotated[date, Accepts("2025-01-10", word="decision-day")]
DecisionNumber = Annotated[int, Accepts("1", word="decision")]
AppealNumber = Annotated[int, Accepts("2", word="appeal")]
AppealBy = Annotated[str, Accepts("Circolo di Monza", word="appeal-by", personal=True)]
Outcome = Annotated[Literal["upheld", "rejected"], Accepts("upheld", word="appeal-outcome")]


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision that was recorded, with the article that allows it."""

    decision: int
    article: str | None
    done: str
    """``decided``, or ``decided-by`` with an article."""


@dataclass(frozen=True, slots=True)
class Revoked:
    """A decision that was revoked."""

    decision: int


@dataclass(frozen=True, slots=True)
class Appealed:
    """An appeal against a decision."""

    appeal: int
    decision: int


@dataclass(frozen=True, slots=True)
class Settled:
    """An appeal with its outcome."""

    appeal: int
    outcome: str


@act(
    "decide", Permission(Role.OFFICER, "decide", _may_decide), says="decisions.{done}", page="/desk/decisions"
)
def decide(
    act: ActContext,
    kind: Kind,
    *,
    report: ReportNumber | None = None,
    player: PlayerNumber | None = None,
    federation: FederationCode = "",
    list_: ListChosen | None = None,
    date_: DecisionDay | None = None,
    value: Values = {},  # noqa: B006  nobody changes it
    reason: Reason,
) -> Decided:
    """Enter an officer's decision (2024 9.3; 2017 13.1, 13.2, 13.3).

    It is about a report, a player or a federation. Published lists change only by a revision.

    The decision ``fact`` states what the report or its sender did not, or corrects it: any fact that --facts can hold,
    as kind=swiss, national_championship=yes, time_control=15+10, list=rapid, players.3.k=20. NAME=unknown takes one
    back.
    """
    stated = dict(value)
    if kind != FACT and states_facts(kind):
        kind, stated = FACT, stated or {kind.replace("-", "_"): "yes"}
    if kind == FACT and report is not None:
        return _state_facts(act, report, stated | ({"list": str(list_)} if list_ else {}))
    needed = KINDS.get(kind)
    if needed is None:
        raise BadInput("decision-kind", option="kind", kind=kind, accepted=", ".join(KINDS))
    values: dict[str, Any] = {name: _number_or_text(name, text) for name, text in stated.items()}
    given = dict(zip(_ABOUT, (report, player, federation or None, list_, date_), strict=True)) | {
        f"value.{name}": number for name, number in values.items()
    }
    if missing := [name for name in needed.parameters if given.get(name) is None]:
        raise BadInput(
            "decision-needs",
            option=missing[0],
            kind=kind,
            missing=", ".join(name.removeprefix("value.") for name in missing),
        )
    checked = _check_value(act.connection, kind, report, player, list_, date_, values)
    row = {
        "kind": kind, "report": report, "player": player, "federation": federation or None,
        "list": str(list_) if list_ else None, "day": str(date_) if date_ else None,
    }  # fmt: skip
    return _store(act, row, checked)


def _number_or_text(name: str, text: str) -> int | str:
    return int(text) if text.isascii() and text.isdecimal() and name != "result" else text


def _state_facts(act: ActContext, report: int, stated: Mapping[str, str]) -> Decided:
    """Record a decision that states facts about a report by their names; the value ``unknown`` takes a fact back.

    Another list or time control moves the report to the list where it then belongs.
    """
    filed = report_on_file(act.connection, report)
    value = stated_document(stated)
    if not value:
        raise BadInput("nothing-stated")
    control = value.get("time_control")
    if control is not None and not read_time_control(control).readable:
        raise BadInput(
            "facts-value",
            option="time_control",
            key="time_control",
            value=control,
            accepted="90+30, 15+10, 3+2",
        )
    if unknown := players_not_in_report(act.connection, filed, value):
        raise BadInput("match-nobody", number=unknown[0], report=report)
    on_list = list_after_facts(
        act.connection, filed, stored_decisions.decisions_in_force(act.connection), value
    )
    if value.get("weight") is not None and not system_of(on_list or filed.list).rates_again:
        raise BadInput("weight-draughts-only", report=report)
    row = {
        "kind": FACT, "report": report, "player": None, "federation": None,
        "list": str(on_list) if on_list else None, "day": None,
    }  # fmt: skip
    return _store(act, row, value)


def _store(act: ActContext, row: dict[str, Any], value: dict[str, Any]) -> Decided:
    """Store a decision and the details of its act; return it with its article."""
    number = act.add(decisions, **row, value=dump(value))
    act.record(decision=number, **{name: v for name, v in row.items() if v is not None}, value=value)
    article = article_of(act.connection, _in_force(act.connection, number), act.today) or None
    return Decided(number, article, "decided-by" if article else "decided")


def states_facts(kind: str) -> bool:
    """Return whether a kind of decision states facts: it is ``fact``, or the name of a fact."""
    return kind == FACT or (kind not in KINDS and kind.replace("-", "_") in FACT_TYPES)


@act("revoke", OF_ALL, says="decisions.revoked", page="/desk/decisions")
def revoke(act: ActContext, decision: DecisionNumber, *, reason: Reason) -> Revoked:
    """Revoke a decision; its record remains."""
    _in_force(act.connection, decision)
    act.revoke(revocations, decision)
    return Revoked(decision)


@act("appeal", OF_ALL, says="decisions.appealed", page="/desk/decisions")
def appeal(act: ActContext, decision: DecisionNumber, *, by: AppealBy, reason: Reason) -> Appealed:
    """Enter an organiser's appeal against a decision (0.5, 0.4).

    It must arrive within the days that the edition gives.
    """
    appealed = _in_force(act.connection, decision)
    decided_on = local_day(act.connection, ledger.act(act.connection, appealed.act).at)
    last = decided_on + timedelta(days=appeal_days(act.connection, appealed))
    if act.today > last:
        raise BadInput("appeal-late", option="decision", decision=decision, last=last)
    number = act.add(
        decisions, kind="appeal", report=appealed.report, player=appealed.player, federation=appealed.federation,
        list=None, day=None, value=dump({"decision": decision, "by": by}),
    )  # fmt: skip
    act.record(appeal=number)
    return Appealed(number, decision)


@act("settle", OF_ALL, says="decisions.settled", page="/desk/decisions")
def settle(act: ActContext, appeal: AppealNumber, outcome: Outcome, *, reason: Reason) -> Settled:
    """Enter the outcome of an appeal. If it is upheld, the decision is revoked."""
    about = load(_in_force(act.connection, appeal, kind="appeal", parameter="appeal").value)["decision"]
    act.revoke(revocations, appeal)
    if outcome == "upheld":
        _in_force(act.connection, about)
        act.revoke(revocations, about)
    act.record(decision=about)
    return Settled(appeal, outcome)


def _check_value(
    connection: Connection,
    kind: str,
    report: int | None,
    player: int | None,
    on_list: ListName | None,
    day: date | None,
    value: dict[str, int | str],
) -> dict[str, Any]:
    """Check that the report and the player exist and the values are allowed; return the values."""
    if report is not None and report not in rows.filed(connection, [report]):
        raise BadInput("no-report", option="report", report=report)
    if player is not None and player not in register.load_people(connection, [player]):
        raise BadInput("no-player", option="player", player=player)
    for name in ("k", "capital", "number", "round", "first", "last"):
        if name in value and (not isinstance(value[name], int) or int(value[name]) < 0):
            raise _wrong_value(name, value[name], "0, 1, 2 …")
    own = on_list is not None and on_list.is_own
    if on_list is not None and own and kind not in (COUNTS, *UNRATED):
        _check_own_k(kind, on_list, value)
    if kind == COUNTS and not own:
        raise BadInput("own-list-only", option="list", kind=kind, list=str(on_list))
    if kind == "result" and value["result"] not in tuple(MIRROR):
        raise _wrong_value("result", value["result"], "1 = 0 + - W D L")
    if kind == "category" and on_list is not None and day is not None and not _has_categories(on_list):
        names = category_names(connection, on_list, day)
        if value["category"] not in names:
            accepted = ", ".join(names) or "–"
            raise _wrong_value("category", value["category"], accepted)
        return dict(value)
    return _check_draughts_value(kind, on_list, value)


def _check_own_k(kind: str, on_list: ListName, value: Mapping[str, int | str]) -> None:
    """Check the K of a player on a list of the office's own; refuse it if the system has none."""
    system = system_named(on_list.system)
    if kind != "k" or not system.k_field:
        raise BadInput("own-list-decision", option="kind", kind=kind, list=str(on_list))
    next(field for field in system.fields if field.name == system.k_field).read(value["k"], "value.k")


def _wrong_value(name: str, value: int | str, accepted: str) -> BadInput:
    option = name if name in _ABOUT else f"value.{name}"
    return BadInput("decision-value", option=option, name=name, value=value, accepted=accepted)


def _has_categories(on_list: ListName | None) -> bool:
    return on_list is not None and system_of(on_list).has_categories


def _check_draughts_value(kind: str, on_list: ListName | None, value: dict[str, int | str]) -> dict[str, Any]:
    """Check the values of decisions about draughts; return the values, with the full name of a category."""
    fmjd = value.get("fmjd", FMJD_MOST)
    if not isinstance(fmjd, int) or not 1 <= fmjd <= FMJD_MOST:
        raise _wrong_value("fmjd", fmjd, f"1–{FMJD_MOST}")
    if kind in DRAUGHTS_ONLY and not _has_categories(on_list):
        accepted = ", ".join(sorted(it for it in LISTS if _has_categories(it)))
        raise _wrong_value("list", str(on_list), accepted)
    if "category" in value:
        value = {**value, "category": str(category_named(str(value["category"])))}
    return value


def _in_force(connection: Connection, number: int, kind: str = "", parameter: str = "decision") -> Decision:
    """Return a decision that is not revoked; raise if there is none with this number and kind."""
    for decision in stored_decisions.decisions_in_force(connection):
        if decision.id == number and (not kind or decision.kind == kind):
            return decision
    raise BadInput("no-decision", option=parameter, decision=number)


def appeal_days(connection: Connection, decision: Decision) -> int:
    """Return the days within which a decision can be appealed against (0.5).

    If there is no dated chess report under a known edition, they are those of the newest FIDE edition.
    """
    filed = None if decision.report is None else rows.filed(connection, [decision.report])[decision.report]
    if filed is not None and filed.first_day is not None and not system_of(filed.list).rates_again:
        try:
            return chess_rules(connection, filed.list, filed.first_day).appeal_days.value
        except NoEdition:
            pass
    return in_force(CHESS_EDITIONS, ListName.STANDARD, date.max).on(ListName.STANDARD).appeal_days.value


_BY_RULE: Mapping[str, Callable[[ChessRules], Rule[Any] | None]] = {
    "not-rated": lambda rules: rules.appeal_days,
    "appeal": lambda rules: rules.appeal_days,
    "official": lambda rules: rules.official_always_rated,
    "longer-approved": lambda rules: rules.longer_by_approval,
    "by-round": lambda rules: rules.ratings_by_round,
    "rounds": lambda rules: rules.interim_after_days,
    "k": lambda rules: rules.k_usual,
    "category": lambda rules: rules.categories,
    "hybrid-approved": lambda rules: rules.hybrid_by_approval,
    "fast-approved": lambda rules: rules.fast_by_approval,
    "match-waived": lambda rules: rules.match_waiver,
    "taken-out": lambda rules: rules.games_excepted,
}
"""Decisions and stated facts whose article is that of a rule."""

_BY_STEP = {
    "declared-unrated": "declared-unrated",
    "rated-unreported": "rated-unreported",
    "leave-out": "leave-out",
    "dispensation": "dispensation",
    "suspended": "federation",
    "rating-officer": "rating-officer",
}
"""Decisions whose article is one of ``ChessRules.articles``, by its name there."""

_DRAUGHTS = {"capital": "Tab. 12", "category": "Tab. 12", "fmjd": "Tab. 22", "last-event": "Tab. 18"}


def article_for(kind: str, rules: ChessRules, value: Mapping[str, Any] | None = None) -> str:
    """Return the article of an edition on a kind of decision; empty if the edition has no such decision.

    Articles (0.2, 0.2.3, 0.2.4, 0.4, 9.3, 10.1, RB 0.2).
    """
    name = kind.replace("_", "-")
    if name.startswith("late-registration"):
        strong = rules.late_registration_strong
        if strong is not None and (value or {}).get("late_registration_by") == Body.PRESIDENT:
            return strong.article
        return (rules.late_registration or rules.registration).article
    if name in _BY_STEP:
        return rules.articles.get(_BY_STEP[name], "")
    rule = _BY_RULE[name](rules) if name in _BY_RULE else None
    return rule.article if rule else ""


def article_of(connection: Connection, decision: Decision, decided_on: date | None = None) -> str:
    """Return the article of a decision, by the edition on the first day of the event, else of the list or decision.

    ``decided_on`` is the day of a decision that is not in the ledger yet.
    """
    if decision.list not in (None, *LISTS):
        return ""
    on_list, day = ListName(decision.list or ListName.STANDARD), decision.day
    if decision.kind in _DRAUGHTS and not (decision.kind == "category" and system_of(on_list).has_titles):
        return _DRAUGHTS[decision.kind]
    if decision.report is not None:
        filed = rows.filed(connection, [decision.report])[decision.report]
        on_list, day = filed.list, str(filed.first_day) if filed.first_day else None
    if not system_of(on_list).has_titles:
        return ""
    if day is None and decided_on is not None:
        day = str(decided_on)
    if day is None:
        moment = datetime.fromisoformat(ledger.act(connection, decision.act).at)
        day = str(local_day(connection, moment))
    try:
        rules = chess_rules(connection, on_list, date.fromisoformat(day))
    except NoEdition:
        return ""
    value = load(decision.value)
    stated = [article_for(name, rules, value) for name in value] if decision.kind == "fact" else []
    return ", ".join(dict.fromkeys(filter(None, stated))) or article_for(decision.kind, rules, value)


@dataclass(frozen=True, slots=True)
class Named:
    """The reports and the players of decisions, by their numbers."""

    reports: Mapping[int, str]
    players: Mapping[int, str]


def names_in(connection: Connection, decisions: Sequence[Decision]) -> Named:
    """Return the names of what decisions are about."""
    filed = rows.filed(connection, [it.report for it in decisions if it.report is not None])
    people = register.load_people(connection, [it.player for it in decisions if it.player is not None])
    return Named(
        {number: it.name or it.file for number, it in filed.items()},
        {number: it.name for number, it in people.items()},
    )


def decision_sentence(decision: Decision, named: Named, words: Words) -> str:
    """Return what a decision says: ``K of Ravistri, Sandro is 10 on the list of 1 March 2025 (standard).``."""
    value: dict[str, Any] = load(decision.value)
    facts: dict[str, Any] = {} if decision.kind == FACT else value
    if "category" in facts and words.has(f"category.{facts['category']}"):
        facts = {**facts, "category": words.text(f"category.{facts['category']}")}
    return words.text(
        f"decided.{decision.kind}",
        **facts,
        report=named.reports.get(decision.report or 0, ""),
        player=named.players.get(decision.player or 0, ""),
        federation=decision.federation or "",
        list=words.text(f"site.list-{decision.list}") if decision.list else "",
        day=date.fromisoformat(decision.day) if decision.day else "",
        facts="; ".join(words.labelled(*it) for it in facts_in_words(value, words))
        if decision.kind == FACT
        else "",
    )
