"""The menu of the desk: who sees which pages, and that each of them is a page that this user may open."""

import pytest

from arpad.office.users import Grant, Role, User
from arpad.web.desk_menu import DAILY, SET_UP, desk_menu
from tests.builders.site_fixtures import PEOPLE, Served


def menu(roles: list[Grant], path: str, off: tuple[str, ...] = ()) -> tuple[dict[str, list[str]], str]:
    """Return the addresses of the menu by group, and where the other menu begins."""
    found = desk_menu(User(1, "ada", "Ada", tuple(roles)), off, path)
    return {group: [page.address for page in pages] for group, pages in found.groups}, found.other_address


def test_an_officer_has_five_groups_and_set_up_apart() -> None:
    groups, other = menu([Grant(Role.OFFICER)], "/desk")
    assert list(groups) == ["reports", "lists", "players", "tournaments", "office"]
    assert not any("/desk/numbers" in pages for pages in groups.values())
    assert other == "/desk/numbers"


def test_an_arbiter_has_the_own_reports_and_tournaments_in_progress() -> None:
    assert menu([Grant(Role.ARBITER)], "/desk") == ({"reports": ["/desk", "/desk/running"]}, "")
    assert menu([Grant(Role.ARBITER)], "/desk", ("running",)) == ({"reports": ["/desk"]}, "")


def test_an_officer_of_one_federation_publishes_no_lists() -> None:
    groups, _ = menu([Grant(Role.OFFICER, "FRA")], "/desk")
    assert "lists" not in groups


def test_an_administrator_sets_up_and_has_no_daily_work() -> None:
    groups, other = menu([Grant(Role.ADMINISTRATOR)], "/admin")
    assert (list(groups), other) == (["settings", "rules"], "")
    both = [Grant(Role.ADMINISTRATOR), Grant(Role.OFFICER)]
    assert menu(both, "/desk/aliases")[1] == "/desk"


def test_a_feature_that_is_not_there_has_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "/desk/titles" in menu([Grant(Role.OFFICER)], "/desk")[0]["players"]
    monkeypatch.setattr("arpad.web.desk_menu.FEATURES", {"fees": None})
    groups, _ = menu([Grant(Role.OFFICER)], "/desk")
    assert "/desk/titles" not in groups["players"]
    assert "/desk/fees" in groups["tournaments"]


def test_a_page_below_another_is_found() -> None:
    user = User(1, "ada", "Ada", (Grant(Role.OFFICER),))
    here = {
        path: desk_menu(user, (), path).here
        for path in ("/desk", "/desk/draft", "/desk/players/12", "/desk/new")
    }
    assert here == {
        "/desk": "today",
        "/desk/draft": "periods",
        "/desk/players/12": "players",
        "/desk/new": "",
    }


@pytest.mark.parametrize("login", list(PEOPLE))
def test_everybody_may_open_what_the_menu_offers(served: Served, login: str) -> None:
    user, client = User(1, login, "", tuple(PEOPLE[login])), served.client(login)
    for page in (*DAILY, *SET_UP):
        if page.who.includes(user.grants):
            assert client.get(page.address).status_code == 200, page.address
