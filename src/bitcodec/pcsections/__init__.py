"""PC sections: program counters of instructions and functions, with user data, in sections of the object file.

>>> from bitcodec.pcsections import decode
>>> [entry.pc.address for entry in decode(bytes.fromhex("04f0ffff 05f0ffff"), 0x2000, "hot=instruction")]
[4100, 4105]

The requests of an instruction or function are `Instruction.pcsections` or `Function.pcsections`, part of the model.
Here `metadata` selects, attaches and checks them; `encoding` encodes them, as LLVM does; `objects` finds sections in
ELF files, `schemas` describes their contents, `decoding` decodes them, `debug_info` finds lines; `codegen` runs LLVM's
code generator, `mapping` maps PCs to instructions, and `auditing` reports which requests survived.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.pcsections import PCSECTIONS, PCSection, PCSections
from bitcodec.on_demand import names_on_demand

if TYPE_CHECKING:
    from bitcodec.pcsections.auditing.audit import Audit, audit
    from bitcodec.pcsections.auditing.carriers import Group, Wanted
    from bitcodec.pcsections.auditing.comparison import Finding, Verdict
    from bitcodec.pcsections.codegen.compiling import compile_module
    from bitcodec.pcsections.debug_info.lines import Lines
    from bitcodec.pcsections.decoding.code import CodeFunction
    from bitcodec.pcsections.decoding.columns import EntryColumns
    from bitcodec.pcsections.decoding.decode import Decoded, decode, decode_file
    from bitcodec.pcsections.decoding.entries import AuxValue, Entry, ProgramCounter
    from bitcodec.pcsections.decoding.sections import DecodedSection
    from bitcodec.pcsections.encoding.addresses import Address
    from bitcodec.pcsections.encoding.constants import EncodedConstant, encode_constant
    from bitcodec.pcsections.encoding.encode import FunctionEntry, InstructionEntry, encode
    from bitcodec.pcsections.encoding.relocating import EncodedSection, Relocation
    from bitcodec.pcsections.encoding.targets import Target
    from bitcodec.pcsections.mapping.instruction_map import (
        InstructionMap,
        MachinePC,
        MappedInstruction,
        OpcodeTally,
        map_instructions,
    )
    from bitcodec.pcsections.metadata.attaching import Attached, attach
    from bitcodec.pcsections.metadata.checking import PCSectionsProblem, Severity, check
    from bitcodec.pcsections.metadata.constant_text import constants_of_text
    from bitcodec.pcsections.metadata.selecting import Selection
    from bitcodec.pcsections.metadata.surveying import Request, survey
    from bitcodec.pcsections.objects.pieces import Piece, pieces
    from bitcodec.pcsections.objects.symbols import FunctionSymbol, FunctionSymbols
    from bitcodec.pcsections.references import Reference
    from bitcodec.pcsections.schemas.kinds import Field, Kind, SectionSchema
    from bitcodec.pcsections.schemas.sanitizers import SANITIZERS, SanitizerFeatures
    from bitcodec.pcsections.schemas.schema import Schema

__all__ = [
    "PCSECTIONS",
    "SANITIZERS",
    "Address",
    "Attached",
    "Audit",
    "AuxValue",
    "CodeFunction",
    "Decoded",
    "DecodedSection",
    "EncodedConstant",
    "EncodedSection",
    "Entry",
    "EntryColumns",
    "Field",
    "Finding",
    "FunctionEntry",
    "FunctionSymbol",
    "FunctionSymbols",
    "Group",
    "InstructionEntry",
    "InstructionMap",
    "Kind",
    "Lines",
    "MachinePC",
    "MappedInstruction",
    "OpcodeTally",
    "PCSection",
    "PCSections",
    "PCSectionsProblem",
    "Piece",
    "ProgramCounter",
    "Reference",
    "Relocation",
    "Request",
    "SanitizerFeatures",
    "Schema",
    "SectionSchema",
    "Selection",
    "Severity",
    "Target",
    "Verdict",
    "Wanted",
    "attach",
    "audit",
    "check",
    "compile_module",
    "constants_of_text",
    "decode",
    "decode_file",
    "encode",
    "encode_constant",
    "map_instructions",
    "pieces",
    "survey",
]

_HOMES = {
    "auditing.audit": ("Audit", "audit"),
    "auditing.carriers": ("Group", "Wanted"),
    "auditing.comparison": ("Finding", "Verdict"),
    "codegen.compiling": ("compile_module",),
    "debug_info.lines": ("Lines",),
    "decoding.code": ("CodeFunction",),
    "decoding.columns": ("EntryColumns",),
    "decoding.decode": ("Decoded", "decode", "decode_file"),
    "decoding.entries": ("AuxValue", "Entry", "ProgramCounter"),
    "decoding.sections": ("DecodedSection",),
    "encoding.addresses": ("Address",),
    "encoding.constants": ("EncodedConstant", "encode_constant"),
    "encoding.encode": ("FunctionEntry", "InstructionEntry", "encode"),
    "encoding.relocating": ("EncodedSection", "Relocation"),
    "encoding.targets": ("Target",),
    "mapping.instruction_map": ("InstructionMap", "MachinePC", "MappedInstruction", "OpcodeTally", "map_instructions"),
    "metadata.attaching": ("Attached", "attach"),
    "metadata.checking": ("PCSectionsProblem", "Severity", "check"),
    "metadata.constant_text": ("constants_of_text",),
    "metadata.selecting": ("Selection",),
    "metadata.surveying": ("Request", "survey"),
    "objects.pieces": ("Piece", "pieces"),
    "objects.symbols": ("FunctionSymbol", "FunctionSymbols"),
    "references": ("Reference",),
    "schemas.kinds": ("Field", "Kind", "SectionSchema"),
    "schemas.sanitizers": ("SANITIZERS", "SanitizerFeatures"),
    "schemas.schema": ("Schema",),
}
"""Where the names are that are imported when they are requested: one part need not wait for the others."""

__getattr__, __dir__ = names_on_demand(__name__, _HOMES)
