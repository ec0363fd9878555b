"""Maps machine instructions to the IR instructions they come from: through PC sections, without debug information.

Each IR instruction requests its PC with a unique number; the section in the compiled object then contains
the remaining PCs of each.  An instruction without PCs was folded into another one, removed, or lost by LLVM.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, cast

from bitcodec.asm import Printer
from bitcodec.asm.numbering import local_names
from bitcodec.bitcode.loading import loads
from bitcodec.bitcode.saving import dumps
from bitcodec.errors import PCSectionsError, quote_name
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.codegen.compiling import CodeGenerator
from bitcodec.pcsections.mapping.tags import MachinePC, Tags
from bitcodec.pcsections.metadata.selecting import ALL, Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value
    from bitcodec.object_numbers import ObjectTexts
    from bitcodec.pcsections.codegen.compiling import OptLevel

__all__ = ["InstructionMap", "MachinePC", "MappedInstruction", "OpcodeTally", "map_instructions"]

_ATTACHMENTS = re.compile(r"(, ![-\w.$\\]+ !\d+)+$")


class MappedInstruction(NamedTuple):
    """An IR instruction and its PCs.

    Attributes:
        function: the name of its function.
        block: name of its block in text: `%entry`, `%4`.
        number: index of the instruction in the function, from 0.
        opcode: as text spells it.
        text: of the instruction, without attached metadata.
        pcs: its PCs for each optimization level, ascending; empty if nothing of it is left.
    """

    function: str
    block: str
    number: int
    opcode: str
    text: str
    pcs: tuple[tuple[MachinePC, ...], ...]


class OpcodeTally(NamedTuple):
    """Counts for the instructions of one opcode at one optimization level.

    Attributes:
        opcode: as text spells it, or "all".
        opt_level: 0 to 3.
        instructions: number of instructions.
        with_pcs: number of instructions with a PC.
        pcs: number of PCs.
    """

    opcode: str
    opt_level: OptLevel
    instructions: int
    with_pcs: int
    pcs: int

    @property
    def without_pcs(self) -> int:
        """Number of instructions without a PC."""
        return self.instructions - self.with_pcs

    @property
    def percent(self) -> float:
        """Percentage of instructions with a PC."""
        return 100 * self.with_pcs / self.instructions


class InstructionMap:
    """IR instructions and their PCs: a sequence of `MappedInstruction`, in the order of the module.

    Attributes:
        triple: the target.
        opt_levels: the optimization levels, in the order of `MappedInstruction.pcs`.
        optimize: whether LLVM's passes of that level went over the module before code was generated.
    """

    __slots__ = ("_rows", "opt_levels", "optimize", "triple")

    def __init__(
        self, rows: Iterable[MappedInstruction], triple: str, opt_levels: Iterable[OptLevel], *, optimize: bool
    ) -> None:
        self._rows = list(rows)
        self.triple = triple
        self.opt_levels = tuple(opt_levels)
        self.optimize = optimize

    def lost(self, opt_level: OptLevel) -> Iterator[MappedInstruction]:
        """Yield the instructions of which no PC is left at a level."""
        at = self.opt_levels.index(opt_level)
        return (row for row in self._rows if not row.pcs[at])

    def by_pc(self, opt_level: OptLevel) -> dict[MachinePC, list[MappedInstruction]]:
        """Return the instructions that each PC came from at a level; there may be more than one."""
        at = self.opt_levels.index(opt_level)
        found: dict[MachinePC, list[MappedInstruction]] = {}
        for row in self._rows:
            for pc in row.pcs[at]:
                found.setdefault(pc, []).append(row)
        return found

    def tallies(self) -> dict[str, tuple[OpcodeTally, ...]]:
        """Return the counts for each opcode at each level, and last, as "all", for all instructions."""
        counts: Counter[str] = Counter()
        with_pcs: Counter[tuple[str, OptLevel]] = Counter()
        pcs: Counter[tuple[str, OptLevel]] = Counter()
        for row in self._rows:
            for opcode in (row.opcode, ALL):
                counts[opcode] += 1
                for level, found in zip(self.opt_levels, row.pcs, strict=True):
                    with_pcs[opcode, level] += bool(found)
                    pcs[opcode, level] += len(found)
        return {
            opcode: tuple(
                OpcodeTally(opcode, level, counts[opcode], with_pcs[opcode, level], pcs[opcode, level])
                for level in self.opt_levels
            )
            for opcode in [*sorted(counts.keys() - {ALL}), ALL]
        }

    def __iter__(self) -> Iterator[MappedInstruction]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> MappedInstruction:
        return self._rows[index]

    def __repr__(self) -> str:
        levels = ", ".join(f"-O{level}" for level in self.opt_levels)
        return f"<InstructionMap of {len(self)} for {self.triple}, {levels}>"


def map_instructions(
    module: Module,
    select: str | Iterable[str] = ALL,
    *,
    opt_levels: Sequence[OptLevel] = (0, 2),
    optimize: bool = False,
    triple: str | None = None,
    code_model: str | None = None,
    relocation_model: str | None = None,
    said: Callable[[str], object] | None = None,
) -> InstructionMap:
    """Compile a module at some levels, and return the PCs of each of its instructions.

    The module is not changed.  Requests that it already contains remain.

    Args:
        module: the module; all of it is read.
        select: the instructions: see `Selection`.
        opt_levels: optimization levels, each of 0 to 3.
        optimize: whether LLVM's pass pipeline of that level runs on the module first, which may drop metadata.
        triple, code_model, relocation_model, said: as for `compile_module`.

    Raises:
        PCSectionsError: as for `compile_module` and `Selection`; or no instruction is chosen.
        BitcodecError: the module is malformed.
    """
    copy = loads(dumps(module))
    generator = CodeGenerator.of(copy, triple=triple, code_model=code_model, relocation_model=relocation_model)
    generator.refuse_what_crashes(copy)
    if generator.target is None:
        raise PCSectionsError(f"{quote_name(generator.triple)} has no PC sections: name a target of ELF")
    chosen = list(Selection(copy, select).instructions)
    if not chosen:
        raise PCSectionsError("no instruction is chosen")
    heads = list(_heads(copy, chosen))
    tags = Tags(copy, chosen)
    bitcode = dumps(copy)
    columns = [tags.pcs(generator.emitted(bitcode, level, optimize=optimize, said=said)) for level in opt_levels]
    rows = (MappedInstruction(*head, pcs) for head, pcs in zip(heads, zip(*columns, strict=True), strict=True))
    return InstructionMap(rows, generator.triple, opt_levels, optimize=optimize)


def _heads(module: Module, chosen: Iterable[Instruction]) -> Iterator[tuple[str, str, int, str, str]]:
    """Yield function, block, number, opcode and text of instructions, which are in order."""
    printer, function = Printer(module), None
    numbers: dict[Instruction, int] = {}
    names: Mapping[Value, str] | ObjectTexts = {}
    for instruction in chosen:
        if instruction.function is not function and instruction.function is not None:
            function = instruction.function
            numbers = {each: number for number, each in enumerate(function.instructions)}
            names = local_names(function)
        text = _ATTACHMENTS.sub("", " ".join(printer.text_of(instruction).split()))
        owner = "" if function is None else function.name
        yield owner, names[cast("BasicBlock", instruction.parent)], numbers[instruction], instruction.opcode, text
