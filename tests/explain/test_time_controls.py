"""Time controls in the reader's words."""

import pytest

from arpad.explain.time_controls import time_control_text
from arpad.explain.words import load_words


@pytest.mark.parametrize(
    ("language", "written", "read"),
    [
        ("it", "90 min/40 moves + 30 min + 30 sec per move from move one",
         "90 minuti per 40 mosse + 30 minuti + 30 secondi a mossa"),
        ("en", "90 min/40 moves + 30 min + 30 sec per move from move one",
         "90 minutes for 40 moves + 30 minutes + 30 seconds per move"),
        ("fr", "3' + 2\"", "3 minutes + 2 secondes par coup"),
        ("it", "25 min per player", "25 minuti"),
        ("en", "100 min + 30 sec per move from move 41", "100 minutes + 30 seconds per move from move 41"),
        # reading these needs a guess, or nobody can read them: they are shown as written
        ("it", "120", "120"),
        ("it", "90' white, 60' black", "90' white, 60' black"),
        ("it", "as agreed", "as agreed"),
    ],
)  # fmt: skip
def test_a_time_control_is_in_the_language_of_the_page(language: str, written: str, read: str) -> None:
    assert time_control_text(written, load_words(language)) == read


def test_a_notice_has_a_name_in_each_language() -> None:
    names = {language: load_words(language).article("notice 2024") for language in ("en", "it", "fr")}
    assert names == {"en": "notice 2024", "it": "avviso 2024", "fr": "avis 2024"}
    assert load_words("it").article("8.3.2") == "8.3.2"
    assert load_words("it").article("B.01 1.1.1") == "B.01 1.1.1"
