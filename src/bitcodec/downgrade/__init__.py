"""Writing for older versions of LLVM.

`constructs` names the constructs that older versions lack, and how each is treated.  `profiles` has readers with rules
in addition to their version's.  `survey` plans how a module is written: it finds everything that the version lacks, and
describes it to the writer as a `Dialect`.  The module is never changed: the writer takes
other instructions, declarations, attributes and records in the place of those that the version lacks.  `rewriting`
rewrites constructs that need new blocks, in a copy.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

from bitcodec.bitcode.saving import dumps
from bitcodec.bitcode.writer.boundary import writing
from bitcodec.bitcode.writer.dialect import own_dialect
from bitcodec.bitcode.writer.module import check_module, write_module
from bitcodec.downgrade.calls import ATTACHED_CALL
from bitcodec.downgrade.losses import Losses
from bitcodec.downgrade.memory import REWRITTEN_OPERATIONS
from bitcodec.downgrade.survey import OlderDialect
from bitcodec.errors import EncodingError
from bitcodec.host.collection import without_collection

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.loss import Loss
    from bitcodec.downgrade.profiles.profile import Profile
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type

__all__ = ["REWRITTEN", "check_writable", "profile_of", "write_downgraded"]

REWRITTEN = frozenset({*REWRITTEN_OPERATIONS, ATTACHED_CALL})
"""Constructs whose replacement needs blocks or declarations."""


def profile_of(name: str) -> Profile:
    """Return a profile by name.

    Raises:
        ValueError: no profile has that name.
    """
    from bitcodec.downgrade.profiles import PROFILES  # noqa: PLC0415 - few programs need it

    found = PROFILES.get(name)
    if found is None:
        raise ValueError(f"profile must be one of {', '.join(PROFILES)}; got {name!r}")
    return found


def write_downgraded(
    module: Module,
    version: int,
    *,
    profile: str | None = None,
    is_strict: bool = False,
    on_loss: Callable[[Loss], object] | None = None,
) -> bytes:
    """Return a module as bitcode of an older version of LLVM.

    Args:
        module: the module, which is not changed.
        version: of LLVM.
        profile: the name of the reader to write for, if it has rules in addition to its version's.
        is_strict: whether to refuse the module if anything is lost.
        on_loss: is called for each construct that the version lacks.

    Raises:
        EncodingError: the module cannot be written for that version.
    """
    reader = None if profile is None else profile_of(profile)
    module, dialect, losses = _planned(module, version, reader, is_strict=is_strict)
    data = write_module(module, dialect)
    if on_loss is not None:
        for loss in losses:
            on_loss(loss)
    return data


def check_writable(module: Module, llvm_version: int) -> None:
    """Raise the errors of `dumps` for a version; an unchanged module from bitcode is not written for this.

    Args:
        module: the module.
        llvm_version: of LLVM, as in `dumps`.

    Raises:
        EncodingError: something in the module cannot be written for that version.
        BitcodecError: something in it is malformed.
    """
    with without_collection(), writing("the module"):
        if llvm_version < own_dialect(module, llvm_version).version:
            try:
                _check(module, llvm_version)
            except EncodingError:
                # The error is about the first use in LLVM's order, which few modules need.
                module.order_uses()
                _check(module, llvm_version)
            return
    dumps(module, llvm_version=llvm_version)


def _check(module: Module, version: int) -> None:
    module, dialect, _ = _planned(module, version, None, is_check=True)
    check_module(module, dialect)


def _planned(
    module: Module, version: int, profile: Profile | None, *, is_strict: bool = False, is_check: bool = False
) -> tuple[Module, OlderDialect, Losses]:
    """Return the module that is written, how that is done, and the losses found so far."""
    module.materialize()
    losses = Losses(version, is_strict=is_strict, reader="" if profile is None else profile.reader)
    replaced_types: dict[Type, Type] = {}
    if profile is not None:
        module = deepcopy(module)
        module.materialize()
        profile.lower(module, losses)
        replaced_types = profile.replaced_types(module)
    dialect = OlderDialect(module, losses, replaced_types, is_check=is_check)
    if losses.has_any(REWRITTEN):
        first, losses = losses, losses.restarted()
        module = _rewritten(module, version, is_own=profile is not None)
        dialect = OlderDialect(module, losses, replaced_types, is_check=is_check)
        losses.take(first, REWRITTEN)
    return module, dialect, losses


def _rewritten(module: Module, version: int, *, is_own: bool) -> Module:
    """Return a module with constructs rewritten that need new blocks: a copy, unless it is one already."""
    from bitcodec.downgrade.rewriting import rewrite  # noqa: PLC0415 - few modules need it

    if not is_own:
        module = deepcopy(module)
        module.materialize()
    rewrite(module, version)
    return module
