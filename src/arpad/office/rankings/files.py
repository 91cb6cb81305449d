"""Make the files of a list on request: small ones in the web worker, large ones in a limited process.

Like ``report_jobs``, this module knows of no request and does not load the web framework.
"""

from io import BytesIO

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.office.drafts.load_inputs import inputs_of
from arpad.office.lists import published as published_lists
from arpad.office.lists.history_rows import public_list
from arpad.office.lists.ownership import with_owned
from arpad.office.lists.rows import Publication
from arpad.office.office import Office
from arpad.office.parts import with_categories
from arpad.office.proof.checkpoints import checkpoint_behind, publication_proof
from arpad.office.register.number_rows import hidden
from arpad.publishing.files import list_files
from arpad.publishing.public_bundle import public_bundle
from arpad.web.limited_process import Bounds, OfficeLocation, bounds, opened_office, run_limited

NO_SUCH_FILE = "no-such-file"
PUBLIC_BUNDLE = ".public.zip"
KINDS = {"txt": ("txt",), "xml": ("xml",), "csv": ("csv", "sections"), "xlsx": ("xlsx",), "pdf": ("pdf",)}

_ROWS_HERE = {"txt": 100_000, "xml": 100_000, "csv": 100_000, "zip": 2_000, "xlsx": 20_000, "pdf": 0}
"""The web worker itself makes a file of this kind for lists up to this number of rows: about a quarter of a second."""


def make_list_file(
    office: Office, connection: Connection, publication: Publication, file: str, publisher: str
) -> bytes:
    """Return the bytes of one of a list's files."""
    rows = published_lists.list_size(publication)
    if rows <= _ROWS_HERE[file.rpartition(".")[2]]:
        return _file(connection, publication, file, publisher)
    return run_limited(
        "file", bounds("file"), list_file_job, OfficeLocation.of(office), publication.name, file, publisher
    )


def list_file_job(_bounds: Bounds, office: OfficeLocation, name: str, file: str, publisher: str) -> bytes:
    """Return the bytes of a file of a list, in a process that opens the office itself."""
    with opened_office(office) as desk, desk.store.reading() as connection:
        publication = published_lists.publication_named(connection, name)
        if publication is None:
            raise BadInput(NO_SUCH_FILE)
        return _file(connection, publication, file, publisher)


def _file(connection: Connection, publication: Publication, file: str, publisher: str) -> bytes:
    if file.endswith(PUBLIC_BUNDLE):
        return public_bundle_of(connection, publication)
    published = with_owned(
        connection,
        publication,
        with_categories(connection, publication, public_list(connection, publication)),
    )
    note = checkpoint_behind(connection, publication.act)
    kinds = KINDS[file.rpartition(".")[2]]
    for entry in list_files(published, kinds, publisher=publisher, checkpoint=note):
        if entry.name == file:
            stream = BytesIO()
            entry.write(stream)
            return stream.getvalue()
    raise BadInput(NO_SUCH_FILE)


def public_bundle_of(connection: Connection, publication: Publication) -> bytes:
    """Return the bundle of a list that anybody may have now."""
    text = public_list(connection, publication).text
    proof = publication_proof(connection, publication)
    inputs, unlisted = inputs_of(connection, publication), hidden(connection)
    return public_bundle(inputs, text, publication.digest, unlisted, proof)
