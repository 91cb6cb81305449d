"""What an office settles about itself, and numbers of other bodies, from the command line and in the store."""

from contextlib import AbstractContextManager, closing
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from arpad.model.errors import BadInput
from arpad.office import declared
from arpad.office.office import ActContext, init, record_act
from arpad.office.register import rows as register
from arpad.store.settings import read_setting
from tests.builders.offices import Clock, Desk
from tests.builders.verbs import (
    add_identifier,
    change_settings,
    find_players,
    ledger,
    register_player,
    remove_identifier,
    verify,
)


def test_changed_settings_keep_the_earlier_values(place: str) -> None:
    with closing(init(place, federation="ITA", name="Prima", now=Clock(), author="A")) as office:
        assert change_settings(
            office, set_={"name": "Seconda", "federation": "ita"}, reason="renamed"
        ).changed == {"name": "Seconda"}
        assert change_settings(office, set_={"name": " Terza "}).changed == {"name": "Terza"}
        assert change_settings(office, set_={"name": "Terza"}).changed == {}
        with office.store.reading() as connection:
            assert read_setting(connection, "name") == "Terza"
            values = (
                connection.exec_driver_sql("SELECT value FROM setting_changes ORDER BY id").scalars().all()
            )
        assert values == ["Seconda", "Terza"]
        acts = [act for act in ledger(office) if act.verb == "change-settings"]
        assert [(act.reason, dict(act.facts)) for act in acts] == [
            ("renamed", {"set": {"name": "Seconda"}}),
            ("", {"set": {"name": "Terza"}}),
        ]
        with pytest.raises(BadInput, match="setting-languages"):
            change_settings(office, set_={"languages": "la"})
        with pytest.raises(BadInput, match="value-unknown"):
            change_settings(office, set_={"colour": "red"})
        assert verify(office).intact


def test_two_administrators_change_settings_one_after_the_other(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second waits for the first: he changes what he finds then, not what his page had shown."""
    with closing(init(place, federation="ITA", name="Prima", now=Clock(), author="A")) as office:

        def after_another(name: str, value: str) -> None:
            def beginning(*given: Any, **options: Any) -> AbstractContextManager[ActContext]:
                monkeypatch.setattr(declared, "record_act", record_act)
                change_settings(replace(office, author="B"), set_={name: value})
                return record_act(*given, **options)

            monkeypatch.setattr(declared, "record_act", beginning)

        after_another("name", "Seconda")
        assert change_settings(office, set_={"name": "Seconda"}).changed == {}, "somebody has done it"
        after_another("language", "it")
        assert change_settings(office, set_={"language": "en"}).changed == {"language": "en"}, (
            "it was no longer so"
        )
        after_another("language", "it")
        assert change_settings(office, set_={"languages": "it"}).changed == {"languages": "it"}
        with pytest.raises(BadInput, match="value-unknown"):
            change_settings(office, set_={"language": "en"})
        assert [act.author for act in ledger(office)].count("A") == 3  # the beginning is one


def test_an_identifier_moves_and_its_earlier_holder_stays_on_record(place: str) -> None:
    with closing(init(place, federation="ITA", now=Clock(), author="A")) as office:
        anna = register_player(office, "Neri, Anna", identifiers={"fide": "101"}).id
        bice = register_player(office, "Neri, Bice").id
        before = len(list(ledger(office)))
        remove_identifier(office, anna, "fide", "101", reason="not hers")
        with pytest.raises(BadInput, match="no-identifier"):
            remove_identifier(office, anna, "fide", "101", reason="again")
        add_identifier(office, bice, "fide", "101")
        with pytest.raises(BadInput, match="identifier-taken"):
            add_identifier(office, anna, "fide", "101")

        with office.store.reading() as connection:
            now = register.load_people(connection, [anna, bice])
            then = register.load_people(connection, [anna, bice], on=date(2018, 1, 1), as_of_act=before)
            assert register.by_identifier(connection, "fide", ["101"]) == {"101": bice}
        assert [now[player].identifiers for player in (anna, bice)] == [(), (("fide", "101"),)]
        assert [then[player].identifiers for player in (anna, bice)] == [(("fide", "101"),), ()]
        remove_identifier(office, bice, "fide", "101", reason="hers after all")
        add_identifier(office, anna, "fide", "101")
        assert [one.id for one in find_players(office, "101")] == [anna]
        assert verify(office).intact


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"time_zone": "Europe/Atlantis"}, "time-zone"),
        ({"federation": "I T A !"}, "setting-federation"),
        ({"name": "x" * 201}, "setting-name"),
    ],
)
def test_settings_that_cannot_be_are_refused(sqlite_desk: Desk, changed: dict[str, str], code: str) -> None:
    with pytest.raises(BadInput, match=code):
        change_settings(sqlite_desk.office, set_=changed)
