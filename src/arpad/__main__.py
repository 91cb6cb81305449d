"""``python -m arpad`` is the same as the command ``arpad``."""

from __future__ import annotations

from arpad.cli import main

main()
