"""The help of commands: every sentence in every language, sections and examples, nothing cut at 80 columns."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from arpad import __version__
from arpad.cli import office
from arpad.cli.program import SECTIONS, build
from arpad.cli.typer_groups import Group, examples, first_sentence, paragraphs
from arpad.explain.words import LANGUAGES, load_words
from tests.commands import run
from tests.paths import word_files

TRANSLATIONS = {
    language: {
        key: text
        for path in word_files(language).values()
        for key, text in tomllib.loads(path.read_text(encoding="utf-8")).get("help", {}).items()
    }
    for language in LANGUAGES
    if language != "en"
}
IN_WORDS = ("parameter.", "group.")
"""The help of declared commands is in the words of every language."""

OF_THE_PROGRAM = {
    "Usage:", "[OPTIONS]", "COMMAND [ARGS]...", "Examples", "Arguments", "Options", "Commands", "required", "default",
    "env var", "Show this message and exit.", "Also",
}  # fmt: skip


def sentences(command: Any) -> Iterator[str]:
    """Yield every sentence in the help of a command and of those below it."""
    yield from paragraphs(command.help)
    for parameter in command.params:
        yield from paragraphs(parameter.help)
    if isinstance(command, Group):
        yield from command.sections()
        for below in command.commands.values():
            yield from sentences(below)


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_sentence_of_the_help_is_translated(language: str) -> None:
    said = {it for it in sentences(get_command(build())) if not it.startswith(IN_WORDS)}
    written, translated = said | OF_THE_PROGRAM, TRANSLATIONS[language]
    missing = sorted(written - translated.keys())
    assert not missing, f"write these into messages/{language}/help.toml:\n" + "\n".join(missing)
    assert translated.keys() - written == set(), f"no command says this: messages/{language}/help.toml"


def test_italian_help_is_complete() -> None:
    assert "it" in TRANSLATIONS


@pytest.mark.parametrize(("language", "usage"), [("it", "Uso: arpad"), ("en", "Usage: arpad")])
@pytest.mark.parametrize("command", [(), ("office",), ("office", "publish"), ("rubele", "board")])
def test_the_help_is_in_the_language_asked_for(
    command: tuple[str, ...], language: str, usage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = run(capsys, "--lang", language, *command, "--help")
    assert run(capsys, *command, "--help", "--lang", language) == before
    assert before[1].startswith(usage)
    assert "..." not in re.sub(r"\[(ARGS|ARGOMENTI)\]\.\.\.", "", before[1])
    english = ("[OPTIONS]", "COMMAND", "[ARGS]", "[env var:")
    assert language == "en" or [word for word in english if word in before[1]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_of_the_office_says_of_each_verb_what_its_help_says(language: str) -> None:
    whole: Any = get_command(build()).commands["office"]  # type: ignore[attr-defined]
    listed: Any = get_command(office.build(["--help"]))
    words = load_words(language)
    assert [*listed.commands] == [*whole.commands]
    for name in listed.commands.keys() - office.RARE:
        line = first_sentence(listed.commands[name].help, words)
        assert line == first_sentence(whole.commands[name].help, words), name


def test_the_program_shows_its_sections_and_examples(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--help", "--lang", "en")
    assert [line.rstrip(":") for line in out.splitlines() if line.rstrip(":") in SECTIONS] == [*SECTIONS]
    assert "    arpad rate open.trf\n" in out


def test_every_example_is_a_command_of_the_program() -> None:
    whole: Any = get_command(build())

    def shown(command: Any) -> Iterator[str]:
        yield from examples(command.help)
        for below in getattr(command, "commands", {}).values():
            yield from shown(below)

    for line in shown(whole):
        command: Any = whole
        for word in line.split()[1:]:
            if word not in getattr(command, "commands", {}):
                break
            command = command.commands[word]
        assert command is not whole, line


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"arpad {__version__}\n", "")


NEWEST = "today's in an office, else the newest"


def test_the_help_of_a_calculator_speaks_of_no_event(capsys: pytest.CaptureFixture[str]) -> None:
    for verb, default in (
        ("change", NEWEST),
        ("expected", NEWEST),
        ("convert", NEWEST),
        ("year-end", "in force on 31 December"),
    ):
        text = " ".join(run(capsys, "rubele", verb, "--help")[1].split())
        assert f"default: {default}." in text, verb
        assert "event's first day" not in text
