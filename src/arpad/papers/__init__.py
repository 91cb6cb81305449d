"""What people print or mail: boards and pages, as text, HTML and PDF."""
