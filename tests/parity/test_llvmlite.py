"""Every module of the corpus as LLVM 22 has it: globals, functions, blocks, instructions and their operands."""

from __future__ import annotations

import pytest

import corpus

from . import bitcodec_view, llvmlite_view
from .goldens import is_of_one_module
from .views import differences

pytestmark = pytest.mark.skipif(not llvmlite_view.is_there(), reason="llvmlite is not installed")

MODULES = [file for file in corpus.streams() if is_of_one_module(file)]


@pytest.mark.parametrize("file", corpus.parameters(MODULES))
def test_module_is_what_llvm_has(file: corpus.File) -> None:
    theirs = llvmlite_view.view_of(file.data)

    ours = bitcodec_view.view_of(file.data)

    assert [str(difference) for difference in differences(ours, theirs)][:5] == []
    assert ours == theirs
