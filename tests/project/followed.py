"""Follow a page to the letter: steps that change a file, commands with lines of their output.

A step is a sentence such as "In `path`, after `text`:" with a block below it; a command is a line after ``$`` in a
console block, with some lines of its output below.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

STEP = re.compile(
    r"^In `(?P<file>[^`\n]+)`, "
    r"(?P<how>in a new file|in un file nuovo|at the end|before|after|instead of|al posto di)(?: `(?P<mark>[^`\n]+)`)?"
    r"[^\n]*:\n\n```\w*\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
COMMANDS = re.compile(r"^```console\n(?P<lines>.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"^\$ (?P<command>[^\n]+)\n(?P<output>(?:(?!\$ )[^\n]*\n)*)", re.MULTILINE)


def follow(page: str, folder: Path, run: Callable[[Sequence[str]], Sequence[str]]) -> None:
    """Do what a page says in a folder; ``run`` returns the outputs of the commands of a block.

    "passed" as the output means that no test fails.
    """
    parts = sorted([*STEP.finditer(page), *COMMANDS.finditer(page)], key=re.Match.start)
    assert parts, "nothing to follow"
    assert page.count("```") == 2 * len(parts), "a block that is neither a step nor a command"
    for part in parts:
        if part.re is STEP:
            write(folder / part["file"], part["how"], part["mark"], part["text"])
            continue
        block = list(SHOWN.finditer(part["lines"]))
        outputs = run([shown["command"] for shown in block])
        for shown, printed in zip(block, outputs, strict=True):
            assert list(missing(shown["output"], printed)) == [], f"{shown['command']}\n{printed}"
            assert shown["output"] != "passed\n" or " failed" not in printed, f"{shown['command']}\n{printed}"


def write(path: Path, how: str, mark: str | None, text: str) -> None:
    """Change a file as one step says."""
    if how in {"in a new file", "in un file nuovo"}:
        assert not path.exists(), f"{path.name} is there already"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return
    before = path.read_text(encoding="utf-8")
    if how == "at the end":
        path.write_text(before + text, encoding="utf-8")
        return
    assert mark, "the step does not say where"
    assert before.count(mark) == 1, f"{mark} is {before.count(mark)} times in {path.name}"
    start = before.index(mark)
    line, end = before.rfind("\n", 0, start) + 1, before.index("\n", start) + 1
    first, last, put = {
        "before": (line, line, text),
        "after": (end, end, text),
        "instead of": (start, start + len(mark), text.removesuffix("\n")),
        "al posto di": (start, start + len(mark), text.removesuffix("\n")),
    }[how]
    path.write_text(before[:first] + put + before[last:], encoding="utf-8")


def missing(output: str, printed: str) -> Iterator[str]:
    """Yield the lines that a page shows and a command does not print."""
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    for shown in output.splitlines():
        line = " ".join(shown.split())
        if line not in ("", "…") and not any(line in printed_line for printed_line in lines):
            yield line
