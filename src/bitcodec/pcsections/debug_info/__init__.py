"""Source lines of PCs, from debug information."""
