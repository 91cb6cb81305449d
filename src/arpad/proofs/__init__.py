"""Proofs that need no database: the Merkle tree over the ledger, signed checkpoints, receipts.

merkle              root of a tree, proof that a leaf is in it, proof that one tree continues another
signed_notes        a text with signatures below it (Ed25519)
checkpoints         a note about the size and the root of a tree, cosigned by witnesses
receipts            an act with the proof that it is in a ledger
lines               a line of a list with the proof that it was published
"""
