"""Who follows what, as the database has it."""

from arpad.office.notices import rows
from arpad.office.notices.rows import Follow, Follower
from arpad.office.office import Office


def followers_of(office: Office) -> list[tuple[Follower, list[Follow]]]:
    """Return every address with what it follows."""
    with office.store.reading() as connection:
        return [(it, rows.follows_of(connection, it.id)) for it in rows.all_followers(connection)]
