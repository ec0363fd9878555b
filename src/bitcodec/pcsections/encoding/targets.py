"""Facts that the bytes of a PC section depend on: the processor, its ABI, the code model.

Rules: PC Sections Metadata, "Binary Encoding"; docs/reference/pc-sections.md, 2.2 and 2.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import PCSectionsError, quote, quote_name
from bitcodec.ir.data_layout import DataLayout
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.module_flags import CODE_MODEL
from bitcodec.tables.pcsection_targets import CODE_MODELS, OTHER_FORMATS, OTHER_SYSTEMS, TARGETS, UNTRUSTED

if TYPE_CHECKING:
    from bitcodec.containers.elf_headers import ByteOrder, ElfHeader
    from bitcodec.ir.module import Module
    from bitcodec.tables.elf_machines import Machine
    from bitcodec.tables.pcsection_targets import PCSectionTarget

__all__ = ["Target"]

_WIDE = ("medium", "large")
"""Code models whose PC fields are as wide as pointers."""
_NARROW_SIZE = 4
"""Bytes of a PC field under the others."""


class Target(NamedTuple):
    """A target that PC sections can be had for.

    Attributes:
        triple: as it was given.
        machine: its processor as ELF has it.
        pointer_size: in bytes.
        byte_order: of numbers in the file.
        code_model: code model of the generated code: one of `tiny`, `small`, `kernel`, `medium`, `large`.
        data_layout: sizes and alignments of types.
        row: its further properties in the table.
    """

    triple: str
    machine: Machine
    pointer_size: int
    byte_order: ByteOrder
    code_model: str
    data_layout: DataLayout
    row: PCSectionTarget

    @classmethod
    def of(cls, triple: str, code_model: str | None = None, data_layout: DataLayout | str | None = None) -> Target:
        """Return the target of a triple.

        Args:
            triple: in the normal form or a shorter one: its components are recognized in any position.
            code_model: None for LLVM 22's default.
            data_layout: None, or one without text, for the target's.

        Raises:
            PCSectionsError: it has no PC sections, or none under that code model, or the layout does not belong to it.
        """
        row = _row_of(triple)
        model = row.code_models[0] if code_model is None else code_model
        if model not in row.code_models:
            known = ", ".join(sorted(row.code_models, key=CODE_MODELS.index))
            raise PCSectionsError(
                f"{quote_name(triple)} has no PC sections under the code model {model!r}; choose one of: {known}"
            )
        layout = _layout(triple, row, data_layout)
        return cls(triple, row.machine, row.pointer_size, _byte_order(row), model, layout, row)

    @classmethod
    def of_module(cls, module: Module, code_model: str | None = None) -> Target:
        """Return the target of a module; the module flag `Code Model` holds unless a code model is given.

        Raises:
            PCSectionsError: as for `of`; or the module does not give its target, or the flag has no meaning.
        """
        if not module.target_triple:
            raise PCSectionsError("the module has no target triple: set one, or name the target")
        model = _code_model(module) if code_model is None else code_model
        return cls.of(module.target_triple, model, module.data_layout)

    @classmethod
    def of_elf(cls, header: ElfHeader) -> Target:
        """Return the target of an ELF file, with the code model of code for which none is asked.

        Raises:
            PCSectionsError: its processor has no PC sections that can be read.
        """
        form = header.machine, header.word_size, header.byte_order == "big"
        for row in TARGETS:
            if (row.machine.number, row.pointer_size, row.is_big_endian) == form:
                name, layout = row.machine.name, _layout(row.machine.name, row, None)
                return cls(name, row.machine, row.pointer_size, _byte_order(row), row.code_models[0], layout, row)
        raise PCSectionsError(f"PC sections of processor {header.machine} of ELF are not known")

    @property
    def pc_size(self) -> int:
        """Bytes of a field that holds a PC."""
        return self.pointer_size if self.code_model in _WIDE else _NARROW_SIZE


def _byte_order(row: PCSectionTarget) -> ByteOrder:
    return "big" if row.is_big_endian else "little"


def _row_of(triple: str) -> PCSectionTarget:
    architecture, *others = triple.lower().split("-")
    if UNTRUSTED.fullmatch(architecture):
        raise PCSectionsError(
            f"{quote_name(triple)}: LLVM writes addresses where PC sections have distances, so entries cannot be read; "
            "compile for another target"
        )
    other = _other_format(architecture, others)
    if other is not None:
        raise PCSectionsError(
            f"{quote_name(triple)}: {other} has no PC sections, and LLVM crashes if they are requested; "
            "compile for an ELF target"
        )
    row = next((row for row in TARGETS if row.architectures.fullmatch(architecture) and _suits(row, others)), None)
    if row is None:
        raise PCSectionsError(
            f"{quote(triple)}: PC sections of {quote(architecture or 'no architecture')} are not known"
        )
    return row


def _suits(row: PCSectionTarget, others: list[str]) -> bool:
    """Return whether a row's environment, if it requests one, is among the components after the architecture."""
    return not row.environments.pattern or any(row.environments.fullmatch(component) for component in others)


def _other_format(architecture: str, others: list[str]) -> str | None:
    """Return the object format of a triple if it is not ELF."""
    named = [architecture, *others]
    for format_, pattern in OTHER_FORMATS:
        if any(pattern.fullmatch(component) for component in named):
            return format_
    if any(component.endswith("elf") for component in others):
        return None
    return next(
        (format_ for format_, pattern in OTHER_SYSTEMS if any(pattern.fullmatch(component) for component in others)),
        None,
    )


def _layout(triple: str, row: PCSectionTarget, given: DataLayout | str | None) -> DataLayout:
    text = str(given or "")
    if not text:
        return DataLayout(f"{'E' if row.is_big_endian else 'e'}-{row.layout}")
    try:
        layout = given if isinstance(given, DataLayout) else DataLayout(text)
    except ValueError as error:
        raise PCSectionsError(str(error)) from None
    if layout.is_big_endian is not row.is_big_endian or layout.pointer_size() != row.pointer_size:
        raise PCSectionsError(
            f"the data layout {quote(text)} has another byte order or size of pointers than {quote_name(triple)}; "
            "correct one of them"
        )
    return layout


def _code_model(module: Module) -> str | None:
    """Return the code model that a module requests, None if it requests none."""
    number = module.flags.integer(CODE_MODEL)
    if number is None:
        return None
    if not 0 <= number < len(CODE_MODELS):
        raise PCSectionsError(f"the module flag {CODE_MODEL!r} is {number}: it has to be 0 to {len(CODE_MODELS) - 1}")
    return CODE_MODELS[number]
