"""Changes of registered tournaments."""

from sqlalchemy import Index

from arpad.store.declared_tables import Rows, act, row_id, table, texts, to, writes

event_changes = table(
    "event_changes", Rows(named_by="event"),
    row_id(), to("event", "events.id"),
    *texts("state", "name", "city", "federation", "first_day", "last_day", "facts"), act(), Index(None, "event"),
)  # fmt: skip
"""What a registration became: changed, refused, cancelled or in force again. The latest row has all its values."""

writes("cancel-event", "event_changes")
writes("change-event", "event_changes")
writes("refuse-event", "event_changes")
writes("register-event", "events")
writes("reinstate-event", "event_changes")
writes("sent-to-fide", "sent_reports")
