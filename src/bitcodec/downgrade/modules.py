"""Properties and flags of modules that older versions of LLVM lack: one row each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from bitcodec.bitcode.schema.blocks import SUMMARY_BLOCKS, GlobalValueSummaryCode, ModuleCode
from bitcodec.bitcode.schema.summaries import SUMMARY_VERSION
from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.ir.construction.present import assembly_records, raw_parts
from bitcodec.ir.metadata import ConstantAsMetadata, MDString, MDTuple
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.module_flags import Behavior
from bitcodec.tables.versions import MODEL

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.context import Context
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module

__all__ = ["FLAG_ROWS", "ROWS", "FlagRow", "ModuleConstruct", "keeps_summaries", "lower_flags", "survey_module"]


class ModuleConstruct(NamedTuple):
    """A property.

    Attributes:
        construct: the construct.
        is_lost: returns whether a module has it, and the version that it is written for does not keep it.
    """

    construct: Construct
    is_lost: Callable[[Module, int], bool]


class FlagRow(NamedTuple):
    """A behavior of a module flag.

    Attributes:
        construct: the construct.
        behavior: of the flag.
        older: the behavior that is written.
        name: the one flag that the row is for, "" for all others.
    """

    construct: Construct
    behavior: Behavior
    older: Behavior
    name: str = ""


def survey_module(module: Module, losses: Losses) -> None:
    """Add the losses of the module itself."""
    for row in ROWS:
        if row.is_lost(module, losses.version):
            losses.add(row.construct, "")


def keeps_summaries(module: Module, version: int) -> bool:
    """Return whether the ThinLTO summaries of a module are written."""
    return version >= MODEL and not _has_newer_summary(module)


def lower_flags(module: Module, contents: dict[MDNode, tuple[Any, ...]], losses: Losses) -> None:
    """Replace behaviors of flags that a version lacks; reading `min` as LLVM 15 or later does makes it `min` again.

    Args:
        module: the module.
        contents: receives the content that is written for a node.
        losses: receives the properties that the version lacks.
    """
    rows = [row for row in FLAG_ROWS if row.construct.since > losses.version]
    named = module.named_metadata.get("llvm.module.flags") if rows else None
    context = module.context
    for node in () if named is None else named.operands:
        behavior, key, *_ = operands = cast("MDTuple", node).operands
        if not isinstance(behavior, ConstantAsMetadata):
            continue
        name = key.text if isinstance(key, MDString) else ""
        for row in rows:
            if behavior.value is _constant(context, row.behavior) and row.name in ("", name):
                losses.add(row.construct, "", node)
                older = next((other.older for other in rows if other.behavior is row.older), row.older)
                contents[node] = (ConstantAsMetadata(_constant(context, older)), *operands[1:])
                break


def _constant(context: Context, number: int) -> ConstantInt:
    return context.constants.integer(context.types.integer(32), number)


def _has_summary(module: Module) -> bool:
    """Return whether a module has ThinLTO summaries, of its file or of its text."""
    return module.summary is not None or any(part.name != "SYMTAB_BLOCK" for part in raw_parts(module))


def _has_newer_summary(module: Module) -> bool:
    """Return whether a module has a ThinLTO summary of a version that LLVM 22 refuses."""
    return any(
        code == GlobalValueSummaryCode.VERSION and operands and operands[0] > SUMMARY_VERSION
        for part in raw_parts(module)
        if part.name in _SUMMARY_BLOCKS
        for code, operands in part.records
    )


_SUMMARY_BLOCKS = frozenset(block.name for block in SUMMARY_BLOCKS)

ROWS: tuple[ModuleConstruct, ...] = (
    ModuleConstruct(
        Construct("ThinLTO summaries", 22, Way.DROP),
        lambda module, version: not keeps_summaries(module, version) and _has_summary(module),
    ),
    ModuleConstruct(
        Construct("processor and features of the module assembly", 23, Way.DROP),
        lambda module, _: any(code == ModuleCode.ASM_PROPERTY for code, _ in assembly_records(module)),
    ),
)

FLAG_ROWS: tuple[FlagRow, ...] = (
    FlagRow(
        Construct("behavior `min` of a module flag that was `max`", 15, Way.LOWER, "`max`"),
        Behavior.MIN,
        Behavior.MAX,
        "PIC Level",
    ),
    FlagRow(Construct("behavior `min` of a module flag", 15, Way.DROP, "`error`"), Behavior.MIN, Behavior.ERROR),
    FlagRow(Construct("behavior `max` of a module flag", 5, Way.DROP, "`error`"), Behavior.MAX, Behavior.ERROR),
)
"""All of them; the first that a flag and a version need is taken."""
