"""Read a small answer of another site, which whoever runs the command has named."""

from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from arpad.model.errors import BadInput

SECONDS = 20.0
LARGEST = 1 << 20


def is_address(text: str) -> bool:
    """Return whether a text is the address of a site."""
    return text.startswith(("https://", "http://"))


def fetch(url: str, largest: int = LARGEST) -> bytes | None:
    """Return what an address answers; None if the site says that there is nothing."""
    if not is_address(url) or not urlsplit(url).hostname:
        raise BadInput("site-address", given=url[:100])
    try:
        with urlopen(Request(url), timeout=SECONDS) as answer:  # noqa: S310  only http and https
            data: bytes = answer.read(largest + 1)
    except HTTPError as error:
        if error.code in (404, 410):
            return None
        raise BadInput("site-refused", url=url[:200], status=error.code) from error
    except (OSError, HTTPException, ValueError) as error:
        raise BadInput("site-silent", url=url[:200]) from error
    if len(data) > largest:
        raise BadInput("site-refused", url=url[:200], status=413)
    return data
