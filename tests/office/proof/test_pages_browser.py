"""The page that checks receipts, saved as a file: it says what the command says, with no server."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arpad.explain.words import load_words
from arpad.office.proof.checkpoints import line_proof, receipt
from arpad.office.proof.pages import verify_page
from arpad.office.proof.signing_keys import make_signing_key
from arpad.proofs.checked_proofs import checked_proof, parse_proof
from arpad.proofs.receipts import document_bytes
from arpad.proofs.signed_notes import PublicKey, parse_public_key
from tests.builders.chess import event
from tests.builders.offices import WIN, Clock, Desk, listed, trf

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

REPORT = event("Match", WIN, date(2018, 1, 10))


@dataclass
class Kept:
    """Things that people have kept of an office."""

    key: PublicKey
    receipt: dict[str, Any]
    line: dict[str, Any]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder = tmp_path_factory.mktemp("office")
    desk = Desk.made(str(folder / "office.db"), folder, Clock())
    key = make_signing_key(desk.office, "ratings.example.org")
    desk.list(date(2018, 1, 1), *(listed(number, 1500 + number) for number in range(1, 201)))
    desk.report(REPORT)
    publication = desk.publish(date(2018, 2, 1))
    with desk.office.store.reading() as connection:
        line = line_proof(connection, publication, 130).document()
    of_report = receipt(desk.office, 1).document()
    desk.office.close()
    return Kept(key, of_report, line)


def test_the_saved_page_says_what_the_command_says(browser: Browser, kept: Kept, tmp_path: Path) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, offline=True)
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    other = parse_public_key(kept.key.text())
    foreign = PublicKey(other.name, other.kind, bytes(range(32)))
    changed = json.loads(json.dumps(kept.line).replace("Player 130", "Player 131"))
    later = {**kept.receipt, "act": {**kept.receipt["act"], "at": "2018-01-11T12:00:00Z"}}
    sent = trf(REPORT)
    for language in ("en", "it"):
        words = load_words(language)
        file = tmp_path / f"{language}.html"
        file.write_text(verify_page(words, [kept.key.text()]), encoding="utf-8")
        page.goto(file.as_uri())
        assert page.locator("#key").input_value() == kept.key.text()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        for document, keys, report in (
            (kept.receipt, [kept.key], sent),
            (kept.receipt, [], None),
            (kept.receipt, [foreign], b"another"),
            (kept.receipt, [foreign, kept.key], sent),
            (later, [kept.key], None),
            (kept.line, [kept.key], None),
            (changed, [kept.key], None),
        ):
            checked = checked_proof(parse_proof(document), keys, report)
            expected = [words.text(it.key, **it.facts) for it in checked.answers()]
            assert _said(page, document, keys, report) == expected
    page.evaluate("document.getElementById('result').replaceChildren()")
    page.locator("#receipt").set_input_files(
        {"name": "x.json", "mimeType": "application/json", "buffer": b"[1]"}
    )
    page.locator("button").click()
    page.locator("#result li.no").wait_for()
    assert page.locator("#result li").all_inner_texts() == [load_words("it").text("proof.bad")]
    assert troubles == []
    context.close()


def _said(page: Page, document: dict[str, Any], keys: list[PublicKey], report: bytes | None) -> list[str]:
    page.evaluate("document.getElementById('result').replaceChildren()")
    page.locator("#receipt").set_input_files(
        {"name": "kept.json", "mimeType": "application/json", "buffer": document_bytes(document)}
    )
    files = [{"name": "report", "mimeType": "text/plain", "buffer": report}] if report is not None else []
    page.locator("#report").set_input_files(files)  # type: ignore[arg-type]
    page.locator("#key").fill("\n".join(key.text() for key in keys))
    page.locator("button").click()
    page.locator("#result li").first.wait_for()
    return page.locator("#result li").all_inner_texts()
