"""Alembic's entry: runs on the one connection that the journal already holds, inside its transaction."""

from alembic import context

from controller.adapters.journal.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=False,
    render_as_batch=True,
)
context.run_migrations()
