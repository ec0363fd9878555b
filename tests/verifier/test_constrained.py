"""Metadata arguments of constrained floating-point intrinsics."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bitcodec.ir.metadata import MDString
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.verifier.constrained import constrained_problem


def problem(operation: str, *texts: str) -> str | None:
    arguments: list[Any] = []
    for text in texts:
        argument = MetadataAsValue.__new__(MetadataAsValue)
        argument.metadata = MDString(text)
        arguments.append(argument)
    scalar = SimpleNamespace()
    call: Any = SimpleNamespace(arguments=arguments, type=scalar, operand_at=lambda _: SimpleNamespace(type=scalar))
    return constrained_problem(call, operation)


@pytest.mark.parametrize(
    ("operation", "texts", "expected"),
    [
        ("fadd", ("round.dynamic", "fpexcept.strict"), None),
        ("fadd", ("round.up", "fpexcept.strict"), "invalid rounding mode argument"),
        ("fadd", ("round.upward", "strict"), "invalid exception behavior argument"),
        ("fptosi", ("fpexcept.ignore",), None),
        ("fptosi", ("round.dynamic",), "invalid exception behavior argument"),
        ("fcmp", ("oeq", "fpexcept.maytrap"), None),
        ("fcmps", ("eq", "fpexcept.maytrap"), "invalid predicate for constrained FP comparison intrinsic"),
    ],
)
def test_problems(operation: str, texts: tuple[str, ...], expected: str | None) -> None:
    assert problem(operation, *texts) == expected
