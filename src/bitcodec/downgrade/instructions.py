"""Instructions for older versions of LLVM: fields that these lack, and the losses.

Rules: docs/reference/older-readers.md, 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.instructions import INSTRUCTION_LAYOUTS
from bitcodec.bitcode.writer.instructions import FORMS, OPCODES
from bitcodec.bitcode.writer.programs import (
    ABSENT,
    EXPLICIT_TYPE,
    TYPE_OF_RESULT,
    Form,
    SourceKind,
    code_of,
    program_of,
    tabled,
)
from bitcodec.downgrade.constructs import OPAQUE_POINTERS
from bitcodec.ir import instructions as ir
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.instruction_flags import flag_numbers, flags_of_opcode
from bitcodec.tables.opcodes import CAST_OPCODES, CASTS

if TYPE_CHECKING:
    from bitcodec.bitcode.writer.programs import FieldSource, Program

__all__ = ["InstructionPrograms"]


class _OlderField(NamedTuple):
    """A field that is written in another way for older versions.

    Attributes:
        kind: the class of the instructions.
        name: of the field.
        since: the first version of LLVM that reads it as LLVM 22 does.
        source: its source in records for older ones.
    """

    kind: type[ir.Instruction]
    name: str
    since: int
    source: FieldSource


_OLDER_FIELDS = (
    *(_OlderField(kind, "type", OPAQUE_POINTERS, TYPE_OF_RESULT) for kind in (ir.Load, ir.Phi, ir.Cast, ir.VAArg)),
    _OlderField(ir.Alloca, "type", OPAQUE_POINTERS, EXPLICIT_TYPE),
    _OlderField(ir.GetElementPtr, "source_element_type", OPAQUE_POINTERS, EXPLICIT_TYPE),
    *(
        _OlderField(kind, "function_type", OPAQUE_POINTERS, EXPLICIT_TYPE)
        for kind in (ir.Call, ir.Invoke, ir.CallBranch)
    ),
)


_OLDER_FORMS: dict[type[ir.Instruction], Form] = {
    ir.AtomicRMW: Form(FunctionCode.INST_ATOMICRMW_OLD, {"operation": code_of("operation"), "alignment": ABSENT}),
}
"""By class, the form that is written for versions that lack the record."""


def _older_flags(kind: type[ir.Instruction], version: int) -> dict[str, FieldSource]:
    """Return the source of flags for a version that lacks some of a class, if it might take them for others."""
    opcodes = OPCODES[kind]
    rows = flags_of_opcode(opcodes[0]) if len(opcodes) == 1 else ()
    is_packed = any("flags" in form.sources and form.sources["flags"].kind == SourceKind.PACKED for form in FORMS[kind])
    if is_packed or all(row.since <= version for row in rows):
        return {}
    if all(row.since > version for row in rows):
        return {"flags": ABSENT}
    return {"flags": tabled("flags", flag_numbers(opcodes[0], "flags", version))}


def older_casts(version: int) -> dict[str, int]:
    """Return the numbers of casts by opcode, for a version that may lack some."""
    opcodes = {row.opcode: row.instead if row.since > version else row.opcode for row in CASTS}
    return {opcode: CAST_OPCODES.index(written) for opcode, written in opcodes.items()}


class InstructionPrograms(dict[type[ir.Instruction], "Program"]):
    """Programs by class, for an older version of LLVM; each is made when an instruction of the class is first written.

    Args:
        version: of LLVM.
    """

    def __init__(self, version: int) -> None:
        super().__init__()
        self._version = version

    def __missing__(self, kind: type[ir.Instruction]) -> Program:
        older = {row.name: row.source for row in _OLDER_FIELDS if row.kind is kind and row.since > self._version}
        older |= _older_flags(kind, self._version)
        if kind is ir.Cast:
            older["opcode"] = tabled("opcode", older_casts(self._version))
        forms = [
            form._replace(sources={**form.sources, **older, **self._newer_fields(form)})
            if form.code.since <= self._version
            else _OLDER_FORMS.get(kind, form)
            for form in FORMS[kind]
        ]
        program = self[kind] = program_of(forms)
        return program

    def _newer_fields(self, form: Form) -> dict[str, FieldSource]:
        """Return the fields of a record that the version does not read, and so are not written."""
        return {field.name: ABSENT for field in INSTRUCTION_LAYOUTS[form.code] if field.since > self._version}
