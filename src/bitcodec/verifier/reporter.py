"""Interface of the verifier for rules that do not need all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bitcodec.ir.globals import Comdat, GlobalValue
    from bitcodec.ir.metadata import NamedMetadata
    from bitcodec.ir.module import Module

__all__ = ["Interposition", "Reporter"]


class Reporter(Protocol):
    """Collects findings.

    Attributes:
        where: the global, comdat or named metadata that is checked, or the module.
    """

    where: GlobalValue | Comdat | NamedMetadata | Module

    def report(self, message: str, *values: object, is_debug_info: bool = False) -> None:
        """Add a finding with the values that LLVM prints below the message; see `Verifier.report`."""


class Interposition(Protocol):
    """Knows whether symbols of the module can be interposed."""

    @property
    def has_interposition(self) -> bool:
        """Whether another shared object may replace any symbol that is not local to this one."""
