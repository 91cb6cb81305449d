"""Exceptions that end a request: a refusal with a sentence of ours, or a redirect to another page."""

from __future__ import annotations

from typing import Any

from litestar.exceptions import HTTPException


class Refused(HTTPException):
    """A refusal with a sentence of ours: its code is a key of the section ``site-error``."""

    def __init__(self, status: int, code: str, **facts: Any) -> None:
        super().__init__(status_code=status, detail=code)
        self.code = code
        self.facts = facts


class RedirectFirst(HTTPException):
    """Redirect to a page that must be completed first."""

    def __init__(self, url: str) -> None:
        super().__init__(status_code=303, detail=url)
        self.url = url
