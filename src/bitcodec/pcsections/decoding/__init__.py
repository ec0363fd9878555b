"""Sections read: by relocations or by what can follow what; entries one by one, and as columns."""
