"""What an explanation must agree with."""

from unittest.mock import patch

from arpad.lists.compute_chess import compute_period, period_event
from arpad.lists.explanation import explain_chess
from arpad.model.json_values import to_state
from arpad.model.rules import ListName
from arpad.office.drafts.load_inputs import inputs_of
from arpad.office.lists import rows as lists
from arpad.office.lists.tables import PUBLISHED
from arpad.office.players.explain import CACHE, eventful_lists, explain_change, explain_changes
from tests.builders.offices import Desk


def agree(desk: Desk) -> int:
    """Compare the explanation of every player on every chess list, alone and together, with the whole period."""
    compared = 0
    # without the cache, which would answer the second question with the answers to the first
    with patch.object(CACHE, "size", 0), desk.office.store.reading() as connection:
        for publication in lists.all_publications(connection):
            if publication.kind != PUBLISHED or publication.list not in CHESS:
                continue
            inputs = inputs_of(connection, publication)
            events = [period_event(it, inputs) for it in inputs.events]
            standings = {player: to_state(player, state) for player, state in inputs.states.items()}
            period = compute_period(inputs, standings, events)
            whole = {player: explain_chess(player, period, events) for player in period.players}
            for player in inputs.people:
                assert explain_change(connection, publication, player) == whole.get(player)
                assert player not in whole or publication.id in eventful_lists(
                    connection, player, [publication]
                )
                compared += 1
            assert explain_changes(connection, publication, inputs.people) == whole
    return compared


CHESS = (ListName.STANDARD, ListName.RAPID, ListName.BLITZ)
