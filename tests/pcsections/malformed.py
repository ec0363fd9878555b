"""Malformed nodes: the rows of docs/reference/pc-sections.md, 1.3."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bitcodec.builder import constant
from bitcodec.ir import Constant, MDNode, MDTuple, Metadata, Module
from bitcodec.ir.debug_info import DIFile


class Malformed(NamedTuple):
    """A row.

    Attributes:
        title: what it is.
        node: makes the node.
        message: a part of what `check` says.
        stops: whether LLVM 22 with assertions ends its process over it; else it writes nonsense.
    """

    title: str
    node: Callable[[Module], MDNode]
    message: str
    stops: bool = True


def node(module: Module, *operands: Metadata | str | None, is_distinct: bool = False) -> MDTuple:
    """Return a node; texts stand for strings."""
    table = module.context.metadata
    found = MDTuple([table.string(each) if isinstance(each, str) else each for each in operands])
    found.is_distinct = is_distinct
    return table.unique(found)


def with_constant(make: Callable[[Module], Constant], section: str = "s") -> Callable[[Module], MDNode]:
    return lambda module: node(module, section, node(module, module.context.metadata.value(make(module))))


def _number(module: Module) -> Metadata:
    return module.context.metadata.value(constant(module, module.context.types.integer(32), 1))


def _self_reference(module: Module) -> MDNode:
    found = node(module, "s", None, is_distinct=True)
    found.set_operand(1, found)
    return found


def _scalable(module: Module) -> Constant:
    types = module.context.types
    return module.context.constants.null(types.vector(4, types.integer(32), is_scalable=True))


def _scalable_inside(module: Module) -> Constant:
    types = module.context.types
    return module.context.constants.null(types.struct([types.vector(4, types.integer(32), is_scalable=True)]))


def _scalable_like(module: Module) -> Constant:
    return module.context.constants.null(module.context.types.target_extension("aarch64.svcount", [], []))


def _signed(module: Module) -> Constant:
    constants, types = module.context.constants, module.context.types
    key, discriminator = constants.integer(types.integer(32), 0), constants.integer(types.integer(64), 0)
    null = constants.null(types.ptr)
    return constants.ptr_auth(module.global_variables["table"], key, discriminator, null, null)


def _difference(module: Module) -> Constant:
    constants, i64 = module.context.constants, module.context.types.integer(64)
    ends = [constants.cast("ptrtoint", module.get(name), i64) for name in ("table", "elsewhere")]
    return constants.binary("sub", *ends)


MALFORMED = [
    Malformed("empty", node, "it is empty"),
    Malformed("no string", lambda module: node(module, node(module, _number(module))), "it begins with"),
    Malformed("a constant outside a tuple", lambda module: node(module, "s", _number(module)), "outside a tuple"),
    Malformed("null", lambda module: node(module, "s", None), "tuple of constants, found null"),
    Malformed(
        "null in a tuple", lambda module: node(module, "s", node(module, None)), "expected a constant, found null"
    ),
    Malformed(
        "string in a tuple", lambda module: node(module, "s", node(module, "x")), "expected a constant, found a string"
    ),
    Malformed(
        "node in a tuple",
        lambda module: node(module, "s", node(module, node(module))),
        "expected a constant, found MDTuple",
    ),
    Malformed("specialised node", lambda module: node(module, "s", DIFile(filename="a", directory="b")), "DIFile"),
    Malformed("self reference", _self_reference, "expected a constant, found a string"),
    Malformed("option X", lambda module: node(module, "s!X"), "unknown option 'X'"),
    Malformed("option c", lambda module: node(module, "s!c"), "unknown option 'c'"),
    Malformed("option X before C", lambda module: node(module, "s!XC"), "unknown option 'X'"),
    Malformed("empty name", lambda module: node(module, ""), "names no section", stops=False),
    Malformed("empty name with an option", lambda module: node(module, "!C"), "names no section", stops=False),
    Malformed("empty name later", lambda module: node(module, "s", ""), "names no section", stops=False),
    Malformed("zero in a name", lambda module: node(module, "a\0b"), "a zero character", stops=False),
    Malformed("scalable vector", with_constant(_scalable), "is not known before the program runs"),
    Malformed("scalable vector in a struct", with_constant(_scalable_inside), "is not known before"),
    Malformed("type like a scalable vector", with_constant(_scalable_like), "is not known before"),
    Malformed(
        "token", with_constant(lambda module: module.context.constants.null(module.context.types.token)), "token"
    ),
    Malformed("signed pointer", with_constant(_signed), "section s: "),
    Malformed("difference of symbols", with_constant(_difference), "section s: "),
    Malformed("name of a symbol", lambda module: node(module, "main"), "section main has the name of a symbol"),
    Malformed("name of a variable", lambda module: node(module, "table"), "section table has the name of a symbol"),
    *(
        Malformed(name, lambda module, name=name: node(module, name), "one of the object format's own", stops=False)
        for name in (".data", ".text", ".bss", ".rodata", ".rodata.str1.1", ".init_array", ".eh_frame", ".debug_info")
    ),
]
