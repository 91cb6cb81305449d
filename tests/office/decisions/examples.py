"""Values with which the acts about decisions work in the office of the demo."""

from arpad.office.decisions.acts import appeal, decide
from arpad.office.office import Office

GIVEN = {"decide": {"report": 1}}


def prepare(office: Office) -> None:
    """Take a decision against which somebody appeals."""
    decision = decide(office, "not-rated", report=1, reason="no arbiter").decision
    appeal(office, decision, by="Circolo di Monza", reason="there was one")
