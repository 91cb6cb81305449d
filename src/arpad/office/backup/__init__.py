"""Backup, restore and rehearsal."""
