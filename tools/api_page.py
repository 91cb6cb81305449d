"""The page about the API for the documentation site, made from the application itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tools.command_page import commands, often_said

from arpad.explain.words import load_words
from arpad.web.app import create
from arpad.web.errors import TYPES
from arpad.web.guides import Operation, Parameter, operations_by_tag

OPENING = """\
# The API

`arpad serve` answers below `/api/v1`, and `/api/openapi.json` describes everything with examples. Ratings, capitals,
K and counts are integers; scores, expectations and unrounded changes are exact decimal texts. Published data
carry an `ETag`. One address may ask 600 times a minute, and 60 times a minute for a report to be looked at; a report of
more games, or that takes more time or memory than one request may have, is refused (413, 422; `arpad rate` sets no such
limit), and 503 means to come again in a minute. Addresses marked *token* want `Authorization: Bearer …` with a
token that an administrator made.

## Pages

A long answer comes in pages: while `more` is true, ask again with `after` set to `next`. A cursor stays valid while
others publish lists and accept reports; the pages of a list are all of the same list. Addresses without `after`
take `page`. `size` is the number of rows of a page. Every answer has the address of the next page in its header `Link`.

Every list answers as JSON, with `format=ndjson` as one JSON object a line, and with `format=csv` as CSV. A parameter
that an address does not have is refused by name, and OPTIONS says which methods an address takes.

The lists below leave out what is the same everywhere: `format`, `size` and `page` of every list, `lang`, and the
`reason` of an act, which goes into the ledger; if the body is a file, the header `Arpad-Reason` has it. Unless an
address says otherwise, these mean:

OFTEN

An address below `/api/v1/office/` is the command with the same words: `POST /api/v1/office/club/enter` with a *token*
does what `arpad office club enter` does. Its values are in the body, named as the arguments and options of
[the command](commands.md), with an underscore for a hyphen. Below, these addresses are only named.

The names in addresses that mean the same everywhere:

ADDRESSES

## From a browser

Pages of other sites may read (GET) everything that needs no token, without cookies (CORS, `*`). Requests with a token
and requests that send something are for programs, not for pages of other sites.

## A client in Python

The operations have readable names and tags, so that generators make usable clients from the document:

```
openapi-python-client generate --url https://ratings.example.org/api/openapi.json
```

That program leaves out PDF files unless its settings say
`content_type_overrides: {application/pdf: application/octet-stream}`.

## Problems

A refusal is a problem document (RFC 9457) of the type `application/problem+json`, in the language of `lang` or
`Accept-Language`. `type` is an address on the page `/developers` of the site; `code` says exactly what is wrong, as in
the messages of the command line.

```json
{"type": "/developers#problem-not-found", "title": "There is no such thing", "status": 404,
 "detail": "No player has this number, or the player asked not to be shown.",
 "instance": "/api/v1/players/99999", "code": "no-player"}
```

PROBLEMS

## Changes and webhooks

`GET /api/v1/changes` returns what changed after the `id` of the last change you know. An administrator can also add
a webhook: each change is then sent by POST, as the same JSON object.
Changes name tournaments and lists, never players. Answer with a status of 200 to 299 within 10 seconds; anything
else, a redirection too, is repeated with growing delay for about two days, and 410 ends it. Changes may come out of
order and, rarely, twice: their `id` says which.

The header `Arpad-Signature` is `sha256=` and the HMAC-SHA-256 of the text of `Arpad-Timestamp`, a dot and the body,
with the secret of the webhook. Refuse a request whose time is more than five minutes away:

```python
def is_genuine(secret, headers, body):
    signed = headers["Arpad-Timestamp"].encode() + b"." + body
    expected = "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    recent = abs(time.time() - int(headers["Arpad-Timestamp"])) < 300
    return recent and hmac.compare_digest(expected, headers["Arpad-Signature"])
```

Everybody can also subscribe to Atom feeds (`/feeds/en/lists`, `/feeds/en/lists/standard`, `/feeds/en/players/1`,
`/feeds/en/clubs/MI1`) and calendars (`/calendars/en/lists.ics`, `/calendars/en/tournaments.ics`); `it` instead of
`en` is the Italian one.
"""

EVERYWHERE = (
    "- `format`: The form of the answer",
    "- `size`: At most so many rows",
    "- `page`: The page of the rows",
    "- `lang`:",
    "- `reason`: Why it is done,",
    "- `reason` (needed): Why it is done,",
)
"""How the lines of the parameters begin that the opening describes."""


COMMANDS = {name.removeprefix("arpad ") for name, _ in commands() if name.startswith("arpad office ")}


def page() -> str:
    """Return the whole page."""
    document = create(None).openapi_schema.to_schema()
    by_tag = operations_by_tag(document)
    in_addresses = _in_addresses(operation for operations in by_tag.values() for operation in operations)
    said_once = "\n".join(f"- `{it}`: {about}" for it, about in in_addresses.items())
    each = (it for operations in by_tag.values() for it in operations if _command(it) not in COMMANDS)
    often = often_said(row for operation in each for row in _rows(operation, in_addresses))
    opening = OPENING.replace("OFTEN", "\n".join(often)).replace("ADDRESSES", said_once)
    parts = [opening.replace("PROBLEMS", _problems())]
    about = {tag["name"]: tag["description"] for tag in document["tags"]}
    for tag, operations in by_tag.items():
        parts.append(f"## {load_words('en').text(f'api-tag.{tag}')}\n\n{about[tag]}\n")
        by_command = [operation for operation in operations if _command(operation) in COMMANDS]
        if by_command:
            parts.append(f"By command: {', '.join(f'`{it.path}`' for it in by_command)}.\n")
        parts += [
            _operation(operation, [row for row in _rows(operation, in_addresses) if row not in often])
            for operation in operations
            if operation not in by_command
        ]
    return "\n".join(parts)


def _problems() -> str:
    words = load_words("en")
    rows = [
        f"- {status} `{name}`: {words.text(f'problem.{name}')}. {words.text(f'problem-about.{name}')}"
        for status, name in TYPES.items()
    ]
    return "\n".join(rows)


def _command(operation: Operation) -> str:
    """Return the words of the command that an address would be."""
    return operation.path.removeprefix("/api/v1/").replace("/", " ")


def _operation(operation: Operation, rows: Collection[str]) -> str:
    token = " *token*" if operation.needs_token else ""
    parts = [f"### {operation.method} {operation.path}{token}\n\n`{operation.id}`: {operation.about}\n"]
    return "\n".join([*parts, *rows, ""] if rows else parts)


def _rows(operation: Operation, in_addresses: Collection[str]) -> list[str]:
    """Return what is said about the parameters of an address, without what the opening describes."""
    stated = (
        item
        for item in operation.parameters
        if f"{{{item.name}}}" not in operation.path or item.name not in in_addresses
    )
    return [row for row in map(_row, stated) if not row.startswith(EVERYWHERE)]


def _in_addresses(operations: Iterable[Operation]) -> dict[str, str]:
    """Return what the names in addresses stand for, if a name means the same in all of them."""
    meanings: dict[str, set[str]] = {}
    for operation in operations:
        for item in operation.parameters:
            if f"{{{item.name}}}" in operation.path:
                meanings.setdefault(item.name, set()).add(item.about)
    return {name: about for name, (about, *others) in sorted(meanings.items()) if not others}


def _row(item: Parameter) -> str:
    name = f"`{item.name}`" if item.name else "the body"
    return f"- {name}{' (needed)' if item.required else ''}: {item.about}"
