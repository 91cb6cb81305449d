"""``arpad editions``: the regulations in every edition, one in full, two side by side."""

from typing import Annotated, Any

import typer

from arpad.cli.common import Json, Lang, console, print_json, table, words_for
from arpad.cli.office.options import Db, ReadOptions
from arpad.cli.typer_groups import Commands
from arpad.explain.editions import (
    CONFIDENCE_SIGNS,
    edition_about,
    edition_document,
    edition_name,
    edition_source,
    how_surely,
    legend,
    rule_document,
)
from arpad.explain.words import Words
from arpad.model.rules import Edition, ListName, Rule
from arpad.rating.arguments import any_edition
from arpad.regulations.all_editions import EVERY
from arpad.regulations.editions import compare, provisions

app = Commands(no_args_is_help=False)

EditionName = Annotated[str, typer.Argument(help="An edition, such as fide-2017, or a TOML file.")]


@app.callback(invoke_without_command=True)
def editions(context: typer.Context, *, db: Db = None, json: Json = False, lang: Lang = None) -> None:
    """List the editions, newest first; with an office also its own."""
    if context.invoked_subcommand:
        context.obj = (db, json, lang)
        return
    words = words_for(lang)
    every = (*EVERY, *_own(db))
    if json:
        print_json("arpad.editions/1", {"editions": [edition_document(edition, words) for edition in every]})
        return
    headings = [(words.text(f"column.{key}"), "left") for key in ("edition", "effective", "about")]
    rows = [
        (
            f"{edition_name(item.id, words)} ({item.id})",
            words.text("edition.by-name") if item.by_name_only else str(item.effective),
            edition_about(item, words),
        )
        for item in sorted(every, key=lambda item: item.effective, reverse=True)
    ]
    console().print(table(headings, rows))


@app.command()
def show(
    context: typer.Context, name: EditionName, *, db: Db = None, json: Json = False, lang: Lang = None
) -> None:
    """Show one edition in full: every rule with its value and article, list by list."""
    db, json, lang = _outer(context, db=db, json=json, lang=lang)
    words = words_for(lang)
    edition = any_edition(name, _own(db))
    if json:
        rules: dict[str, dict[str, Any]] = {str(name): {} for name in edition.lists}
        for item in provisions(edition):
            rules[item.list][item.field] = rule_document(item.rule)
        print_json("arpad.editions-show/1", {**edition_document(edition, words), "rules": rules})
        return
    out = console()
    out.print(f"{edition_name(edition.id, words)} ({edition.id}) · {edition_about(edition, words)}")
    out.print(words.text("edition.from", day=edition.effective, source=edition_source(edition, words)))
    by_field: dict[str, dict[ListName, Rule[Any] | None]] = {}
    for item in provisions(edition):
        by_field.setdefault(item.field, {})[item.list] = item.rule
    columns = [(words.text(f"column.{key}"), "left") for key in ("rule", "rule-name")]
    columns += [(str(name), "left") for name in edition.lists]
    rows = [
        (words.text(f"rule.{field}"), field, *(_rule_text(rules[name], words) for name in edition.lists))
        for field, rules in by_field.items()
        if any(rules.values())
    ]
    out.print(table(columns, rows))
    out.print(how_surely(edition, words))


@app.command()
def diff(
    context: typer.Context,
    old: EditionName,
    new: EditionName,
    *,
    db: Db = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Compare two editions: what changed, with the articles of both."""
    db, json, lang = _outer(context, db=db, json=json, lang=lang)
    words = words_for(lang)
    own = _own(db)
    before, after = any_edition(old, own), any_edition(new, own)
    changes = list(compare(before, after))
    if json:
        documents = [
            {"list": str(name), "rule": field, "old": rule_document(was), "new": rule_document(now)}
            for name, field, was, now in changes
        ]
        print_json("arpad.editions-diff/1", {"old": before.id, "new": after.id, "changes": documents})
        return
    out = console()
    out.print(words.text("edition.diff-title", old=before.id, new=after.id))
    # A change of the article alone is counted, not listed: it decides nothing.
    real = [(n, f, was, now) for n, f, was, now in changes if not (was and now and was.value == now.value)]
    merged: dict[tuple[str, str, str], list[str]] = {}
    for name, field, was, now in real:
        key = (words.text(f"rule.{field}"), _rule_text(was, words), _rule_text(now, words))
        merged.setdefault(key, []).append(str(name))
    columns = [(words.text(f"column.{key}"), "left") for key in ("list", "rule")]
    columns += [(before.id, "left"), (after.id, "left")]
    out.print(table(columns, [(", ".join(names), *key) for key, names in merged.items()]))
    if legend_text := legend([rule for _, _, was, now in real for rule in (was, now)], words):
        out.print(legend_text)
    if renumbered := len(changes) - len(real):
        out.print(words.text("edition.renumbered", count=renumbered))


def _own(db: str | None) -> tuple[Edition[Any], ...]:
    """Return the editions that an office adopted, of ratings and titles; without an office none."""
    if not db:
        return ()
    from arpad.office.editions.acts import own_named
    from arpad.office.editions.rows import RATINGS, TITLES

    with ReadOptions(db=db).opened() as office, office.store.reading() as connection:
        return (*own_named(connection, RATINGS), *own_named(connection, TITLES))


def _outer(
    context: typer.Context, *, db: str | None, json: bool, lang: str | None
) -> tuple[str | None, bool, str | None]:
    """Return the options, given before or after the subcommand."""
    outer_db, outer_json, outer_lang = context.obj or (None, False, None)
    return db or outer_db, json or outer_json, lang or outer_lang


def _rule_text(rule: Rule[Any] | None, words: Words) -> str:
    if rule is None:
        return "–"
    return (
        f"{words.rule_value(rule.value)} ({words.article(rule.article)}){CONFIDENCE_SIGNS[rule.confidence]}"
    )
