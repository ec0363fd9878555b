"""Which machine instructions come from which IR instructions, as a table and as a page."""
