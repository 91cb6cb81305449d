"""The secrets of second factors are encrypted with a key outside the database."""

import stat
from datetime import date
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from sqlalchemy import select, update

from arpad.model.errors import BadInput
from arpad.office.accounts import keys, second_factor
from arpad.office.accounts.sessions import sign_in
from arpad.office.users import Grant, Role
from arpad.office.webhooks.acts import add_webhook
from arpad.store.schema import users
from arpad.store.written_rows import end_collecting
from tests.builders.offices import Desk
from tests.builders.site_fixtures import PASSWORD
from tests.builders.users import add_user
from tests.builders.verbs import backup
from tests.commands import refusal, run_json

CLOCK = 1514808000  # noon of 1 January 2018, where the clock of a made office stands


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (keys.KEYS, keys.KEY_FILE):
        monkeypatch.delenv(name, raising=False)


def with_factor(desk: Desk, login: str = "anna") -> tuple[str, tuple[str, ...]]:
    """Somebody with a second factor: the secret, and the codes on paper."""
    add_user(desk.office, login, login, PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    secret = second_factor.new_secret()
    code = second_factor.code_at(secret, CLOCK // 30)
    return secret, second_factor.turn_on(desk.office, login, PASSWORD, secret, code)


def kept(desk: Desk, login: str = "anna") -> str:
    with desk.office.store.reading() as connection:
        query = select(users.c.factor).where(users.c.login == login)
        return str(connection.execute(query).scalar_one())


def signs_in(desk: Desk, code: str, login: str = "anna") -> bool:
    try:
        return bool(sign_in(desk.office, login, PASSWORD, "here", code=code))
    except BadInput:
        return False


def key_file(desk: Desk) -> Path:
    return Path(f"{desk.place}.key")


def later(secret: str) -> str:
    """The code of the next half minute: the present one was used to begin."""
    return second_factor.code_at(secret, CLOCK // 30 + 1)


def test_neither_the_database_nor_its_backup_contains_a_secret(sqlite_desk: Desk, tmp_path: Path) -> None:
    secret, _ = with_factor(sqlite_desk)
    backup(sqlite_desk.office, tmp_path / "office.zip")
    sqlite_desk.office.close()
    for path in (Path(sqlite_desk.place), tmp_path / "office.zip", key_file(sqlite_desk)):
        assert secret.encode() not in path.read_bytes()
    assert kept(sqlite_desk).startswith("fernet:")
    assert stat.S_IMODE(key_file(sqlite_desk).stat().st_mode) == 0o600
    assert signs_in(sqlite_desk, later(secret))


def test_a_secret_is_valid_only_for_its_user(sqlite_desk: Desk) -> None:
    secret, _ = with_factor(sqlite_desk)
    with_factor(sqlite_desk, "bea")
    with sqlite_desk.office.store.writing() as connection:
        end_collecting(connection)
        connection.execute(update(users).where(users.c.login == "bea").values(factor=kept(sqlite_desk)))
    assert not signs_in(sqlite_desk, later(secret), "bea")
    assert signs_in(sqlite_desk, later(secret))


def test_without_the_key_only_recovery_codes_work(sqlite_desk: Desk) -> None:
    secret, on_paper = with_factor(sqlite_desk)
    lost = key_file(sqlite_desk).read_bytes()
    key_file(sqlite_desk).unlink()
    assert not signs_in(sqlite_desk, later(secret))
    assert signs_in(sqlite_desk, on_paper[0])
    with pytest.raises(BadInput, match="key-missing"):
        with_factor(sqlite_desk, "bea")
    assert not key_file(sqlite_desk).exists()
    key_file(sqlite_desk).write_bytes(Fernet.generate_key())
    assert not signs_in(sqlite_desk, later(secret))
    key_file(sqlite_desk).write_bytes(lost)
    assert signs_in(sqlite_desk, later(secret))


def test_a_key_is_replaced(sqlite_desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    secret, _ = with_factor(sqlite_desk)
    before, old = kept(sqlite_desk), key_file(sqlite_desk).read_text()
    sqlite_desk.office.close()
    assert run_json(capsys, "office", "rotate-key", "--db", sqlite_desk.place)["secrets"] == 1
    new = key_file(sqlite_desk).read_text()
    assert new != old
    assert len(new.split()) == 1
    assert kept(sqlite_desk) != before
    assert stat.S_IMODE(key_file(sqlite_desk).stat().st_mode) == 0o600
    assert signs_in(sqlite_desk, later(secret))


def test_a_rotation_that_was_killed_is_completed_by_the_next(
    sqlite_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, _ = with_factor(sqlite_desk)

    def killed(*_: object) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(keys, "seal_secret", killed)
        with pytest.raises(KeyboardInterrupt):
            keys.rotate_key(sqlite_desk.office)
    assert len(key_file(sqlite_desk).read_text().split()) == 2
    assert keys.rotate_key(sqlite_desk.office) == 1
    assert len(key_file(sqlite_desk).read_text().split()) == 1
    assert signs_in(sqlite_desk, later(secret))


def test_keys_of_the_environment(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """PostgreSQL has no place beside it: somebody must say where the key is."""
    desk.on(date(2018, 1, 1))
    if desk.place.startswith("postgresql"):
        with pytest.raises(BadInput, match="key-unset-factor"):
            with_factor(desk)
        with pytest.raises(BadInput, match="key-unset-webhook"):
            add_webhook(desk.office, "http://127.0.0.1:9/hook", private_host="127.0.0.1")
        with pytest.raises(BadInput, match=r"key-unset$"):
            keys.rotate_key(desk.office)
        desk.clock.day = date(2018, 1, 1)
    monkeypatch.setenv(keys.KEY_FILE, str(tmp_path / "other.key"))
    with_factor(desk, "bea")
    assert (tmp_path / "other.key").exists()
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    in_file = (tmp_path / "other.key").read_text().strip()
    monkeypatch.setenv(keys.KEYS, f"{old},{in_file}")
    secret, _ = with_factor(desk, "carla")
    monkeypatch.setenv(keys.KEYS, f"{new},{old},{in_file}")
    assert keys.rotate_key(desk.office) == 2
    monkeypatch.setenv(keys.KEYS, new)
    assert signs_in(desk, later(secret), "carla")
    monkeypatch.setenv(keys.KEYS, old)
    assert not signs_in(desk, later(secret), "carla")
    with pytest.raises(BadInput, match="key-other"):
        keys.rotate_key(desk.office)


def test_an_invalid_key_is_refused_in_one_sentence(
    sqlite_desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with_factor(sqlite_desk)
    monkeypatch.setenv(keys.KEYS, "not a key")
    asked = ("office", "rotate-key", "--db", sqlite_desk.place, "--lang", "it")
    assert "non si legge nessuna chiave" in refusal(capsys, *asked)
