"""String literals as global variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.globals import GlobalVariable
from bitcodec.tables.linkage import Linkage, UnnamedAddress

if TYPE_CHECKING:
    from bitcodec.ir.module import Module

__all__ = ["add_string"]


def add_string(module: Module, text: str | bytes, name: str) -> GlobalVariable:
    """Define the variable that `Module.add_string` describes."""
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else bytes(text)
    types, constants = module.context.types, module.context.constants
    content = constants.data(types.array(len(data) + 1, types.integer(8)), data + b"\0")
    variable = GlobalVariable(types.pointer(module.data_layout.globals_address_space), content.type, Linkage.PRIVATE)
    variable.name = name
    variable.unnamed_address = UnnamedAddress.GLOBAL
    variable.is_constant = True
    variable.alignment = 1
    variable.initializer = content
    module.append(variable)
    return variable
