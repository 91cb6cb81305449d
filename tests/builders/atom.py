"""Check an Atom feed strictly: what RFC 4287 says about its elements, which parsers forgive."""

import re
from collections import Counter
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring

ATOM = "{http://www.w3.org/2005/Atom}"
IRI = re.compile(r"(https?://[^\s/]+/\S*|urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})")
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
FEED = {"id", "title", "updated", "author", "generator", "link", "entry"}
ENTRY = {"id", "title", "updated", "link", "summary", "content"}


def check_atom(data: bytes) -> Element:
    """Return the feed if every rule holds."""
    feed: Element = fromstring(data)
    assert feed.tag == f"{ATOM}feed"
    _check_parts(feed, FEED)
    assert feed.find(f"{ATOM}author/{ATOM}name") is not None
    links = Counter(link.get("rel") for link in feed.findall(f"{ATOM}link"))
    assert links == {"self": 1, "alternate": 1}
    entries = feed.findall(f"{ATOM}entry")
    for entry in entries:
        _check_parts(entry, ENTRY)
        kinds = [child.tag.removeprefix(ATOM) for child in entry]
        assert kinds.count("link") == 1
        assert kinds.count("content") + kinds.count("summary") == 1
    ids = [feed.findtext(f"{ATOM}id"), *(entry.findtext(f"{ATOM}id") for entry in entries)]
    assert len(ids) == len(set(ids))
    times = [entry.findtext(f"{ATOM}updated") or "" for entry in entries]
    assert (feed.findtext(f"{ATOM}updated") or "") >= max(times, default="")
    return feed


def _check_parts(element: Element, allowed: set[str]) -> None:
    kinds = Counter(child.tag.removeprefix(ATOM) for child in element)
    assert kinds.keys() <= allowed
    assert [kinds[name] for name in ("id", "title", "updated")] == [1, 1, 1]
    assert IRI.fullmatch(element.findtext(f"{ATOM}id") or "")
    assert RFC3339.fullmatch(element.findtext(f"{ATOM}updated") or "")
    for link in element.findall(f"{ATOM}link"):
        assert IRI.fullmatch(link.get("href") or "")
