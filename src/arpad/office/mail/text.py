"""The text of a mail: one set of sentences, as plain text and as HTML with the logo; nothing tells who reads it.

What people typed is escaped, and headers are set through ``email``, which refuses line ends in them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from html import escape
from itertools import islice
from typing import Any

from sqlalchemy import Connection

from arpad.explain.findings import group_findings
from arpad.explain.words import MINUS, Words, load_words, on_one_line
from arpad.model.canonical_json import load
from arpad.model.json_values import to_finding
from arpad.model.names import fold, transliterated
from arpad.model.rules import Finding
from arpad.office.office import Office
from arpad.office.proof.erasure_rows import personal_values
from arpad.office.register.number_rows import hidden
from arpad.office.reports.status import report_on_file
from arpad.office.settings.logo import Logo

OF_A_KIND = 3
"""Findings of one kind that a mail shows; the page has all."""

SHORTEST_WORD = 3

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
    """The words of the button."""

    footer: str
    end_link: str = ""
    end_text: str = ""
    figure: str = ""
    """What the mail is about, in large letters."""


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
    words, said = load_words(language, MINUS), _variant(kind, facts)
    shown = {name: _fact(words, name, value) for name, value in facts.items()} | {"office": office}
    lines = [on_one_line(line) for line in lines]
    if is_of_one := len(lines) == 1 and kind.startswith("follow-"):  # one player: the mail says it at once
        shown["line"] = lines[0]

    def text(part: str, otherwise: str = "") -> str:
        key = f"mail.{said}{part}"
        return words.text(key, **shown) if words.has(key) else otherwise

    paragraphs = [line for line in text("").split("\n") if line]
    if lines and kind in LISTING and not is_of_one:
        paragraphs.append(text("-lines"))
    end = words.text("mail.end-follow" if kind.startswith("follow-") else "mail.end") if end_link else ""
    return MailText(
        language, text("-subject-one" if is_of_one else "-subject"), paragraphs, lines, link,
        text("-button", words.text("mail.link")), words.text("mail.footer", office=office), end_link, end,
        lines[0] if is_of_one else text("-figure"),
    )  # fmt: skip


def _variant(kind: str, facts: Mapping[str, Any]) -> str:
    """Return the kind by which the words of a mail are found: a corrected list has its own."""
    return "list-corrected" if kind == "list-published" and facts.get("corrected") else kind


def _fact(words: Words, name: str, value: Any) -> Any:
    if name == "day" and isinstance(value, str):
        return date.fromisoformat(value)
    if name == "list" and isinstance(value, str):
        return words.text(f"site.list-{value}")
    if name == "deadline" and isinstance(value, str):
        return words.text(f"deadline-kind.{value}")
    return on_one_line(value)


def build_message(
    text: MailText,
    *,
    sender: str,
    office: str,
    to: str,
    key: str,
    one_click: bool = False,
    logo: Logo | None = None,
) -> EmailMessage:
    """Return the mail with both texts; its Message-ID depends only on the key, however often it is sent.

    The logo is part of the mail: no program has to fetch it, so nobody learns that the mail is read.

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
    shown_logo = logo if logo is not None and logo.type in SHOWN_EVERYWHERE else None
    message.add_alternative(html_text(text, office, with_logo=shown_logo is not None), subtype="html")
    if shown_logo is not None:
        subtype = shown_logo.type.partition("/")[2]
        html = message.get_payload()[1]  # type: ignore[index]  # the second text
        html.add_related(shown_logo.data, "image", subtype, cid=f"<{LOGO}>", disposition="inline")  # type: ignore[union-attr]  # a message
    return message


def plain_text(text: MailText) -> str:
    """Return the mail as plain text."""
    parts = ["\n\n".join(text.paragraphs)]
    if text.lines:
        parts.append("\n".join(f"- {line}" for line in text.lines))
    words = load_words(text.language, MINUS)
    parts.append(f"{text.link_text}{words.form.colon}\n{text.link}")
    ending = f"-- \n{text.footer}" + (
        f"\n{words.labelled(text.end_text, text.end_link)}" if text.end_link else ""
    )
    return "\n\n".join([*parts, ending]) + "\n"


