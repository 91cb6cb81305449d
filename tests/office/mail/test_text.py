"""The text of a mail: every kind in both languages, escaped, with one link and nothing that tracks."""

import re
from email import message_from_bytes, policy

import pytest

from arpad.explain.words import LANGUAGES
from arpad.office.mail.text import LISTING, MailText, build_message, html_text, mail_text, plain_text
from arpad.office.mails import CHOOSABLE
from arpad.office.settings.logo import Logo

FACTS = {
    "count": 2,
    "file": "arpad-2026-11-16.zip",
    "name": "Eva",
    "login": "anna", "days": 7, "hours": 2, "report": 3, "event": "Open", "reason": "why", "list": "standard",
    "day": "2026-11-01", "revision": 1, "time": "12:00", "browser": "Firefox", "deadline": "norms",
}  # fmt: skip
UNSAFE = "<script>alert(1)</script>\r\nBcc: all@example.org"


def written(kind: str, language: str, **facts: object) -> MailText:
    return mail_text(kind, language, {**FACTS, **facts}, office="Federazione", link="https://a.org/x")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "kind", sorted({*CHOOSABLE, *LISTING, "test", "invitation", "forgotten", "follow-confirm"})
)
def test_every_kind_has_its_texts_in_every_language(kind: str, language: str) -> None:
    text = written(kind, language)
    plain, html = plain_text(text), html_text(text)
    for paragraph in text.paragraphs:
        assert paragraph in plain
    assert re.findall(r"https?://\S+", plain) == ["https://a.org/x"]
    assert re.findall(r'(?:href|src)="([^"]*)"', html) == ["https://a.org/x"]
    assert "<img" not in html
    assert f'lang="{language}"' in html


def test_what_people_typed_is_escaped_and_cannot_become_a_header_or_a_paragraph() -> None:
    text = written("report-returned", "en", event=UNSAFE, reason=UNSAFE)
    message = build_message(text, sender="office@example.org", office=UNSAFE, to="a@example.org", key="1")
    read = message_from_bytes(message.as_bytes(), policy=policy.default)

    assert read["Bcc"] is None
    assert sorted(read.keys()) == sorted(
        ["From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type"]
    )
    assert read["Message-ID"] == "<1@example.org>"
    html = read.get_body(("html",))
    assert html is not None
    assert "<script" not in html.get_content()
    assert "&lt;script&gt;" in html.get_content()
    assert len(text.paragraphs) == 3


@pytest.mark.parametrize("kind", LISTING)
def test_a_list_is_announced_only_if_there_is_one(kind: str) -> None:
    without = written(kind, "en")
    with_lines = mail_text(
        kind, "en", FACTS, office="Federazione", link="", lines=["one", "two"], end_link="https://a.org/end"
    )
    assert not any(paragraph.endswith(":") for paragraph in without.paragraphs)
    assert with_lines.paragraphs[:-1] == without.paragraphs
    assert with_lines.paragraphs[-1].endswith(":")
    assert ("follow" in with_lines.end_text) == kind.startswith("follow-")


def test_lines_and_the_link_that_ends_such_mails() -> None:
    text = mail_text(
        "test",
        "it",
        {},
        office="",
        link="https://a.org/",
        lines=["uno", "due\ntre"],
        end_link="https://a.org/end",
    )
    assert "- uno\n- due tre\n" in plain_text(text)
    message = build_message(text, sender="o@example.org", office="", to="a@example.org", key="1")
    assert message["List-Unsubscribe"] == "<https://a.org/end>"


def test_one_player_is_the_subject_and_the_figure() -> None:
    line = "Ravistri, Sandro: 2244 → 2258 (+14)"
    text = mail_text("follow-news", "en", FACTS, office="Federazione", link="https://a.org/x", lines=[line])
    assert (text.subject, text.figure) == (line, line)
    assert html_text(text).count("2258") == 2  # the title and the figure
    assert f"- {line}\n" in plain_text(text)
    corrected = mail_text("follow-correction", "it", FACTS, office="", link="", lines=[line])
    assert corrected.subject == f"Corretto: {line}"
    both = mail_text(
        "follow-news", "en", FACTS, office="Federazione", link="", lines=[line, "Neri, Ada: 1900"]
    )
    assert both.subject == "Federazione: standard list of 1 November 2026"
    assert html_text(both).count("<li") == 2


def test_a_corrected_list_is_not_a_new_one() -> None:
    assert written("list-published", "en").subject == "New standard list of 1 November 2026"
    corrected = written("list-published", "en", corrected=1)
    assert corrected.subject == "Corrected standard list of 1 November 2026"
    assert corrected.paragraphs == [
        "Federazione corrected the standard list of 1 November 2026. The page says what changed."
    ]
    assert corrected.link_text == "See what changed"


@pytest.mark.parametrize(("kind", "is_shown"), [("image/png", True), ("image/webp", False)])
def test_the_logo_is_part_of_the_mail_if_every_program_shows_it(kind: str, is_shown: bool) -> None:
    text = written("invitation", "en")
    logo = Logo(kind, b"image", "0")
    message = build_message(
        text, sender="o@example.org", office="Federazione", to="a@example.org", key="1", logo=logo
    )
    read = message_from_bytes(message.as_bytes(), policy=policy.default)
    html = read.get_body(("html",))
    assert html is not None
    assert ('src="cid:logo"' in html.get_content()) == is_shown
    images = [part for part in read.walk() if part.get_content_maintype() == "image"]
    assert [part["Content-ID"] for part in images] == (["<logo>"] if is_shown else [])
    plain = read.get_body(("plain",))
    assert plain is not None
    assert "Your user name is anna." in plain.get_content()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mail_has_the_office_on_top_and_one_button(language: str) -> None:
    html = html_text(written("report-returned", language), "Federazione <b>")
    assert html.index("Federazione &lt;b&gt;") < html.index("<p>")
    assert html.count("display: inline-block") == 1
    assert html.index("display: inline-block") < html.index("border-top")
