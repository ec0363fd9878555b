"""Malformed files: what LLVM 22 refuses to read is refused here, with the record, its place and a reason."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.errors import BitcodecError, BitcodeError, BitstreamError, ContainerError
from bitcodec.tables.versions import NEWEST
from corpus import FOLDER, expected_of_invalid, is_there, needs_corpus

REFUSED_UPGRADES = {
    "auto_upgrade_intrinsics.bc": "Invalid alignment argument",
}
"""Files that LLVM's upgrade refuses: the error has no place.  LLVM's message, by file."""

WITHOUT_A_MODULE = {
    "invalid-no-proper-module.bc": "a producer and a string table; llvm-dis prints nothing",
    "other-block-info-only.bc": "a stream of another application",
    "other-has-block-info.bc": "a stream of another application",
}
"""Files that hold no module: there is nothing to open."""


def names(*, refused: bool) -> list[str]:
    if not is_there():
        return []
    return [name for name, told in expected_of_invalid().items() if (told["llvm-dis"]["exit"] != 0) == refused]


def error_of(name: str) -> BitcodecError | None:
    """Return why a file is refused, None if it is read to the end."""
    data = (FOLDER / "invalid" / name).read_bytes()
    try:
        bitcodec.loads(data, name).materialize()
    except BitcodecError as error:
        return error
    return None


@needs_corpus
def test_the_exceptions_are_these() -> None:
    upgrades = {name: str(error_of(name)) for name in REFUSED_UPGRADES}
    without = {name for name in expected_of_invalid() if isinstance(error_of(name), ContainerError)}
    assert upgrades == REFUSED_UPGRADES
    assert without == set(WITHOUT_A_MODULE)


@pytest.mark.parametrize("name", names(refused=True))
def test_refused_with_the_record_and_its_place(name: str) -> None:
    if name in REFUSED_UPGRADES or name in WITHOUT_A_MODULE:
        return
    error = error_of(name)
    assert isinstance(error, BitcodeError | BitstreamError)
    assert 0 <= error.bit_offset <= (FOLDER / "invalid" / name).stat().st_size * 8
    assert str(error).endswith(")")
    assert f"(bit {error.bit_offset}, " in str(error)
    assert "\n" not in str(error)
    if isinstance(error, BitcodeError):
        assert error.block_path[0] == 8
        assert " record: " in error.reason or name == "invalid-alias-type-mismatch.bc", "a body is no record"


@pytest.mark.parametrize("name", names(refused=False))
def test_what_llvm_reads_is_read(name: str) -> None:
    if name not in WITHOUT_A_MODULE:
        assert error_of(name) is None


@needs_corpus
def test_a_file_without_modules_has_none() -> None:
    data = (FOLDER / "invalid" / "invalid-no-proper-module.bc").read_bytes()
    assert bitcodec.loads_all(data) == []
    assert str(error_of("invalid-no-proper-module.bc")) == "invalid-no-proper-module.bc holds no LLVM IR"


REASONS = {
    "invalid-GCTable-overflow.bc": "FUNCTION record: garbage collector 1 does not exist",
    "invalid-align.bc": "INST_LOAD record: an alignment of 2**36 bytes is too large",
    "invalid-alias-type-mismatch.bc": "a body of a function that is not defined",
    "invalid-call-non-function-explicit-type.bc": "INST_CALL record: expected a callee of function type, found void",
    "invalid-cast.bc": "INST_CAST record: trunc cannot convert ptr to void",
    "invalid-cmpxchg-ordering.bc": "INST_CMPXCHG record: cmpxchg cannot be ordered unordered",
    "invalid-cmpxchg-ordering-3.bc": "INST_CMPXCHG record: a failing cmpxchg cannot be ordered acq_rel",
    "invalid-extractval-array-idx.bc": "INST_EXTRACTVAL record: a [4 x i8] has no element 96",
    "invalid-extractval-struct-idx.bc": "INST_EXTRACTVAL record: a %t has no element 3",
    "invalid-fcmp-opnum.bc": "INST_CMP2 record: has too few operands",
    "invalid-forward-declare.bc": "VALUE record: metadata states type ptr addrspace(5) for value 9, which has type ptr",
    "invalid-function-argument-type.bc": "FUNCTION record: a void cannot be a parameter",
    "invalid-fwdref-type-mismatch.bc": "INST_BINOP record: expected a value of type i8, found one of type ptr",
    "invalid-insert-0-indices.bc": "INST_INSERTVAL record: no index selects the element",
    "invalid-insertval-array-idx.bc": "INST_INSERTVAL record: a [4 x i8] has no element 20",
    "invalid-insertval-struct-idx.bc": "INST_INSERTVAL record: a %t has no element 3",
    "invalid-invoke-mismatched-explicit-type.bc": "INST_INVOKE record: has too few operands",
    "invalid-invoke-non-function-explicit-type.bc": "INST_INVOKE record: expected a callee of function type, found ptr",
    "invalid-no-function-block.bc": "FUNCTION record: 1 functions are defined, but the module has 0 bodies",
    "invalid-non-vector-insertelement.bc": "INST_INSERTELT record: expected a vector, found i8",
    "invalid-non-vector-shufflevector.bc": "INST_SHUFFLEVEC record: expected vectors to shuffle, found i8",
    "invalid-nonpointer-storeatomic.bc": "INST_STOREATOMIC_OLD record: the type that the pointer points to is unknown",
    "invalid-record-strtab.ll.bc": "FUNCTION record: a name at byte 0 of 4 bytes reaches past the string table",
    "invalid-too-big-fwdref.bc": "INST_INSERTVAL record: type 217086 does not exist",
    "invalid-vector-length.bc": "VECTOR record: a vector cannot have 0 elements of type i32",
    "invalid.ll.bc": f"ENTRY record: unknown attribute kind (255): a version of LLVM newer than {NEWEST} may have it",
}


@needs_corpus
@pytest.mark.parametrize("name", REASONS)
def test_reasons(name: str) -> None:
    error = error_of(name)
    assert isinstance(error, BitcodeError)
    assert error.reason == REASONS[name]


@needs_corpus
def test_all_errors_of_the_reader_are_told() -> None:
    found = {name for name in expected_of_invalid() if isinstance(error_of(name), BitcodeError)}
    assert found - {"bindings-llvm-c-invalid.ll.bc", "invalid-cmpxchg-ordering-2.bc"} == set(REASONS)
