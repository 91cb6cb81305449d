"""The people who sign in: passwords, second factor, sessions, tokens, lock-out."""
