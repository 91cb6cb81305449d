"""The number of a page that exists."""

from __future__ import annotations


def page_of(number: int, total: int, size: int) -> tuple[int, int]:
    """Return the number of the page that is shown instead of one that does not exist, and the number of pages."""
    pages = max(1, -(-total // size))
    return min(max(1, number), pages), pages
