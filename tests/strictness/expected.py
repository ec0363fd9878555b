"""Differences from LLVM 22 that are intended or known, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from strictness.conditions import (
    has_annotations,
    has_computed_case,
    has_unknown_block_of_wrong_length,
    is_miswritten,
    is_of_newer_version,
    is_padded_with_zeros,
    is_refused_as_text,
)
from strictness.difference import Difference
from strictness.intrinsics import without_unfit_intrinsics

__all__ = ["EXPECTED", "Compare", "Expected", "reason_for"]

Compare: TypeAlias = Callable[[bytes], Difference | None]


class Expected(NamedTuple):
    """A cause of differences.

    Attributes:
        kinds: the kinds of differences that it causes.
        llvm: a regular expression for the beginning of LLVM's message, or of its line of text.
        ours: the same for bitcodec's.
        reason: why they differ.
        example: the number of a mutation that shows it, or a file of this folder.
        has_unfit_intrinsic: whether it holds only for modules with an intrinsic of a type that the file had not, and
            only if the difference disappears once that has another name.
        holds_for: the condition that a module meets if it holds, None if it holds for any.
        apart_from: a regular expression, "" for none: without its matches both lines are equal.
        may_crash: whether LLVM reads memory that it should not: it prints what is there, or crashes.
    """

    kinds: tuple[str, ...]
    llvm: str
    ours: str
    reason: str
    example: int | str
    has_unfit_intrinsic: bool = False
    holds_for: Callable[[bytes], bool] | None = None
    apart_from: str = ""
    may_crash: bool = False

    def fits(self, difference: Difference) -> bool:
        """Return whether kind and messages of a difference are such as this cause has."""
        if difference.kind not in self.kinds or not re.match(self.llvm, difference.llvm):
            return False
        if not re.match(self.ours, difference.ours):
            return False
        return not self.apart_from or self._rest(difference.llvm) == self._rest(difference.ours)

    def _rest(self, line: str) -> str:
        return re.sub(self.apart_from, "", line)


EXPECTED: list[Expected] = [
    Expected(
        ("accepted", "missed", "extra", "text", "text-broken", "refused-broken", "written"),
        "",
        "",
        "LLVM upgrades old intrinsics by name alone; bitcodec does if they have the types that they had",
        example=58,
        has_unfit_intrinsic=True,
    ),
    Expected(
        ("extra",),
        "",
        r"(Access|Struct tag|Malformed struct tag|This instruction shall not have a TBAA|Old-style TBAA|Offset|Member"
        r"|Incorrect field|Immutability|Could not find TBAA|Cycle detected|Did not see access|TBAA metadata|Type size"
        r"|Bitwidth)",
        "LLVM drops all !tbaa of a module with an invalid tag while reading; bitcodec keeps it, and verify reports it",
        example=547,
    ),
    Expected(
        ("text", "text-broken"),
        r"(?!.*!tbaa)",
        ".*!tbaa(\\.struct)? !",
        "LLVM drops all !tbaa of a module with one invalid tag while reading; bitcodec keeps it",
        example=7242,
        apart_from=r"(, !tbaa(\.struct)? )?!\d+",
    ),
    Expected(
        ("text-broken",),
        ".*(<badref>|<null operand!>|<0x)",
        "",
        "a placeholder of LLVM's printer in a module that both verifiers reject",
        example=40758,
        apart_from=r"(\w+ )?(<badref>|<null operand!>|<0x\w+>|\bnull\b|[@%!#][\w.$-]+)",
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r".*( |\*\*)\d{10,}( |,|$)",
        "LLVM truncates a number of more than 32 bits, so that it names something else; bitcodec refuses it",
        example=94,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"(COMBINED|PERMODULE|VALUE_GUID|TYPE_ID|FLAGS|HASH|ENTRY(?! record: a new name)|CFI_FUNCTION|TYPE_CHECKED"
        r"|TYPE_TEST|ALIAS|MODULE_PATH|COMBINED_ENTRY|FS_|STACK_IDS|BLOCK_COUNT|VERSION record: summaries|MEMPROF"
        r"|CALLSITE|ALLOC_INFO)\w*",
        "LLVM does not check the value and module ids of summaries, nor the length of their records",
        example=4733,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"(\w+|code \d+) record: (the constant is of LLVM|no such (constant|metadata) is known)",
        "LLVM reads a constant of a newer version as undef, and skips metadata, whose number the next takes",
        example=2038,
    ),
    Expected(
        ("accepted",),
        r"out of memory",
        "",
        "LLVM reserves memory for an attribute list or group of an enormous number; bitcodec looks them up",
        example=6060,
    ),
    Expected(
        ("refused",),
        "",
        r"(INST_(CALL|LOAD) record: the type that the pointer points to is unknown"
        r"|INST_GEP record: type \d+ does not exist)",
        "a record without a type in a module of opaque pointers: LLVM takes that of the alloca or global",
        example=261,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"\w+ record: expected a metadata id below \d+, found \d+",
        "LLVM leaves null where a node refers to metadata that does not exist",
        example=354,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"(INST_ALLOCA|SETTYPE|INST_CAST|OLD_FN_NODE) record: type \d+ does not exist",
        "LLVM does not look at the type of an array size, a value or constant that nothing uses",
        example=1045,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"(FNENTRY record: value \d+ is not a function|a body of a function that is not defined)",
        "LLVM without assertions takes any global for a function here",
        example=5286,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"(FUNCTION record: \d+ functions are defined, but the module has \d+ bodies"
        r"|FNENTRY record: (no body begins at word|the offset of a body without a VSTOFFSET))",
        "LLVM reads a body, or goes on, at the offset that a symbol table has, whatever is there",
        example=22744,
    ),
    Expected(
        ("refused",),
        "",
        r"INST_SHUFFLEVEC record: an element of the mask is out of range",
        "LLVM checks the numbers of a mask as signed ones, so that it keeps those below -1, which its parser refuses",
        example=23346,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"(block \d+ is \d+ words|the block ends at bit|an abbreviation|abbreviation id|block \d+ has abbreviation"
        r"|expected a block or the end, found \d+ more bytes)",
        "LLVM skips a block by its length, or does not read it, where bitcodec decodes it",
        example=0,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"ATTACHMENT record: (there is no instruction|metadata kind \d+ has no name|metadata id \d+)",
        "LLVM ignores attachments of instructions that do not exist",
        example=1319,
    ),
    Expected(
        ("refused-broken",),
        "",
        r"(CSTRING|STRING|DATA|AGGREGATE|CE_\w+|GLOBALVAR|DECLAREBLOCKS|SETTYPE|VALUE|INLINEASM|INST_GEP(_OLD)?|FUNCTION|BB"
        r"|INST_ALLOCA|INST_INVOKE|ATTACHMENT|NODE|\w*DEBUG_\w+) record",
        "bitcodec refuses while reading what LLVM's verifier rejects afterwards",
        example=391,
    ),
    Expected(
        ("refused",),
        "",
        r"((AGGREGATE|CE_\w+|INLINEASM|DATA|STRUCT_ANON) record"
        r"|C?STRING record: a string of \d+ bytes cannot have type )",
        "LLVM builds constants of operands of the wrong type, which its own assembly parser refuses",
        example=39,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"(VERSION|DEBUG_RECORD_\w+|FNENTRY|GENERIC_SUBRANGE|COMDAT|PERMODULE\w*|COMMON_BLOCK"
        r"|SUBRANGE|FLOAT|INST_CAST) record: has too few operands",
        "LLVM does not count the operands of these records; it reads what memory holds behind them",
        example=631,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"(BLOCKADDRESS|NO_CFI_VALUE) record: a constant of type .* where .* is stated",
        "LLVM makes a pointer although another type is stated, so its users have an operand of another type",
        example=608602,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"\w+ record: metadata id \d+ is not a string",
        "LLVM without assertions takes any metadata for a string",
        example=2491,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"(DEFAULT|ENTRY|BB) record: a use-list order names value \d+, which no instruction uses",
        "LLVM without assertions reads past its values and blocks here",
        example=10189,
    ),
    Expected(
        ("refused-broken",),
        "",
        r"(INST_SHUFFLEVEC record: the mask names|STRUCT_NAMED record: a .* cannot be an element"
        r"|INST_CALL record: what the pointer points to|INST_PHI record: there is no value -"
        r"|lists of attributes precede)",
        "bitcodec refuses while reading what has no meaning in LLVM, which its verifier rejects for another reason too",
        example=14019,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"(OPAQUE_POINTER record: there is no|FUNCTION record:) address space \d+",
        "LLVM prints 24 bits of an address space, but pointers that differ in higher bits have two types",
        example=20375,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"INST_LANDINGPAD record: a clause of kind \d+ with",
        "LLVM without assertions takes any number but 0 for a filter",
        example=22706,
    ),
    Expected(
        ("text", "text-broken"),
        r"(target (triple|datalayout) = |attributes #\d+ = |; Function Attrs: |\^\d+ = ).*[^ -~]",
        r"[ -~]*$",
        "LLVM prints control characters of these texts as they are; bitcodec escapes them",
        example=12751,
        apart_from=r"\\0A.*|\\[0-9A-F]{2}|[^ -~]|\"$",
    ),
    Expected(
        ("text",),
        r"\^\d+ = gv: .*module: \^-1",
        r"\^\d+ = gv: .*module: \^\d",
        "LLVM does not know the path of a module that follows the summaries",
        example=10913,
        apart_from=r"\^-?\d+",
    ),
    Expected(
        ("text", "text-broken"),
        r".*!DICompileUnit\(.*(nameTableKind|emissionKind): [,)]",
        r".*!DICompileUnit\(.*(nameTableKind|emissionKind): \d",
        "LLVM prints nothing for a kind without a name; bitcodec prints its number",
        example=5145,
        apart_from=r"(nameTableKind|emissionKind): \d*",
    ),
    Expected(
        ("text", "text-broken"),
        r".*!DISubroutineType\(.*cc: ([^ -~]|.[,)])",
        r".*!DISubroutineType\(.*cc: \d+[,)]",
        "LLVM prints a calling convention without a name as the character of its number; bitcodec prints the number",
        example=603673,
        apart_from=r"cc: (\d+|.)",
    ),
    Expected(
        ("text", "text-broken"),
        r".*!DI\w+\(",
        r".*!DI\w+\(.*(size|offset): i\d+ undef",
        "LLVM without assertions prints an undefined size as an integer, whose value is what memory holds there",
        example=17535,
        apart_from=r"(, )?(size|offset): (i\d+ undef|-?\d+)",
        may_crash=True,
    ),
    Expected(
        ("text-broken",),
        "",
        r".*<badref>",
        "LLVM numbers a local value outside of its function, in a module that both verifiers reject",
        example=11619,
        apart_from=r"<badref>|%[\w.$-]+",
    ),
    Expected(
        ("text-broken",),
        r"  ret void$",
        r"  ret ptr @llvm\.",
        "LLVM removes an intrinsic that it upgrades though something other than a call uses it",
        example=10446,
    ),
    Expected(
        ("accepted",),
        r"callbr argument does not match indirect dest",
        r"Number of label constraints",
        "LLVM's reader refuses an old callbr that bitcodec's verifier rejects",
        example=2441,
    ),
    Expected(
        ("accepted",),
        "Invalid record",
        "",
        "LLVM 22 refuses cases that LLVM 15 to 21 compute; bitcodec reads them as these do",
        example="computed-cases.bc",
        holds_for=has_computed_case,
    ),
    Expected(
        ("refused",),
        "",
        r"GLOBALVAR record: a variable of type",
        "LLVM without assertions makes variables of any type, which its own assembly parser refuses",
        example=606275,
        holds_for=is_refused_as_text,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"GLOBALVAR record: type \d+ does not exist",
        "LLVM finds types of pointers to globals, which it made itself, behind the types of the file",
        example=613290,
    ),
    Expected(
        ("refused",),
        "",
        r"STRUCT_NAMED record: a (void|function|label|metadata|token) cannot be an element",
        "LLVM without assertions makes structs of elements that its own assembly parser refuses; here nothing uses one",
        example=614222,
    ),
    Expected(
        ("refused",),
        "",
        r"GLOBALVAR record: @llvm\.global_[cd]tors holds a \[\d+ x \{ i32, ptr \}\], not a",
        "LLVM makes a new list of old constructors of the operands of the initializer, of any type",
        example=618515,
    ),
    Expected(
        ("refused",),
        "",
        r"VALUE record: value \d+ does not exist",
        "LLVM takes the placeholder of a value that does not exist for a number when it replaces !nvvm.annotations",
        example=612374,
        holds_for=has_annotations,
        may_crash=True,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        r"ENTRY record: a new name for @llvm\.",
        "LLVM looks for the replacement of an old intrinsic by its name: if a body renames it, some bodies crash LLVM",
        example=610326,
    ),
    Expected(
        ("refused",),
        "",
        r"the string attribute .* cannot be written: a zero ends",
        "LLVM keeps zeros in texts of attributes, but writes bitcode of them that it cannot read",
        example=611293,
        holds_for=is_miswritten,
    ),
    Expected(
        ("refused", "refused-broken"),
        "",
        "",
        "LLVM skips an unknown block by its length, bitcodec by its end, and they disagree",
        example=615160,
        holds_for=has_unknown_block_of_wrong_length,
    ),
    Expected(
        ("accepted",),
        "Malformed block",
        "",
        "bitcodec takes zeros behind the last block for padding, however many; LLVM looks at all but the last 8 bytes",
        example=618711,
        holds_for=is_padded_with_zeros,
    ),
    Expected(
        ("accepted",),
        "Missing element type for elementtype upgrade",
        r"Intrinsic has incorrect argument type!",
        "LLVM looks at the type of an argument that the call of an intrinsic lacks: it reads what memory holds there",
        example=616189,
        may_crash=True,
    ),
    Expected(
        ("text-broken",),
        r"    #dbg_\w+\(.*!DILocation\(",
        r"    #dbg_\w+\(",
        "LLVM numbers no expressions of debug records, so that it prints a location in the place of one as a whole",
        example=618406,
        apart_from=r"!DILocation\([^()]*\)|!\d+",
    ),
    Expected(
        ("written",),
        "refused: ",
        "",
        "bitcodec writes a module of a newer LLVM in the form of that, which has records that LLVM 22 refuses",
        example=613562,
        holds_for=is_of_newer_version,
    ),
]


def reason_for(difference: Difference, data: bytes, original: bytes, compare: Compare) -> str | None:
    """Return why a difference is expected, None if nothing explains it.

    Args:
        difference: how bitcodec and LLVM differ on the mutation.
        data: the mutation.
        original: the file that was mutated.
        compare: compares bitcodec and LLVM on another module.
    """
    for row in EXPECTED:
        if not row.fits(difference) or (row.holds_for is not None and not row.holds_for(data)):
            continue
        if not row.has_unfit_intrinsic or _is_due_to_intrinsics(data, original, compare):
            return row.reason
    return None


def _is_due_to_intrinsics(data: bytes, original: bytes, compare: Compare) -> bool:
    """Return whether nothing unexpected differs once unfit intrinsics have the names of ordinary functions."""
    renamed = without_unfit_intrinsics(data, original)
    if renamed is None:
        return False
    difference = compare(renamed)
    return difference is None or reason_for(difference, renamed, original, compare) is not None
