"""Proofs about the ledger: the key, checkpoints, cosignatures, receipts, erasures."""
