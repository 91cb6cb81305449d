"""All declared acts and queries on all surfaces: command line, API and form cannot differ."""
