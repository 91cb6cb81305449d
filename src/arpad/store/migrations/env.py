"""Run by Alembic: execute the migrations on the connection of ``arpad.store.fingerprint``."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transaction_per_migration=False)
context.run_migrations()
