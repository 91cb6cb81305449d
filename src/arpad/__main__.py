"""``python -m arpad`` is the same as the command ``arpad``."""

from arpad.cli import main

main()
