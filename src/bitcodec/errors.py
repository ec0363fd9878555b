"""Exceptions of bitcodec: one base class, so that `except BitcodecError` catches every refused input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.sentences import Sentence

if TYPE_CHECKING:
    from typing import Self

__all__ = [
    "AssemblyError",
    "BitcodeError",
    "BitcodecError",
    "BitstreamError",
    "ClosedModuleError",
    "ContainerError",
    "EncodingError",
    "InternalError",
    "InterruptedReadError",
    "MIRError",
    "NoBitstreamError",
    "PCSectionsError",
    "PlacedError",
    "block_trail",
    "copy_error",
    "quote",
    "quote_name",
]

MAX_QUOTED = 100
"""Characters of a text that a message quotes."""
_TRAIL_ENDS = 4
"""How many blocks of a very deep trail are named at each end."""


class BitcodecError(Exception):
    """An input was refused.  `str(error)` is one line: the error, its place and, if there is one, the remedy."""

    @classmethod
    def in_text(cls, reason: str, text: bytes, position: int, file: str = "") -> Self:
        """Return the error at a byte of a text."""
        line = text.count(b"\n", 0, position) + 1
        begin = text.rfind(b"\n", 0, position) + 1
        end = text.find(b"\n", position)
        source = text[begin : len(text) if end < 0 else end].rstrip(b"\r")
        return cls(reason, line, position - begin + 1, str(source, "utf-8", "replace"), file)

    def in_file(self, name: str) -> Self:
        """Return the same error with the name of the file in front."""
        return type(self)(f"{name}: {self}")


def copy_error(error: BitcodecError) -> BitcodecError:
    """Return an error of the same class and content that has not been raised yet."""
    made = type(error)(*error.args)
    made.__dict__.update(error.__dict__)
    return made


class PlacedError(BitcodecError):
    """Something is wrong at a known place of a stream.

    Attributes:
        reason: the error without its place; its `name` and its `parameters` are for programs.
        bit_offset: where, in bits from the first byte of the magic number.
        block_path: ids of the blocks around that place, outermost first; empty at the top level.
    """

    def __init__(self, reason: str, bit_offset: int, block_path: tuple[int, ...] = ()) -> None:
        self.reason = reason if isinstance(reason, Sentence) else Sentence(reason)
        super().__init__(self.reason, bit_offset, block_path)
        self.bit_offset = bit_offset
        self.block_path = block_path

    def in_file(self, name: str) -> Self:
        """Return the same error with the name of the file in front."""
        return type(self)(self.reason.in_file(name), self.bit_offset, self.block_path)

    def __str__(self) -> str:
        trail = block_trail([f"block {block_id}" for block_id in self.block_path])
        return f"{self.reason} (bit {self.bit_offset}, {trail})"


class BitstreamError(PlacedError):
    """The bits do not form a bitstream."""


class BitcodeError(PlacedError):
    """The stream is sound, but its records do not make LLVM IR; `reason` begins with the record's name."""


class InternalError(PlacedError):
    """A part of a module was not read by a fault of bitcodec: a rule that it does not check, or a mistake in its code.

    The exception behind it is its `__cause__`.  Please report it, with the file.
    """


class ContainerError(BitcodecError):
    """An object file, archive or wrapper around bitcode is malformed."""


class NoBitstreamError(ContainerError):
    """An object file or archive is sound, but holds no bitstream."""


class EncodingError(BitcodecError, ValueError):
    """A value cannot be written as asked: too wide for its field, or of another shape than its abbreviation.

    Args:
        message: the reason.
        lacking: the construct that a version of LLVM lacks, and the first version that has it; "" for other reasons.

    Attributes:
        reason: the message; where it has a name, its `name` and its `parameters` are for programs.
        lacking: the construct and the version, as given.
    """

    def __init__(self, message: str, lacking: str = "") -> None:
        super().__init__(message)
        self.reason = message if isinstance(message, Sentence) else Sentence(message)
        self.lacking = lacking


class ClosedModuleError(BitcodecError):
    """A part of a module is needed that had not been read when the module was closed."""

    def __str__(self) -> str:
        return "the module is closed: read what you need before that (`materialize` reads all), or open it again"


class InterruptedReadError(BitcodecError):
    """A module cannot be read any further, because an exception such as KeyboardInterrupt ended an earlier read midway.

    Parts that had been read completely stay readable.

    Attributes:
        interruption: name of the class of that exception, None if unknown.
    """

    def __init__(self, interruption: str | None = None) -> None:
        super().__init__(interruption)
        self.interruption = interruption

    def __str__(self) -> str:
        cause = f" ({self.interruption})" if self.interruption else ""
        return f"reading was interrupted{cause}; open the module again"


class AssemblyError(BitcodecError):
    """A text is not valid LLVM assembly.  `str(error)` is `LINE:COLUMN: MESSAGE`, after the name of the file if known.

    Attributes:
        reason: the message of llvm-as.
        line: where, counted from 1.
        column: where in the line, in bytes, counted from 1.
        source_line: the line of the text.
        file: name of the file, "" if unknown.
    """

    def __init__(self, reason: str, line: int = 0, column: int = 0, source_line: str = "", file: str = "") -> None:
        super().__init__(reason, line, column, source_line, file)
        self.reason = reason
        self.line = line
        self.column = column
        self.source_line = source_line
        self.file = file

    def in_file(self, name: str) -> Self:
        """Return the same error with the name of the file."""
        return type(self)(self.reason, self.line, self.column, self.source_line, name)

    @property
    def excerpt(self) -> str:
        """The line of the text, and a line with a caret under the column."""
        before = self.source_line.encode()[: self.column - 1].decode("utf-8", "replace")
        blank = "".join("\t" if character == "\t" else " " for character in before)
        return f"{self.source_line}\n{blank}^"

    def __str__(self) -> str:
        place = [self.file] if self.file else []
        if self.line:
            place += [str(self.line), str(self.column)]
        return f"{':'.join(place)}: {self.reason}" if place else self.reason


class MIRError(BitcodecError):
    """A text is not valid machine IR.

    Attributes:
        reason: the error without its place.
        line: where, counted from 1; 0 if no place of a text is meant.
        column: where in the line, in characters, counted from 1.
    """

    def __init__(self, reason: str, line: int = 0, column: int = 0) -> None:
        super().__init__(reason, line, column)
        self.reason = reason
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"{self.reason} (line {self.line}, column {self.column})" if self.line else self.reason


class PCSectionsError(BitcodecError):
    """PC-section metadata is malformed, or cannot be had for a target; or a PC section cannot be read."""


def block_trail(names: list[str]) -> str:
    """Join names of nested blocks, outermost first: `A > B`; a very deep trail keeps its two ends."""
    if not names:
        return "top level"
    if len(names) > 2 * _TRAIL_ENDS + 1:
        hidden = len(names) - 2 * _TRAIL_ENDS
        names = [*names[:_TRAIL_ENDS], f"... {hidden} more ...", *names[-_TRAIL_ENDS:]]
    return " > ".join(names)


def quote(text: str) -> str:
    """Return a text in quotes for a message, escaped as Python does; only the beginning of a long text."""
    return repr(text) if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]!r}..."


def quote_name(name: str) -> str:
    """Return a name for a message: unchanged if it is printable and short, else as `quote` does."""
    return name if name.isprintable() and len(name) <= MAX_QUOTED else quote(name)
