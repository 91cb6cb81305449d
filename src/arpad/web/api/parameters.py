"""Parameters that several addresses of the API take."""

from __future__ import annotations

from typing import Annotated

from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

Number = Annotated[
    int, PathParameter(description="The register's number.", ge=1, le=2**31 - 1, examples=[Example(value=1)])
]
Note = Annotated[
    str,
    QueryParameter(
        description="The reason, for the ledger.",
        max_length=500,
        examples=[Example(value="letter of the arbiter")],
    ),
]
