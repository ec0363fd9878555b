"""Assembly text taken apart: its statements, without comments."""
