"""Atom feeds (RFC 4287) as bytes: the same values give the same bytes."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

MEDIA_TYPE = "application/atom+xml"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may contain."""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One entry of a feed."""

    id: str
    """A URN that never changes."""

    title: str
    updated: str
    """RFC 3339."""

    address: str
    lines: tuple[str, ...] = ()
    """The event in plain sentences."""


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed in one language; its addresses are absolute."""

    id: str
    title: str
    updated: str
    language: str
    author: str
    address: str
    page: str
    """The address of the page that shows the same to people."""

    entries: tuple[FeedEntry, ...]


def write_atom(feed: Feed) -> bytes:
    """Return a feed as an XML document."""
    lines = [
        "<?xml version='1.0' encoding='utf-8'?>",
        f"<feed xmlns='http://www.w3.org/2005/Atom' xml:lang={_attribute(feed.language)}>",
        *_elements(id=feed.id, title=feed.title, updated=feed.updated),
        f"<author>{_element('name', feed.author)}</author>",
        "<generator>Arpad</generator>",
        f"<link rel='self' type='{MEDIA_TYPE}' href={_attribute(feed.address)}/>",
        f"<link rel='alternate' type='text/html' href={_attribute(feed.page)}/>",
        *(line for entry in feed.entries for line in _entry(entry)),
        "</feed>\n",
    ]
    return "\n".join(lines).encode()


def _entry(entry: FeedEntry) -> Iterable[str]:
    yield "<entry>"
    yield from _elements(id=entry.id, title=entry.title, updated=entry.updated)
    yield f"<link rel='alternate' type='text/html' href={_attribute(entry.address)}/>"
    items = "".join(f"<li>{escape(_clean(line))}</li>" for line in entry.lines)
    if items:
        yield f"<content type='html'>{escape(f'<ul>{items}</ul>')}</content>"
    else:
        yield _element("summary", entry.title)
    yield "</entry>"


def _elements(**texts: str) -> Iterable[str]:
    return (_element(name, text) for name, text in texts.items())


def _element(name: str, text: str) -> str:
    return f"<{name}>{escape(_clean(text))}</{name}>"


def _attribute(text: str) -> str:
    return quoteattr(_clean(text))


def _clean(text: str) -> str:
    return _NOT_XML.sub("", text)
