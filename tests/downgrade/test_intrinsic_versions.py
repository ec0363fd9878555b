"""First versions of intrinsics are those of the libraries and the verifiers of LLVM."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from answers import recall
from bitcodec.downgrade.intrinsic_versions import first_version, known_since

from .oracles import library, verify

KNOWN = {
    "coro.end.async": "llvm.coro.end.async",
    "coro.suspend.async": "llvm.coro.suspend.async",
    "objc.claimAutoreleasedReturnValue": "llvm.objc.claimAutoreleasedReturnValue",
    "sponentry": "llvm.sponentry",
    "stepvector": "llvm.experimental.stepvector",
    "vp.cttz.elts": "llvm.vp.cttz.elts",
}
"""Names without `llvm.`, and the names that the first version has."""


def is_known(version: int, name: str) -> bool:
    """Return whether the library of a version contains the name of an intrinsic."""
    question = [f"library of LLVM {version}", name]
    return bool(recall(question, lambda: f"{name}\0".encode() in library(version).read_bytes()))


@pytest.mark.parametrize("base", KNOWN)
def test_first_versions_of_names(base: str) -> None:
    first = known_since(base)
    assert [is_known(version, KNOWN[base]) for version in (first - 1, first)] == [False, True]


@pytest.mark.parametrize("base", ["llrint", "llround", "lrint", "lround"])
def test_first_versions_with_vectors(base: str, tmp_path: Path) -> None:
    name = f"@llvm.{base}.v2i64.v2f32(<2 x float>"
    module = bitcodec.parse_assembly(
        f"declare <2 x i64> {name})\ndefine <2 x i64> @f(<2 x float> %a) {{\n"
        f"  %r = call <2 x i64> {name} %a)\n  ret <2 x i64> %r\n}}\n"
    )
    path = tmp_path / "module.bc"
    path.write_bytes(bitcodec.dumps(module, llvm_version=20))

    accepting = [version for version in (16, 17, 18, 19, 20) if not verify(version, path)]
    assert first_version(base, module.functions[0].function_type) == accepting[0]
