"""Arpad, the rating office, as a library.

Read a report, check it, rate it, explain a player:

>>> import arpad
>>> report = arpad.read(arpad.example("open.trf"))
>>> report.check().ready
True
>>> rating = report.rate()
>>> rating.players[7].name, rating.players[7].new_rating
('Quaglia, Teodoro', 2000)
>>> report.explain("Quaglia").in_words()[-1]
('8.57', '1953 +47.4, rounded +47: 2000')

Or calculate without a report:

>>> change = arpad.rating_change(1850, [(1900, 1), (2000, "0.5")], k=20, edition="fide-2017")
>>> change.new_rating, change.change_rounded, str(change.change)
(1865, 15, '77/5')

A result has the names of ``--json``, of the API and of the tables, and exact fractions. It carries the steps that led
to it; ``in_words`` puts them into sentences:

>>> for article, sentence in arpad.in_words(change.steps, "en"):
...     print(article, sentence)
8.55c sum over 2 games: +0.77
8.55c +0.77 × K 20 = +15.4
8.57 1850 +15.4, rounded +15: 1865
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from arpad.model.errors import set_english
from arpad.model.version import VERSION

if TYPE_CHECKING:
    from arpad.library import *  # noqa: F403  the names that __getattr__ loads, for type checkers
    from arpad.library import ArpadError

__version__ = VERSION


def _english_sentence(error: ArpadError) -> str:
    """Return an error in English; the words are loaded for the first error that is printed."""
    return str(import_module("arpad.explain.words").load_words("en").error(error))


set_english(_english_sentence)


def __getattr__(name: str) -> Any:
    """Load the library when something of it is asked for: the command line starts quicker without it.

    ``from arpad import cli`` asks for the name of a package, which is not in the library.
    """
    if name == "__all__" or not (name.startswith("_") or find_spec(f"arpad.{name}")):
        library = import_module("arpad.library")
        if name in ("__all__", *library.__all__):
            return getattr(library, name)
    raise AttributeError(f"module 'arpad' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, which Tab offers."""
    return [*__getattr__("__all__"), "__version__"]
