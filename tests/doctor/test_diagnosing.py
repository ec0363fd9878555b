"""What a diagnosis says beside the verdicts: the writer, what is unusual, where the damage is, what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec import bitcode, bitstream
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode
from bitcodec.bitstream import Draft
from bitcodec.builder import Builder, add_block, add_function, new_module
from bitcodec.doctor import VERSIONS, Diagnosis, Effect, diagnose
from bitcodec.tables.versions import NEWEST

_ROOT = Path(__file__).parents[2]
HELLO, QUEUE = ((_ROOT / "examples" / f"{name}.bc").read_bytes() for name in ("hello", "queue"))


def only(data: bytes, *versions: int) -> Diagnosis:
    (diagnosis,) = diagnose(data, versions or VERSIONS)
    return diagnosis


def changed(data: bytes, block_id: int, code: int, operands: tuple[int, ...]) -> bytes:
    """Return a file with other operands in the first record of a code."""
    draft: Draft = bitstream.loads(data).edit()
    blocks = list(draft.blocks)
    for block in blocks:
        blocks += block.blocks
    record = next(r for block in blocks if block.id == block_id for r in block.records if r.code == code)
    record.operands, record.abbreviation_id = operands, 3
    return bitcode.dumps(draft)


def test_the_writer() -> None:
    (module,) = only(HELLO).modules
    assert (module.producer, module.epoch, module.triple) == ("LLVM22.1.8", 0, "x86_64-unknown-linux-gnu")


def test_what_no_version_lacks_is_read_by_all() -> None:
    data = bitcodec.dumps(new_module("empty"), llvm_version=15)
    assert only(data).needs == 5, "names in a string table are all that LLVM 4 lacks"
    assert [verdict.version for verdict in only(data).verdicts if not verdict.is_clean] == [4]


def test_versions_that_are_asked_for() -> None:
    assert [verdict.version for verdict in only(HELLO, 14, 22).verdicts] == [14, 22]
    assert only(HELLO, 14).needs == 22
    assert only(HELLO, 14).verdict(14).obstacles
    with pytest.raises(ValueError, match="no verdict of LLVM 22 was requested"):
        only(HELLO, 14).verdict(22)
    with pytest.raises(ValueError, match=f"LLVM 3 is not one of 4 to {NEWEST}"):
        only(HELLO, 3)


def test_an_epoch() -> None:
    diagnosis = only(changed(HELLO, 13, 2, (1,)))
    assert {verdict.message for verdict in diagnosis.verdicts} == {"Incompatible epoch: Bitcode '1' vs current: '0'"}
    assert diagnosis.needs is None


def test_an_unknown_type() -> None:
    draft = bitstream.loads(HELLO).edit()
    types = next(block for module in draft.blocks for block in module.blocks if block.id == 17)
    types.records[-1].code = 77
    diagnosis = only(bitcode.dumps(draft), 22)
    assert diagnosis.damage is not None
    assert "type of an unknown kind (77)" in {obstacle.construct for obstacle in diagnosis.verdicts[0].obstacles}


def test_misread() -> None:
    """Flags that a version takes for others are no obstacle; they are in a list of their own."""
    misread = only(HELLO, 18).verdicts[0].misread
    assert [(each.rule, each.effect) for each in misread] == [("getelementptr-flags", Effect.MISREADS)]


def test_what_a_verifier_rejects() -> None:
    module = new_module("lifetimes")
    types = module.context.types
    add_function(module, "llvm.lifetime.start.p0", types.function(types.void, [types.pointer()]))
    verdict = only(bitcodec.dumps(module), 21).verdicts[0]
    assert verdict.reads
    assert [each.message for each in verdict.rejected] == ["Intrinsic has incorrect argument type!"]


def test_remarks() -> None:
    assert only(HELLO).unusual == ()
    assert only(HELLO + HELLO[4:]).unusual == ("it contains 2 modules: tools that expect one refuse it",)
    other = "it names LLVM 14 as its producer, but contains constructs of LLVM 22"
    assert only(changed(HELLO, 13, 1, tuple(b"LLVM14.0.0"))).unusual == (other,)
    apple = "its producer 'APPLE_1_1600.0.26.6_0' is not a release of LLVM"
    assert only(changed(HELLO, 13, 1, tuple(b"APPLE_1_1600.0.26.6_0"))).unusual == (apple,)
    summary = (_ROOT / "tests" / "data" / "index-22.thinlto.bc").read_bytes()
    assert any(remark.startswith("it contains a ThinLTO summary: ") for remark in only(summary).unusual)


def test_a_broken_module() -> None:
    module = new_module("broken")
    types = module.context.types
    Builder(add_block(add_function(module, "f", types.function(types.void, [])), "entry")).fence("acquire")
    diagnosis = only(bitcodec.dumps(module), 22)
    assert diagnosis.verdicts[0].reads, "only a verifier finds it broken"
    remark = diagnosis.unusual[0]
    assert remark.startswith("LLVM's verifier rejects it: ")
    assert "does not have terminator" in remark


def test_advice() -> None:
    assert only(HELLO, 18).verdicts[0].advice == ("bitcodec downgrade --llvm 18", "use LLVM 22 or newer")
    assert only(HELLO, 22).verdicts[0].advice == ()


@pytest.mark.parametrize(
    ("data", "advice"),
    [
        (QUEUE[:5000], "copy or write it again: it is cut off, 5000 bytes of at least 7080"),
        (HELLO[:-100], "copy or write it again: it is cut off, 3992 bytes of at least 4000"),
        (QUEUE[:2000] + QUEUE[2004:], "write the file again: it is damaged"),
        (QUEUE[:3000] + b"\xff" * 4 + QUEUE[3004:], "write the file again: it is damaged"),
        (
            HELLO + b"a line of a log\n" * 2,
            "remove the last 32 bytes, which do not belong to it: what precedes them is whole",
        ),
        (
            QUEUE.replace(b"\n", b"\r\n"),
            "copy it again as a binary file: each line feed has a carriage return in front, as in copies of text",
        ),
    ],
)
def test_what_to_do_about_damage(data: bytes, advice: str) -> None:
    data += bytes(-len(data) % 4)
    assert only(data, 22).verdicts[0].advice == (advice,)


def test_what_to_do_about_sound_bits_that_break_a_rule() -> None:
    text = b"declare i64 @g(i64)\ndefine i64 @f(i64 %x) {\n %y = call i64 @g(i64 %x)\n ret i64 %y\n}\n"
    data = bitcodec.dumps(bitcodec.parse_assembly(text))
    (record,) = [
        record
        for module in bitstream.loads(data).blocks
        for body in module.blocks
        if body.id == BlockId.FUNCTION_BLOCK
        for record in body.records
        if record.code == FunctionCode.INST_CALL
    ]
    wrong = changed(data, BlockId.FUNCTION_BLOCK, FunctionCode.INST_CALL, (*record.operands[:-1], 2))
    diagnosis = only(wrong, 22)
    assert diagnosis.damage is not None
    assert diagnosis.damage.has_sound_bits
    assert diagnosis.damage.reason == "INST_CALL record: expected a value of type i64, found one of type ptr"
    verdict = diagnosis.verdicts[0]
    assert verdict.message == "Invalid record"
    producer, place = diagnosis.modules[0].producer, diagnosis.damage.bit_offset
    whom = f"its producer, {producer}, if the file is the same when it is written again"
    advice = f"report it to {whom}: its bits are sound, but the record at bit {place} breaks a rule"
    assert verdict.advice == (advice,)


def test_a_size_that_llvm_refuses() -> None:
    verdict = only(HELLO + b"\0", 22).verdicts[0]
    assert verdict.message == "Invalid bitcode signature"
    assert verdict.advice == ("remove the last 1 bytes, which do not belong to it: what precedes them is whole",)


@pytest.mark.parametrize(
    ("attribute", "messages"),
    [
        ((1, 18, 5), {11: "", 13: "Not an int attribute"}),
        ((0, 1), {11: "", 13: "Not an enum attribute"}),
        ((6, 18, 0), {13: "Not a type attribute"}),
        ((114, 3), {11: "", 14: "Not a type attribute", 15: "Invalid attribute group entry"}),
        ((0, 86), {15: "Unknown attribute kind (86)", 16: "Not an enum attribute"}),
    ],
)
def test_attributes_in_the_form_of_others(attribute: tuple[int, ...], messages: dict[int, str]) -> None:
    module = new_module("attributes")
    types = module.context.types
    add_function(module, "f", types.function(types.void, [])).add_attribute("nounwind")
    data = changed(bitcodec.dumps(module, llvm_version=8), 10, 3, (1, 0xFFFF_FFFF, *attribute))
    verdicts = only(data, *messages).verdicts
    assert {verdict.version: verdict.message for verdict in verdicts} == messages


def test_a_wrong_length_that_llvm_does_not_look_at() -> None:
    """LLVM reads most blocks to their ends; the length is for those that skip them."""
    data = bytearray(bitcodec.dumps(new_module("empty"), llvm_version=15))
    blocks = bitstream.loads(bytes(data)).decode().blocks
    data[blocks.start[list(blocks.id).index(17)] // 32 * 4 + 4] += 1
    diagnosis = only(bytes(data), 15, 22)
    assert diagnosis.damage is not None
    assert [verdict.reads for verdict in diagnosis.verdicts] == [True, True]


@pytest.mark.parametrize(
    ("bits", "message"),
    [
        (b"\x02" + bytes(15), "Abbrev record with no operands"),
        (b"\x00" + b"\xff" * 15, "Malformed block"),
        (b"\x03" + b"\xff" * 15, "Unterminated VBR"),
        (b"\x07\x1f" + bytes(14), "Unexpected end of file reading {0} of {0} bytes"),
        (b"\xff" * 7, None),
    ],
)
def test_what_follows_the_last_block(bits: bytes, message: str | None) -> None:
    data = HELLO + bits
    verdict = only(data + bytes(-len(data) % 4), 22).verdicts[0]
    expected = "" if message is None else message.format(len(data))
    assert verdict.message == expected


def test_damage() -> None:
    damage = only(QUEUE[:6000]).damage
    assert damage is not None
    assert not damage.has_sound_bits
    assert (damage.bit_offset, damage.block_path) == (47996, (8, 12, 15))
    assert (damage.intact_blocks, damage.intact_records) == (20, 348)
    assert only(QUEUE).damage is None
