"""Atom feeds as RFC 4287 wants them, whatever people wrote into names."""

import feedparser
from hypothesis import given
from hypothesis import strategies as st

from arpad.publishing.atom import Feed, FeedEntry, write_atom
from tests.builders.atom import check_atom

AT = "2018-02-01T12:00:00Z"
URN = "urn:uuid:00000000-0000-5000-8000-00000000000{}"


def feed(*entries: FeedEntry, title: str = "Lists") -> Feed:
    site = "https://example.org"
    return Feed(
        URN.format(0), title, AT, "it", "Circolo & C.", f"{site}/feeds/it/lists", f"{site}/lists", entries
    )


def test_a_feed_has_what_the_standard_wants() -> None:
    entries = (
        FeedEntry(URN.format(1), "Lista", AT, "https://example.org/lists/a"),
        FeedEntry(
            URN.format(2), "Altra", AT, "https://example.org/lists/b", ("Rossi: 1 → 2", "<b>Verdi</b> & C.")
        ),
    )
    data = write_atom(feed(*entries))
    check_atom(data)
    parsed = feedparser.parse(data)
    assert not parsed.bozo
    assert (parsed.feed.language, parsed.feed.author) == ("it", "Circolo & C.")
    assert [entry.title for entry in parsed.entries] == ["Lista", "Altra"]
    assert (
        parsed.entries[1].content[0].value
        == "<ul><li>Rossi: 1 → 2</li><li>&lt;b&gt;Verdi&lt;/b&gt; &amp; C.</li></ul>"
    )
    check_atom(write_atom(feed()))


@given(st.text(max_size=40))
def test_any_text_makes_a_well_formed_feed(text: str) -> None:
    entry = FeedEntry(URN.format(1), text, AT, "https://example.org/", (text,))
    data = write_atom(feed(entry, title=text))
    check_atom(data)
    assert not feedparser.parse(data).bozo
