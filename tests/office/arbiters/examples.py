"""Values with which the acts and queries of arbiters work in the office of the demo."""

from arpad.model.declared import Upload
from arpad.office.arbiters.acts import register_arbiter
from arpad.office.office import Office

GIVEN = {
    "arbiter register": {"fide": "800124", "federation": "ITA", "title": "IA", "since": "2025-01-01"},
    "arbiter change": {"set": {"title": "FA"}},
    "arbiter import": {"file": Upload("arbiters.csv", b"name,fide,title\nBianchi Anna,800125,FA\n")},
}


def prepare(office: Office) -> None:
    """Enter the arbiter whom the examples name."""
    register_arbiter(office, "Neri, Anna", fide="800123", federation="ITA")
