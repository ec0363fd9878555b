"""Numbers of flags in records.  LLVM 19 is the first that reads `nusw` and `nuw` of `getelementptr`."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec import bitstream
from bitcodec.tables.instruction_flags import GEPFlags, flag_numbers, newer_flags

ALL = GEPFlags.INBOUNDS | GEPFlags.NUSW | GEPFlags.NUW


@pytest.mark.parametrize(("version", "number", "lost"), [(18, 1, ["nuw"]), (19, 7, []), (None, 7, [])])
def test_a_version_reads_the_flags_that_it_has(version: int | None, number: int, lost: list[str]) -> None:
    assert flag_numbers("getelementptr", version=version)[ALL] == number
    assert [flag.word for flag in newer_flags("getelementptr", ALL, version or 22)] == lost


def test_stack_slots_keep_their_flags() -> None:
    """Numbers and text are of llvm-as, llvm-bcanalyzer and llvm-dis 22.1.8."""
    body = "  %a = alloca inalloca i32, align 4\n  %b = alloca swifterror ptr, align 8\n  ret void\n"
    data = bitcodec.dumps(bitcodec.parse_assembly(f"define void @f() {{\n{body}}}\n"))

    assert body in str(bitcodec.loads(data))
    function = bitstream.loads(data).edit().block(8).block(12)
    assert [record.operands[3] for record in function.records if record.code == 19] == [99, 196]


def test_words_of_flags_and_their_numbers() -> None:
    """Numbers and text are of llvm-as, llvm-bcanalyzer and llvm-dis 22.1.8."""
    words = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "fast")
    lines = [f"%v{number} = fadd {word} float %x, %x" for number, word in enumerate(words)]
    lines.append("%a = getelementptr nusw i8, ptr %p, i64 1")
    for flags in ("", "weak ", "volatile ", "weak volatile "):
        lines.append(f"%c{len(lines)} = cmpxchg {flags}ptr %p, i32 0, i32 1 monotonic monotonic, align 4")
    body = "".join(f"  {line}\n" for line in [*lines, "ret float %x"])
    data = bitcodec.dumps(bitcodec.parse_assembly(f"define float @f(float %x, ptr %p) {{\n{body}}}\n"))

    assert body in str(bitcodec.loads(data))
    records = bitstream.loads(data).edit().block(8).block(12).records
    assert [record.operands[3] for record in records if record.code == 2] == [128, 2, 4, 8, 16, 32, 64, 254]
    assert [record.operands[0] for record in records if record.code == 43] == [2]
    exchanges = [(record.operands[-6], record.operands[-2]) for record in records if record.code == 46]
    assert exchanges == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_inline_assembly_keeps_its_flags() -> None:
    """Numbers and text are of llvm-as, llvm-bcanalyzer and llvm-dis 22.1.8."""
    words = ["sideeffect", "alignstack", "inteldialect", "unwind"]
    lines = [f'  call void asm {word} "nop {word}", ""()\n' for word in (*words, " ".join(words))]
    body = "".join(lines)
    module = bitcodec.parse_assembly(f"define void @f() {{\n{body}  ret void\n}}\n")
    data = bitcodec.dumps(module)

    assert body in str(bitcodec.loads(data))
    constants = bitstream.loads(data).edit().block(8).block(12).block(11)
    assert [record.operands[1] for record in constants.records if record.code == 30] == [1, 2, 4, 8, 15]
    assembly = module.functions["f"].blocks[0].instructions[3].callee
    assert (assembly.has_side_effects, assembly.is_align_stack, assembly.can_unwind) == (False, False, True)
    with pytest.raises(TypeError, match=r"unknown flag is_volatile of inline assembly: expected has_side_effects, "):
        module.context.constants.inline_asm(assembly.function_type, "", "", is_volatile=True)


def test_fast_math_flags_of_casts_of_llvm_23() -> None:
    """Numbers and text are of llvm-as, llvm-bcanalyzer and llvm-dis 23.1.4, and of llvm-dis 22.1.8 for LLVM 22."""
    body = """  %a = uitofp nnan nneg i32 %x to float
  %b = uitofp fast i32 %x to float
  %c = uitofp nneg i32 %x to float
  %d = sitofp reassoc nsz i32 %x to float
  %e = uitofp reassoc afn i32 %x to float
  ret void
"""
    module = bitcodec.parse_assembly(f"define void @f(i32 %x) {{\n{body}}}\n")
    data = bitcodec.dumps(module)

    assert body in str(bitcodec.loads(data))
    records = bitstream.loads(data).edit().block(8).block(12).records
    assert [(record.operands[3], record.abbreviation_id) for record in records if record.code == 3] == [
        (5, 11), (508, 11), (1, 11), (136, 11), (384, 11)
    ]  # fmt: skip
    losses: list[tuple[str, int]] = []
    older = bitcodec.dumps(
        module, llvm_version=22, on_loss=lambda loss: losses.append((loss.construct, loss.occurrences))
    )
    assert losses == [("fast-math flags of uitofp", 3), ("fast-math flags of sitofp", 1)]
    assert [line.split(" i32")[0] for line in str(bitcodec.loads(older)).splitlines() if "tofp" in line] == [
        "  %a = uitofp nneg", "  %b = uitofp", "  %c = uitofp nneg", "  %d = sitofp", "  %e = uitofp"
    ]  # fmt: skip


@pytest.mark.parametrize("version", [4, 5])
def test_fast_math_flags_before_llvm_6(version: int) -> None:
    """LLVM 6 is the first with `afn` and `reassoc`, LLVM 5 with `contract`; one bit is for all flags before."""
    body = """  %a = fneg afn float %x
  %b = fadd fast float %x, %a
  %c = fmul nnan contract reassoc float %x, %b
  ret float %c
"""
    module = bitcodec.parse_assembly(f"define float @f(float %x) {{\n{body}}}\n")
    losses: list[str] = []
    data = bitcodec.dumps(module, llvm_version=version, on_loss=lambda loss: losses.append(loss.construct))

    contract = ["fast-math flag `contract`"] if version < 5 else []
    assert sorted(losses) == [*contract, "fast-math flags `reassoc` and `afn`", "fneg"]
    records = bitstream.loads(data).edit().block(8).block(12).records
    math = 2 if version < 5 else 2 | 32
    assert [tuple(record.operands[3:]) for record in records if record.code == 2] == [(), (1,), (math,)]
