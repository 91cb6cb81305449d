"""What other features ask of reports (``office.parts``): the function, and the module that has it."""

PARTS = {
    "fill_after_migration": "entrant_rows",
    "report_choices": "page_rows",
    "waiting_reports": "page_rows",
}
