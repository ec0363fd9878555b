"""How many bytes the names of globals may have together."""

__all__ = ["most_name_bytes"]

_NAME_BYTES = 1 << 20
_NAME_BYTES_PER_BYTE = 8
"""Maximum total size of all names, in bytes per byte of the string table, beyond the table itself.

A global, its comdat and its partition may share a name; the names of a small file must not fill memory.
"""


def most_name_bytes(strtab_size: int) -> int:
    """Return how many bytes the names in a string table may have together."""
    return _NAME_BYTES + _NAME_BYTES_PER_BYTE * strtab_size
