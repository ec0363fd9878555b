"""Entry points that take text: machine IR, module flags, schemas and bytes of PC sections, targets."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress

from bitcodec import BitcodecError, dumps, flags, mir, parse_assembly, pcsections
from bitcodec.bitcode.loading import loads
from bitcodec.builder import new_module
from bitcodec.flags.parsing import parse_value
from bitcodec.ir import Context, DataLayout
from bitcodec.ir.pcsections import PCSection
from bitcodec.mir import MachineRewriter

from . import inputs
from .entries import TRIPLES

Pieces = Iterator[str | bytes]

FLAGS = [
    "i32 4",
    '!"text"',
    '!{!"a", i32 3}',
    "null",
    '!{!{!"-lm"}, !{!"-lc"}}',
    "i128 -170141183460469231731687303715884105728",
]
SCHEMAS = [
    "hot=instruction",
    "hot!C=instruction:i32,i64,uleb128",
    "hot=instruction:i32:7|function:ptr,5 x i8",
    "sanmd_covered!C=function:i32",
    "a=function",
    "hot!C=instruction:i64:18446744073709551615",
]
CONSTANTS = [
    "i32:7",
    "double:0.5,float:0x3f800000",
    "ptr:null",
    "ptr:@f,i1:true",
    "half:nan",
    "i128:0x123456789012345678",
]
SELECTIONS = ["all", "functions", "atomics,!volatile", "opcode=load", "function=f*", "all,functions", "metadata=tbaa"]
LAYOUTS = [
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    "E-p:32:32",
    "",
    "e-p1:8:8:8:8",
]


def changed(texts: list[str], source: random.Random) -> str:
    text = source.choice(texts)
    return inputs.changed_text(text, source) if source.random() < 0.9 else text


def assembly(source: random.Random, text: str) -> Pieces:
    """Parse a text, print and write the module, and read what was written: what a file has is printed alike."""
    dialect = None if source.random() < 0.5 else 22
    if source.random() < 0.2:
        yield from _added(source, text)
        return
    module = parse_assembly(text.encode("utf-8", "surrogatepass"), dialect=dialect)
    module.preserves_use_list_order = source.random() < 0.5
    printed = str(module)
    yield printed
    data = dumps(module)
    yield data
    yield str(loads(data))


def _added(source: random.Random, text: str) -> Pieces:
    """Add a text to a module, or a part of it to a function: all of it or nothing."""
    module = parse_assembly(_OUTER)
    before = str(module)
    try:
        if source.random() < 0.5:
            module.parse(text.encode("utf-8", "surrogatepass"))
        else:
            lines = text.split("\n")
            start = source.randrange(len(lines))
            part = "\n".join(lines[start : start + source.randrange(1, 20)])
            module.functions["f"].parse_block(part.encode("utf-8", "surrogatepass"))
    except BitcodecError:
        assert str(module) == before
        raise
    yield str(module)
    yield dumps(module)


_OUTER = """
%struct.node = type { i32, ptr }
@x = global %struct.node zeroinitializer
declare i32 @printf(ptr, ...)
define i32 @f(i32 %0, ptr %p) {
  %2 = load i32, ptr %p
  br label %3
3:
  ret i32 %2
}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
"""


def machine_ir(source: random.Random, text: str) -> Pieces:
    module = mir.loads(text)
    if source.random() < 0.2:
        _rename(source, module)
        yield module.dumps()
    yield module.dumps()
    for function in module.functions:
        yield str(function)
        for block in function.blocks:
            for instruction in block.instructions:
                yield str(instruction)
                for operand in instruction.operands:
                    yield str(operand)
    yield mir.loads(module.dumps(reprint=True)).dumps(reprint=True)
    if source.random() < 0.4:
        _rewrite(source, module)
        yield module.dumps()


def _rename(source: random.Random, module: mir.MachineModule) -> None:
    """Rename parts of the IR part, if it can be parsed."""
    with suppress(BitcodecError):
        for function in module.module.functions:
            values = (function, *function.arguments, *function.blocks, *function.instructions)
            for value in values:
                if source.random() < 0.2:
                    value.name = source.choice(("", "x", "a b", "7", '"', "\x00"))


def _rewrite(source: random.Random, module: mir.MachineModule) -> None:
    rewriter = MachineRewriter()
    for function in module.functions:
        for _ in range(3):
            instructions = [each for block in function.blocks for each in block.instructions]
            if not instructions:
                break
            one, two = source.choice(instructions), source.choice(instructions)
            verbs: list[Callable[[], object]] = [
                lambda one=one, two=two: rewriter.duplicate(one, two),  # type: ignore[misc]
                lambda one=one: rewriter.replace(one, rewriter.duplicate(one)),  # type: ignore[misc]
                lambda one=one, two=two: rewriter.merge(one, two, moves=True),  # type: ignore[misc]
                lambda one=one: rewriter.erase(one),  # type: ignore[misc]
            ]
            with suppress(BitcodecError):  # the instructions are not such as the verb takes
                source.choice(verbs)()


def flag_value(_source: random.Random, text: str) -> Pieces:
    yield flags.spelled(parse_value(text, Context()))


def known_flag(_source: random.Random, text: str) -> Pieces:
    key, _, value = text.partition("=")
    yield repr(flags.explain(key))
    yield flags.describe(key, value)
    yield flags.advice(key)


def set_flag(_source: random.Random, text: str) -> Pieces:
    key, _, value = text.partition("=")
    module = loads(_MODULE)
    flags.set_flag(module, key, int(value) if value.isdecimal() and len(value) < 30 else value)
    yield from flags.listing(module.flags)


def schema(_source: random.Random, text: str) -> Pieces:
    yield str(pcsections.Schema.of(text))


def section(source: random.Random, text: str) -> Pieces:
    data = source.randbytes(source.choice((0, 1, 7, 8, 24, 100, 400)))
    options = {"byte_order": source.choice(("little", "big")), "pc_size": source.choice((None, 4, 8, 1, 0, 9))}
    address = source.choice((0, 0x1000, 1 << 32, (1 << 64) - 8, -1, 1 << 64))
    for entry in pcsections.decode(data, address, text, **options):  # type: ignore[arg-type]
        yield str(entry.pc.address)


def constants(_source: random.Random, text: str) -> Pieces:
    yield repr(pcsections.constants_of_text(text, loads(_MODULE)))


def selection(source: random.Random, text: str) -> Pieces:
    name = changed(["hot", "hot!C", "a.b!"], source)
    module = loads(_MODULE)
    pcsections.attach(module, text, [PCSection.of(name)])
    yield str(module)


def data_layout(_source: random.Random, text: str) -> Pieces:
    yield repr(DataLayout(text).pointer_size())


def made_module(_source: random.Random, text: str) -> Pieces:
    """Make a module, with one text as its name, triple and data layout."""
    yield str(new_module(text, target_triple=text))
    yield str(new_module("m", data_layout=text))


def target(_source: random.Random, text: str) -> Pieces:
    yield repr(pcsections.Target.of(text).code_model)


def elf(source: random.Random, data: bytes) -> Pieces:
    schemas = [] if source.random() < 0.5 else [changed(SCHEMAS, source)]
    decoded = pcsections.decode_file(data, schemas, lines=source.random() < 0.7)
    for found in decoded.sections:
        yield found.name
        for entry in found:
            yield str(entry.pc.address)


def audit_of_elf(_source: random.Random, data: bytes) -> Pieces:
    yield repr(pcsections.audit(loads(_MODULE), data).counts)


def audit_of_machine_ir(_source: random.Random, text: str) -> Pieces:
    yield repr(pcsections.audit(loads(_MODULE), mir.loads(text)).counts)


_MODULE = (inputs.MIR_FILES[1] / "tagged.bc").read_bytes()

Refused = tuple[type[Exception], ...]
OURS: Refused = (BitcodecError,)
DOCUMENTED: Refused = (BitcodecError, ValueError, TypeError, KeyError)
OF_TEXTS: list[tuple[Callable[[random.Random, str], Pieces], list[str], Refused]] = [
    (flag_value, FLAGS, DOCUMENTED),
    (known_flag, ["PIC Level=2", "wchar_size=4", "nonsense=1"], DOCUMENTED),
    (set_flag, ["PIC Level=2", "wchar_size=4", "nonsense=1", "CG Profile=1"], DOCUMENTED),
    (schema, SCHEMAS, OURS),
    (section, SCHEMAS, (*OURS, ValueError)),
    (constants, CONSTANTS, OURS),
    (selection, SELECTIONS, OURS),
    (data_layout, LAYOUTS, DOCUMENTED),
    (made_module, [*LAYOUTS, *TRIPLES], DOCUMENTED),
    (target, TRIPLES, OURS),
]
