"""Which mails a user gets; and the mail about a sign-in from a new place, of which hardly anything is stored."""

from collections.abc import Iterator

import pytest

from arpad.model.errors import BadInput
from arpad.office.accounts.mail_choices import browser_family, choice_of, choose_mails, place_mark
from arpad.office.accounts.sessions import sign_in
from arpad.office.office import Office
from tests.builders.offices import Clock, Desk
from tests.office.mail.mail_office import PASSWORD, add_person, mails_of, set_up_mail

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:{}) Gecko/20100101 Firefox/{}"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    folder = tmp_path_factory.mktemp("office")
    made = Desk.made(str(folder / "office.db"), folder, Clock()).office
    set_up_mail(made, 25)
    add_person(made, "anna")
    yield made
    made.close()


def test_a_sign_in_from_a_new_network_or_browser_is_told_once(office: Office) -> None:
    def told_after(address: str, browser: str) -> int:
        sign_in(office, "anna", PASSWORD, address, browser=browser)
        return len([job for job in mails_of(office) if job.payload["mail"] == "sign-in"])

    assert told_after("192.0.2.1", FIREFOX.format(1, 1)) == 0  # the first one is no news
    assert told_after("192.0.99.7", FIREFOX.format(2, 2)) == 0
    assert told_after("198.51.100.1", FIREFOX.format(2, 2)) == 1
    assert told_after("198.51.100.1", FIREFOX.format(2, 2)) == 1
    assert told_after("192.0.2.1", "curl/8") == 2
    choose_mails(office, "anna", address="anna@example.org", language="en", without=["sign-in"])
    assert told_after("203.0.113.1", "curl/8") == 2


def test_a_place_is_stored_as_two_bytes() -> None:
    assert len(place_mark(1, "192.0.2.1", "curl/8")) == 4
    assert place_mark(1, "2001:db8::1", "") == place_mark(1, "2001:db8:0:9::2", "")
    assert place_mark(1, "192.0.2.1", "") != place_mark(2, "192.0.2.1", "")
    assert place_mark(1, "unknown", "") == place_mark(1, "", "")


@pytest.mark.parametrize(
    ("browser", "family"),
    [
        (FIREFOX, "Firefox"),
        ("… Chrome/1 Safari/1 Edg/1", "Edge"),
        ("… Chrome/1 Safari/1", "Chrome"),
        ("x", ""),
    ],
)
def test_of_a_browser_only_the_family_counts(browser: str, family: str) -> None:
    assert browser_family(browser) == family


@pytest.mark.parametrize(
    ("address", "language", "unwanted", "code"),
    [
        ("anna", "it", [], "bad-address"),
        ("anna@example.org", "xx", [], "value-unknown"),
        ("anna@example.org", "it", ["invitation"], "value-unknown"),
    ],
)
def test_other_choices_are_refused(
    office: Office, address: str, language: str, unwanted: list[str], code: str
) -> None:
    before = choice_of(office, "anna")
    with pytest.raises(BadInput, match=code):
        choose_mails(office, "anna", address=address, language=language, without=unwanted)
    assert choice_of(office, "anna") == before


def test_an_unknown_user_has_no_choice(office: Office) -> None:
    with pytest.raises(BadInput, match="no-such-user"):
        choice_of(office, "x")
    with pytest.raises(BadInput, match="no-such-user"):
        choose_mails(office, "x", address="", language="it")
