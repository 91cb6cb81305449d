"""``arpad office webhook``: programs that are told of changes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.office.options import ReadOptions, WriteOptions
from arpad.cli.typer_groups import Commands

if TYPE_CHECKING:
    from arpad.explain.words import Words
    from arpad.office.webhooks.rows import Delivery

app = Commands(help="Add, list and remove webhooks; see what they were told.")

Number = Annotated[int, typer.Argument(metavar="WEBHOOK", help="The number of the webhook.")]


@app.command()
def add(
    desk: WriteOptions,
    url: Annotated[str, typer.Argument(metavar="URL", help="Where requests go, as https://host/path.")],
    kind: Annotated[
        list[str] | None,
        typer.Option("--kind", metavar="KIND", help="Only changes of this kind; repeat for several."),
    ] = None,
    private_host: Annotated[
        str,
        typer.Option(
            "--private-host",
            metavar="HOST",
            help="The host of the URL, to allow a private network or this machine.",
        ),
    ] = "",
) -> None:
    """Add a webhook; its secret is shown once.

    Example: arpad office webhook add https://example.org/arpad --kind list-published --db office.db
    """
    from arpad.office.webhooks.acts import add_webhook

    with desk.acting() as office:
        number, secret = add_webhook(office, url, kind or [], private_host=private_host)
    sentence = desk.words.text("webhook.added", webhook=number, secret=secret)
    desk.tell(sentence, "arpad.office-webhook/1", {"webhook": number, "secret": secret})


@app.command("list")
def list_(look: ReadOptions) -> None:
    """List the webhooks."""
    from arpad.office.webhooks.acts import all_webhooks

    words = look.words
    with look.opened() as office:
        webhooks = all_webhooks(office)
    if look.json:
        documents = [
            {
                "webhook": it.id, "url": it.url, "kinds": list(it.kinds), "private_host": it.private_host or None,
                "made": it.made,
            }
            for it in webhooks
        ]  # fmt: skip
        print_json("arpad.office-webhooks/1", {"webhooks": documents})
        return
    if not webhooks:
        sys.stdout.write(words.text("webhook.none") + "\n")
        return
    columns = [(words.text(f"webhook.{name}"), "left") for name in ("number", "url", "kinds", "private-host")]
    every = words.text("webhook.all-kinds")
    rows = [(str(it.id), it.url, " ".join(it.kinds) or every, it.private_host or "–") for it in webhooks]
    console().print(table(columns, rows))


@app.command()
def remove(desk: WriteOptions, webhook: Number) -> None:
    """Remove a webhook with its log."""
    from arpad.office.webhooks.acts import remove_webhook

    with desk.acting() as office:
        remove_webhook(office, webhook)
    desk.done({"webhook": webhook})


@app.command()
def log(
    look: ReadOptions,
    webhook: Annotated[
        int | None, typer.Argument(metavar="[WEBHOOK]", help="Only this webhook; default all.")
    ] = None,
    most: Annotated[
        int, typer.Option("--most", metavar="N", min=1, max=100_000, help="At most so many.")
    ] = 100,
) -> None:
    """Show what webhooks were told: every change, its attempts and the last answer."""
    from arpad.office.webhooks.acts import webhook_log

    words = look.words
    with look.opened() as office:
        deliveries = webhook_log(office, webhook, most)
    if look.json:
        print_json("arpad.office-webhook-log/1", {"deliveries": [_document(it) for it in deliveries]})
        return
    if not deliveries:
        sys.stdout.write(words.text("webhook.nothing-sent") + "\n")
        return
    names = ("webhook", "change", "kind", "attempts", "state", "at")
    columns = [(words.text(f"webhook.{name}"), "left") for name in names]
    rows = [
        (
            str(it.webhook), it.change, words.text(f"change-kind.{it.kind}"), str(it.attempts),
            delivery_state(words, it), it.at or "–",
        )
        for it in deliveries
    ]  # fmt: skip
    console().print(table(columns, rows))


@app.command()
def retry(desk: WriteOptions, webhook: Number) -> None:
    """Send everything again at once that the receiver has not accepted."""
    from arpad.office.webhooks.acts import retry_webhook

    with desk.acting() as office:
        changes = retry_webhook(office, webhook)
    sentence = desk.words.text("webhook.retried", changes=changes)
    desk.tell(sentence, "arpad.office-webhook-retried/1", {"webhook": webhook, "changes": changes})


def _document(delivery: Delivery) -> dict[str, Any]:
    return {
        "webhook": delivery.webhook, "change": delivery.change, "kind": delivery.kind, "made": delivery.made,
        "accepted": delivery.done or None, "attempts": delivery.attempts, "status": delivery.status or None,
        "error": delivery.error or None, "at": delivery.at or None,
    }  # fmt: skip


def delivery_state(words: Words, delivery: Delivery) -> str:
    """Return how a delivery stands."""
    if delivery.done:
        return words.text("webhook.accepted")
    if delivery.status:
        return words.text("webhook.refused", status=delivery.status)
    return delivery.error or words.text("webhook.waiting")
