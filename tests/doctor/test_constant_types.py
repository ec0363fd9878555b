"""Constants of modules with typed pointers that refer to others by a type that these do not have."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode
from bitcodec.doctor import Effect

from .readers import ask
from .test_diagnosing import changed, only

TEXT = """
%pair = type { ptr, i32 }
@number = global i32 1
@array = global [4 x i32] zeroinitializer
@pair = global %pair { ptr @number, i32 7 }
@place = global ptr getelementptr inbounds ([4 x i32], ptr @array, i64 0, i64 2)
"""
_FATAL = "LLVM ERROR: Type mismatch in constant table!"


def typed(version: int) -> bytes:
    return bitcodec.dumps(bitcodec.parse_assembly(TEXT), llvm_version=version)


@pytest.mark.parametrize("version", [5, 8, 12, 14])
def test_constants_of_the_types_that_they_are_referred_to_by(version: int) -> None:
    assert only(typed(version), version).verdicts[0].reads


@pytest.mark.parametrize(
    ("code", "operands"),
    [
        (ConstantsCode.AGGREGATE, (4, 10)),  # the elements of the pair in the wrong order
        (ConstantsCode.CE_CAST, (11, 2, 0)),
        (ConstantsCode.CE_INBOUNDS_GEP, (2, 1, 1, 9, 6, 9, 7)),
    ],
)
def test_other_types(code: ConstantsCode, operands: tuple[int, ...], tmp_path: Path) -> None:
    data = changed(typed(8), BlockId.CONSTANTS_BLOCK, code, operands)
    verdicts = only(data, 8, 12, 14).verdicts
    assert [verdict.message for verdict in verdicts] == [_FATAL, _FATAL, _FATAL]
    assert verdicts[2].obstacles[0].effect is Effect.CRASHES
    (tmp_path / "other.bc").write_bytes(data)
    assert ask(8, tmp_path / "other.bc").message == _FATAL
