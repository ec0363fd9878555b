"""The text of `llvm-bcanalyzer --dump`: each expectation was printed by llvm-bcanalyzer 22.1.8 of the same stream."""

from __future__ import annotations

import pytest

from bits import Bits, Field

from .forms import Form
from .reference import analyzer_text

NAME: tuple[Field, ...] = (2, "array", "char6")
DATA: tuple[Field, ...] = (3, ("vbr", 6), "blob")
BYTES: tuple[Field, ...] = (4, 7, "array", ("fixed", 8))


def example() -> Bits:
    bits = Bits().enter_block(0).unabbreviated(1, [40]).unabbreviated(2, b"Forty").unabbreviated(3, [7, *b"Seven"])
    bits.end_block().enter_block(8, width=4).unabbreviated(1, [2, 2**63, 2**64 - 1]).define(*NAME).define(*DATA)
    bits.define(*BYTES).abbreviated(4, NAME, [2, *b"abc"]).abbreviated(5, DATA, [3, 1], b"it's <text>")
    bits.abbreviated(5, DATA, [3, 1], b'\t"\xff').abbreviated(6, BYTES, [4, 7, *b"text"])
    bits.abbreviated(6, BYTES, [4, 7, 0, 255]).abbreviated(4, NAME, [2]).unabbreviated(77, range(3))
    bits.enter_block(40).unabbreviated(7, []).unabbreviated(8, []).end_block().enter_block(31).end_block()
    return bits.end_block()


TEXT = b"""\
<BLOCKINFO_BLOCK/>
<MODULE_BLOCK NumWords=27 BlockCodeSize=4>
  <VERSION op0=2 op1=-9223372036854775808 op2=-1/>
  <TRIPLE abbrevid=4 op0=97 op1=98 op2=99/> record string = 'abc'
  <DATALAYOUT abbrevid=5 op0=1/> blob data = 'it's <text>'
  <DATALAYOUT abbrevid=5 op0=1/> blob data = unprintable, 3 bytes.
  <ASM abbrevid=6 op0=7 op1=116 op2=101 op3=120 op4=116/> record string = 'text'
  <ASM abbrevid=6 op0=7 op1=0 op2=255/>
  <TRIPLE abbrevid=4/> record string = ''
  <UnknownCode77 op0=0 op1=1 op2=2/>
  <Forty NumWords=2 BlockCodeSize=3>
    <Seven/>
    <UnknownCode8/>
  </Forty>
  <UnknownBlock31 NumWords=1 BlockCodeSize=3>
  </UnknownBlock31>
</MODULE_BLOCK>
"""

NON_SYMBOLIC = b"""\
<BLOCKINFO_BLOCK/>
<MODULE_BLOCK BlockID=8 NumWords=27 BlockCodeSize=4>
  <VERSION codeid=1 op0=2 op1=-9223372036854775808 op2=-1/>
  <TRIPLE codeid=2 abbrevid=4 op0=97 op1=98 op2=99/> record string = 'abc'
  <DATALAYOUT codeid=3 abbrevid=5 op0=1/> blob data = 'it's <text>'
  <DATALAYOUT codeid=3 abbrevid=5 op0=1/> blob data = unprintable, 3 bytes.
  <ASM codeid=4 abbrevid=6 op0=7 op1=116 op2=101 op3=120 op4=116/> record string = 'text'
  <ASM codeid=4 abbrevid=6 op0=7 op1=0 op2=255/>
  <TRIPLE codeid=2 abbrevid=4/> record string = ''
  <UnknownCode77 op0=0 op1=1 op2=2/>
  <Forty BlockID=40 NumWords=2 BlockCodeSize=3>
    <Seven codeid=7/>
    <UnknownCode8/>
  </Forty>
  <UnknownBlock31 NumWords=1 BlockCodeSize=3>
  </UnknownBlock31>
</MODULE_BLOCK>
"""

