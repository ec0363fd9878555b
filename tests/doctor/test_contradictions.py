"""`doctor` and `downgrade` never contradict each other.  `python -m tests.doctor.contradictions` looks at any files."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import bitcodec
from amounts import amount
from bitcodec.builder import new_module
from bitcodec.doctor import diagnose
from bitcodec.ir.context import Context
from corpus import FOLDER
from downgrade.oracles import verify
from mutations import DATA
from tables.intrinsic_instances import instances_of, module_of

from .contradictions import VERSIONS, contradictions
from .samples import for_versions

PAIRS = Path(__file__).parents[1] / "downgrade" / "intrinsic_pairs.txt"
INTRINSICS = amount(15, 30)
SAMPLES = 12
FILES = sorted(DATA.glob("*.bc"))
SMALLEST = 50_000


def _drawn(name: str) -> list[int]:
    """Return a few versions, always the same for a name."""
    return sorted(random.Random(name).sample(VERSIONS, 3))


@pytest.mark.parametrize("path", [path for path in FILES if path.stat().st_size < SMALLEST], ids=lambda path: path.name)
def test_files_of_the_repository(path: Path) -> None:
    assert list(contradictions(path.read_bytes(), _drawn(path.name))) == []


@pytest.mark.parametrize("number", range(0, 3 * SAMPLES, 3))
def test_files_of_the_corpus(number: int) -> None:
    if not FOLDER.exists():
        pytest.skip("the corpus is not beside the checkout")
    name, data = for_versions(number)
    assert list(contradictions(data, _drawn(name))) == []


def test_random_intrinsics() -> None:
    context = Context()
    lines = PAIRS.read_text(encoding="utf-8").splitlines()
    found = []
    for line in random.Random("intrinsics").sample(lines, INTRINSICS):
        version, base, number, _ = line.split()
        instance = next(each for each in instances_of(base, context.types) if each.number == int(number))
        data = bitcodec.dumps(module_of([instance], new_module("call", context=context)))
        found += [f"{base}: {each}" for each in contradictions(data, [int(version), 15, 18, 21])]
    assert found == []


CONSTRUCTS = """
declare double @llvm.powi.f64.i32(double, i32)
declare i32 @llvm.annotation.i32.p0(i32, ptr, ptr, i32)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.va_start.p0(ptr)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare void @llvm.localescape(...)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
@t = thread_local global i32 0

define double @f(double %x, i32 %n, ptr %p, ...) {
  %l = alloca i32
  call void (...) @llvm.localescape(ptr %l)
  call void @llvm.va_start.p0(ptr %p)
  %t = call ptr @llvm.threadlocal.address.p0(ptr @t)
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
  %a = call double @llvm.powi.f64.i32(double %x, i32 %n)
  %b = call i32 @llvm.annotation.i32.p0(i32 %n, ptr %p, ptr %p, i32 1)
  ret double %a
}
"""
COPY = """
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p, ptr %q{parameter}) {{
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %p, ptr %q, i64 {size}, i1 false)
  ret void
}}
"""


@pytest.mark.parametrize("version", range(4, 22))
def test_intrinsics_that_older_versions_have_in_another_form(version: int, tmp_path: Path) -> None:
    text = CONSTRUCTS
    if version < 16:
        # LLVM 16 is the first that has it.
        text = "".join(line for line in text.splitlines(keepends=True) if "threadlocal" not in line)
    module = bitcodec.parse_assembly(text)
    written = tmp_path / "written.bc"
    written.write_bytes(bitcodec.dumps(module, llvm_version=version))
    assert list(contradictions(bitcodec.dumps(module), [version])) == []
    again = str(bitcodec.open(written))
    assert "@llvm.powi.f64.i32(double %x, i32 %n)" in again
    assert "@llvm.annotation.i32.p0(i32 %n, ptr %p, ptr %p, i32 1)" in again
    assert verify(version, written) == ""


# Of the verifiers of LLVM 11 to 18, all require a constant size; newer ones do not.
@pytest.mark.parametrize(("version", "is_written"), [(11, False), (15, False), (18, False), (19, True)])
def test_sizes_that_are_no_constants(version: int, *, is_written: bool, tmp_path: Path) -> None:
    constant, other = (
        bitcodec.parse_assembly(COPY.format(parameter=parameter, size=size))
        for parameter, size in (("", "16"), (", i64 %n", "%n"))
    )
    path = tmp_path / "copy.bc"
    path.write_bytes(bitcodec.dumps(constant, llvm_version=version))
    assert verify(version, path) == ""
    if is_written:
        assert bitcodec.dumps(other, llvm_version=version)
    else:
        with pytest.raises(bitcodec.EncodingError, match=r"today's form of llvm.memcpy.inline.* LLVM 19 is the first"):
            bitcodec.dumps(other, llvm_version=version)
    assert list(contradictions(bitcodec.dumps(other), [version])) == []


def test_a_verdict_names_what_downgrade_refuses() -> None:
    module = bitcodec.parse_assembly(COPY.format(parameter=", i64 %n", size="%n"))
    verdict = diagnose(bitcodec.dumps(module), [18], profiles=())[0].verdicts[0]
    name = "today's form of llvm.memcpy.inline.p0.p0.i64"
    assert [each.construct for each in verdict.rejected] == [name]
    assert f"bitcodec downgrade refuses it: LLVM 19 is the first that has {name}" in verdict.advice


def test_older_versions_may_be_written_where_newer_ones_are_refused() -> None:
    # LLVM 4 to 10 do not know the intrinsic and keep its calls; the verifiers of LLVM 11 to 18 refuse them.
    module = bitcodec.parse_assembly(COPY.format(parameter=", i64 %n", size="%n"))
    found = diagnose(bitcodec.dumps(module), profiles=())[0].verdicts
    refused = {verdict.version for verdict in found if any("refuses it" in line for line in verdict.advice)}
    advised = {verdict.version for verdict in found if f"bitcodec downgrade --llvm {verdict.version}" in verdict.advice}
    assert refused == set(range(11, 19))
    assert advised >= set(range(4, 11))
