"""Verbs of modules that packages above the model do: saving, verifying, copying."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from bitcodec.features import feature

if TYPE_CHECKING:
    import os
    from typing import Self

    from bitcodec.ir.findings import Finding
    from bitcodec.ir.globals import GlobalValue, GlobalVariable

__all__ = ["ModuleVerbs"]


class ModuleVerbs:
    """Base of `Module`."""

    __slots__ = ()

    identifier: str
    producer: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the module to a file as bitcode; see `bitcodec.save`.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     bitcodec.open("examples/hello.bc").save(f"{folder}/copy.bc")

        Raises:
            OSError: the file cannot be written; it is then unchanged.
            BitcodecError: the module cannot be written; the file is then unchanged.
        """
        feature("save")(self, path)

    def verify(self) -> list[Finding]:
        """Return violations of the rules of LLVM IR; see `bitcodec.verify`.

        >>> bitcodec.open("examples/hello.bc").verify()
        []

        Raises:
            BitcodecError: something in the module is malformed.
        """
        return cast("list[Finding]", feature("verify")(self))

    def parse(self, text: str | bytes, *, name: str = "", dialect: int | str | None = None) -> list[GlobalValue]:
        r"""Add the definitions of a text in LLVM assembly: functions, variables, types, metadata, module flags.

        >>> module = bitcodec.open("examples/hello.bc")
        >>> (twice,) = module.parse('''
        ... define void @twice(i32 %count) {
        ...   %1 = call i32 @main(i32 %count, ptr null)
        ...   %2 = call i32 @main(i32 %count, ptr null)
        ...   ret void
        ... }''')
        >>> twice is module.functions["twice"]
        True

        The text may use globals, comdats and named types of the module without declaring them.  A declaration of a name
        that the module has means the global of that name, which may be local; a declaration of the module becomes
        the definition in the text.  Numbers (`@0`, `!0`, `#0`) refer to the text.  Named metadata gets more operands,
        and variables of linkage `appending` more elements; module flags are merged as a linker does it.  Entries of
        summaries are ignored.

        Args:
            text: the text; bytes in UTF-8, other bytes are kept.
            name: of the text, for errors. Default: none.
            dialect: the LLVM that wrote the text; see `bitcodec.parse_assembly`.

        Returns:
            The globals that the text defines or declares, in its order.

        Raises:
            AssemblyError: the text is malformed, redefines an entity, or contradicts the module: another target,
                other elements of a type, another address space, flags that conflict.  The module is unchanged.
            BitcodecError: something in the module is malformed.
            ValueError: the dialect is unknown.
        """
        return cast("list[GlobalValue]", feature("parse_into")(self, text, name=name, dialect=dialect))

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
        return cast("GlobalVariable", feature("add_string")(self, text, name))

    def _repr_html_(self) -> str:
        """Return a table of facts for notebooks, and the assembly of variables and functions in parts that unfold."""
        from bitcodec.notebooks import module_html  # noqa: PLC0415 - only notebooks need it

        return module_html(self)

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        copied = cast("Self", _restore(*self._state()))
        memo[id(self)] = copied
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, self._state()

    def _state(self) -> tuple[bytes, str, str]:
        """Return the module as bitcode, its identifier and its producer."""
        return feature("dumps")(self), self.identifier, self.producer


def _restore(data: bytes, identifier: str, producer: str) -> Any:
    """Return a module from the result of `_state`."""
    module = feature("loads")(data)
    module.identifier, module.producer = identifier, producer
    return module
