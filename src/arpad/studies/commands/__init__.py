"""The commands of studies, each loaded by its verb."""
