"""The published lists as everybody reads them: pages, cuts, filters, files."""
