"""The page of a report that was looked at: what it links to, what it says, in whose words."""

import re
from base64 import b64decode
from datetime import date
from pathlib import Path

import httpx

from arpad.checks.proposals import correct_file
from arpad.model.rules import ListName
from arpad.web.uploads import Upload, edited_report
from tests.builders.site_fixtures import OPEN, Served, compact, proof, serving
from tests.builders.verbs import change_player, find_players, import_list, init, ratings_in_force
from tests.builders.workbooks import workbook


def looked_at(client: httpx.Client, text: str) -> str:
    form = {"csrf": proof(client, "/check"), "name": "open.trf", "text": text}
    answer = client.post("/check", data=form)
    assert answer.status_code == 200
    return answer.text


def many(players: int) -> str:
    """One round, each against the next, of as many players as that."""
    lines = ["012 Open", "042 2018/04/28", "052 2018/04/28"]
    for number in range(1, players + 1):
        other, side, result = (number + 1, "w", 1) if number % 2 else (number - 1, "b", 0)
        lines.append(
            f"001 {number:4d} m    {f'Bianchi, Carlo {number}':<33} {2000 - number:4d} ITA {'':>11} 1990/00/00 "
            f"{result:4.1f} {number:4d}  {other:4d} {side} {result}"
        )
    return "\n".join(lines) + "\n"


def test_every_name_of_the_preview_leads_to_games_that_are_there(served: Served) -> None:
    text = looked_at(served.client(), many(62))
    links, places = (re.findall(sign, text) for sign in (r'href="#(p\d+)"', r'id="(p\d+)"'))
    assert links == places
    assert len(links) == 60
    assert "Bianchi, Carlo 62" in text
    assert "The first 60 players of the report are shown here game by game." in text
    assert "are shown here game by game" not in looked_at(served.client(), many(60))


def test_the_kinds_of_tournaments_are_said_in_the_readers_words(served: Served) -> None:
    told = OPEN.decode().replace("Individual: Swiss-System", "Individual: Round-Robin")
    assert told != OPEN.decode()
    assert "dichiara «girone all&#39;italiana», ma gli abbinamenti mostrano «svizzero»" in looked_at(
        served.client(language="it"), told
    )
    assert "declares “round robin”, but the pairings show “Swiss”" in looked_at(served.client(), told)


def test_a_picture_is_no_workbook_to_be_mended(served: Served) -> None:
    client = served.client()
    files = {"file": ("photo.trf", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(64))}
    answer = client.post("/check", data={"csrf": proof(client, "/check")}, files=files)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert 'type="file"' in answer.text
    assert "workbook" not in answer.text


def two_players(one: str, other: str) -> str:
    return f"Gara;Coppa\nData;2025-01-11\nPremio;Coppa\nN.;Nome;Elo;T1\n1;{one};300;2b1\n2;{other};300;1n1\n"


def test_an_empty_file_is_called_empty_and_not_missing(served: Served) -> None:
    client = served.client()
    shown = {"csrf": proof(client, "/check"), "name": "open.trf", "text": OPEN.decode()}
    for form in ({"csrf": shown["csrf"]}, shown):  # the second form repeats a report that was checked before
        answer = client.post("/check", data=form, files={"file": ("empty.trf", b"")})
        assert answer.status_code == 400
        assert "The file is empty." in answer.text
        assert "Quaglia" not in answer.text
    assert "Choose a file first." in client.post("/check", data={"csrf": shown["csrf"]}).text
    unchosen = client.post("/check", data=shown, files={"file": ("", b"")})
    assert unchosen.status_code == 200
    assert "Quaglia" in unchosen.text


def test_a_draughts_preview_goes_by_the_capitals_in_force(served: Served) -> None:
    office = served.office
    assert office is not None
    day = date(2025, 1, 11)
    capitals = ratings_in_force(office, ListName.ITALIANA, day)
    one, other = sorted(capitals)[:2]
    names = [find_players(office, str(player))[0].name for player in (one, other)]
    client = served.client("officer")
    form = {
        "csrf": proof(client, "/check"),
        "name": "coppa.csv",
        "text": two_players(*names),
        "list": "italiana",
    }
    text = client.post("/check", data=form).text

    assert all(f">{capitals[player]}<" in text for player in (one, other))
    assert ">300<" not in text
    # what the file says is said once, and whoever is doubtful is named before the report is sent
    assert text.count("“Premio”") == 1
    assert text.count("may be one of these") == 2


