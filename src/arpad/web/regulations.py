"""The pages of the regulations: every edition, two editions compared, an anchor for every article."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from litestar import Response, get
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect
from markupsafe import Markup, escape

from arpad.explain.editions import (
    CONFIDENCE_SIGNS,
    article_levels,
    articles,
    chapters,
    edition_about,
    edition_articles,
    edition_source,
    how_surely,
)
from arpad.explain.words import MINUS, Words, load_words
from arpad.model.errors import NoEdition
from arpad.model.rules import LISTS, Edition, ListName, Rule
from arpad.office.editions.acts import OwnEdition, own_editions, own_named
from arpad.office.editions.rows import TITLES
from arpad.office.office import Office
from arpad.regulations.all_editions import EVERY, TITLE_EDITIONS
from arpad.regulations.editions import (
    CHESS_EDITIONS,
    DRAUGHTS_EDITIONS,
    compare,
    digest,
    in_force,
    named,
    provisions,
)
from arpad.regulations.systems import is_edition_of_system
from arpad.store.settings import own_lists_of
from arpad.web.cache import fresh_headers, settings_headers
from arpad.web.reader import ADMINISTRATOR, PUBLIC, words_for
from arpad.web.requests import Refused, WebRequest, require_office
from arpad.web.site_settings import every_edition, settings_of
from arpad.web.templates import environment, page


def slug(article: str) -> str:
    """Return an article as part of an address: ``8.54`` stays, ``Tab. 19`` becomes ``tab-19``."""
    return "art-" + re.sub(r"[^a-z0-9.]+", "-", article.lower()).strip("-.")


def and_above(article: str) -> tuple[str, ...]:
    """Return an article and those that contain it, the nearest first: 7.14b, 7.14, 7.1, 7; any other name alone."""
    return article_levels(article)[::-1]


def anchors(edition: Edition[Any]) -> frozenset[str]:
    """Return the anchors of an edition's page."""
    return frozenset(map(slug, edition_articles(edition)))


_printed_anchors = cache(lambda name: anchors(named(name, EVERY)))


@pass_context
def article_url(context: Context, edition: str, article: str) -> str:
    """Return the address of an article on an edition's page, or of the nearest article above it, or of the page."""
    own: dict[str, frozenset[str]] = context["r"].request.scope.setdefault("anchors", {})
    if edition not in own:
        try:
            own[edition] = _printed_anchors(edition)
        except NoEdition:
            editions = [other for other in every_edition(context["r"].request) if other.id == edition]
            own[edition] = frozenset[str]().union(*map(anchors, editions))
    anchor = next((anchor for part in and_above(article) if (anchor := slug(part)) in own[edition]), "")
    return f"/regulations/{edition}#{anchor}" if anchor else f"/regulations/{edition}"


