"""Numbers of flags in records, by version: LLVM 19 is the first that reads `nusw` and `nuw` of `getelementptr`."""

from __future__ import annotations

import pytest

from bitcodec.tables.instruction_flags import GEPFlags, flag_numbers, newer_flags

ALL = GEPFlags.INBOUNDS | GEPFlags.NUSW | GEPFlags.NUW


@pytest.mark.parametrize(("version", "number", "lost"), [(18, 1, ["nuw"]), (19, 7, []), (None, 7, [])])
def test_a_version_reads_the_flags_that_it_has(version: int | None, number: int, lost: list[str]) -> None:
    assert flag_numbers("getelementptr", version=version)[ALL] == number
    assert [flag.word for flag in newer_flags("getelementptr", ALL, version or 22)] == lost
