"""Follow by mail: the form, and the page that the links in mails open."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from arpad.explain.words import load_words
from arpad.model.errors import ArpadError
from arpad.office.mails import mail_is_set_up
from arpad.office.notices.acts import (
    CONFIRM_DAYS,
    KINDS,
    Followed,
    ask_to_follow,
    change_follow,
    followed,
    follower_page,
)
from arpad.web.auth import COSTLY, PUBLIC
from arpad.web.cookies import ONE_CLICK, done_cookie
from arpad.web.forms import form_texts, form_values, refuse
from arpad.web.language import language_of, words_for
from arpad.web.requests import Refused, WebRequest, client_address, read_form, require_office
from arpad.web.site_settings import settings_of
from arpad.web.templates import page, signed_sentence

NOT_KEPT = {"Cache-Control": "private, no-store", "X-Robots-Tag": "noindex"}
VERBS = ("confirm", "end", "language", "forget")


def _thing(request: WebRequest, kind: str, target: str) -> tuple[Followed, bool]:
    """Return what a visitor wants to follow, and whether the office can send mails."""
    office = require_office(request)
    with office.store.reading() as connection:
        thing = followed(connection, words_for(request), kind, target, office)
        if thing is None:
            raise Refused(404, "no-page")
        return thing, mail_is_set_up(connection)


@get("/follow", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def form(request: WebRequest, kind: FromQuery[str] = "", target: FromQuery[str] = "") -> Response[str]:
    """Show the form to follow a player, a club or a list by mail."""
    thing, by_mail = _thing(request, kind, target)
    return page(
        request, "notices/follow_form.html", headers=NOT_KEPT, thing=thing, by_mail=by_mail, asked=False
    )


@post("/follow", opt=PUBLIC | COSTLY, include_in_schema=False, status_code=200)
async def ask(request: WebRequest) -> Response[str]:
    """Send the mail that asks for a confirmation; the answer is the same for every address."""
    texts = await form_texts(request)

    def act() -> Response[str]:
        thing, by_mail = _thing(request, texts.get("kind", ""), texts.get("target", ""))
        asked = False
        try:
            ask_to_follow(
                require_office(request), texts.get("address", ""), thing, language=language_of(request),
                network=client_address(request),
            )  # fmt: skip
            asked = True
        except ArpadError as error:
            refuse(request, error, form_values(texts.items()))
        return page(
            request, "notices/follow_form.html", headers=NOT_KEPT, thing=thing, by_mail=by_mail, asked=asked,
            days=CONFIRM_DAYS,
        )  # fmt: skip

    return await sync_to_thread(act)


@get("/follow/{token:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def own_page(request: WebRequest, token: FromPath[str]) -> Response[str]:
    """Show what an address follows to the person who has the link from a mail to it."""
    shown = follower_page(require_office(request), token[:60], words_for(request))
    return page(
        request, "notices/followed.html", headers=NOT_KEPT, status=200 if shown else 404, shown=shown,
        languages=[(name, load_words(name).text("form.language")) for name in settings_of(request).languages],
    )  # fmt: skip


@post("/follow/{token:str}", opt=PUBLIC | {ONE_CLICK: True}, include_in_schema=False, status_code=200)
async def unsubscribe(request: WebRequest, token: FromPath[str]) -> Response[str]:
    """Delete an address with everything it follows, asked for by a mail program with one click (RFC 8058)."""
    form = await read_form(request)
    if form.get("List-Unsubscribe") != "One-Click":
        raise Refused(403, "form-expired")
    await sync_to_thread(change_follow, require_office(request), token[:60], "forget", "", "")
    return Response("\n", media_type="text/plain", headers=NOT_KEPT)


@post("/follow/{token:str}/{verb:str}", opt=PUBLIC, include_in_schema=False, status_code=200)
async def change(request: WebRequest, token: FromPath[str], verb: FromPath[str]) -> Response[Any]:
    """Confirm or end a follow, choose the language, or delete the address."""
    texts = await form_texts(request)
    kind, language = texts.get("kind", ""), texts.get("language", "")
    known = verb in VERBS and (verb not in VERBS[:2] or kind in KINDS)
    if not known or (verb == "language" and language not in settings_of(request).languages):
        raise Refused(404, "no-page")

    def act() -> Response[Any]:
        target = texts.get("target", "")[:20]
        exists = change_follow(require_office(request), token[:60], verb, kind, target, language)
        if exists:
            said = signed_sentence(request, words_for(request).text(f"follow.done-{verb}"))
            return Redirect(f"/follow/{token[:60]}", status_code=303, cookies=[done_cookie(request, said)])
        return page(request, "notices/followed.html", headers=NOT_KEPT, shown=None, languages=())

    return await sync_to_thread(act)


ROUTES = (form, ask, own_page, unsubscribe, change)
