"""Types of `members.py` for callers."""

__all__ = ["expose_members"]

def expose_members(*kinds: type) -> None: ...
