"""Closing a period: which reports fall in, with which ratings and under which editions; and a draft of the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, partial

from sqlalchemy import Connection

from arpad.lists.compute import compute_list
from arpad.lists.input_files import file_digests, inputs_digest, write_inputs
from arpad.lists.inputs import Inputs
from arpad.lists.published import DRAUGHTS
from arpad.lists.result import ListResult
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.draughts_lists import base_for, ended_by
from arpad.office.editions import chess_rules
from arpad.office.eligible_reports import InTime, LeftOut, select_reports
from arpad.office.list_days import out_of_turn
from arpad.office.lists_in_force import newest
from arpad.office.load_inputs import InputsAsOf, load_inputs
from arpad.office.office import Office, today
from arpad.office.stated_facts import decided_facts
from arpad.regulations.calendar import is_in_time
from arpad.regulations.chess.rules import ChessRules
from arpad.store import lists
from arpad.store.decisions import Decision
from arpad.store.lists import Publication
from arpad.store.reports import Filed
from arpad.system.batches import gc_paused


@dataclass(frozen=True)
class Draft:
    """What would be published now."""

    inputs: Inputs
    closed: ListResult
    base: Publication | None
    taken: tuple[Filed, ...]
    left_out: tuple[LeftOut, ...]
    refusal: BadInput | None = None
    """Why it may only come out as a special list; None where its day is the next one of the calendar."""

    @property
    def special(self) -> bool:
        """Whether it may only come out as a special list."""
        return self.refusal is not None

    @cached_property
    def files(self) -> dict[str, bytes]:
        """The inputs as the files of a bundle."""
        return write_inputs(self.inputs)

    @cached_property
    def inputs_digest(self) -> str:
        """SHA-256 over everything the list is made from."""
        return inputs_digest(file_digests(self.files))


def draft(office: Office, on_list: ListName, day: date, *, special: bool = False) -> Draft:
    """Make the list without publishing it: the same value that ``publish`` would keep.

    The draft of a day that is not the next one of the calendar says so; to publish it then needs ``special``.
    """
    with gc_paused(), office.store.reading() as connection:
        return compute_draft(connection, on_list, day, today(office, connection), special=special)


def compute_draft(
    connection: Connection, on_list: ListName, day: date, now: date, *, special: bool = False
) -> Draft:
    """Make a draft of a list on a day of the calendar, or with ``special`` on any day."""
    found = lists.all_publications(connection, on_list)
    last = newest(found)
    if last is not None and last.day >= day:
        raise BadInput("list-out", list=str(on_list), day=day, last=last.day)
    if on_list in DRAUGHTS:
        base = base_for(found, day)
        behind = {p.id for p in found if base is not None and p.day <= base.day}
        ended: InTime = partial(ended_by, day)
    else:
        rules = chess_rules(connection, on_list, day)
        base, behind = last, {p.id for p in found}
        ended = partial(in_time, day=day, rules=rules)
    refusal = out_of_turn(connection, on_list, day, last, now)
    if refusal is not None and refusal.code == "off-calendar" and not special:
        raise refusal
    taken, left_out = select_reports(connection, found, behind, on_list, ended)
    revision = lists.next_revision(connection, on_list, day)
    making = InputsAsOf((last.number if last else 0) + 1, _shown_digest(found), revision)
    inputs = load_inputs(connection, on_list, day, taken, base, making)
    return Draft(inputs, compute_list(inputs), base, tuple(taken), tuple(left_out), refusal)


def _shown_digest(found: Sequence[Publication]) -> str:
    shown = newest([p for p in found if p.kind != lists.BASE])
    return shown.digest if shown else ""


def in_time(filed: Filed, decided: Sequence[Decision], day: date, rules: ChessRules) -> bool:
    """Whether an event ended by a list's cut-off; official events have until the last day (7.13)."""
    official = decided_facts(filed, decided).official
    return filed.last_day is not None and is_in_time(filed.last_day, day, rules, official=bool(official))
