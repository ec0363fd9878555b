"""Streams in words are what LLVM 22 takes them for."""

from __future__ import annotations

import pytest

from bits import Bits

from . import streams as s
from .streams import llvm_dis, llvm_dis_error, module, record, stream, types

NOTHING = "; ModuleID = '<stdin>'\nsource_filename = \"<stdin>\"\n"


def text_of(*blocks: s.Block) -> str:
    """Return what llvm-dis prints after its first lines."""
    text = llvm_dis(stream(*blocks))
    assert text.startswith(NOTHING)
    return text.removeprefix(NOTHING).strip()


def test_a_stream_is_its_blocks_one_after_another() -> None:
    by_hand = Bits().enter_block(8, width=4).unabbreviated(1, [1]).enter_block(17, width=4).end_block().end_block()
    assert stream(module(s.block(17))) == by_hand.stream()


def test_operands_may_be_text() -> None:
    assert record(2, 7, "ab", b"\xff", 8) == s.Record(2, (7, 97, 98, 255, 8))


@pytest.mark.parametrize(("value", "operand"), [(0, 0), (1, 2), (-1, 3), (5, 10), (-5, 11)])
def test_signs_stand_in_the_lowest_bit(value: int, operand: int) -> None:
    assert s.signed(value) == operand


def test_records_are_as_short_as_their_fields_allow() -> None:
    assert s.variable(1) == record(7, 1, 0, 0, 0, 0, 0)
    assert s.variable(1, linkage=3) == record(7, 1, 0, 0, 3, 0, 0)
    assert s.variable(1, visibility=2) == record(7, 1, 0, 0, 0, 0, 0, 2)
    assert s.function(4) == record(8, 4, 0, 1, 0, 0, 0, 0, 0)
    assert s.function(4, is_declaration=0, gc=1) == record(8, 4, 0, 0, 0, 0, 0, 0, 0, 1)
    assert s.alias_old(1, 0, linkage=9) == record(9, 1, 0, 9)


def test_fields_that_no_record_has_are_refused() -> None:
    with pytest.raises(AssertionError, match="gc"):
        s.variable(1, gc=1)


def test_the_example() -> None:
    text = text_of(module(types(s.integer(32), s.pointer(0)), s.variable(1), s.value_symtab({0: "x"})))
    assert text == "@x = external global i32"


def test_blocks_of_the_top_level() -> None:
    opaque = types(s.integer(32), s.opaque_pointer())
    variable = record(7, 0, 1, 0, 2, 0, 0, 0, 0)  # name, value type, explicit type, external declaration
    assert text_of(s.identification(), module(opaque, variable, version=2), s.strtab("v")) == "@v = external global i32"
    assert "Incompatible epoch" in llvm_dis_error(stream(s.identification(epoch=9), module()))


def test_a_function_with_all_that_it_may_hold() -> None:
    signature = types(s.integer(32), s.function_type(0, 0), s.pointer(1), s.VOID, s.function_type(3), s.pointer(4))
    text = text_of(
        module(
            s.attribute_lists([s.FUNCTION_INDEX, 1 << 5]),
            signature,
            s.function(2, is_declaration=0, attributes=1),
            s.function(5),
            s.value_symtab({0: "f", 1: "callee"}),
            s.metadata(record(6, 9, "kind"), record(3)),
            s.function_block(
                s.constants(s.set_type(0), s.constant_integer(-7), s.NULL),
                s.binary(3, 2, s.MUL),
                s.call(4, 5 - 1 + 1),
                s.compare(1, 3, s.NE),
                s.conditional_branch(1, 1, 2),
                s.branch(2),
                s.phi(0, (s.signed(2), 0), (s.signed(4), 1)),
                s.ret(1),
                s.value_symtab({2: "a", 5: "m", 6: "c", 7: "p"}, {0: "entry", 1: "then", 2: "end"}),
                s.metadata_attachments(record(11, 0, 9, 0)),
                blocks=3,
            ),
        )
    )
    assert text.startswith(
        """\
; Function Attrs: nounwind
define i32 @f(i32 %a) #0 {
entry:
  %m = mul i32 %a, -7, !kind !0
  call void @callee()
  %c = icmp ne i32 %m, -7
  br i1 %c, label %then, label %end

then:                                             ; preds = %entry
  br label %end

end:                                              ; preds = %then, %entry
  %p = phi i32 [ %m, %entry ], [ -7, %then ]
  ret i32 %p
}

declare void @callee()
"""
    )


def test_what_is_malformed_stays_so() -> None:
    assert llvm_dis_error(stream(module(s.variable(0)))).endswith("Invalid record")
    assert llvm_dis_error(stream(module())) == ""
