"""Checks look into bodies only if something there, or a constant, may be refused where it is written."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.downgrade.losses import Losses
from bitcodec.downgrade.survey import OlderDialect

_PLAIN = "define void @f(ptr %p) {\n  %1 = load i32, ptr %p\n  ret void\n}\n"
_OTHER = {
    "type": "define void @f(ptr %p) {\n  %1 = load bfloat, ptr %p\n  ret void\n}\n",
    "scalable vector": "define void @f(ptr %p) {\n  %1 = load <vscale x 4 x i32>, ptr %p\n  ret void\n}\n",
    "constant": "define ptr addrspace(1) @f() addrspace(1) {\n  br label %a\na:\n"
    "  ret ptr addrspace(1) blockaddress(@f, %a)\n}\n",
    "assembly": 'define void @f() {\n  call void asm sideeffect unwind "", ""()\n  ret void\n}\n',
}


def _dialect(text: str) -> OlderDialect:
    module = bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly(text)))
    module.materialize()
    return OlderDialect(module, Losses(4), is_check=True)


def test_nothing_in_plain_bodies_is_refused() -> None:
    dialect = _dialect(_PLAIN)
    assert not dialect.refuses_late
    assert not dialect.casts_pointers


@pytest.mark.parametrize("text", _OTHER.values(), ids=_OTHER)
def test_what_may_be_refused_is_noticed(text: str) -> None:
    assert _dialect(text).refuses_late


def test_casts_on_edges_are_made() -> None:
    dialect = _dialect(
        "declare ptr @g()\ndefine void @f() personality ptr @g {\n  %1 = invoke ptr @g() to label %a unwind label %b\n"
        "a:\n  ret void\nb:\n  %2 = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %2\n}\n"
    )
    assert dialect.casts_pointers
    assert not dialect.refuses_late
