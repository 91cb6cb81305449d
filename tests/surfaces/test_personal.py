"""Personal and secret parameters of all acts: marked, never written if secret, and gone after an erasure."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arpad.model.declared import Parameter, Upload, convert
from arpad.model.errors import BadInput
from arpad.office.declarations import all_declared, personal_keys
from arpad.office.declared import REASON, Declared, details_of, perform
from arpad.office.privacy.acts import erase_player
from arpad.office.proof.erased_texts import ERASED
from arpad.office.users import OWNER
from arpad.office.verify.acts import verify
from arpad.store.declared_tables import is_lasting
from tests.builders.site_fixtures import serving_copy
from tests.builders.verbs import ledger
from tests.surfaces.examples import example_of, prepare

ACTS = [it for it in all_declared().values() if it.is_act]


def texts(declared: Declared[..., Any]) -> Iterator[Parameter]:
    """Yield the parameters that take a text or pairs of texts, except the reason, in which names are looked for."""
    for parameter in declared.parameters:
        plain = parameter.type in (str, dict) or parameter.accepts.read is not None
        if plain and parameter.name != REASON and parameter.type is not Upload and not parameter.choices:
            yield parameter


@pytest.mark.parametrize("declared", ACTS, ids=[it.name for it in ACTS])
def test_what_can_tell_who_somebody_is_is_marked(declared: Declared[..., Any]) -> None:
    for parameter in texts(declared):
        accepts = parameter.accepts
        decided = accepts.personal is not None or accepts.secret or accepts.unwritten
        assert decided, f"say whether {parameter.name} is personal: it is a text"


def test_the_keys_of_personal_details_are_named_by_verb() -> None:
    keys = personal_keys()
    assert keys["register-player"] == {"name", "born", "identifiers"}
    assert keys["change-player"] == {"name", "born"}
    assert keys["merge"] == frozenset()


SECRET = [it for it in ACTS if any(one.accepts.secret or one.accepts.unwritten for one in it.parameters)]


@pytest.mark.parametrize("declared", SECRET, ids=[it.name for it in SECRET])
def test_no_secret_is_among_the_details_of_an_act(declared: Declared[..., Any]) -> None:
    secrets = [it.name for it in declared.parameters if it.accepts.secret or it.accepts.unwritten]
    given = convert(declared.parameters, example_of(declared) | {})
    given |= dict.fromkeys(secrets, "a secret of somebody")
    details = details_of(declared.parameters, given)
    assert "a secret of somebody" not in str(details)
    assert not details.keys() & {*secrets}


ABOUT_PLAYERS = [
    it for it in ACTS if any(one.name == "player" for one in it.parameters) and personal_keys().get(it.verb)
]


MORE: dict[str, dict[str, Any]] = {
    "club transfer": {"club": "MI1"},
    "register change": {"set": {"name": "Neri, Ada", "born": "1991"}},
}
"""Values that the examples may leave out."""


def test_an_erasure_finds_what_is_marked(
    demo_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arpad.office.privacy.acts.verify", partial(verify, recompute=False))
    with serving_copy(demo_folder, tmp_path) as own:
        office = replace(own.office, author="tests")
        for declared in ABOUT_PLAYERS:
            with suppress(BadInput):  # an act before has entered it
                prepare(office, declared)
            perform(declared, office, OWNER, {**example_of(declared), **MORE.get(declared.name, {})})
        erase_player(office, 1, confirm=1, reason="asked")
        acts = [act for act in ledger(office) if act.facts.get("player") == 1]
    keys = personal_keys()
    assert {act.verb for act in acts} >= {it.verb for it in ABOUT_PLAYERS} - {
        "decide"
    }  # its example is a report's
    for act in acts:
        for key in keys.get(act.verb, frozenset()) & act.facts.keys():
            assert all(text in ("", ERASED) or is_lasting(key, text) for text in texts_in(act.facts[key])), (
                act.verb
            )


def texts_in(value: Any) -> Iterator[str]:
    """Yield all texts inside a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts_in(item)