@dataclass(frozen=True, slots=True)
class CellOf:
    """What an edition sets for one list, or for several lists with the same rule."""

    rule: Rule[Any] | None
    lists: tuple[ListName, ...]


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule over all lists of an edition."""

    field: str
    cells: tuple[CellOf, ...]


def rule_rows(edition: Edition[Any]) -> Iterator[RuleRow]:
    """Yield every rule that the edition sets; neighbouring lists with the same rule share a cell."""
    by_field: dict[str, dict[ListName, Rule[Any] | None]] = {}
    for item in provisions(edition):
        by_field.setdefault(item.field, {})[item.list] = item.rule
    for field, rules in by_field.items():
        if not any(rules.values()):
            continue
        cells: list[CellOf] = []
        for name in edition.lists:
            rule = rules.get(name)
            if cells and cells[-1].rule == rule:
                cells[-1] = CellOf(rule, (*cells[-1].lists, name))
            else:
                cells.append(CellOf(rule, (name,)))
        yield RuleRow(field, tuple(cells))


@dataclass(frozen=True, slots=True)
class RuleDifference:
    """A rule that differs between two editions, with the lists it concerns."""

    field: str
    lists: tuple[ListName, ...]
    old: Rule[Any] | None
    new: Rule[Any] | None


def differences(old: Edition[Any], new: Edition[Any]) -> tuple[list[RuleDifference], int]:
    """Return the changed rules, and how many rules only moved to another article."""
    merged: dict[str, list[RuleDifference]] = {}
    renumbered = 0
    for name, field, was, now in compare(old, new):
        if was and now and was.value == now.value:
            renumbered += 1
            continue
        alike = [row for row in merged.setdefault(field, []) if (row.old, row.new) == (was, now)]
        if alike:
            index = merged[field].index(alike[0])
            merged[field][index] = RuleDifference(field, (*alike[0].lists, name), was, now)
        else:
            merged[field].append(RuleDifference(field, (name,), was, now))
    return [row for rows in merged.values() for row in rows], renumbered


def newest_first(editions: Sequence[Edition[Any]]) -> list[Edition[Any]]:
    """Return editions as people look for them: the newest first."""
    return sorted(editions, key=lambda edition: edition.effective, reverse=True)


@pass_context
def article_text(context: Context, edition: str, article: str) -> str:
    """Return what an article of a printed edition says, in one line; nothing if the article is unknown."""
    texts = _printed_articles(edition, context["words"].language)
    return next((texts[part] for part in and_above(article) if part in texts), "")


@pass_context
def article_anchor(context: Context, edition: str, article: str) -> Markup:
    """Return the link to an article, with what it says; a derivation of many players repeats few of them."""
    scope = context["r"].request.scope
    links: dict[tuple[str, str], Markup] = scope.setdefault("article_links", {})
    if (edition, article) not in links:
        title = article_text(context, edition, article)
        titled = f' title="{escape(title)}"' if title else ""
        name = context["words"].article(article)
        if is_edition_of_system(edition):  # the edition of a rating system has no page
            return links.setdefault((edition, article), Markup(f"<span>{escape(name)}</span>"))  # noqa: S704  it is escaped
        address = article_url(context, edition, article)
        links[edition, article] = Markup(f'<a href="{escape(address)}"{titled}>{escape(name)}</a>')  # noqa: S704  all is escaped
    return links[edition, article]


@cache
def _printed_articles(edition: str, language: str) -> dict[str, str]:
    try:
        printed = named(edition, EVERY)
    except NoEdition:
        return {}
    by_article = articles(printed, load_words(language, MINUS))
    return {article: " ".join(item.text for item in items) for article, items in by_article.items()}


def _contents(edition: Edition[Any], language: str) -> dict[str, Any]:
    """Return the rules of an edition for its page; those of printed ones are put into words once."""
    try:
        printed = named(edition.id, EVERY)
    except NoEdition:
        printed = None
    return _printed_contents(edition.id, language) if edition is printed else _new_contents(edition, language)


@cache
def _printed_contents(name: str, language: str) -> dict[str, Any]:
    return _new_contents(named(name, EVERY), language)


def _new_contents(edition: Edition[Any], language: str) -> dict[str, Any]:
    words = load_words(language, MINUS)
    return {
        "rows": list(rule_rows(edition)),
        "chapters": chapters(edition, words),
        "surely": how_surely(edition, words),
    }


def _in_force_today(request: WebRequest) -> dict[str, list[ListName]]:
    """Return the editions in force today, by name, with their lists; none without an office, which has no today.

    Title regulations have no lists of their own.
    """
    settings = settings_of(request)
    applied: dict[str, list[ListName]] = {}
    if settings.today:
        for name in LISTS:
            applied.setdefault(in_force(settings.editions, name, settings.today).id, []).append(name)
        applied[in_force(settings.title_editions, ListName.STANDARD, settings.today).id] = []
    return applied


def _words_about(words: Words) -> dict[str, Any]:
    return {"about": partial(edition_about, words=words), "source": partial(edition_source, words=words)}


@get("/regulations", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def index(request: WebRequest) -> Response[str]:
    """Show all editions."""
    settings = settings_of(request)
    groups = {"own-editions": newest_first((*settings.own, *settings.own_titles))}
    if "chess" in settings.games:
        groups |= {"chess": newest_first(CHESS_EDITIONS), "titles": newest_first(TITLE_EDITIONS)}
    if "draughts" in settings.games:
        groups["draughts"] = newest_first(DRAUGHTS_EDITIONS)
    every = newest_first([edition for group in groups.values() for edition in group])
    return page(
        request, "regulations.html", headers=settings_headers(request), groups=groups, every=every,
        newest=(CHESS_EDITIONS if "chess" in settings.games else DRAUGHTS_EDITIONS)[-1],
        in_force_today=_in_force_today(request), **_words_about(words_for(request)),
    )  # fmt: skip


@get("/regulations/compare", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def chosen(request: WebRequest, old: FromQuery[str] = "", new: FromQuery[str] = "") -> Redirect:
    """Redirect from the form with two editions to their comparison."""
    if not {old, new} <= {edition.id for edition in every_edition(request)}:
        raise Refused(404, "no-page")
    return Redirect(f"/regulations/{old}/{new}", status_code=303)


@get("/regulations/{name:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def edition_page(request: WebRequest, name: FromPath[str]) -> Response[Any]:
    """Show one edition."""
    edition = named(name, every_edition(request))
    headers = fresh_headers(request, "edition", name, digest(edition), settings_of(request).today)
    return page(
        request,
        "regulation.html",
        headers=headers,
        edition=edition,
        **_contents(edition, words_for(request).language),
        slug=slug,
        digest=digest(edition),
        signs=CONFIDENCE_SIGNS,
        in_force_today=_in_force_today(request),
        **_words_about(words_for(request)),
    )


@get("/regulations/{old:str}/{new:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def compared(request: WebRequest, old: FromPath[str], new: FromPath[str]) -> Response[str]:
    """Show two editions side by side."""
    before, after = named(old, every_edition(request)), named(new, every_edition(request))
    rows, renumbered = differences(before, after)
    about = _words_about(words_for(request))
    return page(
        request, "compared.html", headers=settings_headers(request), old=before, new=after, rows=rows,
        renumbered=renumbered, signs=CONFIDENCE_SIGNS, **about,
    )  # fmt: skip


def _own(office: Office) -> list[tuple[Edition[Any], list[OwnEdition], list[RuleDifference]]]:
    """Return each own edition with its adoptions and its differences from the edition it is based on."""
    with office.store.reading() as connection:
        editions = (*own_named(connection), *own_named(connection, TITLES))
    adoptions = own_editions(office).editions
    return [
        (
            edition,
            [row for row in adoptions if row.edition == edition.id],
            differences(named(edition.base, EVERY), edition)[0],
        )
        for edition in editions
    ]


@get("/admin/editions", opt=ADMINISTRATOR, include_in_schema=False, sync_to_thread=True)
def own_overview(request: WebRequest) -> Response[str]:
    """Show the own editions and lists, with the forms to adopt, to revoke and to add them."""
    office = require_office(request)
    with office.store.reading() as connection:
        lists = tuple(own_lists_of(connection).values())
    return page(request, "own_editions.html", own=_own(office), own_lists=lists)


environment().globals |= {
    "article_anchor": article_anchor,
    "article_text": article_text,
    "article_url": article_url,
}
