"""Values are kept while somebody asks for it, and no longer."""

from arpad.store.bulk import keep_values, keeps_values, kept_value
from tests.builders.offices import Desk


def test_a_value_is_made_once_while_values_are_kept(sqlite_out: Desk) -> None:
    with sqlite_out.office.store.reading() as connection:
        made: list[int] = []

        def ask(key: int) -> int:
            return kept_value(connection, "list", key, lambda: made.append(key) or key)  # type: ignore[func-returns-value]

        assert [ask(key) for key in (1, 1)] == [1, 1]
        assert made == [1, 1], "nothing is kept"
        with keep_values(connection, most=2):
            assert [ask(key) for key in (1, 2, 1, 3, 2, 1)] == [1, 2, 1, 3, 2, 1]
            assert made == [1, 1, 1, 2, 3, 1], "the third takes the place of the first"
            assert keeps_values(connection)
            assert kept_value(connection, "other", 2, lambda: "x") == "x"
        assert not keeps_values(connection)
