"""An own edition that requires membership: members, guests, others, and nobody known."""

from dataclasses import replace

from arpad.checks import check_event
from arpad.explain.words import load_words
from arpad.model.rules import Finding, Rule, Severity
from arpad.regulations.membership import Members
from arpad.reports.event_facts import EventFacts, KnownPlayer
from tests.builders.trf import case, report, some_rounds


def findings(value: Members | None, players: dict[str, KnownPlayer]) -> list[Finding]:
    made = case(report(some_rounds(4, 2), [2000, 1950, 1900, 1850]), "fide-2017")
    rule = Rule(value, "own 7") if value is not None else None
    rules = replace(made.rules, membership=rule)
    made = replace(made, rules=rules, facts=EventFacts(players=players))
    return [it for it in check_event(made) if it.code in ("not-a-member", "membership-unknown")]


REGISTER = {
    "1": KnownPlayer(member=True),
    "2": KnownPlayer(member=False),
    "3": KnownPlayer(member=False, guest=True),
    "4": KnownPlayer(member=True, guest=True),
}


def test_without_the_rule_nobody_needs_a_club() -> None:
    assert findings(None, REGISTER) == []


def test_a_player_of_the_federation_must_be_a_member() -> None:
    (finding,) = findings(Members.HOME, REGISTER)
    assert (finding.severity, finding.article, finding.player) == (Severity.ERROR, "own 7", 2)
    assert "not a member" in load_words("en").finding(finding)
    assert "non è socio" in load_words("it").finding(finding)


def test_an_edition_may_ask_it_of_guests_too() -> None:
    assert [finding.player for finding in findings(Members.ALL, REGISTER)] == [2, 3]


def test_without_an_office_membership_is_unknown() -> None:
    (finding,) = findings(Members.HOME, {})
    assert (finding.severity, finding.code, finding.article) == (Severity.INFO, "membership-unknown", "own 7")
    assert finding.facts["count"] == 4
