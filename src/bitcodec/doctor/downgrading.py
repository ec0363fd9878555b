"""Whether `bitcodec downgrade` writes the modules of a file for a version, so that advice holds."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from bitcodec.bitcode.saving import NEWEST_VERSION, OLDEST_VERSION
from bitcodec.downgrade import check_writable
from bitcodec.downgrade.constructs import Way
from bitcodec.downgrade.intrinsic_forms import form_of, lacking_form
from bitcodec.downgrade.intrinsics import IntrinsicLowering
from bitcodec.downgrade.losses import Losses
from bitcodec.errors import BitcodecError, EncodingError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.downgrade.intrinsic_forms import IntrinsicForm
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module

__all__ = ["Downgrades"]


class Downgrades:
    """Answers for all versions after few checks of all of the modules; no version is tried twice.

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
            # Older versions lack everything that newer ones lack, except for intrinsics.
            attempt = self._lower_intrinsics if version >= self._oldest else self._check
            self._refusals[version] = _refusal_of(attempt, version)
        return self._refusals[version]

    def _check(self, version: int) -> None:
        check_writable(self._modules[0], version)
        self._oldest = min(self._oldest, version)

    def _lower_intrinsics(self, version: int) -> None:
        lacking = (lacking_form(function, version, form) for function, form in self._forms)
        if any(row is not None and row.way is Way.REFUSE for row in lacking):
            try:
                self._survey_intrinsics(version, orders_uses=False)
            except EncodingError:
                # The error is about the first use in LLVM's order.
                self._survey_intrinsics(version, orders_uses=True)

    @cached_property
    def _forms(self) -> list[tuple[Function, IntrinsicForm]]:
        """The intrinsics of the module that LLVM 22 knows."""
        found = ((each, form_of(each)) for each in self._modules[0].functions if each.is_intrinsic)
        return [(function, form) for function, form in found if form is not None]

    def _survey_intrinsics(self, version: int, *, orders_uses: bool) -> None:
        lowering = IntrinsicLowering(self._modules[0], Losses(version), {})
        lowering.orders_uses, lowering.makes_calls = orders_uses, False
        lowering.survey()


def _refusal_of(attempt: Callable[[int], None], version: int) -> str:
    """Return why an attempt to write for a version is refused, "" if it is not."""
    try:
        attempt(version)
    except EncodingError as error:
        return error.lacking or str(error)
    except BitcodecError as error:
        return str(error)
    return ""