BLOBS = b"""\
  <DATALAYOUT abbrevid=5 op0=1/> blob data = '\\t\\"\\xFF'
"""

BLOCKINFO = b"""\
<BLOCKINFO_BLOCK NumWords=6 BlockCodeSize=3>
  <SETBID op0=40/>
  <BLOCKNAME op0=70 op1=111 op2=114 op3=116 op4=121/>
  <SETRECORDNAME op0=7 op1=83 op2=101 op3=118 op4=101 op5=110/>
</BLOCKINFO_BLOCK>
"""


def dumped(form: Form, bits: Bits, **options: bool) -> bytes:
    return analyzer_text(form, bits.stream(), "x", **options)[0].split(b"\n\nSummary of")[0]


def test_all_kinds_of_lines(form: Form) -> None:
    assert dumped(form, example()) == TEXT


def test_numbers_beside_names(form: Form) -> None:
    assert dumped(form, example(), symbolic=False) == NON_SYMBOLIC


def differing(text: bytes) -> list[bytes]:
    return [line for line in text.splitlines() if line not in TEXT.splitlines()]


def test_blobs_shown(form: Form) -> None:
    assert differing(dumped(form, example(), blobs=True)) == BLOBS.splitlines()


def test_blockinfo_shown(form: Form) -> None:
    text = dumped(form, example(), block_info=True)
    assert text.startswith(BLOCKINFO)
    assert text.removeprefix(BLOCKINFO) == TEXT.removeprefix(b"<BLOCKINFO_BLOCK/>\n")


def test_more_than_256_operands(form: Form) -> None:
    line = dumped(form, Bits().enter_block(8).unabbreviated(99, range(300)).end_block()).splitlines()[1]
    assert line == b"  <UnknownCode99" + b"".join(b" op%d=%d" % (index, index) for index in range(300)) + b"/>"


@pytest.mark.parametrize("value", [0, 1, 9, 10, 99, 2**32, 10**18, 10**19, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1])
def test_operands_are_signed(form: Form, value: int) -> None:
    signed = value if value < 2**63 else value - 2**64
    line = dumped(form, Bits().enter_block(8).unabbreviated(99, [value]).end_block()).splitlines()[1]
    assert line == b"  <UnknownCode99 op0=%d/>" % signed


def test_a_long_stream_comes_in_chunks(form: Form) -> None:
    bits = Bits().enter_block(8)
    for _ in range(60):
        bits.enter_block(9).unabbreviated(1, [2**63] * 1000).end_block()
    stream = form.loads(bits.end_block().stream())
    chunks = list(form.dump.dump_chunks(stream.payload, stream.columns))
    assert len(chunks) > 1
    assert all(len(chunk) < 2 << 20 for chunk in chunks)
    assert b"".join(chunks) == dumped(form, bits).replace(b"MODULE_BLOCK", b"UnknownBlock8").replace(
        b"PARAMATTR_BLOCK", b"UnknownBlock9"
    ).replace(b"<ENTRY", b"<UnknownCode1")


def test_what_came_before_an_error_is_shown(form: Form) -> None:
    stream = form.loads(Bits().enter_block(40).unabbreviated(1, [2]).id(7).stream())
    text = b"".join(form.dump.dump_chunks(stream.payload, stream.decode()))
    assert text == b"<UnknownBlock40 NumWords=0 BlockCodeSize=3>\n  <UnknownCode1 op0=2/>\n"


def test_names_given_inside_of_the_block_that_they_are_for(form: Form) -> None:
    bits = Bits().enter_block(40).enter_block(0).unabbreviated(1, [40]).unabbreviated(3, [7, *b"Seven"])
    bits.unabbreviated(2, b"Forty").end_block().unabbreviated(7, []).end_block()
    assert dumped(form, bits) == (
        b"<UnknownBlock40 NumWords=9 BlockCodeSize=3>\n  <BLOCKINFO_BLOCK/>\n  <Seven/>\n</UnknownBlock40>\n"
    )
