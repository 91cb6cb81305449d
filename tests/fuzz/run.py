"""A coverage-guided fuzzer (atheris) on one reader: ``python -m tests.fuzz.run trf --seconds 60``.

It starts from the corpus beside this file and from what it found worth keeping in earlier runs (``build/fuzz``). An
input that ends in anything but a result or a sentence, hangs or eats the memory is left in ``build/fuzz/found``: mend
the reader, then move the input to ``tests/fuzz/found/<reader>``, where every test run reads it again.
"""

import argparse
import logging
import sys

import atheris

from tests.paths import ROOT

WORK = ROOT / "build" / "fuzz"
LONGEST = 6000
HANGS_AFTER = 25
MOST_MEMORY = 2048


def main() -> None:
    """Fuzz until the time is up or something is found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reader")
    parser.add_argument("--seconds", type=int, default=60)
    asked = parser.parse_args()
    with atheris.instrument_imports(include=["arpad", "zipfile", "tomllib", "csv"]):
        from tests.fuzz.readers import CORPUS, FOUND, READERS, survives
    if asked.reader not in READERS:
        parser.error(f"no reader {asked.reader}: one of {', '.join(READERS)}")
    kept, found = WORK / asked.reader, WORK / "found" / asked.reader
    for folder in (kept, found):
        folder.mkdir(parents=True, exist_ok=True)
    seeds = [folder / asked.reader for folder in (CORPUS, FOUND) if (folder / asked.reader).is_dir()]
    logging.disable(logging.CRITICAL)
    options = [
        f"-max_total_time={asked.seconds}", f"-max_len={LONGEST}", f"-timeout={HANGS_AFTER}",
        f"-rss_limit_mb={MOST_MEMORY}", f"-artifact_prefix={found}/", "-print_final_stats=1", "-verbosity=1",
        str(kept), *map(str, seeds),
    ]  # fmt: skip

    def one(data: bytes) -> None:
        survives(asked.reader, data)

    atheris.Setup([sys.argv[0], *options], one, enable_python_coverage=True)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
