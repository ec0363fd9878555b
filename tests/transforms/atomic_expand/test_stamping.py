"""An expansion that is repeated is that of the builder, with the same names and the same order of uses."""

from __future__ import annotations

import re

import pytest

import bitcodec
from amounts import some
from bitcodec.ir.construction.stamping import Stamp
from bitcodec.ir.module import Module
from bitcodec.transforms.atomic_expand import bodies

from .generating import module_text
from .targets import OTHERS, TRIED, Tried

TARGETS = some([*TRIED[::3], *OTHERS[1::9]], 4)
LONG = 200
"""Instructions of a block that is kept in runs once it is changed."""


def expanded(text: str, target: Tried, monkeypatch: pytest.MonkeyPatch, *, repeats: bool) -> Module:
    module = bitcodec.parse_assembly(text)
    with monkeypatch.context() as patch:
        if not repeats:
            patch.setattr(bodies._Stamps, "is_due", lambda _stamps, _shape: False)
        target.expand(module)
    assert bitcodec.verify(module) == []
    return module


def described(module: Module) -> tuple[str, list[list[str]]]:
    """Return the text of a module, and the users of everything that is used, in their order."""
    values = [
        value
        for function in module.functions
        for value in (*function.arguments, *function.blocks, *function.instructions)
    ]
    return bitcodec.print_assembly(module), [[str(user) for user in value.users] for value in values]


def is_alike(text: str, target: Tried, monkeypatch: pytest.MonkeyPatch) -> bool:
    once = described(expanded(text, target, monkeypatch, repeats=False))
    return described(expanded(text, target, monkeypatch, repeats=True)) == once


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_random_functions(target: Tried, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = dict(enumerate(target.function_texts(TARGETS.index(target), 60)))
    assert is_alike(module_text(texts, target.head), target, monkeypatch)


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_long_block(target: Tried, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some are repeated, some are not: their operand is a cast, or what uses them decides."""
    lines = ["  %wide = zext i16 %b to i32"]
    for number in range(0, LONG, 4):
        lines += [
            f"  %r{number} = atomicrmw nand ptr %p, i8 %a seq_cst",
            f"  %r{number + 1} = atomicrmw max ptr %p, i32 %wide acquire",
            f"  %r{number + 2} = atomicrmw or ptr %p, i16 %b release",
            f"  %r{number + 3} = icmp eq i16 %r{number + 2}, %b",
        ]
    text = "\n".join(
        ["define void @f(ptr %p, i8 %a, i16 %b) {", "  br label %start", "start:", *lines, "  ret void", "}"]
    )
    assert is_alike(f"{target.head}\n{text}\n", target, monkeypatch)


HALVES = {
    "both": ("%half.old = extractvalue { i32, i1 } %pair, 0", "%half.done = extractvalue { i32, i1 } %pair, 1"),
    "turned": ("%half.done = extractvalue { i32, i1 } %pair, 1", "%half.old = extractvalue { i32, i1 } %pair, 0"),
    "one": ("%half.done = extractvalue { i32, i1 } %pair, 1",),
    "twice": ("%half.done = extractvalue { i32, i1 } %pair, 1", "%half.again = extractvalue { i32, i1 } %pair, 1"),
    "the pair": ("%half.done = extractvalue { i32, i1 } %pair, 1", "store { i32, i1 } %pair, ptr %q"),
    "later": ("store i32 1, ptr %q", "%half.done = extractvalue { i32, i1 } %pair, 1"),
    "records": (
        "%half.done = extractvalue { i32, i1 } %pair, 1",
        "#dbg_value(i32 1, !3, !DIExpression(), !4)",
        "%half.old = extractvalue { i32, i1 } %pair, 0",
        "#dbg_value(i32 %half.old, !3, !DIExpression(), !4)",
        "#dbg_value(i1 %half.done, !3, !DIExpression(), !4)",
    ),
    "the pair described": (
        "%half.done = extractvalue { i32, i1 } %pair, 1",
        "#dbg_value({ i32, i1 } %pair, !3, !DIExpression(), !4)",
    ),
    "nothing": (),
}
"""What uses the result of a `cmpxchg`."""
HALVES_END = """
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!5}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !5, spFlags: DISPFlagDefinition)
!3 = !DILocalVariable(name: "v", scope: !2, file: !1, line: 1)
!4 = !DILocation(line: 1, scope: !2)
!5 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
"""


@pytest.mark.parametrize("halves", HALVES)
@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_halves_of_exchanges(target: Tried, halves: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes half of the result of a `cmpxchg` goes away with it, whatever follows and uses that."""
    lines = []
    for number in range(4):
        lines.append("%pair = cmpxchg ptr %p, i32 %a, i32 %bits acq_rel monotonic")
        lines += HALVES[halves]
        if "%half.done =" in "".join(HALVES[halves]) and number != 2:
            lines += ["%half.wide = zext i1 %half.done to i32", "store i32 %half.wide, ptr %q"]
        lines.append("%pair.next = cmpxchg ptr %p, i32 %a, i32 %a seq_cst seq_cst")
        lines = [re.sub(r"%(half|pair)\b", rf"%\g<1>{number}", line) for line in lines]
    body = ["%bits = bitcast float %c to i32", *lines, "ret void, !dbg !4"]
    text = "\n".join(["define void @f(ptr %p, ptr %q, i32 %a, float %c) !dbg !2 {", *body, "}"])
    assert is_alike(f"{target.head}\n{text}\n{HALVES_END}", target, monkeypatch)


