"""Whether two texts of `llvm-dis` mean the same but for losses that were reported.

Attribute groups are put where they are used, metadata is numbered by first use, and what was lost is taken out of both
texts.  Declarations of intrinsics are left out: LLVM's reader declares those that it upgrades once more.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Any

import bitcodec
from bitcodec import Loss
from bitcodec.downgrade.expansions import EXPANSIONS
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.construction.setting import set_operands
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.instructions import Cast, GetElementPtr
from bitcodec.ir.module import Module
from bitcodec.ir.types import StructType, VectorType

from .expanded import EXPANDED, write_expanded

__all__ = [
    "FIRST_WITHOUT_CASTS",
    "comparable",
    "count_bytes",
    "differences",
    "disassembled",
    "is_simplified",
    "remove_casts",
]

_GROUP = re.compile(r"^attributes (#\d+) = \{(.*)\}$", re.MULTILINE)
_GROUP_USE = re.compile(r"#\d+\b")
_NODE = re.compile(r"^(!\d+) = (.*)$")
_NODE_USE = re.compile(r"!\d+\b")
_PROPERTY = re.compile(r'(?<=, )(?:setter|getter): "[^"]*"(?:, (?:setter|getter): "[^"]*")?')
_LEFT_OUT = re.compile(
    r"; ModuleID = |; Function Attrs:|; Unknown intrinsic|\^\d+ = |; uselistorder|attributes #"
    r"|declare .*@llvm\.|declare .*@\"llvm\.|declare .*@unused\.llvm"
)
_NESTED = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
"""Parentheses, up to three of them in each other."""

_NEGATIVE_ZERO = re.compile(r"-0\.000000e\+00|0xK80000000000000000000")
_FAST_MATH = r"(?:(?:fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) )+"
_CMPXCHG = re.compile(r"(= cmpxchg .* )(monotonic|acquire|release|acq_rel) (acquire|seq_cst)(?=,|$)")


def _stronger(exchange: re.Match[str]) -> str:
    """Return an exchange with a success that is as strong as its failure."""
    start, success, failure = exchange.groups()
    if failure == "acquire":
        success = {"release": "acq_rel", "monotonic": "acquire"}.get(success, success)
        return f"{start}{success} {failure}"
    return f"{start}{failure} {failure}"


_INSTRUCTIONS: dict[str, Callable[[str], str]] = {
    "flag `samesign` of icmp": lambda line: line.replace("icmp samesign ", "icmp "),
    "flag `nneg` of zext": lambda line: line.replace("zext nneg ", "zext "),
    "flag `nneg` of uitofp": lambda line: line.replace("uitofp nneg ", "uitofp "),
    "flags `nuw` and `nsw` of trunc": lambda line: re.sub(r"trunc (?:nuw |nsw )+", "trunc ", line),
    "flag `disjoint` of or": lambda line: line.replace("or disjoint ", "or "),
    "fast-math flags of fptrunc and fpext": lambda line: re.sub(
        r"(fptrunc|fpext) (?:(?:fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) )+", r"\1 ", line
    ),
    "flags `nusw` and `nuw` of getelementptr": lambda line: re.sub(
        r"getelementptr (inbounds )?(?:(?:nusw|nuw) )*", r"getelementptr \1", line
    ),
    "`inrange` of a constant getelementptr": lambda line: re.sub(rf" inrange{_NESTED}", "", line),
    "code model of a global variable": lambda line: re.sub(r", code_model \"\w+\"", "", line),
    "preferred alignment of a function": lambda line: re.sub(r" prefalign(?: \d+|\(\d+\))", "", line),
    "ptrtoaddr": lambda line: line.replace("ptrtoaddr", "ptrtoint"),
    "#dbg_assign": lambda line: re.sub(r", !DIAssignID !\d+", "", re.sub(_ASSIGN, r"#dbg_value(\1, \2)", line)),
    "behavior `min` of a module flag": lambda line: re.sub(r"^(!\d+ = )?!{i32 [18], !", r"\1!{i32 1, !", line),
    "behavior `max` of a module flag": lambda line: re.sub(r"^(!\d+ = )?!{i32 [178], !", r"\1!{i32 1, !", line),
    "constant poison": lambda line: re.sub(r"\bpoison\b", "undef", line),
    "missing `lowerBound` of !DISubrange": lambda line: line.replace(", lowerBound: 0)", ")"),
    "bounds of !DISubrange that are not numbers": lambda line: re.sub(r"!DISubrange\(.*", "!DISubrange()", line),
    "debug information of a declaration": lambda line: re.sub(r"^declare !dbg !\d+ ", "declare ", line),
    "constant dso_local_equivalent": lambda line: line.replace("dso_local_equivalent ", ""),
    "constant no_cfi": lambda line: line.replace("no_cfi ", ""),
    "value of !DIEnumerator of more than 64 bits": lambda line: re.sub(r"(!DIEnumerator\(.*value: )-?\d+", r"\1", line),
    "!DIImportedEntity among the retained nodes of !DISubprogram": lambda line: re.sub(
        r", retainedNodes: !\d+", "", line
    ),
    "newer flags of debug-info nodes": lambda line: re.sub(r", flags: [\w| ]+", "", line),
    "details of !annotation": lambda line: re.sub(r", !annotation !\d+", "", line),
    "`expected` in branch weights": lambda line: line.replace(
        '!"branch_weights", !"expected", ', '!"branch_weights", '
    ),
    "fneg": lambda line: _NEGATIVE_ZERO.sub(
        "-0.0", re.sub(r"= fneg (.*?) (%[\w.]+|bitcast .*)(?=,|$)", r"= fsub \1 -0.0, \2", line)
    ),
    "fast-math flags of phi": lambda line: re.sub(rf"= phi {_FAST_MATH}", "= phi ", line),
    "fast-math flags of select": lambda line: re.sub(rf"= select {_FAST_MATH}", "= select ", line),
    "fast-math flags `reassoc` and `afn`": lambda line: re.sub(r"\b(?:afn|reassoc) ", "", line),
    "fast-math flag `contract`": lambda line: line.replace("contract ", ""),
    "!DIGlobalVariable without a name": lambda line: line.replace('(name: ".unnamed", ', "("),
    "newer flags of !DISubprogram": lambda line: re.sub(r", spFlags: [\w| ]+", "", line),
    "#dbg_label": lambda line: "" if line.lstrip().startswith("#dbg_label") else line,
    "private global in a comdat": lambda line: line.replace("= private ", "= internal "),
    "synchronization scope other than `singlethread`": lambda line: re.sub(
        r' syncscope\("(?!singlethread")[^"]*"\)', "", line
    ),
    "!DIAssignID": lambda line: line.replace("distinct !DIAssignID()", "distinct !{}"),
    "cmpxchg with a stronger ordering on failure": lambda line: _CMPXCHG.sub(_stronger, line),
    "alignment of atomicrmw and cmpxchg that exceeds the size": lambda line: re.sub(
        r"(= (?:atomicrmw|cmpxchg) .*), align \d+", r"\1", line
    ),
    "#dbg_declare_value": lambda line: line.replace("#dbg_declare_value", "#dbg_value"),
}
_UPGRADED = re.compile(
    r"(?:tail )?call (.*@llvm\.(?:lifetime|masked|coro\.end|var\.annotation|ptr\.annotation|mem\w+|objectsize"
    r"|nvvm\.barrier|vector\.splice)[\w.]*)\((.*)\)(.*)$"
)
"""Calls that LLVM makes again when it reads an older form: it leaves out their attributes."""
_ATTRIBUTES_OF_CALLS = re.compile(r"\b(?:nonnull|noundef|captures\(none\)|nounwind|align \d+|dereferenceable\(\d+\)) ?")
_NODES_OF_CALLS = re.compile(r", !(?:tbaa\.struct|noalias|alias\.scope) !\d+")
_STATEPOINT = re.compile(rf"(gc\.statepoint\.p0\(.*?) elementtype{_NESTED}")
"""LLVM 22 leaves statepoints without the type that typed pointers had."""
_ASSIGN = r"#dbg_assign\(([^!]*, !\d+, (?:!\d+|!DIExpression\([^)]*\))), !\d+, .*, (!\d+)\)$"
_ATTRIBUTE = re.compile(r"attribute `([\w.]+)(?:\(.*\))?`")
_STRING_ATTRIBUTE = re.compile(r"attribute (\"[^\"]+\"=\"[^\"]+\")")
_FIELD = re.compile(r"field `(\w+)` of !(\w+)( and atom groups of its locations)?")
_LAYOUT = re.compile(r"`([\w:]+)` in the data layout")
_TAG = re.compile(r"(DW_TAG_\w+) of !(\w+)")


_SIMPLIFY = (
    "-disable-verify",
    "-passes=forceattrs,function(instsimplify)",
    "-force-remove-attribute=optnone",
    "-dom-conditions-max-uses=100000",
)
"""Instructions only; what is known of a pointer must not depend on how many uses it has."""
FIRST_WITHOUT_CASTS = 16
"""The first version of LLVM for which no casts are written: of typed pointers, and for `llvm.threadlocal.address`."""


def disassembled(path: Path, version: int = FIRST_WITHOUT_CASTS) -> str:
    """Return what LLVM 22 prints of a file; it leaves out debug information that it finds broken.

    Args:
        path: the file.
        version: that something is written for: before LLVM 16 instructions are simplified, which removes the casts,
            and addresses of fields become numbers of bytes.
    """
    text = _output(["llvm-dis-22", str(path), "-o", "-"], b"").decode(*_TEXT)
    if not is_simplified(version):
        return text
    # Assembly beside the IR would be parsed for a table of symbols, whatever its processor is.
    assembly = "".join(line for line in text.splitlines(keepends=True) if line.startswith(_ASSEMBLY))
    written = "\n".join(line for line in _without_casts(text) if not line.startswith(_ASSEMBLY)).encode(*_TEXT)
    # Casts and addresses of first fields count as uses, of which analyses look at so many only: they go before anything
    # else is simplified.
    module = bitcodec.loads(_output(["llvm-as-22", "-disable-verify", "-", "-o", "-"], written), "uncast")
    count_bytes(module)
    simplified = _output(["opt-22", *_SIMPLIFY, "-", "-o", "-"], bitcodec.dumps(module))
    module = bitcodec.loads(simplified, "simplified")
    count_bytes(module)
    return assembly + bitcodec.print_assembly(module)


def is_simplified(version: int) -> bool:
    """Return whether instructions are simplified before texts for a version are compared."""
    return version < FIRST_WITHOUT_CASTS


_TEXT = "utf-8", "surrogateescape"
_ASSEMBLY = "module asm "
_NAME = r"%(?:[-\w$.]+|\"[^\"]*\")"
_NO_CAST = re.compile(rf"  ({_NAME}) = bitcast (\S.*) ({_NAME}) to \2(?:,.*)?$")
_NAMES = re.compile(_NAME)


def _output(command: list[str], text: bytes) -> bytes:
    return subprocess.run(command, input=text, capture_output=True, check=True).stdout


def _without_casts(text: str) -> Iterator[str]:
    """Yield the lines of a text without casts of pointers to pointers; their users have what these cast."""
    sources: dict[str, str] = {}
    pending: list[str] = []
    for line in text.split("\n"):
        cast = _NO_CAST.match(line)
        if cast:
            sources[cast[1]] = sources.get(cast[3], cast[3])
        elif line == "}":
            for each in pending:  # phis may use what follows
                yield _NAMES.sub(lambda use: _source(sources, use[0]), each)
            yield line
            sources.clear()
            pending.clear()
        elif pending or line.startswith("define "):
            pending.append(line)
        elif not line.startswith("^"):  # entries of summaries, of which LLVM does not read all that it prints
            yield line


def _source(sources: dict[str, str], name: str) -> str:
    while name in sources:
        name = sources[name]
    return name


def count_bytes(module: Module) -> None:
    """Let addresses that do not depend on a variable be a number of bytes behind a pointer; none if that is 0."""
    types, constants = module.context.types, module.context.constants
    byte, word = types.integer(8), types.integer(64)
    for function in module.functions:
        for block in function.blocks:
            for instruction in block.instructions:
                if not isinstance(instruction, GetElementPtr) or isinstance(instruction.type, VectorType):
                    continue
                base, *indices = instruction.operands
                if not all(isinstance(index, ConstantInt) for index in indices):
                    continue
                offset = _offset(module.data_layout, instruction)
                if not offset:
                    instruction.replace_all_uses_with(base)
                    instruction.erase_from_parent()
                    continue
                set_operands(instruction, (base, constants.integer(word, offset & 0xFFFF_FFFF_FFFF_FFFF)))
                instruction.source_element_type = byte


def _offset(layout: DataLayout, address: Any) -> int:
    first, *others = [index.signed for index in address.operands[1:]]
    type_ = address.source_element_type
    offset: int = first * layout.alloc_size(type_)
    for index in others:
        if isinstance(type_, StructType):
            offset += layout.struct_layout(type_).offsets[index]
            type_ = type_.element_types[index]
        else:
            type_ = type_.element_types[0]
            offset += index * layout.alloc_size(type_)
    return offset


def remove_casts(module: Module) -> None:
    """Remove the casts of pointers to pointers, which mean nothing without their types."""
    for function in module.functions:
        for block in function.blocks:
            for instruction in block.instructions:
                is_cast = isinstance(instruction, Cast) and instruction.opcode == "bitcast"
                if is_cast and instruction.operand.type is instruction.type:
                    instruction.replace_all_uses_with(instruction.operand)
                    instruction.erase_from_parent()


def comparable(path: Path, folder: Path, losses: Iterable[Loss], version: int) -> Path:
    """Return a file to compare with: the original, or one with what is expanded for a version."""
    losses = list(losses)
    if not any(map(_is_expanded, losses)):
        return path
    changed = folder / "original.bc"
    changed.write_bytes(write_expanded(bitcodec.open(path), version, losses))
    return changed


def differences(original: str, result: str, losses: Iterable[Loss]) -> list[str]:
    """Return the lines in which two texts differ apart from losses, as a diff has them."""
    losses = {loss.construct: loss for loss in losses}.values()
    erasers = [eraser for loss in losses for eraser in _erasers(loss)]
    if any(map(_is_expanded, losses)):
        known = set(_DECLARED.findall(original))
        result = _DECLARED.sub(lambda found: found[0] if found[1] in known else "", result)
    before, after = (list(_canonical(text, erasers)) for text in (original, result))
    return list(unified_diff(before, after, "original", "result", lineterm="", n=0))


def _is_expanded(loss: Loss) -> bool:
    """Return whether other instructions are written in the place of one; `test_expansions` runs them."""
    name = loss.construct.removeprefix("llvm.")
    return loss.construct in EXPANDED or (name != loss.construct and name in EXPANSIONS and loss.action != "kept")


_DECLARED = re.compile(r'^declare .*?@([-\w$.]+|"[^"]*")\(.*\n', re.MULTILINE)


def _erasers(loss: Loss) -> Iterator[Callable[[str], str]]:
    if loss.construct in _INSTRUCTIONS:
        yield _INSTRUCTIONS[loss.construct]
    if loss.construct.startswith("arguments of llvm.objectsize"):
        yield lambda line: re.sub(r"(@llvm\.objectsize.*?), i1 \w+(?:, i1 \w+)*", r"\1", line)
    if loss.construct.startswith("operators of !DIExpression"):
        yield lambda line: "" if line.lstrip().startswith(("#dbg_value", "#dbg_declare", "#dbg_assign")) else line
        yield lambda line: re.sub(r", !dbg !\d+", "", line) if line.startswith("@") else line
        yield lambda line: re.sub(rf"(!DIGlobalVariableExpression\(.*expr: )!DIExpression{_NESTED}", r"\1", line)
    attribute = _ATTRIBUTE.fullmatch(loss.construct)
    name = attribute[1] if attribute else "memory" if "`memory`" in loss.construct else ""
    if name:
        yield lambda line: re.sub(rf"(?<![\w\"`.])(?:{name}{_NESTED}|{name})(?![\w(]) ?", "", line)
    yield from _erasers_of_fields(loss)
    yield from _erasers_of_layouts(loss)
    tag = _TAG.fullmatch(loss.construct)
    if tag:
        yield lambda line: line.replace(f"!{tag[2]}(tag: {tag[1]},", f"!{tag[2]}(tag: {loss.instead},")
    if attribute and loss.instead.startswith('"'):
        yield lambda line: line.replace(loss.instead, "")
    string = _STRING_ATTRIBUTE.fullmatch(loss.construct)
    if string:
        yield lambda line: line.replace(string[1], loss.instead)
    if loss.construct.startswith("!DI") and loss.instead.startswith("!DI"):
        yield lambda line: re.sub(rf"{loss.instead}\(.*", "", line)
        yield lambda line: re.sub(rf"{loss.construct}\(.*", "", line)


def _erasers_of_layouts(loss: Loss) -> Iterator[Callable[[str], str]]:
    part = _LAYOUT.fullmatch(loss.construct)
    if part is None:
        return
    instead = f"-{loss.instead.strip('`')}-" if loss.instead else "-"
    if part[1].startswith("P"):
        yield lambda line: line.replace(f"call addrspace({part[1][1:]}) ", "call ")
    yield lambda line: line.replace(f"-{part[1]}-", instead) if "target datalayout" in line else line


def _erasers_of_fields(loss: Loss) -> Iterator[Callable[[str], str]]:
    field = _FIELD.fullmatch(loss.construct)
    if field:
        yield lambda line: _without_field(line, field[2], field[1])
        if field[2] == "DIImportedEntity" and field[1] == "file":  # LLVM reads lines of entities with a file alone
            yield lambda line: _without_field(line, field[2], "line")
        if field[3]:
            yield lambda line: re.sub(r", atom(?:Group|Rank): \d+", "", line)


def _without_field(line: str, node: str, name: str) -> str:
    if f"!{node}(" not in line:
        return line
    return re.sub(rf"(?:, )?\b{name}: (?:\"[^\"]*\"|[^,()]+(?:{_NESTED})?)(?=[,)])", "", line)


def _canonical(text: str, erasers: list[Callable[[str], str]]) -> Iterator[str]:
    groups = {name: " ".join(sorted(_attributes(body, erasers))) for name, body in _GROUP.findall(text)}
    nodes: dict[str, str] = {}
    lines = []
    kept = [line.partition("; preds = ")[0] for line in text.splitlines() if not _LEFT_OUT.match(line)]
    for line in (_erased(_UPGRADED.sub(_without_attributes, line), erasers) for line in kept):
        node = _NODE.match(line)
        if node:
            nodes[node[1]] = _PROPERTY.sub(_property, node[2])
        else:
            lines.append(
                " ".join(_GROUP_USE.sub(lambda use: groups.get(use[0], use[0]), line).split()).replace(" ,", ",")
            )
    yield from _numbered(*_merged([line for line in lines if line], nodes))


def _merged(lines: list[str], nodes: dict[str, str]) -> tuple[list[str], dict[str, str]]:
    """Let nodes be one that are equal, as uniqued nodes are that differed in what was lost."""
    while True:
        names: dict[str, str] = {}
        same = {}
        for name, content in nodes.items():
            first = names.setdefault(content, name) if not content.startswith("distinct") else name
            if first != name:
                same[name] = first
        if not same:
            return lines, nodes

        def first_of(use: re.Match[str], same: dict[str, str] = same) -> str:
            return same.get(use[0], use[0])

        lines = [_NODE_USE.sub(first_of, line) for line in lines]
        nodes = {name: _NODE_USE.sub(first_of, content) for name, content in nodes.items() if name not in same}


def _without_attributes(call: re.Match[str]) -> str:
    rest = _NODES_OF_CALLS.sub("", _GROUP_USE.sub("", call[3]).replace(" ,", ","))
    return f"call {call[1]}({_ATTRIBUTES_OF_CALLS.sub('', call[2])}){rest}"


def _attributes(body: str, erasers: list[Callable[[str], str]]) -> list[str]:
    return re.findall(rf"\"[^\"]*\"(?:=\"[^\"]*\")?|[\w.]+(?:{_NESTED})?(?:=\d+)?", _erased(body, erasers))


def _property(match: re.Match[str]) -> str:
    """LLVM 22 exchanges setter and getter of what older versions wrote."""
    return ", ".join(sorted(match[0].replace("setter: ", "").replace("getter: ", "").split(", ")))


def _erased(line: str, erasers: list[Callable[[str], str]]) -> str:
    if line.startswith("target datalayout"):  # parts may stand in any order
        line = "-".join(sorted(line.replace('"', "-").split("-")))
    line = _STATEPOINT.sub(r"\1", line)
    for erase in erasers:
        line = erase(line)
    return re.sub(r" (?=[,)])", "", line)


def _numbered(lines: list[str], nodes: dict[str, str]) -> Iterator[str]:
    """Yield lines and the nodes that they lead to, all numbered in the order of their first use."""
    numbers: dict[str, str] = {}
    pending: list[str] = []

    def use(match: re.Match[str]) -> str:
        name = match[0]
        if name not in numbers:
            numbers[name] = f"!{len(numbers)}"
            pending.append(name)
        return numbers[name]

    for line in lines:
        yield _NODE_USE.sub(use, line)
    for name in pending:  # grows meanwhile
        yield f"{numbers[name]} = {_NODE_USE.sub(use, nodes.get(name, ''))}"
