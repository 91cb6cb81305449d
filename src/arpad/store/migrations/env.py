"""Run by Alembic: the steps are taken on the connection that ``migrate`` hands over."""

from alembic import context

from arpad.store.schema import META

context.configure(
    connection=context.config.attributes["connection"], target_metadata=META, transaction_per_migration=False
)
context.run_migrations()
