"""Machine IR."""
