"""Finding the near names in a table of many."""

from arpad.reports.name_candidates import NameTable


def test_the_nearest_rows_come_first_also_of_turned_and_mistyped_names() -> None:
    names = ["Adams, Michael", "Short, Nigel D.", "Shorter, Nigella", "Minko, A.", "Short, Philip"]
    table = NameTable(range(10, 15), names)

    near = {
        name: [table.players[row] for row, _ in rows][:1]
        for name, rows in table.near(["Short, Nigel", "Nigel Shrot", "Minko, Alexandr", "Zzyzx"])
    }

    assert near == {"Short, Nigel": [11], "Nigel Shrot": [11], "Minko, Alexandr": [13], "Zzyzx": []}


def test_an_empty_table_is_near_to_nobody() -> None:
    assert list(NameTable().near(["Rossi, Mario"])) == [("Rossi, Mario", [])]
