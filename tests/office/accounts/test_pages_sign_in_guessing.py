"""Guessing a password or a code: each guess counts, wherever it is made and however many come at once."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from argon2 import extract_parameters

from arpad.model.errors import BadInput
from arpad.office.accounts import second_factor
from arpad.office.accounts import sessions as signing
from arpad.office.accounts.passwords import MOST_FAILURES, MOST_FAILURES_PER_ADDRESS, placeholder_password
from arpad.office.accounts.sessions import sign_in
from arpad.office.accounts.users import change_own_password
from arpad.office.office import Office
from arpad.web.requests import client_address
from tests.builders.site_fixtures import PASSWORD, copied, january


@pytest.fixture
def office(demo_folder: Path, tmp_path: Path) -> Iterator[Office]:
    """An office whose clock goes on whenever it is asked."""
    thousandths = iter(range(100_000))
    opened = copied(demo_folder, tmp_path)
    yield replace(opened, author="tests", now=lambda: january() + timedelta(milliseconds=next(thousandths)))
    opened.close()


def guess(office: Office, login: str, password: str = "wrong", place: str = "10.0.0.1") -> str:  # noqa: S107
    """How a guess ends."""
    try:
        sign_in(office, login, password, place)
    except BadInput as error:
        return error.code
    return "in"


def test_many_guesses_at_once_are_no_more_than_one_after_the_other(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[str] = []

    def slowly(_hashed: str, password: str) -> bool:
        looked_at.append(password)
        time.sleep(0.3)
        return False

    monkeypatch.setattr(signing, "is_password", slowly)
    with ThreadPoolExecutor(12) as pool:
        ended = list(pool.map(lambda number: guess(office, "officer", f"guess {number}"), range(12)))

    assert len(looked_at) <= MOST_FAILURES
    assert ended.count("locked-out") >= 12 - MOST_FAILURES


def test_a_successful_attempt_clears_the_login_but_not_the_address(office: Office) -> None:
    for _ in range(MOST_FAILURES_PER_ADDRESS // 3):
        for _ in range(3):
            assert guess(office, "officer") == "wrong-password"
        last = (
            guess(office, "arbiter", PASSWORD, "10.0.0.2"),
            guess(office, "officer", PASSWORD, "10.0.0.2"),
        )
        assert last == ("in", "in")

    assert guess(office, "arbiter", PASSWORD) == "locked-out"
    assert guess(office, "arbiter", PASSWORD, "10.0.0.2") == "in"


def test_successful_attempts_never_lock_an_address(office: Office) -> None:
    for _ in range(MOST_FAILURES_PER_ADDRESS + 1):
        assert guess(office, "officer", PASSWORD) == "in"


def test_the_present_password_is_not_guessed_from_an_open_session(office: Office) -> None:
    session = sign_in(office, "officer", PASSWORD, "::1")
    for _ in range(MOST_FAILURES):
        with pytest.raises(BadInput, match="wrong-own-password"):
            change_own_password(office, "officer", "guess", "fen-otto-lume-19", session)

    with pytest.raises(BadInput, match="locked-out"):
        change_own_password(office, "officer", PASSWORD, "fen-otto-lume-19", session)
    with pytest.raises(BadInput, match="locked-out"):
        second_factor.turn_on(office, "officer", PASSWORD, second_factor.new_secret(), "000000")
    assert guess(office, "officer", PASSWORD) == "in"  # a stranger's guesses and these do not add up


def test_the_second_factor_is_not_ended_by_guessing_codes(office: Office) -> None:
    secret = second_factor.new_secret()
    now = int(office.now().timestamp()) // 30
    kept = second_factor.turn_on(office, "officer", PASSWORD, secret, second_factor.code_at(secret, now))
    for _ in range(MOST_FAILURES):
        with pytest.raises(BadInput, match="wrong-code"):
            second_factor.turn_off(office, "officer", PASSWORD, "")

    with pytest.raises(BadInput, match="locked-out"):
        second_factor.turn_off(office, "officer", PASSWORD, kept[0])


def test_a_login_that_is_nobodys_is_looked_at_as_long(office: Office) -> None:
    with office.store.reading() as connection:
        kept = connection.exec_driver_sql("SELECT password FROM users WHERE login = 'officer'").scalar_one()

    assert extract_parameters(placeholder_password()) == extract_parameters(str(kept))
    placeholder_password.cache_clear()
    assert guess(office, "officer") == "wrong-password"
    assert (
        placeholder_password.cache_info().currsize == 1
    )  # nor does the first of them wait for it to be made


@pytest.mark.parametrize(
    ("host", "place"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("::1", "::1"),
        ("testclient", "testclient"),
    ],
)
def test_a_network_of_the_newer_kind_is_one_place(host: str, place: str) -> None:
    connection = cast("Any", SimpleNamespace(client=SimpleNamespace(host=host)))

    assert client_address(connection) == place
