"""The command that shows which mails a user gets: a sentence, and the kinds that are not wanted below it."""

import sys

from arpad.cli.declared import command_of
from arpad.explain.words import Words
from arpad.office.accounts.mail_choices import ChosenMails, choose_mails


def _show(chosen: ChosenMails, words: Words) -> None:
    facts = {"login": chosen.login, "address": chosen.address or "", "language": chosen.language or ""}
    lines = [words.text(f"mail.{chosen.done}", **facts), *(f"– {kind}" for kind in chosen.unwanted)]
    sys.stdout.write("\n".join(lines) + "\n")


COMMANDS = {"user mails": command_of(choose_mails, _show)}
