"""The accepted tournaments as everybody sees them."""
