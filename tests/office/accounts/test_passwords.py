"""Hashes of passwords."""

import argon2
import pytest
from argon2.profiles import RFC_9106_LOW_MEMORY

from arpad.office.accounts import passwords


def test_passwords_are_hashed_with_the_recommended_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(argon2, "PasswordHasher", argon2.PasswordHasher.func)  # type: ignore[attr-defined]  # cheap in tests

    hashed = passwords.hasher.__wrapped__().hash("a long sentence about nothing")

    assert argon2.extract_parameters(hashed) == RFC_9106_LOW_MEMORY
    assert passwords.is_password(hashed, "a long sentence about nothing")
    assert not passwords.is_password(hashed, "a short sentence about nothing")
