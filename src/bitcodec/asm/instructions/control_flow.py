"""`indirectbr` and `unreachable`.  Rules: docs/reference/text.md, 9.3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec import ir

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.texts import Texts

__all__ = ["TEXTS"]


def _indirect_branch(branch: ir.IndirectBranch, texts: Texts) -> str:
    address, *blocks = branch.operands
    return f"indirectbr {texts.typed(address)}, [{texts.listed(blocks)}]"


def _unreachable(_instruction: ir.Unreachable, _texts: Texts) -> str:
    return "unreachable"


TEXTS: dict[type, Callable[[Any, Texts], str]] = {
    ir.IndirectBranch: _indirect_branch,
    ir.Unreachable: _unreachable,
}
