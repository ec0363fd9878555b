"""Whether `bitcodec downgrade` writes the modules of a file for a version, so that advice holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.downgrade.constructs import Rule
from bitcodec.bitcode.downgrade.intrinsic_forms import lacking_form
from bitcodec.bitcode.saving import NEWEST_VERSION, OLDEST_VERSION, dumps
from bitcodec.errors import BitcodecError, EncodingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.module import Module

__all__ = ["Downgrades"]


class Downgrades:
    """Tries versions, each once, the fewest that answer for all.

    Args:
        modules: of a file in which nothing is malformed.
    """

    def __init__(self, modules: Sequence[Module]) -> None:
        self._modules = modules
        self._refusals: dict[int, str] = {}
        self._oldest = NEWEST_VERSION + 1

    def target(self, version: int) -> int:
        """Return the version to write for if a version is to read the result."""
        return min(version, NEWEST_VERSION)

    def refusal(self, version: int) -> str | None:
        """Return why the file cannot be written for a version; "" if it can, None if bitcodec does not try.

        Args:
            version: of LLVM, not newer than the target of one.
        """
        if len(self._modules) != 1 or version < OLDEST_VERSION:
            return None
        # Older versions lack what newer ones lack, except for intrinsics.
        if version >= self._oldest and not self._has_refused_intrinsic(version):
            return ""
        if version not in self._refusals:
            self._refusals[version] = self._try(version)
        return self._refusals[version]

    def _try(self, version: int) -> str:
        try:
            dumps(self._modules[0], llvm_version=version)
        except EncodingError as error:
            return error.lacking or str(error)
        except BitcodecError as error:
            return str(error)
        self._oldest = min(self._oldest, version)
        return ""

    def _has_refused_intrinsic(self, version: int) -> bool:
        forms = (lacking_form(each, version) for each in self._modules[0].functions if each.is_intrinsic)
        return any(form is not None and form.rule is Rule.REFUSE for form in forms)
