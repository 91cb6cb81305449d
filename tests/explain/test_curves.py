"""Rating curves: where they turn, where they break, what is marked on them."""

import re
from datetime import date
from itertools import pairwise

from arpad.explain.curves import CurveLine, CurveMark, curve_data, curve_picture, turning_points

DAYS = [date(2024, month, 1) for month in range(1, 8)]
LINE = CurveLine("1", "Ada & co", [*zip(DAYS, (1500, 1500, 1500, 1520, None, None, 1510), strict=True)])


def test_a_line_turns_at_both_ends_of_a_run() -> None:
    assert turning_points(LINE.points) == [
        (DAYS[0], 1500), (DAYS[2], 1500), (DAYS[3], 1520), (DAYS[4], None), (DAYS[5], None), (DAYS[6], 1510),
    ]  # fmt: skip


def test_a_curve_breaks_while_there_is_no_rating_and_ends_with_the_last_one() -> None:
    picture = curve_picture("Ada's curve", [LINE])
    assert "aria-label='Ada&#x27;s curve'" in picture
    assert len(re.findall(r"<path class='curve'", picture)) == 2
    assert ">1510</text>" in picture.partition("class='now'")[2]


def test_the_last_rating_has_room_on_a_phone() -> None:
    """The picture is 720 wide; four digits of 26 pixels need 82 of the 96 to the right of the last point."""
    x = re.search(r"class='now' x='(\d+)'", curve_picture("t", [LINE]))
    assert x is not None
    assert int(x[1]) + 4 * 18 <= 720


def test_one_rating_makes_no_curve() -> None:
    assert curve_picture("t", [CurveLine("1", "Ada", [(DAYS[0], 1500), (DAYS[1], None)])]) == ""
    assert curve_picture("t", []) == ""


def test_marks_and_lines_are_the_same_for_the_script() -> None:
    mark = CurveMark(DAYS[3], 1520, "peak", "the <peak>")
    assert "<path class='mark peak'" in curve_picture("t", [LINE], [mark])
    assert "the &lt;peak&gt;" in curve_picture("t", [LINE], [mark])
    data = curve_data([LINE], [mark])
    assert data["marks"] == [["2024-04-01", 1520, "peak", "the <peak>"]]
    assert data["lines"] == [
        {
            "id": "1",
            "name": "Ada & co",
            "points": [[str(day), rating] for day, rating in turning_points(LINE.points)],
        }
    ]


def test_several_lines_have_a_class_each() -> None:
    picture = curve_picture("t", [LINE, CurveLine("2", "Bice", [(day, 1400) for day in DAYS])])
    assert re.findall(r"<g class='line (line-\d)'", picture) == ["line-0", "line-1"]
    assert "class='under'" not in picture


def test_the_ratings_at_the_ends_of_lines_do_not_overlap() -> None:
    lines = [
        CurveLine(str(rating), str(rating), [(date(2024, 1, 1), 1500), (date(2025, 1, 1), rating)])
        for rating in (2195, 2206, 2190, 1900)
    ]
    drawn = re.findall(r"class='now' x='\d+' y='(\d+)'>(\d+)<", curve_picture("four", lines))
    heights = {rating: int(y) for y, rating in drawn}
    ordered = [heights[rating] for rating in ("2206", "2195", "2190", "1900")]
    assert all(below - above >= 24 for above, below in pairwise(ordered))
    assert max(ordered) < 260
