"""Players who ask not to be shown, for their data, or to be erased."""
