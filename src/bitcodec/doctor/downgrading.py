"""Whether `bitcodec downgrade` writes the modules of a file for a version, so that advice holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.downgrade.constructs import Rule
from bitcodec.bitcode.downgrade.intrinsic_forms import lacking_form
from bitcodec.bitcode.downgrade.intrinsics import IntrinsicLowering
from bitcodec.bitcode.downgrade.losses import Losses
from bitcodec.bitcode.saving import NEWEST_VERSION, OLDEST_VERSION, check_writable
from bitcodec.errors import BitcodecError, EncodingError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.ir.module import Module

__all__ = ["Downgrades"]


class Downgrades:
    """Answers for all versions after few looks at all of the modules; no version is tried twice.

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
        if version not in self._refusals:
            # Older versions lack what newer ones lack, except for intrinsics.
            attempt = self._lower_intrinsics if version >= self._oldest else self._check
            self._refusals[version] = _refusal_of(attempt, version)
        return self._refusals[version]

    def _check(self, version: int) -> None:
        check_writable(self._modules[0], version)
        self._oldest = min(self._oldest, version)

    def _lower_intrinsics(self, version: int) -> None:
        module = self._modules[0]
        forms = (lacking_form(each, version) for each in module.functions if each.is_intrinsic)
        if any(form is not None and form.rule is Rule.REFUSE for form in forms):
            IntrinsicLowering(module, Losses(version), {}).survey()


def _refusal_of(attempt: Callable[[int], None], version: int) -> str:
    """Return why an attempt to write for a version is refused, "" if it is not."""
    try:
        attempt(version)
    except EncodingError as error:
        return error.lacking or str(error)
    except BitcodecError as error:
        return str(error)
    return ""
