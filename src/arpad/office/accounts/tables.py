"""The verbs of accounts, whose tables the store has."""

from arpad.store.declared_tables import writes

writes("add-user", "users grants mail_choices")
writes("change-password", "users")
writes("change-user", "users grants mail_choices -grants -recovery_codes -mail_choices -tokens")
writes("choose-mails", "mail_choices -mail_choices")
writes("choose-password", "users")
writes("issue-token", "tokens")
writes("rotate-key", "users")
writes("second-factor", "users recovery_codes -recovery_codes")
writes("use-recovery-code", "-recovery_codes")
writes("withdraw-token", "-tokens")
