"""Maps machine instructions to the IR instructions they come from, as a table and as a page."""
