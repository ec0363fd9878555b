"""The answers of the doctor, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bitcodec.doctor.rule import Effect, Remedy

if TYPE_CHECKING:
    from bitcodec.bitcode.summary import ModuleSummary

__all__ = ["Damage", "Diagnosis", "Obstacle", "Verdict"]


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A construct that a version of LLVM does not read.

    Attributes:
        rule: identifier of the rule, "damage" for damage that no version reads.
        effect: its effect on that version.
        message: that version's own message, without the name of the file; "" if it has none or if that is unknown.
        construct: its description, in the words of LLVM IR.
        record: names of the block and of the record in which it occurs first.
        bit_offset: where that record begins, in bits from the first byte of the magic number.
        count: number of records that contain it.
        remedy: the remedy.
    """

    rule: str
    effect: Effect
    message: str
    construct: str
    record: str
    bit_offset: int
    count: int
    remedy: Remedy


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a version of LLVM reads a file.

    Attributes:
        version: of LLVM.
        obstacles: constructs that it does not read, in the order in which it reads.
        misread: constructs that it accepts and takes for others.
        rejected: constructs that it reads, and its verifier rejects.
        advice: the advice, as commands or options; empty if nothing is in the way.
        reader: the reader of a profile, which is made of that version; "" for LLVM itself.
        profile: the name of the profile, "" for LLVM itself.
    """

    version: int
    obstacles: tuple[Obstacle, ...] = ()
    misread: tuple[Obstacle, ...] = ()
    rejected: tuple[Obstacle, ...] = ()
    advice: tuple[str, ...] = ()
    reader: str = ""
    profile: str = ""

    @property
    def reads(self) -> bool:
        """Whether it reads the file."""
        return not self.obstacles

    @property
    def is_clean(self) -> bool:
        """Whether it reads the file with its meaning, and finds no error."""
        return not (self.obstacles or self.misread or self.rejected)

    @property
    def message(self) -> str:
        """The message that it refuses the file with, "" if it reads it."""
        return self.obstacles[0].message if self.obstacles else ""


@dataclass(frozen=True, slots=True)
class Damage:
    """The place where a file is malformed first.

    Attributes:
        reason: the error there.
        name: the name of the reason, which never changes.
        bit_offset: where, in bits from the first byte of the magic number.
        block_path: ids of the blocks around that place, outermost first.
        intact_blocks: number of blocks that are complete before that place.
        intact_records: number of records before that place.
        intact_functions: number of function bodies that can be read, before that place or after it.
        damaged_functions: names of the functions with bodies that cannot be read.
        has_sound_bits: whether the bitstream is sound, so that a record breaks a rule of LLVM IR.
    """

    reason: str
    name: str
    bit_offset: int
    block_path: tuple[int, ...]
    intact_blocks: int
    intact_records: int
    intact_functions: int = 0
    damaged_functions: tuple[str, ...] = ()
    has_sound_bits: bool = False


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Diagnosis of one bitstream.

    Attributes:
        path: of the bitstream inside the file, "" if it is the whole file.
        modules: producer and target of each module.
        needs: the oldest version of LLVM that knows every construct of the file; None if no version reads it.
        unusual: remarks on rare properties.
        damage: where it is malformed; None if it is sound.
        verdicts: one for each version, oldest first.
        profiles: one for each requested reader with further rules, or each that takes files for this target.
    """

    path: str
    modules: list[ModuleSummary]
    needs: int | None
    verdicts: tuple[Verdict, ...]
    unusual: tuple[str, ...] = ()
    damage: Damage | None = field(default=None)
    profiles: tuple[Verdict, ...] = ()

    def verdict(self, version: int) -> Verdict:
        """Return the verdict of a version.

        Raises:
            ValueError: the diagnosis does not contain the version.
        """
        for each in self.verdicts:
            if each.version == version:
                return each
        raise ValueError(f"no verdict of LLVM {version} was requested")
