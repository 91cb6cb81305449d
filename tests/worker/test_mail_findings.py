"""Findings in a mail: none that names a player who asked not to be shown."""

from __future__ import annotations

import pytest

from arpad.worker.mail_findings import is_named

NAMES = frozenset({"muller", "ada", "4711"})


@pytest.mark.parametrize(
    "sentence", ["Müller, A. is doubtful", "the entrant MULLER", "number 4711 is twice", "Ada plays Eva"]
)
def test_a_sentence_with_a_word_of_a_hidden_name_is_left_out(sentence: str) -> None:
    assert is_named(sentence, NAMES)


@pytest.mark.parametrize("sentence", ["Round 3 has no result", "Mullers and 47112", ""])
def test_other_sentences_stay(sentence: str) -> None:
    assert not is_named(sentence, NAMES)
