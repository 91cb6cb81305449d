"""What is published is what was looked at: the draft is compared in the transaction that publishes."""

import sys
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from arpad.model.errors import BadInput
from arpad.office.drafts.acts import Draft, compute_draft
from arpad.office.users import Grant, Role
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.offices import STANDARD, WIN, Desk, listed
from tests.builders.site_fixtures import PASSWORD, proof, serving
from tests.builders.users import add_user
from tests.builders.verbs import accept, ledger, open_office, publications, publish
from tests.builders.verbs import draft as office_draft
from tests.commands import refusal, run_json

JAN, FEB = date(2018, 1, 1), date(2018, 2, 1)
WAIT_SECONDS = 1.0


@pytest.fixture
def waiting(desk: Desk) -> Desk:
    """An office whose next list is that of February, with a report that is not accepted yet."""
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.on(date(2018, 1, 20))
    assert desk.send(event("Match", WIN, date(2018, 1, 10))).report == 1
    return desk


class Meanwhile:
    """Somebody else who acts on the office as soon as the draft was compared for the first time."""

    def __init__(self, act: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
        self.thread = threading.Thread(target=act)
        self.done_before_the_end = False
        self._compute = compute_draft
        monkeypatch.setattr(sys.modules["arpad.office.drafts.publish"], "compute_draft", self)

    def __call__(self, *args: Any, **kwargs: Any) -> Draft:
        draft = self._compute(*args, **kwargs)
        if not self.thread.ident:
            self.thread.start()
            self.thread.join(WAIT_SECONDS)
            self.done_before_the_end = not self.thread.is_alive()
        return draft


def test_nobody_changes_a_list_between_the_look_and_the_site_publishing_it(
    waiting: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report is accepted while the site compares the draft with what the officer saw."""
    add_user(waiting.office, "anna", "Anna", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    seen = office_draft(waiting.office, STANDARD, FEB)
    with serving(replace(waiting.office, author="")) as running:
        anna = running.client("anna")
        form = {
            "csrf": proof(anna, "/desk/lists"), "list": "standard", "day": str(FEB),
            "standard.digest": seen.result.digest, "standard.inputs": getattr(seen, "inputs_digest", ""),
        }  # fmt: skip
        with closing(open_office(waiting.place, now=waiting.clock, author="Somebody else")) as other:
            meanwhile = Meanwhile(lambda: accept(other, 1), monkeypatch)
            answer = anna.post("/desk/publish", data=form)
            meanwhile.thread.join()
        again = anna.post("/desk/publish", data={**form, "csrf": proof(anna, "/desk/lists")})

    out = [p for p in publications(waiting.office) if p.day == FEB]
    assert [p.digest for p in out] in ([], [seen.result.digest])
    assert answer.status_code == 303 if out else 422
    assert not meanwhile.done_before_the_end
    assert again.status_code == 303  # it is out, and it is what was looked at


def test_a_list_that_changed_since_is_not_published(waiting: Desk) -> None:
    seen = office_draft(waiting.office, STANDARD, FEB)
    accept(waiting.office, 1)
    acts = ledger(waiting.office)

    with pytest.raises(BadInput, match="draft-changed"):
        publish(waiting.office, STANDARD, FEB, digest=seen.result.digest)

    assert ledger(waiting.office) == acts
    seen = office_draft(waiting.office, STANDARD, FEB)
    published = publish(waiting.office, STANDARD, FEB, digest=seen.result.digest, inputs=seen.inputs_digest)
    assert (published.digest, published.inputs_digest) == (seen.result.digest, seen.inputs_digest)
    with pytest.raises(BadInput, match="draft-changed"):
        publish(waiting.office, STANDARD, FEB, digest="0" * 64)


def test_other_inputs_are_noticed_even_where_the_list_is_the_same(waiting: Desk) -> None:
    """K 20 is what the player has anyway: the list stays the same, what it rests on does not."""
    seen = office_draft(waiting.office, STANDARD, FEB)
    decide(waiting.office, "k", player=1, on_list=STANDARD, day=FEB, k=20, reason="test")
    assert office_draft(waiting.office, STANDARD, FEB).result.digest == seen.result.digest

    with pytest.raises(BadInput, match="draft-changed"):
        publish(waiting.office, STANDARD, FEB, digest=seen.result.digest, inputs=seen.inputs_digest)


def test_the_command_publishes_what_close_showed(
    sqlite_desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    sqlite_desk.list(JAN, listed(1, 2000), listed(2, 1900))
    sqlite_desk.office.close()
    about = ("standard", "2018-02-01", "--db", sqlite_desk.place)
    seen = run_json(capsys, "office", "draft", *about)
    given = ("--digest", seen["digest"], "--inputs", seen["inputs_digest"])
    said = refusal(capsys, "office", "publish", *about, "--digest", "0" * 64, "--lang", "it")
    assert said == "la bozza è cambiata: guardala di nuovo prima di pubblicare"
    assert run_json(capsys, "office", "publish", *about, *given)["digest"] == seen["digest"]