def counted(text: str, target: Tried, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Return how many instructions are expanded of those that a module has, and how many times a stamp is applied."""
    module = bitcodec.parse_assembly(f"{target.head}\n{text}\n")
    applied = []

    class Counted:
        def __init__(self, stamp: Stamp) -> None:
            self.stamp = stamp

        def apply(self, *arguments: object) -> object:
            applied.append(self)
            return self.stamp.apply(*arguments)

    record = bodies.Recording.stamp
    monkeypatch.setattr(bodies.Recording, "stamp", lambda *arguments: (stamp := record(*arguments)) and Counted(stamp))
    return target.expand(module), len(applied)


def test_most_are_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of instructions that are alike all but two are stamped, whatever function they are in."""
    function = "define void @f{}(ptr %p, i32 %v) {{\n  %old = atomicrmw nand ptr %p, i32 %v seq_cst\n  ret void\n}}"
    text = "\n".join(function.format(number) for number in range(10))
    assert counted(text, TRIED[0], monkeypatch) == (10, 8)


@pytest.mark.parametrize("target", ["powerpc64", "armv7"])
def test_exchanges_in_loops_are_repeated(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop of `cmpxchg` is expanded again where that is a loop itself; both are stamped."""
    function = "define void @f{}(ptr %p, float %v) {{\n  %old = atomicrmw fadd ptr %p, float %v seq_cst\n  ret void\n}}"
    text = "\n".join(function.format(number) for number in range(10))
    tried = next(each for each in TRIED if each.architecture == target)
    assert counted(text, tried, monkeypatch) == (10, 16)


OPERATIONS = {
    ("i8", "i16", "i32", "i64", "i128"): ("xchg", "add", "and", "nand", "max", "umin", "uinc_wrap", "usub_sat"),
    ("half", "float", "double"): ("xchg", "fadd", "fmax"),
    ("ptr",): ("xchg",),
}
OTHER_ACCESSES = (
    "%r = cmpxchg ptr %p, {type} %v, {type} poison seq_cst seq_cst",
    "%r = load atomic {type}, ptr %p seq_cst, align 8",
    "store atomic {type} %v, ptr %p seq_cst, align 8",
)


EXPANDING = [target for target in (*TRIED, *OTHERS) if str(target) != "wasm32-unknown-wasi O2"]


@pytest.mark.parametrize("target", some(EXPANDING, 10), ids=str)
def test_every_kind_is_repeated(target: Tried, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever an instruction becomes, a loop or a call, with barriers or without: the third one alike is stamped.

    Of AMDGPU that holds for accesses whose kind of memory is known.
    """
    has_library = not target.is_amdgpu and "nvptx" not in target.architecture
    pointer = "ptr addrspace(1)" if target.is_amdgpu else "ptr"
    bodies_of = [
        (type_, line)
        for types, operations in OPERATIONS.items()
        for type_ in types
        if type_ != "i128" or has_library
        for line in (*(f"%r = atomicrmw {each} ptr %p, {type_} %v seq_cst" for each in operations), *OTHER_ACCESSES)
        if type_.startswith(("i", "p")) or line.startswith("%r = atomicrmw")
    ]
    text = [target.head]
    for number, (type_, line) in enumerate([*bodies_of, *bodies_of, *bodies_of]):
        text.append(f"define void @f{number}({pointer} %p, {type_} %v) {{\n  store i8 1, {pointer} %p")
        access = line.format(type=type_).replace("ptr %p", f"{pointer} %p")
        text.append(f"  {access}\n  ret void\n}}")
    stamps: list[Stamp | None] = []
    record = bodies.Recording.stamp

    def noted(*arguments: object) -> Stamp | None:
        stamps.append(record(*arguments))
        return stamps[-1]

    monkeypatch.setattr(bodies.Recording, "stamp", noted)
    target.expand(bitcodec.parse_assembly("\n".join(text)))
    assert len(stamps) >= len(bodies_of)
    assert None not in stamps
