"""Parts of calls.  Rules: docs/reference/text.md, 9.4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec import ir
from bitcodec.asm.names import quoted
from bitcodec.ir.intrinsic_attributes import intrinsic_name
from bitcodec.tables.immediate_arguments import IMMEDIATE_ARGUMENTS

if TYPE_CHECKING:
    from bitcodec.asm.text_source import TextSource
    from bitcodec.ir.attributes import AttributeList

__all__ = ["CallWords", "argument_remarks", "bundle_words"]


class CallWords:
    """The words of an attribute list, which many calls share, made on demand.

    Args:
        attributes: the list.

    Attributes:
        attributes: the list, which is kept because its identity is the key to these words.
        for_return: a space follows each word.
        for_function: a space and the number of the group; None while neither is made.
        parameters: by index; a space follows each word.
    """

    __slots__ = ("attributes", "for_function", "for_return", "parameters")

    def __init__(self, attributes: AttributeList) -> None:
        self.attributes = attributes
        self.for_return = ""
        self.for_function: str | None = None
        self.parameters: dict[int, str] = {}


def argument_remarks(call: ir.CallBase) -> dict[int, str]:
    """Return the remarks on arguments, by index."""
    rows = IMMEDIATE_ARGUMENTS.get(intrinsic_name(call.callee.name) or "", ())
    remarks = {}
    for index, name, meanings, otherwise in rows:
        argument = call.operand_at(index)
        if isinstance(argument, ir.ConstantInt):
            number = argument.unsigned
            remarks[index] = f"/* {name}={meanings[number] if number < len(meanings) else otherwise} */ "
    return remarks


def bundle_words(call: ir.CallBase, texts: TextSource) -> str:
    """Return the operand bundles of a call, a space in front."""
    bundles = (f"{quoted(bundle.tag)}({texts.listed(bundle.inputs)})" for bundle in call.bundles)
    return f" [ {texts.limit.join(bundles)} ]"
