"""``arpad office init`` on a pseudo-terminal: questions, defaults and hidden input as a person has them."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from arpad.office.accounts.users import all_users
from arpad.office.features import features_left_out
from arpad.office.office import open_office
from arpad.office.settings.acts import all_settings
from arpad.office.switches import features_off
from arpad.office.verify.acts import verify

PATIENCE_SECONDS = 120.0
PASSWORD = "correct horse battery"  # noqa: S105  of nobody


class Terminal:
    """A command on a pseudo-terminal."""

    def __init__(self, folder: Path, *words: str, language: str = "en") -> None:
        self.ours, theirs = pty.openpty()
        env = {**os.environ, "ARPAD_LANG": language, "ARPAD_DB": "", "ARPAD_AUTHOR": "", "HOME": str(folder)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "arpad", *words], stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder,
            env=env, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self.text = ""

    def read_until(self, words: str) -> None:
        """Read until the words have come, or the program has ended."""
        start, until = len(self.text), time.monotonic() + PATIENCE_SECONDS
        while words not in self.text[start:] and time.monotonic() < until:
            ready, _, _ = select.select([self.ours], [], [], 0.2)
            try:
                data = os.read(self.ours, 4096) if ready else b""
            except OSError:  # closed by the program
                break
            self.text += data.decode(errors="replace")
        if words not in self.text[start:]:
            self.process.kill()
            self.end()
        assert words in self.text[start:], self.text

    def answer(self, question: str, text: str = "") -> None:
        self.read_until(question)
        os.write(self.ours, f"{text}\n".encode())

    def interrupt(self) -> None:
        """Press Ctrl+C until the process ends: between question and answer Python notices only the next one."""
        for _ in range(int(PATIENCE_SECONDS)):
            self.process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(1)
                return

    def end(self) -> int:
        """Return the exit status."""
        status = self.process.wait(PATIENCE_SECONDS)
        os.close(self.ours)
        return status


def begin(folder: Path) -> Terminal:
    terminal = Terminal(folder, "office", "init")
    terminal.answer("Language (", "it")
    terminal.answer("Disciplina (")
    terminal.answer("Che cosa serve alla federazione (", "national")
    terminal.answer("Sigla della federazione [ITA]", "esp")
    return terminal


def test_questions_have_defaults_and_the_office_is_made(tmp_path: Path) -> None:
    terminal = begin(tmp_path)
    terminal.answer("Nome dell'editore [Federazione ESP]", "Federación")
    terminal.answer("Fuso orario [Europe/Rome]", "Nowhere/Town")
    terminal.answer("Fuso orario [Europe/Rome]", "Europe/Madrid")
    terminal.answer("Numeri dei giocatori nei rapporti", "fide")
    terminal.answer("Archivio [office.db]")
    terminal.answer("Nome utente del primo account", "anna")
    # The blank after a question comes when the terminal shows no more letters; what is typed before is thrown away.
    terminal.answer("Password: ", PASSWORD)
    terminal.answer("La stessa password di nuovo: ", PASSWORD)
    terminal.answer("Nome nelle firme", "ratings.example.org")
    terminal.answer("File dell'ultima lista [-]")
    terminal.answer("Creare l'ufficio? [Y/n]")
    terminal.read_until("arpad serve --db office.db")
    assert terminal.end() == 0
    assert PASSWORD not in terminal.text
    assert "Tre lettere, come le scrive la FIDE" in terminal.text
    with closing(open_office(str(tmp_path / "office.db"))) as office:
        settings = all_settings(office)
        assert (settings["federation"], settings["name"], settings["time_zone"], settings["language"]) == (
            "ESP", "Federación", "Europe/Madrid", "it",
        )  # fmt: skip
        assert [user.login for user in all_users(office)] == ["anna"]
        with office.store.reading() as connection:
            assert features_off(connection) == set(features_left_out("national", "chess"))
        assert verify(office).intact
    assert (tmp_path / "office.db.signing-key").is_file()


@pytest.mark.parametrize("how", ["interrupt", pytest.param("no", marks=pytest.mark.deep)])
def test_a_cancelled_set_up_leaves_nothing(tmp_path: Path, how: str) -> None:
    terminal = begin(tmp_path)
    terminal.answer("Nome dell'editore")
    terminal.answer("Fuso orario")
    if how == "interrupt":
        terminal.read_until("Numeri dei giocatori")
        terminal.interrupt()
    else:
        terminal.answer("Numeri dei giocatori")
        terminal.answer("Archivio")
        terminal.answer("Nome utente", "-")
        terminal.answer("Nome nelle firme", "-")
        terminal.answer("File dell'ultima lista")
        terminal.answer("Creare l'ufficio?", "n")
    assert terminal.end() == (130 if how == "interrupt" else 0)
    assert list(tmp_path.glob("office*")) == []


@pytest.mark.deep
def test_a_list_that_cannot_be_taken_over_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("no list\n")
    terminal = begin(tmp_path)
    terminal.answer("Nome dell'editore")
    terminal.answer("Fuso orario")
    terminal.answer("Numeri dei giocatori")
    terminal.answer("Archivio")
    terminal.answer("Nome utente", "-")
    terminal.answer("Nome nelle firme")
    terminal.answer("File dell'ultima lista", "missing.txt")
    terminal.answer("File dell'ultima lista", "list.txt")
    terminal.answer("Che lista è")
    terminal.answer("Giorno della lista")
    terminal.answer("Creare l'ufficio?")
    assert terminal.end() == 2
    assert list(tmp_path.glob("office*")) == []
