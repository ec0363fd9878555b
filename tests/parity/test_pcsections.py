"""PC sections are what LLVM 22 in a wheel writes, for each target and code model, of modules that are made up.

`BITCODEC_PCSECTIONS` says how many for each.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bitcodec
from bitcodec.pcsections.targets import Target
from pcsections import objects
from pcsections.backends import BACKENDS, Backend
from pcsections.recipes import Body, bodies

from . import llvmlite_view

EXAMPLES = int(os.environ.get("BITCODEC_PCSECTIONS", "2"))

pytestmark = pytest.mark.skipif(not llvmlite_view.is_there(), reason="llvmlite is not installed")


def cases() -> list[object]:
    """Return all targets with the code models that LLVM in a wheel has a name for."""
    return [
        pytest.param(backend, model, id=f"{backend.triple}-{model}")
        for backend in BACKENDS
        for model in Target.of(backend.triple).row.code_models
        if model != "tiny"
    ]


def machine_of(triple: str, code_model: str) -> object:
    import llvmlite.binding as llvm  # noqa: PLC0415 - it may be missing

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(triple).create_target_machine(opt=2, codemodel=code_model)


def emitted(machine: object, data: bytes) -> objects.Object:
    import llvmlite.binding as llvm  # noqa: PLC0415 - it may be missing

    return objects.read(machine.emit_object(llvm.parse_bitcode(data, llvm.create_context())))  # type: ignore[attr-defined]


@pytest.mark.parametrize(("backend", "code_model"), cases())
@given(st.lists(bodies(), min_size=1, max_size=3).map(tuple))
@settings(max_examples=EXAMPLES)
def test_encoding_is_what_llvm_writes(backend: Backend, code_model: str, functions: tuple[Body, ...]) -> None:
    machine = machine_of(backend.triple, code_model)
    module = backend.module(functions, str(machine.target_data))  # type: ignore[attr-defined]

    found = emitted(machine, bitcodec.dumps(module))

    target = Target.of_module(module, code_model)
    encoded = objects.expected(module, target, objects.codes(found, module, backend.word))
    assert objects.differences(encoded, found) == []


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda backend: backend.triple)
def test_data_layout_is_that_of_llvm(backend: Backend) -> None:
    ours, theirs = Target.of(backend.triple).data_layout, str(machine_of(backend.triple, "small").target_data)  # type: ignore[attr-defined]
    # How functions are aligned depends on the ABI of PowerPC64, and is of no matter here.
    assert str(ours).replace("-Fi64", "-Fn32") == theirs.replace("-Fi64", "-Fn32")
