"""Verbs of modules that packages above the model do: saving, verifying, copying."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from bitcodec.actions import action
from bitcodec.errors import BitcodecError
from bitcodec.ir.globals import GlobalVariable
from bitcodec.tables.linkage import Linkage, UnnamedAddress

if TYPE_CHECKING:
    import os
    from typing import Self

    from bitcodec.ir.module import Module
    from bitcodec.verifier.findings import Finding

__all__ = ["ModuleVerbs"]


_MAX_CHARACTERS = 2_000
"""Characters of assembly that a notebook shows of each function and variable."""


class ModuleVerbs:
    """Base of `Module`."""

    __slots__ = ()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the module to a file as bitcode; see `bitcodec.save`.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     bitcodec.open("examples/hello.bc").save(f"{folder}/copy.bc")

        Raises:
            OSError: the file cannot be written; it is then unchanged.
            BitcodecError: the module cannot be written; the file is then unchanged.
        """
        action("save")(self, path)

    def verify(self) -> list[Finding]:
        """Return violations of the rules of LLVM IR; see `bitcodec.verify`.

        >>> bitcodec.open("examples/hello.bc").verify()
        []

        Raises:
            BitcodecError: something in the module is malformed.
        """
        return cast("list[Finding]", action("verify")(self))

    def add_string(self, text: str | bytes, name: str = "") -> GlobalVariable:
        r"""Define a constant array of bytes that contains a string and a NUL byte, and return it.

        It is private and its address does not matter, like a string literal in C.

        >>> module = bitcodec.open("examples/hello.bc")
        >>> print(module.add_string("hi\n", "greeting"))
        @greeting = private unnamed_addr constant [4 x i8] c"hi\0A\00", align 1

        Args:
            text: the string; `str` is encoded as UTF-8.
            name: name of the variable. Default: no name.
        """
        module = cast("Module", self)
        data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else bytes(text)
        types, constants = module.context.types, module.context.constants
        content = constants.data(types.array(len(data) + 1, types.integer(8)), data + b"\0")
        variable = GlobalVariable(
            types.pointer(module.data_layout.globals_address_space), content.type, Linkage.PRIVATE
        )
        variable.name = name
        variable.unnamed_address = UnnamedAddress.GLOBAL
        variable.is_constant = True
        variable.alignment = 1
        variable.initializer = content
        module.append(variable)
        return variable

    def _repr_html_(self) -> str:
        """Return a table of facts for notebooks, and the assembly of variables and functions in parts that unfold."""
        from bitcodec.notebooks import MAX_PARTS, assembly_html, folded, table_html, text_html  # noqa: PLC0415

        module = cast("Module", self)
        try:
            named = [*module.functions, *module.global_variables]
        except BitcodecError as error:
            return f"<p><b>malformed:</b> {text_html(str(error))}</p>"
        facts = [
            ("module", module.identifier),
            ("target", module.target_triple),
            ("source", module.source_filename),
            ("functions", str(len(module.functions))),
            ("variables", str(len(module.global_variables))),
        ]
        parts = [folded(f"@{value.name}", assembly_html(value, _MAX_CHARACTERS)) for value in named[:MAX_PARTS]]
        if len(named) > MAX_PARTS:
            parts.append(f"<p>{len(named) - MAX_PARTS} more</p>")
        return table_html(("", ""), facts, len(facts)) + "".join(parts)

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        copied = cast("Self", _restore(*self._state()))
        memo[id(self)] = copied
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, self._state()

    def _state(self) -> tuple[bytes, str, str]:
        """Return the module as bitcode, its identifier and its producer."""
        module = cast("Module", self)
        return action("dumps")(module), module.identifier, module.producer


def _restore(data: bytes, identifier: str, producer: str) -> Module:
    """Return a module from what `_state` returned."""
    module = cast("Module", action("loads")(data))
    module.identifier, module.producer = identifier, producer
    return module
