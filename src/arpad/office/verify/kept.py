"""Compare what people have kept with an office: its ledger, its lists, its reports."""

from collections.abc import Iterator
from io import BytesIO

from sqlalchemy import Connection

from arpad.model.act_seal import act_seal
from arpad.office.lists import rows as lists
from arpad.office.lists.history_rows import public_list
from arpad.office.lists.ownership import with_owned
from arpad.office.lists.rows import Publication
from arpad.office.office import Office
from arpad.office.parts import with_categories
from arpad.office.proof.checkpoints import begins_with, checkpoint_behind, ledger_tree, witness_keys
from arpad.office.proof.signing_keys import public_keys
from arpad.office.reports.rows import by_digest
from arpad.proofs.checked_proofs import ProofAnswer, answer, left_open, no, yes
from arpad.proofs.checkpoints import Checkpoint, parse_checkpoint
from arpad.proofs.lines import LineProof, published_lists
from arpad.proofs.receipts import Receipt
from arpad.proofs.signed_notes import PublicKey
from arpad.publishing.evidence import KeptBundle, KeptDigest, KeptFile, Thing, note_of
from arpad.publishing.files import KINDS, list_files
from arpad.store import bulk, ledger
from arpad.store.settings import read_setting


def office_keys(office: Office) -> list[PublicKey]:
    """Return every public key of an office, and those of its witnesses."""
    with office.store.reading() as connection:
        return [*public_keys(connection), *witness_keys(connection)]


def answers_of_office(office: Office, thing: Thing) -> Iterator[ProofAnswer]:
    """Yield how a thing agrees with an office, and the head of the ledger with which it was compared."""
    with office.store.reading() as connection:
        match thing:
            case KeptDigest():
                yield _digest(connection, thing.digest)
            case KeptBundle():
                yield _list(connection, thing.name, thing.digest)
            case KeptFile():
                yield from _file(connection, thing)
            case Receipt():
                yield from _act(connection, thing)
            case LineProof():
                yield from _act(connection, thing.receipt)
            case _:
                pass
        if (note := note_of(thing)) is not None:
            yield _began_with(connection, parse_checkpoint(note))
        tree = ledger_tree(connection)
        facts = {"size": len(tree), "root": tree.root().hex(), "digest": bulk.head(connection)}
        yield left_open("kept.ledger-head", facts)


def _digest(connection: Connection, digest: str) -> ProofAnswer:
    for publication in lists.ever_published(connection):
        digests = (publication.digest, publication.standings_digest, publication.inputs_digest)
        if digest in digests:
            return yes("kept.digest-list", {"list": publication.name, "digest": publication.digest})
    if (report := by_digest(connection, digest)) is not None:
        return yes("kept.digest-report", {"report": report})
    seals = ledger.digests(connection)
    if digest in seals:
        return yes("kept.digest-act", {"act": seals.index(digest) + 1})
    return no("kept.digest-unknown", {"digest": digest})


def _named(connection: Connection, name: str) -> Publication | None:
    publications = lists.ever_published(connection)
    return next((publication for publication in publications if publication.name == name), None)


def _list(connection: Connection, name: str, digest: str) -> ProofAnswer:
    """Compare the digest of a list with the one that the office published under its name."""
    publication = _named(connection, name)
    if publication is None:
        return no("kept.list-unknown", {"list": name, "digest": digest})
    facts = {"list": name, "digest": digest, "published": publication.digest}
    right = publication.digest == digest
    return answer("kept.list", facts, right=right)


def _file(connection: Connection, file: KeptFile) -> Iterator[ProofAnswer]:
    """Make the file of the list again, and compare the bytes; a file with another name is sought among all lists."""
    named = _named(connection, file.name)
    if named is not None:
        answers = _compared(connection, file, named)
    elif (publication := _publication_of(connection, file)) is not None:
        answers = _compared(connection, file, publication)
    else:
        answers = [no("kept.file-unknown", {"file": file.file, "list": file.name})]
    yield from answers
    if printed := file.printed():
        yield _began_with(connection, printed[1])


def _publication_of(connection: Connection, file: KeptFile) -> Publication | None:
    """Return the list of a file: by the digest that a PDF has printed, else the one that gives the same bytes.

    PDFs without a printed digest and files that are no workbook in spite of their name are not sought: drawing those
    of every list again takes minutes.
    """
    publications = lists.ever_published(connection)
    if printed := file.printed():
        return next(
            (each for each in publications if printed[0] in (each.digest, each.standings_digest)), None
        )
    if not _kinds(file) or file.ending == "pdf" or (file.ending == "xlsx" and not file.is_archive):
        return None
    return next((each for each in reversed(publications) if _gives(connection, each, file)), None)


def _compared(connection: Connection, file: KeptFile, publication: Publication) -> list[ProofAnswer]:
    facts = {"file": file.file, "list": publication.name, "digest": publication.digest}
    return [answer("kept.file", facts, right=_gives(connection, publication, file))]


def _gives(connection: Connection, publication: Publication, file: KeptFile) -> bool:
    """Return whether a file of a list has these bytes; the base of a correction has no lines."""
    if not publication.head:
        return False
    table = public_list(connection, publication)
    table = with_owned(connection, publication, with_categories(connection, publication, table))
    note, publisher = checkpoint_behind(connection, publication.act), read_setting(connection, "name")
    for written in list_files(table, _kinds(file), publisher=publisher, checkpoint=note):
        stream = BytesIO()
        written.write(stream)
        if stream.getvalue() == file.data:
            return True
    return False


def _kinds(file: KeptFile) -> list[str]:
    """Return the kinds of files that have the ending of a file."""
    return [kind for kind in KINDS if kind == file.ending or (file.ending, kind) in _ENDINGS]


_ENDINGS = {("txt", "canonical"), ("csv", "sections")}
"""Endings that files of another kind have too."""


def _act(connection: Connection, receipt: Receipt) -> Iterator[ProofAnswer]:
    """Compare an act with the same one of the ledger, and the lists that it published with the office's."""
    row = ledger.some_acts(connection, [receipt.seq]).get(receipt.seq)
    right = row is not None and row.digest == act_seal(receipt.act)
    yield answer("kept.act", {"act": receipt.seq}, right=right)
    for entry in published_lists(receipt):
        name = f"{entry.get('list')}-{entry.get('day')}-r{entry.get('revision')}"
        yield _list(connection, name, str(entry.get("digest")))


def _began_with(connection: Connection, checkpoint: Checkpoint) -> ProofAnswer:
    """Compare a checkpoint with the first acts of the ledger."""
    tree = ledger_tree(connection)
    facts = {"size": checkpoint.size, "acts": len(tree)}
    if checkpoint.size > len(tree):
        return no("kept.ledger-shorter", facts)
    return answer("kept.ledger", facts, right=begins_with(tree, checkpoint))
