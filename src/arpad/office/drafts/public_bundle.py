"""The bundle of a published list that anybody may have, made from the rows of the office."""

from __future__ import annotations

from sqlalchemy import Connection

from arpad.office.drafts.load_inputs import inputs_of
from arpad.office.lists.rows import Publication
from arpad.office.lists.text_rows import public_list
from arpad.office.proof.publication_proofs import publication_proof
from arpad.office.register.hidden_rows import hidden
from arpad.publishing.public_bundle import public_bundle


def public_bundle_of(connection: Connection, publication: Publication) -> bytes:
    """Return the bundle of a list that anybody may have now."""
    text = public_list(connection, publication).text
    proof = publication_proof(connection, publication)
    inputs, unlisted = inputs_of(connection, publication), hidden(connection)
    return public_bundle(inputs, text, publication.digest, unlisted, proof)
