"""Specialised nodes: `!DILocation(...)` and the other classes of debug information, `!DIExpression`, `!DIArgList`.

Rules: assembly text reference, sections 13 and 17.10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bitcodec.asm.parser.metadata_state import Reference
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = ["parse_specialized_node"]


def parse_specialized_node(
    state: ModuleState,
    *,
    is_distinct: bool = False,  # noqa: ARG001
    allow_locals: bool = False,  # noqa: ARG001
) -> Reference:
    """Return a specialised node, whose name is the current token.

    Args:
        state: the parser.
        is_distinct: whether `distinct` precedes it.
        allow_locals: whether `DIArgList` may be here, and hold values of the function.

    Raises:
        AssemblyError: it is malformed.
    """
    state.lexer.refuse("expected metadata type")