def test_where_only_draughts_lists_are_out_a_report_is_for_them(served: Served, tmp_path: Path) -> None:
    assert 'value="italiana" selected' not in served.client().get("/check").text
    office = init(str(tmp_path / "dama.db"), federation="ITA", name="Dama", author="tests")
    path = tmp_path / "list.csv"
    rows = "1001;Bianchi Ada;3200;no;2024-10-06;0\n1002;Dupont Jean;;si;2021-10-06;3\n"
    path.write_text(f"tessera;nome;capitale;straniero;ultima gara;anni senza gare\n{rows}", "utf-8")
    import_list(office, path, ListName.ITALIANA, date(2024, 12, 31))
    with serving(office) as running:
        client = running.client()
        text = client.get("/check").text
        assert 'value="italiana" selected' in text
        # the list is the usual one, so that nobody has to look at facts of chess
        assert "<details open" not in text
        form = {
            "csrf": proof(client, "/check"),
            "name": "coppa.csv",
            "text": two_players("A", "B"),
            "list": "italiana",
        }
        assert "<details open" not in client.post("/check", data=form).text
        assert "<details open" in client.post("/check", data=form | {"list": "internazionale"}).text
        # who has no federation begins his line with his number, and a federation leads to the list he is on
        assert '<p class="lead">FID 1001</p>' in compact(client.get("/players/1").text)
        change_player(office, 1, since=date(2025, 1, 1), reason="joined", set_={"federation": "ITA"})
        assert 'href="/lists/italiana?federation=ITA"' in client.get("/players/1").text
        assert "No capital at present" in client.get("/players/2").text


def test_the_form_takes_the_facts_of_the_later_texts(served: Served) -> None:
    client = served.client()
    report = many(4).replace("2018/04/28", "2025/04/28")
    form = {
        "csrf": proof(client, "/check"), "name": "open.trf", "text": report, "taken_out": "1:1:fair-play",
        "registered": "2025-04-27", "late_registration_by": "president", "hybrid": "yes", "hybrid_approved": "no",
    }  # fmt: skip
    answer = client.post("/check", data=form)
    assert answer.status_code == 200
    assert "The game is not rated: Fair Play rules" in answer.text
    assert "left out by the Fair Play rules" in answer.text
    assert "It was a hybrid event that was not approved" in answer.text
    assert "accepted by the FIDE President" in answer.text
    assert 'value="1:1:fair-play"' in answer.text
    for name, wrong in (("taken_out", "first game"), ("late_registration_by", "somebody")):
        refused = client.post("/check", data=form | {name: wrong})
        assert refused.status_code == 422
        assert 'role="alert"' in refused.text


def test_the_page_of_an_edition_says_how_surely_it_is_known(served: Served) -> None:
    text = served.client(language="en").get("/regulations/fide-2022").text
    assert '<abbr title="inferred from another text">~</abbr>' in text
    assert "How surely it is known:" in text
    assert "<abbr" not in served.client(language="en").get("/regulations/fide-2024").text
    assert (
        "dedotto da un altro testo"
        in served.client(language="it").get("/regulations/fide-2021/fide-2022").text
    )


def broken_open() -> bytes:
    """The example with two mechanical mistakes, in Windows letters and line ends."""
    lines = OPEN.decode().splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith("001"))
    lines[first] = lines[first][:80] + " 9.5" + lines[first][84:]
    lines = [line.replace("062 15", "062 17").replace("Bellariva", "Forlì") for line in lines]
    return "".join(f"{line}\r\n" for line in lines).encode("cp1252")


def test_the_verdict_comes_first_and_each_problem_shows_its_character(served: Served) -> None:
    client = served.client()
    files = {"file": ("open.trf", broken_open())}
    text = client.post("/check", data={"csrf": proof(client, "/check")}, files=files).text
    verdict = text.index("The report is ready after the error is corrected.")

    assert verdict < text.index("17 players are declared") < text.index('<mark class="warning">9.5</mark>')
    assert re.search(r'href="#line-13" data-line="13" data-start="82"\s+data-end="85" data-text="9.5"', text)
    assert text.count('<mark class="warning">9.5</mark>') == 2  # in the finding, and in the list of lines
    assert 'id="line-13"' in text
    assert "style=" not in text


