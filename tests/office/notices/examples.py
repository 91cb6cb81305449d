"""Values with which the acts and queries of followers work in the office of the demo."""

from arpad.explain.words import load_words
from arpad.office.notices.acts import ask_to_follow, followed
from arpad.office.office import Office

VARIES = {"follower list": ("followers",)}


def prepare(office: Office) -> None:
    """Let an address ask for a player."""
    with office.store.reading() as connection:
        thing = followed(connection, load_words("en"), "player", "1", office)
    assert thing is not None
    ask_to_follow(office, "anna@example.org", thing, language="en", network="192.0.2.1")
