"""Encodings are what `llc` 22 writes, byte for byte and relocation for relocation, of modules that are made up.

`BITCODEC_ENCODINGS` says how many for all targets; a hundred take about three minutes.
"""

from __future__ import annotations

import os
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bitcodec
from answers import ask
from bitcodec.builder import Builder, add_block, add_function, new_module
from bitcodec.errors import PCSectionsError
from bitcodec.pcsections.encoding.encode import Address, FunctionEntry, encode
from bitcodec.pcsections.encoding.targets import Target
from bitcodec.tables.pcsection_targets import CODE_MODELS

from . import objects
from .backends import BACKENDS, RARE_BACKENDS, Backend
from .recipes import Body, Node, Recipe, bodies, sections_of

EXAMPLES = int(os.environ.get("BITCODEC_ENCODINGS", "4"))


def compiled(data: bytes, *options: str) -> objects.Object:
    return objects.read(
        ask(["llc-22", "-O2", "-filetype=obj", "-o", "-", *options, "-"], input=data, check=True).stdout
    )


@pytest.mark.live
@given(st.lists(bodies(), min_size=1, max_size=3).map(tuple))
@settings(max_examples=EXAMPLES)
def test_encoding_is_what_llc_writes(functions: tuple[Body, ...]) -> None:
    for backend in (*BACKENDS, *RARE_BACKENDS):
        asked = functions if backend.word else tuple(body._replace(nodes=(), loads=()) for body in functions)
        module = backend.module(asked)
        found = compiled(bitcodec.dumps(module))
        target = Target.of_module(module)
        assert found.machine == target.machine.number
        encoded = objects.expected(module, target, objects.codes(found, module, backend.word))
        assert objects.differences(encoded, found) == [], backend.triple


ASKING = Body(Node((("s", ()),)), (), ())


@pytest.mark.parametrize("backend", [*BACKENDS, *RARE_BACKENDS], ids=lambda backend: backend.triple)
@pytest.mark.parametrize("code_model", CODE_MODELS)
def test_code_models_are_those_that_llc_takes(backend: Backend, code_model: str) -> None:
    module = backend.module((ASKING,))
    data = bitcodec.dumps(module)
    try:
        target = Target.of_module(module, code_model)
    except PCSectionsError:
        with pytest.raises(subprocess.CalledProcessError):
            compiled(data, f"-code-model={code_model}")
        return
    found = compiled(data, f"-code-model={code_model}")
    assert objects.differences(objects.expected(module, target, objects.codes(found, module, 0)), found) == []


@pytest.mark.parametrize("calls", [1, 60])
@pytest.mark.parametrize(
    "triple", ["riscv32-unknown-elf", "riscv64-unknown-linux-gnu", "loongarch64-unknown-linux-gnu"]
)
def test_sizes_that_relaxation_changes(triple: str, calls: int) -> None:
    module = new_module("m", target_triple=triple, data_layout=str(Target.of(triple).data_layout))
    type_ = module.context.types.function(module.context.types.void, [])
    callee, function = (add_function(module, name, type_, attributes=["nounwind"]) for name in ("callee", "f"))
    builder = Builder(add_block(function))
    for _ in range(calls):
        builder.call(callee, [])
    builder.ret()
    number: Recipe = ("int", 17, 300)
    asked = sections_of(module, Node((("s", ((number,),)), ("c!C", ((number,),)))))
    function.pcsections = asked

    found = compiled(bitcodec.dumps(module), "-mattr=+relax")

    section, start, size = found.symbols["f"]
    entry = FunctionEntry(asked, Address(section, start), size, Address(section, start + size))
    assert objects.differences(encode([entry], Target.of_module(module)), found) == []
