"""``python -m tests.mutation [MODULE ...]``: mutation testing of the modules that make ratings.

Says at once which faults no test noticed; ends with a table. What was found is kept in build/mutation, so that
``--again`` need only try the faults that were not noticed last time.
"""

import argparse
import json
import os
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from tests.mutation.mutants import Mutant
from tests.mutation.plan import GROUPS, Group
from tests.mutation.runner import KEPT, Judge, Source, forked, run

EXPLAINED = Path(__file__).with_name("explained.toml")


def explained(module: str) -> dict[str, str]:
    """Faults of a module that change nothing anybody could notice: label → reason."""
    reasons: dict[str, str] = {}
    for entry in tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))["explained"]:
        if entry["module"] == module:
            reasons |= dict.fromkeys(entry["faults"], entry["reason"])
    return reasons


def main(arguments: Sequence[str]) -> int:
    """Run what is asked for; 1 where a fault survived without a reason."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("module", nargs="*", help="such as regulations/fide/change.py; default: all")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--again", action="store_true", help="only the faults that survived last time")
    parser.add_argument("--table", action="store_true", help="only show what was found last time")
    options = parser.parse_args(arguments)
    modules = [module for group in GROUPS for module in group.modules]
    chosen = options.module or modules
    if unknown := set(chosen) - set(modules):
        parser.error(f"not among {', '.join(modules)}: {', '.join(sorted(unknown))}")
    KEPT.mkdir(parents=True, exist_ok=True)
    if not options.table:
        for group in GROUPS:
            if wanted := [module for module in group.modules if module in chosen]:
                _try(group, wanted, options.jobs, again=options.again)
    return report(chosen)


def _try(group: Group, modules: Sequence[str], jobs: int, *, again: bool) -> None:
    """The faults of some modules, all or those that survived, in one session of a process of its own."""
    sources = []
    for module in modules:
        source = Source.of(module)
        old = kept(module) if again else {}
        killed = {fault.label for fault in source.faults if old.get(fault.label) == "killed"}
        keep(module, dict.fromkeys(killed, "killed"))
        known = killed | (set(explained(module)) if again else set())
        rest = tuple(fault for fault in source.faults if fault.label not in known)
        sources.append(replace(source, faults=rest))
    seen = KEPT / f"{group.name}.pickle"
    if not again:
        seen.unlink(missing_ok=True)
    if any(source.faults for source in sources):
        os.waitpid(forked(partial(run, group.tests, Judge(sources, group.modules, jobs, _told, seen))), 0)


def _told(module: str, fault: Mutant, verdict: str) -> None:
    with (KEPT / f"{module.replace('/', '.')}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps([fault.label, verdict, fault.line]) + "\n")


def kept(module: str) -> dict[str, str]:
    """What the last runs found: label → verdict."""
    file = KEPT / f"{module.replace('/', '.')}.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {label: verdict for label, verdict, _ in map(json.loads, lines)}


def keep(module: str, verdicts: dict[str, str]) -> None:
    """Begin a run with what is still true."""
    lines = [json.dumps([label, verdict, 0]) for label, verdict in verdicts.items()]
    text = "".join(line + "\n" for line in lines)
    (KEPT / f"{module.replace('/', '.')}.jsonl").write_text(text, encoding="utf-8")


def report(modules: Iterable[str]) -> int:
    """The faults that nothing explains, then a table; 1 where there are any."""
    rows, total = [], Counter[str]()
    for module in modules:
        verdicts, reasons = kept(module), explained(module)
        count = Counter[str]()
        for fault in Source.of(module).faults:
            verdict = verdicts.get(fault.label, "not run")
            if verdict != "killed" and fault.label in reasons:
                verdict = "explained"
            if verdict not in {"killed", "explained"}:
                sys.stdout.write(f"{verdict}: src/arpad/{module}:{fault.line} {fault.label}\n")
            count[verdict] += 1
        rows.append(_row(module, count))
        total += count
    heading = "| module | faults | killed | explained | survived | score |\n|---|---:|---:|---:|---:|---:|\n"
    sys.stdout.write("\n" + heading + "".join(rows) + _row("all", total))
    return int(total["killed"] + total["explained"] < total.total())


def _row(name: str, count: Counter[str]) -> str:
    faults, killed, reasoned = count.total(), count["killed"], count["explained"]
    rest = faults - killed - reasoned
    score = 100 * killed / faults if faults else 100
    return f"| {name} | {faults} | {killed} | {reasoned} | {rest} | {score:.1f} % |\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
