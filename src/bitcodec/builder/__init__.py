"""Building IR from Python: modules, their contents, and instructions.

>>> from bitcodec.builder import Builder, add_block, add_function, new_module
>>> module = new_module("sum")
>>> i32 = module.context.types.integer(32)
>>> function = add_function(module, "next", module.context.types.function(i32, [i32]), argument_names=["n"])
>>> builder = Builder(add_block(function, "entry"))
>>> builder.ret(builder.add(function.arguments[0], 1, nsw=True))
<ret void>

It is based on the model alone: new objects are the same as those from files.  Verbs that change existing ones (names,
uses, places) are methods of the model.
"""

from bitcodec.builder.attributes import attribute, attribute_list, attribute_set
from bitcodec.builder.builder import Builder
from bitcodec.builder.constants import constant
from bitcodec.builder.debug_info import DebugInfo
from bitcodec.builder.metadata import add_module_flag, add_named_metadata, metadata_node, metadata_value
from bitcodec.builder.modules import (
    add_alias,
    add_block,
    add_comdat,
    add_function,
    add_ifunc,
    add_struct,
    add_variable,
    new_module,
)

__all__ = [
    "Builder",
    "DebugInfo",
    "add_alias",
    "add_block",
    "add_comdat",
    "add_function",
    "add_ifunc",
    "add_module_flag",
    "add_named_metadata",
    "add_struct",
    "add_variable",
    "attribute",
    "attribute_list",
    "attribute_set",
    "constant",
    "metadata_node",
    "metadata_value",
    "new_module",
]
