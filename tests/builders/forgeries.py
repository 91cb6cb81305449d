"""Changes of a database that no act makes."""

from sqlalchemy import text

from tests.builders.offices import Desk


def force(desk: Desk, statement: str) -> None:
    """What somebody with the database's own tools could do."""
    with desk.office.store.writing() as connection:
        if connection.dialect.name == "sqlite":
            triggers = connection.exec_driver_sql(
                "SELECT name, sql FROM sqlite_master WHERE type='trigger'"
            ).all()
            for name, _ in triggers:
                connection.exec_driver_sql(f"DROP TRIGGER {name}")
            connection.execute(text(statement))
            for _, sql in triggers:
                connection.exec_driver_sql(sql)
        else:
            connection.execute(text("SET LOCAL session_replication_role = replica"))
            connection.execute(text(statement))
