"""The command line: bad input in one sentence, both languages, pipes, help, and completion in a shell."""

import io
import json
import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from typer.main import get_command

from arpad import cli
from arpad.cli.common import console, table
from arpad.cli.program import VERBS, build
from arpad.explain.words import LANGUAGES
from arpad.reports.formats import write_report
from tests.builders.trf import report, some_rounds
from tests.commands import refusal, run, run_json
from tests.paths import EXAMPLES

CHANGE = ("calc", "change", "--edition", "fide-2017", "--rating", "1850", "--k", "20", "--game", "1900:1")


def test_people_read_a_minus_and_programs_a_hyphen(capsys: pytest.CaptureFixture[str]) -> None:
    lost = (*CHANGE[:-1], "1900:0")
    _, printed, _ = run(capsys, *lost)
    assert "−8.6" in printed
    assert "-8.6" not in printed
    document = json.dumps(run_json(capsys, *lost), ensure_ascii=False)
    assert "-8.6" in document
    assert "−8.6" not in document


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("calc", "change", "--rating", "-1", "--k", "20", "--game", "1900:1"), ("--rating", "0", "4000")),
        (("calc", "change", "--rating", "4001", "--k", "20", "--game", "1900:1"), ("--rating", "0", "4000")),
        (("calc", "change", "--rating", "x", "--k", "20", "--game", "1900:1"), ("--rating",)),
        (("calc", "change", "--rating", "1850", "--k", "20", "--game", "4001:1"), ("--game", "4000")),
        (("calc", "change", "--rating", "1850", "--k", "20", "--game", "1900:0.7"), ("--game", "0, 0.5, 1")),
        (("calc", "change", "--rating", "1850", "--k", "20", "--game", "1900:2"), ("--game", "0, 0.5, 1")),
        (("calc", "change", "--rating", "1850", "--k", "20", "--game", "1900"), ("--game", "OPPONENT:SCORE")),
        (("calc", "change", "--rating", "1850", "--k", "0", "--game", "1900:1"), ("--k", "1", "100")),
        (("calc", "change", "--rating", "1850", "--k", "20"), ("--game",)),
        ((*CHANGE[:2], "--k", "20", "--game", "1900:1"), ("--rating",)),
        ((*CHANGE, "--edition", "fide-1999"), ("fide-1999", "fide-2009", "fide-2026")),
        ((*CHANGE[:2], *CHANGE[4:], "--date", "2009-06-30"), ("2009", "1 July 2009")),
        ((*CHANGE, "--date", "2018-01-01"), ("--edition", "--date")),
        ((*CHANGE[:2], *CHANGE[4:], "--date", "1 July"), ("--date", "YYYY-MM-DD")),
        ((*CHANGE, "--list", "bullet"), ("--list", "standard, rapid, blitz")),
        ((*CHANGE[:2], "--edition", "fide-2009", *CHANGE[4:], "--list", "rapid"), ("fide-2009", "rapid")),
        ((*CHANGE, "--lang", "xx"), ("--lang", "it, en, fr")),
        ((*CHANGE, "--colour", "white"), ("--colour",)),
        (("calc", "initial", "--edition", "fide-2017"), ("--event",)),
        (("calc", "initial", "--edition", "fide-2017", "--event", ":1"), ("--event",)),
        (("calc", "initial", "--edition", "fide-2017", "--event", "1900,1900:2.5"), ("--event", "2.5", "2")),
        (("calc", "initial", "--edition", "fide-2017", "--event", "1900,1900:-1"), ("--event", "-1")),
        (("calc", "initial", "--edition", "fide-2017", "--event", "1900,1900"), ("--event", "R,R,")),
        (("calc", "initial", "--edition", "fide-2017", "--event", "1900,:1"), ("--event",)),
        (
            ("calc", "initial", "--edition", "fide-2017", "--event", "1900:1@yesterday"),
            ("--event", "yesterday"),
        ),
        (("calc", "k", "--rating", "1800", "--games", "-3", "--on", "2018-01-01"), ("--games",)),
        (
            ("calc", "k", "--rating", "1800", "--games", "3", "--born", "2030", "--on", "2018-01-01"),
            ("--born",),
        ),
        (("calc", "expected", "--rating", "1800"), ("--opponent",)),
        (("editions", "show", "fide-1999"), ("fide-1999",)),
        (("editions", "show", "missing.toml"), ("missing.toml",)),
        (("editions", "compare"), ("compare",)),
        (("recalculate",), ("recalculate",)),
        (("calc", "recalculate"), ("recalculate",)),
    ],
)
def test_bad_input_is_one_sentence(
    arguments: tuple[str, ...], parts: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = refusal(capsys, *arguments)
    assert all(part in sentence for part in parts), sentence


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ratte", "il comando ratte non esiste; forse rate?"),
        ("office pubblish", "il comando pubblish non esiste; forse publish?"),
        ("zzz", "il comando zzz non esiste; vedi --help"),
        ("rate", "manca FILE…; vedi --help"),
        ("rate open.trf --registerd 2024-01-01", "l'opzione --registerd non esiste; forse --registered?"),
        ("rate open.trf --zzz", "l'opzione --zzz non esiste; vedi --help"),
        ("rate open.trf --list", "a --list manca il valore; vedi --help"),
        ("editions --json=no", "--json non prende un valore; vedi --help"),
        ("explain open.trf 1 2", "argomenti di troppo: 2; vedi --help"),
        ("office explain tre", "PLAYER ha tre dove serve un numero intero"),
        ("office draft lampo 2024-01-01", "LIST «lampo» non è noto: si accettano standard, rapid,"),
        ("office draft standard domani", "YYYY-MM-DD: domani non è una data nella forma AAAA-MM-GG"),
        ("monitor points", "serve HISTORY, oppure --db con un ufficio, o --simulated con un numero"),
    ],
)
def test_wrong_usage_in_italian(
    line: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of what the library for command lines says in English, and every argument as the help calls it."""
    monkeypatch.setenv("LC_ALL", "it_IT.UTF-8")
    monkeypatch.delenv("ARPAD_DB", raising=False)
    more = ("--db", "office.db") if line.startswith("office draft") else ()
    assert refusal(capsys, *line.split(), *more).startswith(said)


@pytest.mark.parametrize("command", [(), ("calc",), ("office",)])
def test_a_command_that_is_not_finished_shows_its_help(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    helped = run(capsys, *command, "--help")[1]
    assert run(capsys, *command) == (2, "", helped)


def test_the_locale_decides_the_language(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("LANG", "it_IT.UTF-8")
    assert "avversario" in run(capsys, *CHANGE)[1]
    monkeypatch.setenv("LC_ALL", "C")
    assert "opponent" in run(capsys, *CHANGE)[1]
    assert "avversario" in run(capsys, *CHANGE, "--lang", "it")[1]


@pytest.mark.parametrize(
    "command",
    [
        CHANGE,
        ("editions",),
        ("editions", "show", "fide-2017"),
        ("rubele", "groups", "--players", "62", "--rounds", "6", "--groups", "4"),
        ("rate", "nowhere.trf"),
        ("office", "reports", "--db", "nowhere.db"),
        ("monitor", "points", "nowhere"),
        ("simulate", "--players", "3"),
    ],
)
def test_a_language_may_be_named_before_the_verb(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    italian = run(capsys, *command, "--lang", "it")
    assert italian != run(capsys, *command)
    assert run(capsys, "--lang", "it", *command) == italian
    assert run(capsys, "--lang=it", *command) == italian
    assert run(capsys, "--lang", "en", *command, "--lang", "it") == italian, "the nearer one counts"


def test_a_language_may_be_named_between_a_verb_and_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    assert run(capsys, "calc", "--lang", "it", *CHANGE[1:]) == run(capsys, *CHANGE, "--lang", "it")


@pytest.mark.parametrize("verb", VERBS)
def test_an_unknown_language_before_a_verb_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    assert refusal(capsys, "--lang", "xx", verb, "x") == "--lang is xx; accepted are it, en, fr"


def test_a_language_without_a_verb_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal(capsys, "--lang", "it") == "manca il comando; vedi --help"


def test_plain_output_tells_game_by_game(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, *CHANGE, "--game", "2400:0.5", "--lang", "en")
    assert status == 0
    assert "0.43" in out
    assert "+0.42" in out
    assert "8.54" in out
    assert "8.57" in out


def test_k_is_derived_where_it_is_not_given(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--edition", "fide-2017", "--rating", "1850", "--game", "1900:1")
    assert run_json(capsys, "calc", "change", *options)["k"] == 20
    assert run_json(capsys, "calc", "change", *options, "--games", "12")["k"] == 40
    assert run_json(capsys, "calc", "change", *options, "--peak", "2400")["k"] == 10


def test_date_chooses_the_edition(capsys: pytest.CaptureFixture[str]) -> None:
    on_day = [*CHANGE[:2], *CHANGE[4:], "--date", "2016-02-29"]
    assert run_json(capsys, *on_day)["edition"] == "fide-2014"
    dated = ("calc", "initial", "--event", "1900,1900,1900,1900,1900:2.5@2018-03-01")
    assert run_json(capsys, *dated)["edition"] == "fide-2017"


def test_own_rating_in_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    """A league rated by rounds: 1850 in one game, 1900 in the other, both against 1900."""
    document = run_json(capsys, *CHANGE, "--game", "1900:1:1900")
    assert [game["expected"] for game in document["games"]] == ["0.43", "0.5"]
    assert [game["own"] for game in document["games"]] == [1850, 1900]


def test_help_lists_every_verb_without_loading_it(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--help")
    for verb in VERBS:
        assert f"  {verb} " in out
    whole = get_command(build())
    for verb, (_, line) in VERBS.items():
        said = " ".join((whole.commands[verb].help or "").split())  # type: ignore[attr-defined]
        assert said.startswith(line.removesuffix(".")), verb


def test_a_sentence_is_one_line_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    console().print("word " * 200)
    assert capsys.readouterr().out.count("\n") == 1


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_narrow_terminal_words_make_room_for_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eighty columns: five figures stay whole, and no name is broken inside a word."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys, "stdout", screen := Screen())
    figures = [(f"head {place}", "right") for place in range(5)]
    row = ("Bortolotti, Elena", *["-1234,56"] * 5, "too few points in the first event")
    console().print(table([("name", "left"), *figures, ("result", "left")], [row]))
    shown = screen.getvalue()
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert shown.count("-1234,56") == 5
    assert "Bortolotti," in shown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "command", ["rate open.trf", "explain open.trf Quaglia", "explain round-robin.trf 9"]
)
def test_no_name_is_broken_on_eighty_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], language: str, command: str
) -> None:
    """A name was in two lines in Italian and French, and beside each note in every language."""
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys, "stdout", screen := Screen())
    run(capsys, *command.split(), "--lang", language)
    shown = screen.getvalue()
    for name in ("Oberrauch, Matthias", "Bortolotti, Elena") if "open" in command else ("Boccaccio, Bruno",):
        assert name in shown
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_tables_in_a_pipe_keep_to_eighty_columns_if_they_can(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLES)
    for command in ("rate open.trf", "explain open.trf Quaglia", "explain open.trf Vescovi"):
        _, out, _ = run(capsys, *command.split(), "--lang", "en")
        assert [line for line in out.splitlines() if len(line) > 80] == []


def test_a_change_is_written_as_on_the_site(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLES)
    _, out, _ = run(capsys, "rate", "open.trf", "--lang", "en")
    assert [line.split()[-2] for line in out.splitlines() if "Zanardelli" in line] == ["+0.8"]


def test_as_a_program_in_a_pipe() -> None:
    """The installed command itself: JSON alone on stdout, status 2 with an empty stdout."""
    arpad = [sys.executable, "-c", "from arpad.cli import main; main()"]
    done = subprocess.run([*arpad, *CHANGE, "--json"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["new_rating"] == 1861
    failed = subprocess.run(
        [*arpad, "calc", "k", "--rating", "1"], capture_output=True, text=True, check=False
    )
    assert (failed.returncode, failed.stdout) == (2, "")
    assert "Traceback" not in failed.stderr
    shown = subprocess.Popen(
        [*arpad, "editions", "show", "fide-2017"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert shown.stdout is not None
    assert shown.stderr is not None
    shown.stdout.readline()
    shown.stdout.close()  # a reader that goes away early
    said = shown.stderr.read().decode()
    shown.stderr.close()
    shown.wait(timeout=1800)
    assert "Traceback" not in said
    assert "BrokenPipe" not in said


def test_games_that_are_not_rated_are_told_with_their_article(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A blitz event of 2025: one Armageddon game and one left out by the Fair Play rules; the other two are rated."""
    days = {"first": date(2025, 4, 1), "last": date(2025, 4, 1)}
    blitz = report(some_rounds(4, 2), [1500, 1500, 1500, 1500], control="5 min", **days)
    path, facts = tmp_path / "blitz.trf", tmp_path / "facts.toml"
    path.write_bytes(write_report(blitz, "trf16")[0])
    facts.write_text('taken_out = ["1:1:unequal-times", "2:2:fair-play"]\n', encoding="utf-8")
    status, out, _ = run(capsys, "rate", str(path), "--facts", str(facts), "--json")
    games = [game for player in json.loads(out)["players"] for game in player["games"]]
    told = Counter((game["reason"] or "", game["rated"]) for game in games)
    assert told == {("unequal-times", False): 2, ("fair-play", False): 2, ("", True): 4}
    articles = {found["code"]: found["article"] for found in json.loads(out)["findings"]}
    assert articles["taken-out"] in {"RB 1.2", "RB 4.1"}
    assert status == 0


def completed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shell: str, line: str
) -> str:
    words = line.split(" ")
    monkeypatch.setenv("_ARPAD_COMPLETE", f"complete_{shell}")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    monkeypatch.setattr(sys, "argv", ["arpad"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code in (0, None)
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    ("line", "offered"),
    [("arpad off", "office"), ("arpad office import", "import-list"), ("arpad rate --ht", "--html"),
     ("arpad rubele board --disc", "--discipline"), ("arpad calc change --ra", "--rating")],
)  # fmt: skip
def test_what_was_begun_is_completed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shell: str, line: str, offered: str
) -> None:
    assert offered in completed(monkeypatch, capsys, shell, line)


def test_every_verb_is_offered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert completed(monkeypatch, capsys, "bash", "arpad ").split() == list(VERBS)


def test_completing_a_verb_loads_no_other() -> None:
    program = (
        "import os, sys; os.environ |= {'_ARPAD_COMPLETE': 'complete_bash', 'COMP_CWORD': '2',\n"
        "    'COMP_WORDS': 'arpad calc ch'}\n"
        "sys.argv = ['arpad']\nfrom arpad import cli\n"
        "try: cli.main()\nexcept SystemExit: pass\n"
        "print(sorted(name for name in sys.modules if name.startswith('arpad.cli.')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    offered, loaded = done.stdout.splitlines()
    assert offered == "change"
    assert not any(f"arpad.cli.{module}'" in loaded for module, _ in VERBS.values() if module != "calc")
