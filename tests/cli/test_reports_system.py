"""``arpad rate --system``: a report under another rating system, with states from a CSV file."""

from pathlib import Path

import pytest

import arpad
from arpad.reports.formats import read_file
from tests.commands import refusal, run, run_json

OPEN = Path(str(arpad.example("open.trf")))


@pytest.fixture
def states(tmp_path: Path) -> Path:
    """The states of all players of the report but the last two."""
    lines = [
        f'{entrant.id},"{entrant.name}",{entrant.rating or 1500},20,1990'
        for entrant in read_file(OPEN).entrants[:-2]
    ]
    path = tmp_path / "list.csv"
    path.write_text("\n".join(["id,name,rating,index,born", *lines]), encoding="utf-8")
    return path


def test_a_report_is_rated_as_the_same_event(states: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "rate", str(OPEN), "--system", "dwz", "--ratings", str(states))

    assert (document["schema"], document["edition"]) == ("arpad.calc-event/1", "dwz-2016")
    first = document["players"]["1"]
    assert first["before"] == {"rating": 2431, "index": 20, "born": 1990}
    assert (first["after"]["rating"], first["line"]) == (2406, "2406-21")
    report = read_file(OPEN)
    games: list[list[object]] = []
    for number, column in report.numbered_rounds():
        for place, entrant in enumerate(report.entrants):
            opponent, result = column.opponents[place], column.results[place]
            if result in "1=0" and opponent > entrant.number:
                score = {"1": 1, "=": 0.5, "0": 0}[result]
                games.append([str(entrant.number), str(opponent), score, number])
    players: dict[str, dict[str, object]] = {
        str(it.number): {"rating": it.rating or 1500, "index": 20, "born": 1990}
        for it in report.entrants[:-2]
    }
    players |= {str(it.number): {"born": it.born} if it.born else {} for it in report.entrants[-2:]}
    event = {"end": report.header.last_day, "players": players, "games": games}
    rated = arpad.rate_event(event, system="dwz")
    assert {name: player["printed"] for name, player in document["players"].items()} == {
        name: player.printed for name, player in rated.players.items()
    }


def test_a_person_reads_the_names(states: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(
        capsys, "rate", str(OPEN), "--system", "dwz", "--ratings", str(states), "--lang", "it"
    )
    assert (status, err) == (0, "")
    assert "1 Marchesi, Leonardo" in out
    assert "2406-21" in out


def test_a_finding_names_its_player(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "rate", str(OPEN), "--system", "icu", "--lang", "en")
    assert "note: 1 Marchesi, Leonardo has played only against players without a value" in " ".join(
        out.split()
    )


def test_what_does_not_fit_is_refused(
    states: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*options: str) -> str:
        return refusal(capsys, "rate", str(OPEN), "--lang", "en", *options)

    wrong = tmp_path / "wrong.csv"
    ratings = ("--system", "dwz", "--ratings", str(wrong))
    wrong.write_text("number;rating\n1;2000\n", encoding="utf-8")
    assert "the list needs a heading with the column id" in said(*ratings)
    wrong.write_text("id;rating\n800101;2000\n800101;2001\n", encoding="utf-8")
    assert "line 3: the number 800101 is there twice" in said(*ratings)
    wrong.write_text("id;rating;index\n800101;2000;-1\n", encoding="utf-8")
    assert "wrong.csv: 800101.index is -1, but must be between" in said(*ratings)
    wrong.write_text("id;rating;index\n;2000;5\n", encoding="utf-8")
    document = run_json(capsys, "rate", str(OPEN), *ratings)
    assert all("rating" not in player["before"] for player in document["players"].values())
    assert said("--system", "ingo").startswith("--system “ingo” is unknown")
    assert said("--system", "dwz", "--csv", "x.csv") == "with a rating system, --csv cannot be given"
    assert "there is no edition fide-2017" in said("--system", "dwz", "--edition", "fide-2017")
    assert "cannot be read" in said("--system", "dwz", "--ratings", str(tmp_path / "none.csv"))


def test_a_number_that_two_players_have_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "twice.trf"
    report.write_text(
        "012 Match\n042 2018/04/28\n052 2018/04/28\nXXR 1\n"
        "001    1 m    Rossi, Mario                      2000 ITA        1001 1980/01/01  1.0    1     2 w 1\n"
        "001    1 m    Bianchi, Ugo                      1900 ITA        1002 1980/01/01  1.0    2     1 b 0\n",
        encoding="utf-8",
    )
    said = refusal(capsys, "rate", str(report), "--system", "dwz", "--lang", "en")
    assert "the number 1 is there twice" in said


def test_sides_that_contradict_each_other_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "wrong.trf"
    report.write_text(
        "012 Match\n042 2018/04/28\n052 2018/04/28\nXXR 1\n"
        "001    1 m    Rossi, Mario                      2000 ITA        1001 1980/01/01  1.0    1     2 w 1\n"
        "001    2 m    Bianchi, Ugo                      1900 ITA        1002 1980/01/01  1.0    2     1 b 1\n",
        encoding="utf-8",
    )
    assert "contradict each other" in refusal(capsys, "rate", str(report), "--system", "dwz", "--lang", "en")


@pytest.mark.parametrize(
    ("system", "rows", "other"),
    [
        ("dwz", "id,rating,games\n1,1500,40\n", "ICU (Ireland)"),
        ("icu", "id,rating,games,wins\n1,1500,40,20\n", "US Chess (United States)"),
        ("icu", "id,rating,rd\n1,1500,40\n", "Glicko and Glicko-2"),
    ],
)
def test_a_list_of_another_system_is_refused(
    system: str, rows: str, other: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ratings = tmp_path / "list.csv"
    ratings.write_text(rows, encoding="utf-8")
    said = refusal(capsys, "rate", str(OPEN), "--system", system, "--ratings", str(ratings), "--lang", "en")
    assert said.endswith(f"list.csv: the columns are those of a list of another system: {other}")
