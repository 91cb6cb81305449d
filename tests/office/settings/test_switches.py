"""Features are switched off and on: what belongs to them is not there, their data stays and is verified."""

from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest

from arpad import cli
from arpad.explain.words import LANGUAGES
from arpad.model.errors import BadInput
from arpad.office.clubs.acts import enter_club
from arpad.office.features import FEATURES, features_left_out, features_needed_by, features_that_need
from arpad.office.office import init
from arpad.office.settings.acts import feature_switches, switch_off, switch_on
from arpad.office.switches import features_off
from arpad.worker.kinds import KINDS, kinds_on
from tests.builders.offices import Desk
from tests.builders.site_fixtures import Served, proof
from tests.builders.verbs import verify

DAY = date(2018, 1, 1)
WHY = "nobody uses it"


def off_in(desk: Desk) -> set[str]:
    with desk.office.store.reading() as connection:
        return set(features_off(connection))


def test_a_feature_goes_off_and_on_with_its_data(desk: Desk) -> None:
    enter_club(desk.office, "MI1", "Milano", since=DAY)
    switched = switch_off(desk.office, "clubs", with_others=True, reason=WHY)
    assert set(switched.switched) == {"clubs", *features_that_need("clubs")} == off_in(desk)
    with pytest.raises(BadInput, match="feature-off"):
        enter_club(desk.office, "MI2", "Monza", since=DAY)
    assert verify(desk.office).intact
    switch_on(desk.office, "clubs", reason="a club asks for it")
    enter_club(desk.office, "MI2", "Monza", since=DAY)
    assert off_in(desk) == set(features_that_need("clubs"))
    assert verify(desk.office).intact


def test_a_feature_that_others_need_is_not_switched_off_alone(desk: Desk) -> None:
    with pytest.raises(BadInput, match="feature-needed"):
        switch_off(desk.office, "registrations", reason=WHY)
    assert off_in(desk) == set()


def test_a_feature_comes_with_those_that_it_needs(desk: Desk) -> None:
    switch_off(desk.office, "clubs", with_others=True, reason=WHY)
    switched = switch_on(desk.office, "notices", reason="readers ask for it")
    assert set(switched.switched) == {"notices", "clubs"}


@pytest.mark.parametrize("name", ["register", "nothing"])
def test_what_every_office_has_stays(desk: Desk, name: str) -> None:
    with pytest.raises(BadInput, match="value-unknown"):
        switch_off(desk.office, name, reason=WHY)


def test_switching_twice_is_one_act(desk: Desk) -> None:
    switch_off(desk.office, "fees", reason=WHY)
    assert switch_off(desk.office, "fees", reason=WHY).switched == ()
    assert {it.feature for it in feature_switches(desk.office).features if not it.on} == {"fees"}


def test_jobs_of_a_feature_wait(desk: Desk) -> None:
    switch_off(desk.office, "live", reason=WHY)
    assert set(KINDS) - set(kinds_on(desk.office, KINDS)) == {"live", "live-received"}


def test_the_ready_answers_leave_out_what_needs_what_is_left_out() -> None:
    optional = {name for name, feature in FEATURES.items() if feature.optional}
    assert features_left_out() == ()
    assert set(features_left_out("small")) == optional
    for answer in ("small", "national", "all"):
        for games in ("chess", "draughts", "both"):
            out = set(features_left_out(answer, games))
            assert not [name for name in optional - out if set(features_needed_by(name)) & out]


def test_an_office_begins_without_some_features(tmp_path: Path) -> None:
    office = init(str(tmp_path / "small.db"), without=features_left_out("small"), author="A")
    with office.store.reading() as connection:
        assert features_off(connection) == set(features_left_out("small"))
    assert verify(office).intact
    office.close()


def test_its_pages_forms_routes_and_menu_entries_are_not_there(own: Served) -> None:
    officer = own.client("officer")
    assert officer.get("/desk/fees").status_code == 200
    assert 'href="/desk/fees"' in officer.get("/desk").text
    csrf = proof(officer, "/desk/fees")
    switch_on_the_site(own, "fees")
    switch_on_the_site(own, "live")
    answer = officer.get("/desk/fees")
    assert (answer.status_code, "switched off by the office" in answer.text) == (404, True)
    assert 'href="/desk/fees"' not in officer.get("/desk").text
    assert officer.post("/desk/acts/fee/pay", data={"csrf": csrf, "from": "/desk"}).status_code == 404
    assert own.client().get("/api/v1/live/standard").status_code == 404
    assert own.client().get("/lists").status_code == 200


def test_the_page_of_the_settings_switches_features(own: Served) -> None:
    page = switch_on_the_site(own, "webhooks")
    assert 'href="/admin/webhooks"' not in page
    assert 'action="/desk/acts/feature/on"' in page


def switch_on_the_site(own: Served, feature: str) -> str:
    """Switch a feature off as an administrator does; return the page afterwards."""
    administrator = own.client("administrator")
    sent = {"csrf": proof(administrator, "/admin"), "from": "/admin", "feature": feature, "reason": WHY}
    assert administrator.post("/desk/acts/feature/off", data=sent).status_code == 303
    return administrator.get("/admin").text


def test_the_help_of_an_office_has_no_commands_of_a_feature_that_is_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = str(tmp_path / "small.db")
    init(place, without=("clubs", "notices", "fide", "webhooks"), author="A").close()
    assert run(monkeypatch, capsys, "office", "--help", "--db", place).count("  club ") == 0
    assert run(monkeypatch, capsys, "office", "--help").count("  club ") == 1
    assert "club" in run(monkeypatch, capsys, "office", "club", "--help")
    refused = run(monkeypatch, capsys, "office", "club", "list", "--db", place, "--lang", "en")
    assert '"clubs" is switched off' in refused
    refused = run(monkeypatch, capsys, "office", "webhook", "list", "--db", place, "--lang", "en")
    assert '"webhooks" is switched off' in refused


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_of_a_small_office_fits_on_two_screens(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = str(tmp_path / "small.db")
    init(place, without=features_left_out("small"), author="A").close()
    lines = run(monkeypatch, capsys, "office", "--help", "--db", place, "--lang", language).splitlines()
    assert len(lines) <= 2 * 24
    assert max(map(len, lines)) <= 80


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """Run a command; return all that it prints."""
    monkeypatch.setattr("sys.argv", ["arpad", *command])
    with suppress(SystemExit):
        cli.main()
    printed = capsys.readouterr()
    return printed.out + printed.err
