"""The mails of the office, and the jobs of its worker."""
