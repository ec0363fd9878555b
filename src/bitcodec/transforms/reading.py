"""Preparations before a module is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bitcodec.ir.module import Module

__all__ = ["read_for_change"]


def read_for_change(module: Module) -> None:
    """Read a module to the end, and forget its summaries, which describe it as it was.

    Raises:
        BitcodecError: something in it is malformed; nothing is forgotten then.
    """
    module.materialize()
    module.drop_summaries()
