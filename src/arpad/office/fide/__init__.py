"""What the office exchanges with FIDE: reference lists, guests, reports, the reconciliation."""

PARTS = {
    "altered_derived_tables": "verification",
    "altered_tables": "verification",
    "erase_texts": "verification",
    "fide_numbers_in": "checks",
    "held_about": "verification",
    "listed_candidates": "checks",
    "load_listed": "checks",
    "load_references": "checks",
    "must_be_decided": "checks",
    "new_listed_person": "checks",
    "rated_guests": "checks",
    "reference_players": "rows",
    "reference_record": "reference",
    "references": "rows",
}
