"""What other features ask of reports (``office.parts``): the function, and the module that has it."""

PARTS = {
    "waiting_reports": "page_rows",
}
