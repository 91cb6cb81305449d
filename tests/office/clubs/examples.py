"""Values with which the acts and queries of clubs work in the office of the demo."""

from datetime import date

from arpad.model.clubs import UnitKind
from arpad.model.declared import Upload
from arpad.office.clubs.acts import enter_club
from arpad.office.office import Office

JANUARY = date(2024, 1, 1)

GIVEN = {
    "club list": {"on": "2025-01-10"},
    "club show": {"on": "2025-01-10"},
    "club change": {"set": {"name": "Milano"}},
    "club from-report": {"clubs": {}},
    "club import": {"file": Upload("clubs.csv", b"code,name,kind\nTO1,Circolo di Torino,club\n")},
    "club import-members": {"file": Upload("members.csv", b"player,club,from\n1,MI1,2024-02-01\n")},
}


def prepare(office: Office) -> None:
    """Enter the clubs that the examples name."""
    enter_club(office, "LOM", "Lombardia", kind=UnitKind.REGION, since=JANUARY)
    enter_club(office, "MI1", "Circolo di Milano", region="LOM", since=JANUARY)
