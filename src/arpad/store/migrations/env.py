"""Run by Alembic: execute the migrations on the connection of ``arpad.store.migrate``."""

from alembic import context

from arpad.store.schema import META

context.configure(
    connection=context.config.attributes["connection"], target_metadata=META, transaction_per_migration=False
)
context.run_migrations()
