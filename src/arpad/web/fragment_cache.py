"""Pages and parts of pages in the memory of a worker: of a bounded size, and the least recently used go first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from sys import getsizeof
from threading import Lock
from typing import Any

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.runtime import Context
from markupsafe import Markup

MOST_BYTES = 16 * 1024 * 1024
"""Size of all pages and parts that a worker keeps."""


class KeptTexts:
    """Texts by a key that has all that they depend on, or with values that say whether they are still right."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self.size = 0
        self._texts: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Any:
        """Return what is kept under a key, or None."""
        with self._lock:
            kept = self._texts.get(key)
            if kept is None:
                return None
            self._texts.move_to_end(key)
            return kept[0]

    def add(self, key: Hashable, value: Any, size: int) -> None:
        """Keep a value of a size; what was used least recently is removed if there is too much."""
        with self._lock:
            _, old_size = self._texts.pop(key, (None, 0))
            self.size += size - old_size
            self._texts[key] = value, size
            while self.size > self.most_bytes:
                _, (_, removed) = self._texts.popitem(last=False)
                self.size -= removed


class WrittenOnce(Extension):
    """A part of a page that is the same for all readers of a language: ``{% once "api" %}…{% endonce %}``.

    It is written when it is first shown, and kept beside the pages. What stands after ``once`` names it and everything
    that it depends on; the seal of the last act (``store.between_acts``) stands for all that acts change, if it was
    read before them. A part whose key is none is not kept.
    """

    tags = {"once"}  # noqa: RUF012  as Jinja has it

    def parse(self, parser: Parser) -> nodes.Node:
        """Return the code of such a part."""
        line = next(parser.stream).lineno
        key = parser.parse_tuple()
        body = parser.parse_statements(("name:endonce",), drop_needle=True)
        written = self.call_method("written", [nodes.ContextReference(), key])
        return nodes.CallBlock(written, [], [], body).set_lineno(line)

    def written(self, context: Context, key: object, caller: Callable[[], Markup]) -> Markup:
        """Return the part as it was written for the reader's language."""
        if key is None:
            return caller()
        texts: KeptTexts = context["kept_texts"]
        named = ("part", context["words"].language, key)
        part: Markup | None = texts.get(named)
        if part is None:
            part = caller()
            texts.add(named, part, getsizeof(part))
        return part