def html_text(text: MailText, office: str = "", *, with_logo: bool = False) -> str:
    """Return the mail as HTML, with everything escaped: the office, one sentence, the figures, one button."""
    colon = escape(load_words(text.language).form.colon)
    name = escape(on_one_line(office))
    logo = f'<img src="cid:{LOGO}" alt="" height="44" style="vertical-align: middle; margin-right: 12px">'
    parts = [f'<p style="{_HEAD}">{logo if with_logo else ""}{name}</p>'] if name or with_logo else []
    paragraphs = [f"<p>{escape(paragraph)}</p>" for paragraph in text.paragraphs]
    figure = [f'<p style="{_FIGURE}">{escape(text.figure)}</p>'] if text.figure else []
    parts += [*paragraphs[:1], *figure, *paragraphs[1:]]
    if text.lines and [text.figure] != list(text.lines):
        items = "".join(f'<li style="margin: 6px 0">{escape(line)}</li>\n' for line in text.lines)
        parts.append(f'<ul style="padding-left: 20px">{items}</ul>')
    button = f'<a href="{escape(text.link)}" style="{_BUTTON}">{escape(text.link_text)}</a>'
    parts.append(f'<p style="margin: 28px 0">{button}</p>')
    end = f"<br>{escape(text.end_text)}{colon} {_link(text.end_link)}" if text.end_link else ""
    parts.append(f'<p style="{_FOOTER}">{escape(text.footer)}{end}</p>')
    inside = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="{text.language}">\n'
        f'<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(text.subject)}</title></head>\n"
        f'<body style="margin: 0; background: #f3f4f0">\n<div style="{_PAGE}">\n{inside}\n</div>\n</body>\n</html>\n'
    )


LOGO = "logo"
SHOWN_EVERYWHERE = ("image/png", "image/jpeg")
"""Types of images that every mail program shows."""

_PAGE = (
    "max-width: 560px; margin: 0 auto; padding: 24px; background: #ffffff; color: #1b222c;"
    " font: 16px/1.5 sans-serif"
)
_HEAD = "margin: 0 0 20px; padding-bottom: 14px; border-bottom: 2px solid #14573f; font-size: 18px; font-weight: bold"
_FIGURE = "margin: 20px 0; font-size: 22px; line-height: 1.3; font-weight: bold"
_BUTTON = (
    "display: inline-block; padding: 12px 22px; border-radius: 4px; background: #14573f; color: #ffffff;"
    " text-decoration: none; font-weight: bold"
)
_FOOTER = (
    "margin: 28px 0 0; padding-top: 14px; border-top: 1px solid #dfe3e8; color: #566070; font-size: 13px"
)


def _link(address: str) -> str:
    shown = escape(address)
    return f'<a href="{shown}" style="color: #14573f">{shown}</a>'


# ------------------------------------------------------------------------------------------------------- its lines


def finding_lines(office: Office, report: int, language: str) -> list[str]:
    """Return the findings of a report in words, the gravest first, of each kind the first ones."""
    words = load_words(language, MINUS)
    with office.store.reading() as connection:
        findings = [to_finding(item) for item in load(report_on_file(connection, report).findings)]
        names = hidden_names(connection)
    lines: list[str] = []
    for group in group_findings(findings):
        sentences = (_sentence(words, finding) for finding in group.findings)
        public = (sentence for sentence in sentences if not is_named(sentence, names))
        lines += islice(public, OF_A_KIND)
    left = len(findings) - len(lines)
    return [*lines, *([words.text("mail.more-findings", more=left)] if left else [])]


def _sentence(words: Words, finding: Finding) -> str:
    """Return a finding in words, with its line of the file if it has one."""
    sentence = words.finding(finding)
    if finding.line is None:
        return sentence
    return words.labelled(words.text("place.line", line=finding.line), sentence)


def hidden_names(connection: Connection) -> frozenset[str]:
    """Return the words of every name, present or past, of the players who asked not to be shown, and their numbers."""
    numbers = hidden(connection)
    if not numbers:
        return frozenset()
    values = personal_values(connection, numbers)
    words = {word for text in (*values.names, *values.identifiers) for word in _words(text)}
    return frozenset(word for word in words if len(word) >= SHORTEST_WORD)


def without_hidden(connection: Connection, lines: Sequence[str]) -> list[str]:
    """Return the lines of a mail about ratings, without those of players who were hidden after it was queued."""
    numbers = hidden(connection)
    names = personal_values(connection, numbers).names if numbers else ()
    return [line for line in lines if not any(name in line for name in names)]


def is_named(sentence: str, names: frozenset[str]) -> bool:
    """Return whether a sentence contains a word of the names; better a sentence too few than a name too many."""
    return not names.isdisjoint(_words(sentence))


def _words(text: str) -> tuple[str, ...]:
    return fold(transliterated(text))
