"""The help of commands, in the reader's language.

The English is where the command is: its docstring and the help of its options. The other languages translate it
paragraph by paragraph in ``messages/<language>/help.toml``, and only a help that is printed reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from typer.core import TyperCommand

from arpad.cli.common import help_words
from arpad.explain.words import Words

_EXAMPLE = re.compile(r"\s*Example: (arpad .+)")
_PART = re.compile(r"[,;:]\s| \(| ;| :")
_FIRST_SENTENCE = re.compile(r"(.+?\.)(?=\s|$)")


def examples(text: str | None) -> list[str]:
    """Return the command lines that a help has as examples."""
    return _EXAMPLE.findall(text or "")


def paragraphs(text: str | None) -> Iterator[str]:
    """Yield the paragraphs of a help, each on one line, without the examples."""
    for part in _EXAMPLE.sub("", text or "").split("\n\n"):
        if line := " ".join(part.split()):
            yield line


def first_sentence(text: str | None, words: Words) -> str:
    """Return the first sentence of a help, for a list of commands."""
    line = words.help(next(paragraphs(text), ""))
    match = _FIRST_SENTENCE.match(line)
    return match.group(1) if match else line


def one_line(sentence: str, width: int) -> str:
    """Return a sentence, or the beginning of it that fits on a line: its first parts, else its first words."""
    if len(sentence) <= width:
        return sentence
    parts = (sentence[: match.start()].rstrip() for match in _PART.finditer(sentence))
    if fitting := [part for part in parts if len(part) < width and part.count("(") == part.count(")")]:
        return f"{fitting[-1]}."
    return f"{sentence[: width - 1].rpartition(' ')[0]} …"


class Helped:
    """How a command writes its help: usage, text, examples, arguments, options."""

    def format_help(self: Any, ctx: Any, formatter: Any) -> None:
        """Write the help of the command in the reader's language."""
        words = help_words()
        pieces = " ".join(map(words.help, self.collect_usage_pieces(ctx)))
        formatter.write_usage(ctx.command_path, pieces, prefix=f"{words.help('Usage:')} ")
        for text in paragraphs(self.help):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(words.help(text))
        if lines := examples(self.help):
            with formatter.section(section_title("Examples", words)), formatter.indentation():
                for line in lines:
                    formatter.write(f"{' ' * formatter.current_indent}{line}\n")
        self.format_options(ctx, formatter)

    def format_options(self: Any, ctx: Any, formatter: Any) -> None:
        """Write the arguments, the options and, in a group, its commands."""
        words = help_words()
        rows: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for parameter in self.get_params(ctx):
            if record := parameter.get_help_record(ctx):
                rows[parameter.param_type_name].append((record[0], _explained(parameter, record[1], words)))
        if hasattr(self, "format_commands"):
            self.format_commands(ctx, formatter)
        for kind, title in (("argument", "Arguments"), ("option", "Options")):
            if rows[kind]:
                with formatter.section(section_title(title, words)):
                    formatter.write_dl(rows[kind])


def section_title(title: str, words: Words) -> str:
    """Return the title of a section with the language's blank before a colon; Click adds the colon itself."""
    return words.help(title) + words.form.colon.removesuffix(":")


def _explained(parameter: Any, record: str, words: Words) -> str:
    """Return the help of an option with what the library adds to it, as ``[required]``, in the reader's language."""
    text = parameter.help or ""
    extra = record.removeprefix(text)
    for word in ("required", "default", "env var"):
        extra = re.sub(rf"\b{word}\b", words.help(word), extra)
    return words.help(" ".join(text.split())) + extra


class Command(Helped, TyperCommand):
    """One command."""
