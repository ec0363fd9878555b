"""What became of nodes in objects, which LLVM made of a module long ago."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitcodec.builder import Builder, add_block, add_function, add_variable, constant, new_module
from bitcodec.errors import ContainerError, PCSectionsError
from bitcodec.ir import Module
from bitcodec.pcsections import PCSection, PCSections, Target
from bitcodec.pcsections.auditing.audit import audit
from bitcodec.pcsections.auditing.comparison import Verdict

from .audited import copied, told
from .elf_mutations import EXPECTED, FOLDER
from .malformed import node


def goldens_module(triple: str) -> Module:
    """Return the module that the golden objects were made of."""
    module = new_module("m", target_triple=triple)
    types = module.context.types
    i32, pointer = types.integer(32), types.ptr
    variable = add_variable(module, "v", i32, 7)
    of_f = PCSections([PCSection.of("fc!C", [constant(module, i32, 300), variable])])
    of_others = PCSections([PCSection.of("fs", [constant(module, types.integer(16), 5)])])
    of_instructions = PCSections([PCSection.of("is")])
    f, g, h = (
        add_function(module, name, types.function(result, [pointer]))
        for name, result in (("f", i32), ("g", types.void), ("h", types.void))
    )
    f.pcsections, g.pcsections, h.pcsections = of_f, of_others, of_others
    builder = Builder(add_block(f))
    loads = [builder.load(i32, f.arguments[0]) for _ in range(2)]
    builder.ret(loads[1])
    builder = Builder(add_block(g))
    store = builder.store(constant(module, i32, 1), g.arguments[0])
    builder.ret()
    builder = Builder(add_block(h))
    builder.call(g, [h.arguments[0]])
    builder.ret()
    for each in (*loads, store):
        each.pcsections = of_instructions
    return module


GOLDENS = {
    "x86_64-small": "x86_64-linux-gnu",
    "x86_64-large": "x86_64-linux-gnu",
    "i386": "i386-linux-gnu",
    "aarch64_be": "aarch64_be-linux-gnu",
    "armv7": "armv7-linux-gnueabihf",
    "riscv32-relax": "riscv32-linux-gnu",
    "loongarch64-relax": "loongarch64-linux-gnu",
    "mips64el-large": "mips64el-linux-gnuabi64",
    "s390x": "s390x-linux-gnu",
    "sparcv9": "sparcv9-linux-gnu",
}


@pytest.mark.parametrize(("name", "triple"), GOLDENS.items())
def test_objects_of_many_processors(name: str, triple: str) -> None:
    sections = json.loads(EXPECTED.read_text(encoding="utf-8"))[f"{name}.o"]["pc_sections"]
    pcs = {
        section: sum(len(each["pcs"]) for each in sections if each["name"] == section) for section in ("fc", "fs", "is")
    }

    found = audit(goldens_module(triple), (FOLDER / f"{name}.o").read_bytes())

    assert told(found, functions=True) == [
        ("f", "fc!C: i32 300, ptr @v", "kept", "1 function", "1 function"),
        ("g", "fs: i16 5", "kept", "1 function", "1 function"),
        ("h", "fs: i16 5", "kept", "1 function", "1 function"),
    ]
    assert (pcs["fc"], pcs["fs"]) == (1, 2)
    instructions = [each for each in found if not each.wanted.of_function]
    assert [(each.function, each.attached) for each in instructions] == [("f", 2), ("g", 1)]
    assert sum(each.found for each in instructions) == pcs["is"]
    assert found.after == "object"


def test_another_code_model_is_noted() -> None:
    found = audit(goldens_module("x86_64-linux-gnu"), (FOLDER / "x86_64-large.o").read_bytes())
    assert found.notes == (
        "expected PC fields of 4 bytes, as the module states, found 8: another code model was chosen",
    )


def test_an_object_of_another_module() -> None:
    """Sections nobody asked for, and constants that nobody asked for in a section."""
    data = (FOLDER / "x86_64-small.o").read_bytes()
    module = goldens_module("x86_64-linux-gnu")
    module.functions["h"].pcsections = PCSections(
        [PCSection.of("fs", [constant(module, module.context.types.integer(16), 6)])]
    )
    module.functions["g"].pcsections = None
    module.functions["f"].pcsections = None

    found = audit(module, data)

    assert told(found, functions=True) == [("h", "fs: i16 6", "lost", "1 function", "")]
    assert told(found) == [
        ("f", "is", "kept", "2 load", "2"),
        ("g", "is", "kept", "1 store", "1"),
        ("f", "fc", "foreign", "", "1"),
        ("g", "fs: other constants", "foreign", "", "1"),
        ("h", "fs: other constants", "foreign", "", "1"),
    ]


def test_functions_without_code() -> None:
    module = goldens_module("x86_64-linux-gnu")
    types = module.context.types
    declared = add_function(module, "declared", types.function(types.void, []))
    other = add_function(module, "other", types.function(types.void, []), linkage="available_externally")
    Builder(add_block(other)).ret()
    declared.pcsections = other.pcsections = PCSections([PCSection.of("x")])

    lost = audit(module, (FOLDER / "x86_64-small.o").read_bytes()).of({Verdict.LOST})

    assert [(each.function, each.reason.partition(":")[0]) for each in lost] == [
        ("declared", "the function has no code here"),
        ("other", "the function has no code here"),
    ]
    assert set(audit(module, copied(module)).counts()) == {Verdict.KEPT}


def test_what_is_found_under_another_name() -> None:
    module = goldens_module("x86_64-linux-gnu")
    module.functions["h"].name = "other"
    found = audit(module, (FOLDER / "x86_64-small.o").read_bytes())
    assert [(each.function, each.verdict, each.elsewhere) for each in found if each.function in ("h", "other")] == [
        ("other", Verdict.MOVED, ("h",)),
        ("h", Verdict.MOVED, ("other",)),
    ]


def test_malformed_nodes_and_objects() -> None:
    module = goldens_module("x86_64-linux-gnu")
    module.functions["h"].metadata.assign([("pcsections", node(module, "s!X"))])
    found = audit(module, (FOLDER / "x86_64-small.o").read_bytes())
    assert [each.reason for each in found.of({Verdict.LOST})] == ["the node is malformed"]


def test_constants_with_the_same_bytes_are_one() -> None:
    module = goldens_module("x86_64-linux-gnu")
    types = module.context.types
    first, second = module.functions["g"], module.functions["h"]
    second.pcsections = PCSections(
        [PCSection.of("fs", [constant(module, types.integer(8), 5), constant(module, types.integer(8), 0)])]
    )
    found = audit(module, (FOLDER / "x86_64-small.o").read_bytes())
    assert [
        (each.function, str(each.wanted), each.verdict)
        for each in found
        if each.function in (first.name, second.name) and each.wanted.of_function
    ] == [
        ("g", "fs: i16 5", Verdict.KEPT),
        ("h", "fs: i16 5", Verdict.KEPT),
    ]


def test_a_target_is_needed_for_objects() -> None:
    module = goldens_module("x86_64-linux-gnu")
    module.target_triple = ""
    data = (FOLDER / "x86_64-small.o").read_bytes()
    with pytest.raises(PCSectionsError, match="no target triple"):
        audit(module, data)
    assert set(audit(module, data, Target.of("x86_64-linux-gnu")).counts()) == {Verdict.KEPT}


def test_what_is_no_object() -> None:
    with pytest.raises(ContainerError):
        audit(goldens_module("x86_64-linux-gnu"), b"\x7fELF")
    with pytest.raises(ContainerError):
        audit(goldens_module("x86_64-linux-gnu"), (FOLDER / "x86_64-small.o").read_bytes()[:200])


@given(st.data())
def test_broken_objects_are_refused(data: st.DataObject) -> None:
    """Whatever is in the file: an answer or one of bitcodec's errors."""
    whole = bytearray((FOLDER / "x86_64-small.o").read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(16, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        attached = sum(each.attached for each in audit(goldens_module("x86_64-linux-gnu"), bytes(whole)))
    except (ContainerError, PCSectionsError):
        attached = 6
    assert attached == 6
