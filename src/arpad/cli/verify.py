"""``arpad verify``: what something that people have kept proves, alone or against an office or its site."""

from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from arpad.cli.common import Json, Lang, naming_file, print_json, read_keys, words_for
from arpad.model.errors import BadInput
from arpad.proofs.checked_proofs import ProofAnswer, left_open
from arpad.proofs.receipts import Receipt
from arpad.proofs.signed_notes import PublicKey
from arpad.system.web_pages import is_address


def verify(
    thing: Annotated[
        str,
        typer.Argument(
            metavar="THING",
            help="A digest; or the file of a checkpoint, receipt, proof, evidence, bundle or published list.",
        ),
    ],
    office: Annotated[
        str | None,
        typer.Option("--office", metavar="URL", help="Compare with an office: a path (SQLite) or a URL."),
    ] = None,
    site: Annotated[
        str | None, typer.Option("--site", metavar="ADDRESS", help="Compare with the site of an office.")
    ] = None,
    key: Annotated[
        list[str],
        typer.Option("--key", metavar="KEY", help="A public key that you trust, or a file of keys."),
    ] = [],  # noqa: B006  typer never changes it
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="The report as it was sent.")
    ] = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> int:
    """Verify something that you have kept: what it proves, and what it does not.

    Exit status: 0 if nothing is wrong, 1 if something is, 2 if it cannot be read.

    Example: arpad verify standard-2018-05-01-r1.bundle.zip --office office.db

    Example: arpad verify receipt.json --report open.trf --key "ratings.example.org+…"
    """
    from arpad.publishing.evidence import answers_alone, read_thing

    words = words_for(lang)
    if office is not None and site is not None:
        raise BadInput("office-or-site")
    if site is not None and not is_address(site):
        raise BadInput("site-address", given=site)
    trusted = read_keys(key)
    with naming_file(thing):
        kept = read_thing(thing)
    if report is not None and not isinstance(kept, Receipt):
        raise BadInput("report-without-receipt")
    answers = [*answers_alone(kept, trusted or _keys(office, site), _data(report))]
    if office is not None:
        answers += _of_office(office, kept)
    elif site is not None:
        from arpad.publishing.evidence import answers_of_site

        answers += answers_of_site(site, kept)
    else:
        answers.append(left_open("kept.alone", {}))
    right = all(answer.right is not False for answer in answers)
    said = [words.text(answer.key, **answer.facts) for answer in answers]
    if json:
        document = [
            {"right": answer.right, "code": answer.key, "facts": _plain(answer.facts), "message": text}
            for answer, text in zip(answers, said, strict=True)
        ]
        print_json("arpad.verify/1", {"thing": type(kept).__name__, "right": right, "answers": document})
    else:
        typer.echo("\n".join(said))
    return int(not right)


def _data(report: Path | None) -> bytes | None:
    if report is None:
        return None
    with naming_file(report):
        return report.read_bytes()


def _keys(office: str | None, site: str | None) -> list[PublicKey]:
    """Return the keys of the office or the site with which a thing is compared, and of its witnesses."""
    if office is not None:
        from contextlib import closing

        from arpad.office.office import open_office
        from arpad.office.verify.kept import office_keys

        with closing(open_office(office)) as opened:
            return office_keys(opened)
    if site is not None:
        from arpad.proofs.witnesses import keys_of

        return [*keys_of(site), *keys_of(site, "witnesses")]
    return []


def _of_office(office: str, kept: Any) -> list[ProofAnswer]:
    from arpad.office.office import open_office
    from arpad.office.verify.kept import answers_of_office

    with closing(open_office(office)) as opened:
        return list(answers_of_office(opened, kept))


def _plain(facts: Any) -> dict[str, Any]:
    return {name: value if isinstance(value, int) else str(value) for name, value in facts.items()}
