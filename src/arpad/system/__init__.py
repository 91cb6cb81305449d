"""Files and processes of the machine: atomic writing, worker processes, spreadsheet cells."""
