"""The fee table as a form: a row of fields for each fee. What the form has no field for is carried along unseen."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arpad.explain.words import Words
from arpad.model.rules import LISTS
from arpad.reports.event_facts import parse_toml

NUMBERS = ("players_from", "players_to", "average_from", "average_below")
COLUMNS = ("name", "per", "amount", "lists", *NUMBERS, "least", "more")
"""The fields of a row; ``more`` has what the form has no field for."""

MOST_ROWS = 100
NOTHING = "{}"

FeeRow = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TableForm:
    """A fee table as texts in fields."""

    currency: str
    issuer: str
    payment: str
    rows: tuple[FeeRow, ...]
    more: str = NOTHING

    @property
    def fields(self) -> dict[str, list[str]]:
        """Return the form as it is sent."""
        head = {name: [getattr(self, name)] for name in ("currency", "issuer", "payment", "more")}
        return head | {f"fee.{name}": [row[name] for row in self.rows] for name in COLUMNS}

    def with_empty_row(self) -> TableForm:
        """Return the form with one more row."""
        empty = dict.fromkeys(COLUMNS, "") | {"per": "player", "more": NOTHING}
        return TableForm(self.currency, self.issuer, self.payment, (*self.rows, empty), self.more)


def form_of(text: str) -> TableForm:
    """Return the form of a table that was read before."""
    data = parse_toml(text)
    rows = tuple(_row(row) for row in data.pop("fee", []))
    lines = {name: "\n".join(data.pop(name, [])) for name in ("issuer", "payment")}
    return TableForm(str(data.pop("currency", "")), **lines, rows=rows, more=json.dumps(data))


def _row(data: dict[str, Any]) -> FeeRow:
    lists = ",".join(data.pop("lists", []))
    shown = {name: str(data.pop(name, "")) for name in COLUMNS if name not in ("lists", "more")}
    return shown | {"lists": lists, "more": json.dumps(data)}


def example(words: Words) -> TableForm:
    """Return a table to begin with: its amounts are only an example."""
    fees = (("event", "event", "20.00"), ("player", "rated", "1.00"), ("newcomer", "unrated", "2.00"))
    empty = dict.fromkeys(COLUMNS, "") | {"more": NOTHING}
    rows = tuple(
        empty | {"name": words.text(f"fees.example-{name}"), "per": per, "amount": amount}
        for name, per, amount in fees
    )
    return TableForm("EUR", "", "", rows)


def form_sent(texts: Mapping[str, str], rows: Mapping[str, Sequence[str]]) -> TableForm:
    """Return the form that was sent, without rows that have no name."""
    columns = [[text.strip() for text in rows.get(name, ())] for name in COLUMNS]
    sent = [dict(zip(COLUMNS, row, strict=False)) for row in zip(*columns, strict=False)]
    kept = tuple(row for row in sent[:MOST_ROWS] if row["name"])
    head = {name: texts.get(name, "").strip() for name in ("currency", "issuer", "payment")}
    return TableForm(**head, rows=kept, more=texts.get("more", NOTHING))


def table_text(form: TableForm) -> str:
    """Return the table as TOML; whether it is right, says who reads it."""
    head = {
        "currency": form.currency.upper(),
        "issuer": form.issuer.splitlines(),
        "payment": form.payment.splitlines(),
    }
    lines = _lines({name: value for name, value in head.items() if value} | _carried(form.more))
    for row in form.rows:
        lines += ["", "[[fee]]", *_lines(_fee(row))]
    return "\n".join(lines)


def _fee(row: FeeRow) -> dict[str, Any]:
    """Return a row as the table has it; a number that is none stays a text, so that it is refused by its name."""
    fee: dict[str, Any] = {name: row[name] for name in ("name", "per")}
    fee |= {
        name: row[name].replace(",", ".") for name in ("amount", "least") if row[name] or name == "amount"
    }
    fee |= {"lists": row["lists"].split(",")} if row["lists"] else {}
    numbers = {name: row[name] for name in NUMBERS if row[name]}
    return (
        fee
        | {name: int(text) if text.isdecimal() else text for name, text in numbers.items()}
        | _carried(row["more"])
    )


def _carried(text: str) -> dict[str, Any]:
    """Return what the form carries along; nothing if somebody changed it into something else."""
    try:
        data = json.loads(text or NOTHING)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _lines(values: Mapping[str, Any]) -> list[str]:
    return [f"{name} = {_toml(value)}" for name, value in values.items() if name.replace("_", "").isalnum()]


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(_lines(value)) + " }"
    return json.dumps(value, ensure_ascii=False)


def list_choices(form: TableForm, words: Words) -> list[tuple[str, str]]:
    """Return the lists that a fee can be for: all, one, and what a row of the table names together."""
    together = {row["lists"] for row in form.rows} - {"", *LISTS}
    named = [(str(it), words.text(f"site.list-{it}")) for it in LISTS]
    return [
        ("", words.text("fees.all-lists")),
        *named,
        *((it, it.replace(",", ", ")) for it in sorted(together)),
    ]
