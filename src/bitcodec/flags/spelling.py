"""Values of flags as text: as LLVM assembly spells them, with nodes written out inline.

Nothing is longer than a limit, and nodes are not followed deeper than a limit, so that cyclic nodes, or nodes that
expand to more text than fits into memory, have a text too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.metadata import MDNode, MDString, MDTuple, Metadata, constant_integer
from bitcodec.ir.module_flags import MODULE_FLAGS
from bitcodec.ir.spelling import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.metadata import Operand
    from bitcodec.ir.module_flags import ModuleFlags

__all__ = ["listing", "spelled"]

_DEEPEST = 64
"""Maximum nesting of nodes; deeper ones are left out."""
_MOST_PARTS = 1 << 16
"""Maximum number of strings, constants and nodes of one value; the rest is left out."""
_CUT = "..."
_NATIVE_BITS = 64
"""Wider numbers may be so long that to make decimals of them is an art, which `asm` knows."""


def spelled(value: Operand, *, most_characters: int | None = None, is_old: bool = False) -> str:
    """Return the text of a flag's value: `i32 4`, `!"text"`, `!{!"a", i32 3}`, `null`.

    Args:
        value: the value, or any metadata.
        most_characters: longer text is cut off, and ends in `...`; None for all of it.
        is_old: whether `metadata` precedes nodes and strings, as until LLVM 3.5.
    """
    texts: list[str] = []
    pending: list[tuple[Operand, int] | str] = [(value, 0)]
    length = parts = 0
    while pending and (most_characters is None or length <= most_characters):
        item = pending.pop()
        if isinstance(item, str):
            texts.append(item)
        elif isinstance(item[0], MDTuple):
            pending += _opened(item[0], item[1], parts, is_old=is_old)
        else:
            texts.append(_leaf(item[0], most_characters, is_old=is_old))
        parts += not isinstance(item, str)
        length += len(texts[-1]) if texts else 0
    return _cut_off("".join(texts), most_characters)


def listing(flags: ModuleFlags, *, is_old: bool = False) -> Iterator[str]:
    """Yield the lines of a list of flags in LLVM assembly, each flag with its nodes written out.

    Args:
        flags: the flags.
        is_old: as `spelled` takes it.
    """
    for number, node in enumerate(flags.nodes):
        yield f"!{number} = {spelled(node, is_old=is_old)}"
    yield f"!{MODULE_FLAGS} = !{{{', '.join([f'!{number}' for number in range(len(flags.nodes))])}}}"


def _opened(node: MDTuple, depth: int, parts: int, *, is_old: bool) -> list[tuple[Operand, int] | str]:
    """Return the parts of a node's text, the last first."""
    before = f"{'metadata ' * is_old}{'distinct ' * node.is_distinct}!{{"
    if depth >= _DEEPEST or parts + len(node) > _MOST_PARTS:
        return [f"{before}{_CUT}}}"]
    inner: list[tuple[Operand, int] | str] = [before]
    for number, operand in enumerate(node.operands):
        inner += [", ", (operand, depth + 1)] if number else [(operand, depth + 1)]
    return ["}", *reversed(inner)]


def _leaf(value: Operand, most: int | None, *, is_old: bool) -> str:
    old = "metadata " * is_old
    if isinstance(value, MDString):
        return f'{old}!"{escaped(value.text if most is None else value.text[: most + 1])}"'
    if isinstance(value, MDNode):
        return f"{old}{value}"
    number = constant_integer(value)
    if number is not None and 1 < number.type.bit_width <= _NATIVE_BITS:
        return _integer(number)
    return str(value) if isinstance(value, Metadata) else "null"


def _integer(number: ConstantInt) -> str:
    return f"i{number.type.bit_width} {number.value}"


def _cut_off(text: str, most: int | None) -> str:
    if most is None or len(text) <= most:
        return text
    return f"{text[: max(most - len(_CUT), 0)]}{_CUT}"
