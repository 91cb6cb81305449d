"""The text of a mail: one set of sentences, as plain text and as HTML; nothing in it tells who reads it.

What people typed is escaped by the template, and headers are set through ``email``, which refuses line ends in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from arpad.explain.words import Words, load_words, on_one_line

if TYPE_CHECKING:
    from jinja2 import Template


LISTING = ("report-returned", "follow-news", "follow-correction")
"""The kinds of mails that may have a list; it begins with ``mail.<kind>-lines``."""


@dataclass(frozen=True, slots=True)
class MailText:
    """The sentences of a mail in the reader's language."""

    language: str
    subject: str
    paragraphs: Sequence[str]
    lines: Sequence[str]
    link: str
    link_text: str
    footer: str
    end_link: str = ""
    end_text: str = ""


def mail_text(
    kind: str,
    language: str,
    facts: Mapping[str, Any],
    *,
    office: str,
    link: str,
    lines: Sequence[str] = (),
    end_link: str = "",
) -> MailText:
    """Return the sentences of a mail of a kind."""
    words = load_words(language)
    shown = {name: _fact(words, name, value) for name, value in facts.items()}
    paragraphs = [text for text in words.text(f"mail.{kind}", **shown, office=office).split("\n") if text]
    if lines and kind in LISTING:
        paragraphs.append(words.text(f"mail.{kind}-lines"))
    end = words.text("mail.end-follow" if kind.startswith("follow-") else "mail.end") if end_link else ""
    return MailText(
        language, words.text(f"mail.{kind}-subject", **shown, office=office), paragraphs,
        [on_one_line(line) for line in lines], link, words.text("mail.link"),
        words.text("mail.footer", office=office), end_link, end,
    )  # fmt: skip


def _fact(words: Words, name: str, value: Any) -> Any:
    if name == "day" and isinstance(value, str):
        return date.fromisoformat(value)
    if name == "list" and isinstance(value, str):
        return words.text(f"site.list-{value}")
    if name == "deadline" and isinstance(value, str):
        return words.text(f"deadline-kind.{value}")
    return on_one_line(value)


def build_message(
    text: MailText, *, sender: str, office: str, to: str, key: str, one_click: bool = False
) -> EmailMessage:
    """Return the mail with both texts; its Message-ID depends only on the key, however often it is sent.

    ``one_click`` lets the reader's mail program end such mails by itself (RFC 8058).
    """
    message = EmailMessage(policy=SMTP)
    name, domain = sender.rsplit("@", 1)
    message["From"] = Address(on_one_line(office) or "Arpad", name, domain)
    message["To"] = to
    message["Subject"] = on_one_line(text.subject)
    message["Date"] = format_datetime(datetime.now(UTC))
    message["Message-ID"] = f"<{key}@{domain}>"
    message["Auto-Submitted"] = "auto-generated"
    if text.end_link:
        message["List-Unsubscribe"] = f"<{text.end_link}>"
        if one_click and text.end_link.startswith("https://"):
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(plain_text(text))
    message.add_alternative(html_text(text), subtype="html")
    return message


def plain_text(text: MailText) -> str:
    """Return the mail as plain text."""
    parts = ["\n\n".join(text.paragraphs)]
    if text.lines:
        parts.append("\n".join(f"- {line}" for line in text.lines))
    words = load_words(text.language)
    parts.append(f"{text.link_text}{words.form.colon}\n{text.link}")
    ending = f"-- \n{text.footer}" + (
        f"\n{words.labelled(text.end_text, text.end_link)}" if text.end_link else ""
    )
    return "\n\n".join([*parts, ending]) + "\n"


def html_text(text: MailText) -> str:
    """Return the mail as HTML, with everything escaped."""
    return _template().render(text=text)


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=PackageLoader("arpad.worker", "layouts"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return templates.get_template("mail.html")