def test_a_proposed_correction_is_applied_by_one_click(served: Served) -> None:
    client = served.client()
    token = proof(client, "/check")
    files = {"file": ("open.trf", broken_open())}
    text = client.post("/check", data={"csrf": token}, files=files).text
    packed = re.search(r'name="packed" value="([^"]+)"', text)
    keys = re.findall(r'name="apply" value="([^"]+)"', text)
    assert packed is not None
    assert sorted(keys) == ["all", "count-of-players-6-5", "points-not-the-sum-13-81"]
    form = {"csrf": token, "name": "open.trf", "packed": packed[1], "text": broken_open().decode("cp1252")}

    one = client.post("/check", data=form | {"apply": "points-not-the-sum-13-81"}).text
    both = client.post("/check", data=form | {"apply": "all"}).text
    nothing = client.post("/check", data=form | {"apply": "points-not-the-sum-99-81"}).text

    assert "1 correction was applied" in one
    assert 'value="count-of-players-6-5"' in one
    assert "2 corrections were applied" in both
    assert 'name="apply"' not in both
    assert "applied. Check" not in nothing
    corrected = re.search(r'name="packed" value="([^"]+)"', both)
    assert corrected is not None
    expected = OPEN.decode().replace("Bellariva", "Forlì").encode("cp1252")
    assert b64decode(corrected[1]) == expected  # letters and line ends of the file stay


def test_a_text_that_was_not_edited_stays_the_same_to_the_byte() -> None:
    original = Upload("open.trf", "012 Città\r\n001".encode("cp1252"))

    assert edited_report("open.trf", "012 Città\r\n001", original) is original
    assert edited_report("open.trf", "012 Forlì\n001", original).data == "012 Forlì\r\n001".encode()
    assert edited_report("open.trf", "012 A\r\n", None).data == b"012 A\n"


def test_a_finding_of_a_csv_file_marks_its_cell_and_a_workbook_shows_the_cell(served: Served) -> None:
    client = served.client()
    token = proof(client, "/check")
    table = "Torneo;Open\nN.;Nome;Punti;T1\n1;Bianchi, Ada;0,5;2b1\n2;Verdi, Ugo;0;1n0\n"
    text = client.post("/check", data={"csrf": token, "name": "open.csv", "text": table}).text

    assert re.search(r'data-line="3" data-start="16"\s+data-end="19" data-text="0,5"', text)
    assert re.search(r"<del>0,5</del>\s*→\s*<ins>1</ins>", text)
    files = {"file": ("open.xlsx", workbook())}
    text = client.post("/check", data={"csrf": token}, files=files).text
    cell = re.search(r'href="#(cell-\w+)">cell Crosstable!J6, player 5<', text)
    assert cell is not None
    assert f'id="{cell[1]}"><mark class="warning">0</mark>' in text
    packed = re.search(r'name="packed" value="([^"]+)"', text)
    assert packed is not None
    form = {"csrf": token, "name": "open.xlsx", "packed": packed[1]}
    both = client.post("/check", data=form | {"apply": "all"}).text
    assert "3 corrections were applied" in both
    corrected = re.search(r'name="packed" value="([^"]+)"', both)
    assert corrected is not None
    file = client.post("/check/file", data=form | {"packed": corrected[1]})
    assert file.headers["content-disposition"] == "attachment; filename*=UTF-8''open.xlsx"
    assert file.content == b64decode(corrected[1]) == correct_file(workbook(), "open.xlsx").data


def test_a_problem_with_several_answers_has_no_proposed_correction_and_the_page_says_so(
    served: Served,
) -> None:
    table = "Torneo;Open\nN.;Nome;Punti;T1\n1;Bianchi, Ada;1;2b1\n2;Verdi, Ugo;1;1n1\n"
    client = served.client()
    form = {"csrf": proof(client, "/check"), "name": "open.csv", "text": table}

    assert "Arpad proposes no correction: each of these problems" in client.post("/check", data=form).text


def test_the_preview_shows_the_score_that_counts_so_that_a_change_can_be_recomputed(bare: Served) -> None:
    """(3.5 − 4.92) × K 10 = −14.2, though the player scored 4.5: a win against an unrated opponent does not count."""
    client = bare.client()
    text = compact(
        client.post("/check", data={"csrf": proof(client, "/check")}, files={"file": ("open.trf", OPEN)}).text
    )
    row = text.partition("Marchesi, Leonardo</a>")[2].partition("</tr>")[0]
    assert re.findall(r">([^<>]+)</", row)[:6] == ["2431", "10", "4.5", "3.5 of 6", "4.92", "−14.2"]
    assert '<th scope="col" class="r lesser">Rated score</th>' in text
    assert "Score − expected" in text
