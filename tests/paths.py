"""The folders that tests read: the repository, its source, its messages, and the shared files beside it."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "arpad"
MESSAGES = SOURCE / "explain" / "messages"
EXAMPLES = SOURCE / "examples"
CASES = ROOT / "tests" / "cases"
BENCHMARKS = ROOT / "benchmarks"
SHARED = ROOT.parent / "shared"
"""Real files; they may be absent."""
