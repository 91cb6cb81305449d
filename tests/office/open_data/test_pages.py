"""The page of the open data: it appears when a worker has written them, and goes when somebody is hidden."""

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from arpad.office.open_data.acts import renew_open_data
from arpad.office.privacy.acts import hide_player
from arpad.worker.kinds import OPEN_DATA
from tests.builders.site_fixtures import Served


def test_the_data_are_offered_until_somebody_is_hidden(
    own: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = own.client()
    assert client.get("/data").status_code == 404
    monkeypatch.setenv(OPEN_DATA, str(tmp_path / "open"))
    assert client.get("/data").status_code == 404
    renew_open_data(own.office, tmp_path / "open")

    assert 'href="/data"' in client.get("/developers").text
    text = client.get("/data").text
    package = json.loads(client.get("/data/datapackage.json").text)
    for resource in package["resources"]:
        assert f'href="/data/{resource["path"]}"' in text
        answer = client.get(f"/data/{resource['path']}", headers={"origin": "https://club.example"})
        assert answer.headers["content-type"].startswith(resource["mediatype"])
        assert answer.headers["access-control-allow-origin"] == "*"
        assert resource["hash"] == f"sha256:{sha256(answer.content).hexdigest()}"
    assert client.get("/data/..%2Fdata-1").status_code == 404
    assert client.get("/data/nothing.csv").status_code == 404

    hide_player(replace(own.office, author="tests"), 1, reason="asked")
    assert client.get("/data/players.csv").status_code == 404
    renew_open_data(own.office, tmp_path / "open")
    assert client.get("/data/players.csv").status_code == 200


def test_the_licence_says_what_the_page_of_open_data_needs(
    own: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = own.client("administrator")
    assert OPEN_DATA in client.get("/admin/site").text
    monkeypatch.setenv(OPEN_DATA, "/srv/open-data")
    assert OPEN_DATA not in client.get("/admin/site").text
