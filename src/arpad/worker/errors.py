"""Errors of jobs as the queue stores them: a code with its facts, so that each reader gets their language."""

from __future__ import annotations

import json
from typing import Any

from arpad.explain.words import Words
from arpad.model.errors import ArpadError, BadInput


class Hopeless(BadInput):
    """An error that another attempt would not mend: the job is given up at once."""


def error_text(error: Exception) -> str:
    """Return an error for the queue."""
    if not isinstance(error, ArpadError):
        what = f"{type(error).__name__}: {error}".split("\n", 1)[0][:300]
        return error_text(BadInput("job-fault", what=what))
    return json.dumps({"code": error.code, "facts": error.facts}, default=str, ensure_ascii=False)


def error_sentence(text: str, words: Words) -> str:
    """Return an error of the queue in words; empty if there is none."""
    if not text:
        return ""
    try:
        document: dict[str, Any] = json.loads(text)
        return words.error(BadInput(document["code"], **document["facts"]))
    except (ValueError, KeyError, TypeError):  # cut off, or of another version
        return text
