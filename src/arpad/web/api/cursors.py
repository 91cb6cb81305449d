"""Pages by cursor, the same for all addresses: ``after`` continues where an answer ended, ``next`` says where."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from litestar.openapi.spec import Example
from litestar.params import QueryParameter

from arpad.model.cursors import Cursor
from arpad.web.requests import WebRequest

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


def next_link(request: WebRequest, following: Cursor, *, more: bool) -> dict[str, str]:
    """Return the header with the address of the next page, for answers that cannot contain it (RFC 8288)."""
    if not more:
        return {}
    query = [(name, value) for name, value in request.query_params.multi_items() if name != "after"]
    return {"Link": f'<?{urlencode([*query, ("after", str(following))])}>; rel="next"'}
