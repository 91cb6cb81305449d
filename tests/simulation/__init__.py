"""A simulated office under faults: everything that happens follows from a seed (docs/project/quality.md)."""
