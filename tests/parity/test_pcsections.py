"""PC sections are what LLVM 22 in a wheel writes, for all targets and code models, of modules that are made up.

`BITCODEC_ENCODINGS` says how many; five hundred take some ten minutes.
"""

from __future__ import annotations

import os
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bitcodec
from bitcodec.pcsections.encoding.targets import Target
from pcsections import objects
from pcsections.backends import BACKENDS, Backend
from pcsections.recipes import Body, bodies

from . import llvmlite_view

EXAMPLES = int(os.environ.get("BITCODEC_ENCODINGS", "10"))

pytestmark = pytest.mark.skipif(not llvmlite_view.is_there(), reason="llvmlite is not installed")


@cache
def machine_of(triple: str, code_model: str) -> object:
    import llvmlite.binding as llvm  # noqa: PLC0415 - it may be missing

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(triple).create_target_machine(opt=2, codemodel=code_model)


def emitted(machine: object, data: bytes) -> objects.Object:
    import llvmlite.binding as llvm  # noqa: PLC0415 - it may be missing

    return objects.read(machine.emit_object(llvm.parse_bitcode(data, llvm.create_context())))  # type: ignore[attr-defined]


def differences(backend: Backend, code_model: str, functions: tuple[Body, ...]) -> list[str]:
    machine = machine_of(backend.triple, code_model)
    module = backend.module(functions, str(machine.target_data))  # type: ignore[attr-defined]
    found = emitted(machine, bitcodec.dumps(module))
    target = Target.of_module(module, code_model)
    encoded = objects.expected(module, target, objects.codes(found, module, backend.word))
    return objects.differences(encoded, found)


@pytest.mark.parametrize("code_model", ["small", "kernel", "medium", "large"])
@given(st.lists(bodies(), min_size=1, max_size=3).map(tuple))
@settings(max_examples=EXAMPLES)
def test_encoding_is_what_llvm_writes(code_model: str, functions: tuple[Body, ...]) -> None:
    for backend in BACKENDS:
        if code_model in Target.of(backend.triple).row.code_models:
            assert differences(backend, code_model, functions) == [], backend.triple


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda backend: backend.triple)
def test_data_layout_is_that_of_llvm(backend: Backend) -> None:
    ours, theirs = Target.of(backend.triple).data_layout, str(machine_of(backend.triple, "small").target_data)  # type: ignore[attr-defined]
    # How functions are aligned depends on the ABI of PowerPC64, and is of no matter here.
    assert str(ours).replace("-Fi64", "-Fn32") == theirs.replace("-Fi64", "-Fn32")
