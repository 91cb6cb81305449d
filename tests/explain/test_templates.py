"""Documents that are set from a layout and its data."""

import json

from arpad.explain import templates


def test_half_a_character_becomes_a_question_mark() -> None:
    text = templates._inputs({"number": "\udce7 12", "to": "Société"})["data"]
    assert json.loads(text) == {"number": "? 12", "to": "Société"}
