"""Lists are the same bits in one process, in several, on a cluster, and when workers are killed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import dask
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arpad.lists.engine import replay as replaying
from arpad.lists.engine.columns import Roster
from arpad.lists.engine.game_files import file_pieces, read_games
from arpad.lists.engine.game_slices import Piece
from arpad.lists.engine.player_index import PlayerIndex
from arpad.lists.engine.replay import Replayed, replay
from arpad.model.chess import PlayerState
from arpad.model.errors import BadInput, Unreadable
from arpad.model.rules import Edition, ListName
from arpad.regulations.chess.rules import ChessRules
from arpad.system import cluster
from arpad.system.workers import InProcess, Workers, open_workers
from tests.builders.clusters import thread_cluster
from tests.builders.worker_tasks import DeadlyEditions, standard_edition_on, ten_times_unless_two
from tests.builders.worlds import chance
from tests.lists.engine.test_engine import same_bits
from tests.lists.engine.test_replay import beginners as made_beginners
from tests.lists.engine.test_replay import history as made_history
from tests.lists.engine.test_replay import played, readable

STANDARD = ListName.STANDARD
FIRST = date(2022, 1, 3)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three months in small row groups: rated players, newcomers, wide gaps, of which 2022 caps one per tournament."""
    rnd = chance(7)
    rows = []
    for number in range(90):
        day = FIRST + timedelta(number)
        players = rnd.sample(range(1, 60), 12)
        for one, other in zip(players[::2], players[1::2], strict=True):
            rows.append((day, one, other, rnd.randint(0, 2), number // 3))
    columns = dict(zip(("date", "white", "black", "score", "event"), zip(*rows, strict=True), strict=True))
    path = tmp_path_factory.mktemp("history") / "games.parquet"
    pq.write_table(
        pa.table({name: list(values) for name, values in columns.items()}), path, row_group_size=37
    )
    return path


def beginners() -> dict[int, PlayerState]:
    rnd = chance(11)
    return {
        player: PlayerState(player, rnd.choice((1400, 1900, 2100, 2600)), 40, last_list=FIRST.replace(day=1))
        for player in range(1, 45)
    }


def replayed(
    pieces: Iterator[Piece],
    workers: Workers | None = None,
    editions: Callable[[date], Edition[ChessRules]] = standard_edition_on,
) -> list[Replayed]:
    return list(replay(pieces, PlayerIndex(Roster.of(beginners())), STANDARD, editions, workers=workers))


def same(one: list[Replayed], other: list[Replayed]) -> bool:
    return [it.digest for it in one] == [it.digest for it in other] and all(
        same_bits(mine.roster, yours.roster) and np.array_equal(mine.games, yours.games)
        for mine, yours in zip(one, other, strict=True)
    )


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send even few games to the workers."""
    monkeypatch.setattr(replaying, "WORTH_SENDING", 1)


@pytest.fixture(scope="module")
def pool() -> Iterator[Workers]:
    """Two processes of this machine."""
    with open_workers(jobs=2) as workers:
        yield workers


@pytest.fixture(scope="module")
def local() -> Iterator[Workers]:
    """A cluster of two workers on this machine."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        open_workers(cluster="local:2") as made,
    ):
        yield made


# ------------------------------------------------------------------------------------------------- equality


def test_pieces_of_a_file_give_the_lists_of_the_whole(history: Path) -> None:
    whole = replayed(read_games(history))

    assert len(whole) == 4
    assert len({it.digest for it in whole}) == 4
    assert any(len(it.roster.tranches) for it in whole)
    assert same(whole, replayed(file_pieces(history)))


@pytest.mark.usefixtures("small")
def test_processes_and_a_cluster_give_the_same_bits(history: Path, pool: Workers, local: Workers) -> None:
    alone = replayed(read_games(history))

    assert same(alone, replayed(file_pieces(history), pool))
    assert same(alone, replayed(file_pieces(history), local))
    assert same(alone, replayed(read_games(history), local))


@pytest.mark.usefixtures("small")
def test_random_histories_give_the_lists_of_the_readable_period_everywhere(
    pool: Workers, local: Workers
) -> None:
    """The readable period, the engine, processes and the cluster give one list."""
    for seed in range(3):
        rnd = chance(seed)
        tournaments = made_history(rnd)
        before = made_beginners(rnd, tournaments[0][1].replace(day=1))
        games = played(tournaments)
        for workers in (InProcess(), pool, local):
            batches = [games.part(at, at + 5) for at in range(0, len(games), 5)]
            made = list(
                replay(
                    batches, PlayerIndex(Roster.of(before)), STANDARD, standard_edition_on, workers=workers
                )
            )
            expected = readable(tournaments, before, [one.day for one in made])
            found = {it.player: it for it in made[-1].roster.standings() if it != PlayerState(it.player)}
            assert found == {player: it for player, it in expected.items() if it != PlayerState(player)}


def test_a_folder_of_months_is_one_history(history: Path, tmp_path: Path) -> None:
    table = pq.read_table(history)
    months = [day.as_py().month for day in table.column("date")]
    for month in set(months):
        start, end = months.index(month), len(months) - months[::-1].index(month)
        (tmp_path / "2022").mkdir(exist_ok=True)
        pq.write_table(table.slice(start, end - start), tmp_path / "2022" / f"{month:02}.parquet")
    whole = replayed(read_games(history))

    assert same(whole, replayed(read_games(tmp_path)))
    assert same(whole, replayed(file_pieces(tmp_path)))
    days = date(2022, 2, 10), date(2022, 3, 5)
    rows = [len(piece) for piece in file_pieces(tmp_path, *days)]
    assert (
        sum(rows) == sum(map(len, read_games(tmp_path, *days))) == sum(map(len, read_games(history, *days)))
    )


def test_a_folder_without_games_is_refused(tmp_path: Path) -> None:
    for read in (read_games, file_pieces):
        with pytest.raises(Unreadable, match="games-not-there"):
            list(read(tmp_path))


# ----------------------------------------------------------------------------------------------- killed workers


@pytest.mark.deep
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("times", [1, pytest.param(1000, marks=pytest.mark.deep)])
def test_killed_processes_change_nothing(history: Path, tmp_path: Path, times: int) -> None:
    deadly = DeadlyEditions(tmp_path, os.getpid(), times)

    with open_workers(jobs=2) as mortal:
        made = replayed(file_pieces(history), mortal, deadly)

    assert list(tmp_path.iterdir())
    assert same(made, replayed(read_games(history)))


@pytest.mark.deep  # starts workers again and again
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("times", [1, 1000])
def test_killed_workers_of_a_cluster_change_nothing(history: Path, tmp_path: Path, times: int) -> None:
    """Once: the scheduler gives the task to another worker. Always: the task runs in this process."""
    deadly = DeadlyEditions(tmp_path, os.getpid(), times)

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        open_workers(cluster="local:2") as mortal,
    ):
        made = replayed(file_pieces(history), mortal, deadly)

    assert list(tmp_path.iterdir())
    assert same(made, replayed(read_games(history)))


