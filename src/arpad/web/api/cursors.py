"""Pages by cursor, the same for all addresses: ``after`` continues where an answer ended, ``next`` says where."""

from __future__ import annotations

from typing import Annotated

from litestar.openapi.spec import Example
from litestar.params import QueryParameter

After = Annotated[
    str,
    QueryParameter(
        description="Where to go on: next of the last answer; without it, from the beginning.",
        max_length=40,
        examples=[Example(value="1")],
    ),
]


Format = Annotated[
    str,
    QueryParameter(description="The form of the answer.", max_length=10, examples=[Example(value="json")]),
]
