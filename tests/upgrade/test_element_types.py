"""Arguments that need an `elementtype`."""

from __future__ import annotations

import pytest

from bitcodec.upgrade.element_types import element_type_arguments

from .models import Body


@pytest.mark.parametrize(
    ("name", "signature", "arguments"),
    [
        ("llvm.arm.ldrex.p0i32", "i32(p0)", [0]),
        ("llvm.arm.strex.p0i32", "i32(i32,p0)", [1]),
        # LLVM 22 reads the call, and its verifier rejects it.
        ("llvm.arm.strex.p0i32", "i32(p0)", []),
    ],
)
def test_arguments_of_intrinsics(name: str, signature: str, arguments: list[int]) -> None:
    assert [*element_type_arguments(Body().declare(name, signature))] == arguments
