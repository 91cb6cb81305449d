"""Tournaments registered before they start, and their deadlines."""

PARTS = {
    "days_due": "deadlines",
    "event_deadlines": "deadlines",
    "federations_of": "rows",
    "near_deadlines": "deadlines",
    "registered_event": "rows",
    "registered_events": "rows",
    "reports_of_events": "rows",
    "tournament_choices": "rows",
    "upcoming_events": "rows",
    "with_registration": "acts",
}
