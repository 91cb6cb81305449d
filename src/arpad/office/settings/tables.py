"""The verbs of settings, whose tables the store has."""

from arpad.store.declared_tables import writes

writes("change-settings", "settings setting_changes")
writes("remove-logo", "setting_changes")
writes("set-logo", "setting_changes")
writes("switch-features-off", "setting_changes")
writes("switch-features-on", "setting_changes")