@pytest.mark.usefixtures("small")
def test_a_scheduler_that_is_gone_changes_nothing(history: Path) -> None:
    alone = replayed(read_games(history))

    with thread_cluster(workers=2) as scheduler, open_workers(cluster=scheduler.scheduler_address) as workers:
        made = []
        for one in replay(
            file_pieces(history),
            PlayerIndex(Roster.of(beginners())),
            STANDARD,
            standard_edition_on,
            workers=workers,
        ):
            made.append(one)
            if len(made) == 1:
                scheduler.close()

    assert same(made, alone)


@pytest.mark.deep  # waits half a minute for workers that are gone
@pytest.mark.usefixtures("small")
def test_workers_that_never_come_back_change_nothing(history: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scheduler runs without workers: after a while the tasks run in this process."""
    alone = replayed(read_games(history))
    monkeypatch.setattr(cluster, "PATIENCE", 2)

    with open_workers(cluster="local:1") as workers:
        monkeypatch.setattr(workers, "count", 2)
        workers._client.cluster.scale(0)  # type: ignore[attr-defined]
        made = replayed(file_pieces(history), workers)

    assert same(made, alone)


# --------------------------------------------------------------------------------------------- what is refused


def test_an_error_of_a_task_is_raised_unchanged(pool: Workers, local: Workers) -> None:
    for workers in (InProcess(), pool, local):
        with workers.broadcast(None) as shared:
            assert list(workers.map(ten_times_unless_two, shared, [1, 3, 4])) == [10, 30, 40]
            with pytest.raises(Unreadable) as raised:
                list(workers.map(ten_times_unless_two, shared, range(9)))
        assert raised.value.facts["row"] == 2


@pytest.mark.parametrize(
    "address", ["", "local:0", "local:x", "somewhere", "http://x:80", "tcp://", "a b:80"]
)
def test_a_malformed_address_is_refused(address: str) -> None:
    with pytest.raises(BadInput, match="cluster-address"), open_workers(cluster=address):
        pass


def test_a_scheduler_that_does_not_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        port = silent.getsockname()[1]
        with pytest.raises(BadInput, match="cluster-silent"), open_workers(cluster=f"127.0.0.1:{port}"):
            pass
        silent.listen()
        with pytest.raises(BadInput, match="cluster-silent"), open_workers(cluster=f"tcp://127.0.0.1:{port}"):
            pass


def test_a_scheduler_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with (
        thread_cluster(workers=0) as empty,
        pytest.raises(BadInput, match="cluster-empty"),
        open_workers(cluster=empty.scheduler_address),
    ):
        pass


def test_a_cluster_with_other_code_is_refused(monkeypatch: pytest.MonkeyPatch, local: Workers) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 300)  # a busy machine answers late
    client = local._client  # type: ignore[attr-defined]
    client.wait_for_workers(2, timeout=300)  # those that a test before has killed come back
    address = client.cluster.scheduler_address
    with open_workers(cluster=address) as remote:
        assert remote.count == 2
    monkeypatch.setattr(cluster, "VERSION", "9.9")
    with pytest.raises(BadInput, match="cluster-version"), open_workers(cluster=address):
        pass


def test_the_files_of_broadcast_values_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with open_workers(jobs=2) as workers, workers.broadcast([1, 2]):
        assert len(list(tmp_path.glob("arpad-*/*"))) == 1

    assert list(tmp_path.iterdir()) == []


FORKED = """
from arpad.system.workers import can_fork
import polars
before = can_fork()
polars.DataFrame({"number": [1, 2]}).group_by("number").len()
print(before, can_fork())
"""


@pytest.mark.deep
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted on Linux only")
def test_a_process_whose_columns_have_threads_is_not_forked() -> None:
    """A copy would wait forever for a lock that one of the threads held."""
    answer = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, check=True, text=True)

    assert answer.stdout.split() == ["True", "False"]
