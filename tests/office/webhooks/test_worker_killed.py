"""No change is lost when a worker is killed while it tells a receiver; one that comes twice is the same bytes."""

import random
import time
from collections import Counter
from pathlib import Path

import pytest

from arpad.office.webhooks.acts import add_webhook, webhook_log
from tests.builders.chess import event
from tests.builders.offices import WIN, Clock, Desk, listed
from tests.builders.receivers import receiving
from tests.builders.verbs import reinstate, withdraw
from tests.office.mail.test_worker_killed import running
from tests.office.webhooks.test_worker import LATER

KILLS = 30


@pytest.mark.deep
@pytest.mark.parametrize("place", ["sqlite", "postgres"], indirect=True)
def test_no_change_is_lost_in_30_kills(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARPAD_KEY_FILE", str(tmp_path / "key"))
    dice = random.Random()  # noqa: S311  a test
    desk = Desk.made(place, tmp_path, Clock())
    desk.list(LATER.replace(month=1, day=1), listed(1, 2000), listed(2, 1900))
    report = desk.report(event("First", WIN, LATER))
    words = ("tests.worker.killed_worker", place, "changes", "webhook")
    with receiving() as receiver, running(*words) as first, running(*words) as second:
        receiver.delay = 0.3
        number = add_webhook(desk.office, receiver.url, private_host="127.0.0.1").webhook
        acts = 0
        for _ in range(KILLS):
            withdraw(desk.office, report, reason="it was never played")
            reinstate(desk.office, report, reason="it was played")
            acts += 2
            victim = dice.choice([first, second])
            victim.wait_until_ready()
            time.sleep(dice.random())
            victim.kill()
        log = webhook_log(desk.office, number, most=1000).deliveries
        while len(log) < acts or not all(item.accepted for item in log):
            time.sleep(0.2)
            log = webhook_log(desk.office, number, most=1000).deliveries
    desk.office.close()
    received = [(request.headers["Arpad-Delivery"], request.body) for request in receiver.requests]
    bodies, cursors = Counter(received), Counter(cursor for cursor, _ in set(received))
    assert len(cursors) >= acts
    assert set(cursors.values()) == {1}  # what comes twice is the same to the byte
    doubles = sum(bodies.values()) - len(bodies)
    print(f"{len(bodies)} changes, {KILLS} kills, {doubles} came twice")  # noqa: T201  the figure of the run
    assert doubles <= KILLS
