"""Parts of the model that are made when they are first asked for."""

from __future__ import annotations

from typing import Generic, TypeVar

__all__ = ["Deferred"]

T = TypeVar("T")


class Deferred(Generic[T]):
    """Stands for something that has not been read yet."""

    __slots__ = ()

    def resolve(self) -> T:
        """Return it.

        Raises:
            BitcodecError: it is malformed.
        """
        raise NotImplementedError
