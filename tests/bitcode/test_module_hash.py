"""The hash of a module, by which ThinLTO's cache finds object files: LLVM's, and never that of another content."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import bitcodec
from amounts import some
from answers import ask, build
from bitcodec import bitcode, bitstream
from bitcodec.bitcode.module_hash import NO_HASH, hash_of_module, hashed_names
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode, StrtabCode
from bitcodec.bitstream import DraftRecord
from bitcodec.ir import Constant, ConstantInt, DataLayout, Module, Value
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.construction.present import source_of
from bitcodec.ir.metadata import MDNode, Metadata

FOLDER = Path(__file__).parent
ORIGINAL = (FOLDER / "module_hash-22.bc").read_bytes()
"""Made by `opt -module-hash -module-summary` of LLVM 22.1.8 from `module_hash.ll`."""
NAMES = "fgpartcresolverfcalledai"
"""The names in the string table that the hash is made of, in the order in which LLVM 22 writes them."""
CANDIDATES = 3
"""The number of objects of a class that are changed."""


def blocks_of(data: bytes, block_id: BlockId) -> list[bitstream.Block]:
    return [block for block in bitstream.loads(data).blocks if block.id == block_id]


def hash_in(data: bytes) -> tuple[int, ...]:
    (module,) = blocks_of(data, BlockId.MODULE_BLOCK)
    (found,) = [tuple(record.operands) for record in module.records if record.code == ModuleCode.HASH]
    return found


def test_it_is_that_of_llvm() -> None:
    (module,), (table,) = blocks_of(ORIGINAL, BlockId.MODULE_BLOCK), blocks_of(ORIGINAL, BlockId.STRTAB_BLOCK)
    (strings,) = [record.blob for record in table.records if record.code == StrtabCode.BLOB]
    assert strings is not None
    *records, last = module.records
    assert last.code == ModuleCode.HASH
    names = list(hashed_names(((record.code, record.operands) for record in records), strings))
    assert b"".join(names).decode() == NAMES
    assert hash_of_module((1,), names, ORIGINAL[module.body // 8 : last.start // 8]) == list(last.operands)


def test_zeros_stay_zeros() -> None:
    draft = bitstream.loads(ORIGINAL).edit()
    draft.block(BlockId.MODULE_BLOCK).record(ModuleCode.HASH).operands = NO_HASH
    for copies in (True, False):
        module = bitcodec.loads(bitcode.dumps(draft))
        module.functions["f"].name = "renamed"
        assert hash_in(bitcodec.dumps(module, copies_unchanged=copies)) == NO_HASH


def test_a_changed_stream_has_zeros() -> None:
    draft = bitstream.loads(ORIGINAL).edit()
    assert bitcode.dumps(draft) == ORIGINAL
    draft.block(BlockId.MODULE_BLOCK).record(ModuleCode.TRIPLE).text = "aarch64"
    assert hash_in(bitcode.dumps(draft)) == NO_HASH
    draft.block(BlockId.MODULE_BLOCK).record(ModuleCode.HASH).operands = (1, 2, 3, 4, 5)
    assert hash_in(bitcode.dumps(draft)) == (1, 2, 3, 4, 5)


def test_a_hash_in_front_of_other_records_covers_them() -> None:
    draft = bitstream.loads(ORIGINAL).edit()
    block = draft.block(BlockId.MODULE_BLOCK)
    old = block.record(ModuleCode.HASH)
    block.remove(old)
    block.items.insert(1, DraftRecord(ModuleCode.HASH, (1, 2, 3, 4, 5)))
    found = set()
    for value in range(3):
        module = bitcodec.loads(bitcode.dumps(draft))
        returned = module.functions["resolver"].instructions[0]
        returned.set_operand(
            0, [module.functions["f"], module.functions["called"], module.global_variables["g"]][value]
        )
        found.add(hash_in(bitcodec.dumps(module)))
    assert len(found) == 3


def test_an_unchanged_module_keeps_it() -> None:
    module = bitcodec.loads(ORIGINAL)
    assert hash_in(bitcodec.dumps(module)) == hash_in(ORIGINAL)
    module.target_triple, module.target_triple = "other", str(module.target_triple)
    assert hash_in(bitcodec.dumps(module)) == hash_in(ORIGINAL)


# All changes


def objects_of(module: Module) -> list[Any]:
    """Return the objects that a module consists of, in an order that depends on the module alone."""
    found: list[Any] = [module, *module.comdats.values(), *module.named_metadata.values(), *module.globals]
    for function in module.functions:
        found += function.arguments
        for block in function.blocks:
            found.append(block)
            for instruction in block.instructions:
                found += [*instruction.debug_records, instruction, *instruction.metadata.values()]
    nodes = [operand for named in module.named_metadata.values() for operand in named.operands]
    nodes += [each for each in found if isinstance(each, MDNode)]
    for node in nodes:
        nodes += [each for each in node.operands if isinstance(each, MDNode) and each not in nodes]
    return [*found, *nodes]


def public_members(objects: Iterable[Any]) -> Iterator[tuple[int, str]]:
    """Yield number of object and name of attributes and methods, each once for the class that defines it."""
    seen: set[tuple[type, str]] = set()
    for number, each in enumerate(objects):
        for owner in type(each).__mro__[:-1]:
            for name, member in vars(owner).items():
                is_fixed = isinstance(member, property) and member.fset is None
                if not (name.startswith("_") or is_fixed or name == "save" or (owner, name) in seen):
                    seen.add((owner, name))
                    yield number, name


def samples(module: Module) -> list[Any]:
    function = module.functions["f"]
    first, *_, last = function.instructions
    integer = next(operand for operand in first.operands if isinstance(operand, Constant))
    node = next(iter(module.named_metadata["llvm.module.flags"].operands))
    return [integer, module.global_variables["g"], first, last, function.blocks[1], node, "nounwind", 4]


def other_values(value: Any, module: Module) -> Iterator[Any]:
    """Yield what may be assigned in the place of a value."""
    match value:
        case bool():
            yield not value
        case enum.Enum():
            yield from type(value)
        case int():
            yield from (value + 1, value * 2 + 1)
        case str():
            yield value + "x"
        case tuple() | list():
            yield value[::-1]
        case None:
            yield from (True, *samples(module))
        case Value() | Metadata():
            yield from (None, *samples(module))


def changed(number: int, name: str, text: str) -> Module | None:
    """Return a module with another text after a change of a member of an object; None if nothing changes the text."""
    module = bitcodec.loads(ORIGINAL)
    each = objects_of(module)[number]
    value = getattr(each, name)
    arguments: Iterable[tuple[Any, ...]] = [(other,) for other in other_values(value, module)]
    if callable(value):
        some = samples(module)
        arguments = [(), *((other,) for other in some), *(("kind", other) for other in some[4:]), (0, some[0])]
    for given in arguments:
        try:
            if callable(value):
                getattr(each, name)(*given)
            else:
                setattr(each, name, *given)
            if str(module) != text:
                return module
        except REFUSALS:
            continue
    return None


REFUSALS = (AttributeError, TypeError, ValueError, LookupError, bitcodec.BitcodecError)
TEXT = str(bitcodec.loads(ORIGINAL))
MEMBERS = list(public_members(objects_of(bitcodec.loads(ORIGINAL))))
FOUND = {
    *("initializer", "section", "name", "partition", "module_asm", "target_triple", "source_filename", "linkage"),
    *("visibility", "unnamed_address", "is_constant", "is_dso_local", "calling_convention", "garbage_collector"),
    *("personality", "resolver", "selection_kind", "set_operand", "fast_math", "is_volatile", "predicate"),
    *("erase_from_parent", "delete_body", "add_attribute", "filename", "language", "emission_kind"),
}
"""Some of the members by which a change is found."""


def set_layout(module: Module) -> None:
    module.data_layout = DataLayout("e-m:e-i64:64-S64")


def attach(module: Module) -> None:
    module.global_variables["g"].metadata["other"] = next(iter(module.named_metadata["llvm.module.flags"].operands))


def detach(module: Module) -> None:
    module.global_variables["g"].metadata.clear()


def leave_comdat(module: Module) -> None:
    module.functions["f"].comdat = None


def align(module: Module) -> None:
    module.global_variables["g"].alignment = 8


def replace(module: Module) -> None:
    module.global_variables["g"].replace_all_uses_with(module.functions["f"])


def drop_location(module: Module) -> None:
    module.functions["f"].instructions[0].debug_location = None


def drop_attributes(module: Module) -> None:
    module.functions["f"].attributes = AttributeList()


def set_flag(module: Module) -> None:
    module.flags.set("PIC Level", 1)


def drop_uses(module: Module) -> None:
    del module.named_metadata["llvm.dbg.cu"]


OTHERS = (set_layout, attach, detach, leave_comdat, align, replace, drop_location, drop_attributes, set_flag, drop_uses)
"""Changes by members that need values which the samples are not."""


@pytest.mark.parametrize("copies_unchanged", [True, False])
def test_every_change_of_the_model_gives_another_hash(copies_unchanged: bool) -> None:
    hashes = {hash_in(ORIGINAL): TEXT}
    found = set()
    for change in OTHERS:
        module = bitcodec.loads(ORIGINAL)
        change(module)
        note(module, hashes, change.__name__, copies_unchanged)
    for number, name in MEMBERS if copies_unchanged else some(MEMBERS, 30):
        changed_module = changed(number, name, TEXT)
        if changed_module is not None and note(changed_module, hashes, name, copies_unchanged):
            found.add(name)
    assert found >= FOUND or not copies_unchanged
    assert found


def note(module: Module, hashes: dict[tuple[int, ...], str], name: str, copies_unchanged: bool) -> bool:
    """Check that modules of one hash have one text; return whether the module has a hash, and can be written."""
    try:
        data = bitcodec.dumps(module, copies_unchanged=copies_unchanged)
        text = str(bitcodec.loads(data))
    except bitcodec.BitcodecError:
        return False
    if module.summary is None:
        return False
    assert hashes.setdefault(hash_in(data), text) == text, name
    return True


@pytest.mark.parametrize("copies_unchanged", [True, False])
def test_llvm_computes_the_same(copies_unchanged: bool) -> None:
    module = bitcodec.loads(ORIGINAL)
    module.global_variables["g"].section = "second"
    module.global_variables["g"].partition = "other"
    data = bitcodec.dumps(module, copies_unchanged=copies_unchanged)
    assert is_hash_of(NAMES.replace("part", "other"), data)


@pytest.mark.parametrize("copies_unchanged", [True, False])
def test_llvm_computes_the_same_after_a_new_name(copies_unchanged: bool) -> None:
    module = bitcodec.loads(ORIGINAL)
    module.functions["called"].name = module.global_variables["g"].partition = "other"
    data = bitcodec.dumps(module, copies_unchanged=copies_unchanged)
    assert (source_of(module) is not None) is copies_unchanged
    assert is_hash_of(NAMES.replace("part", "other").replace("called", "other"), data)


def is_hash_of(names: str, data: bytes) -> bool:
    """Return whether LLVM computes the hash that a module has."""
    command = ["llvm-bcanalyzer-22", "-dump", f"-check-hash={names}", "-"]
    return b"(match)" in ask(command, input=data, check=True).stdout


def test_the_cache_of_thinlto_follows_a_change() -> None:
    files = {}
    for value in (5, 6):
        module = bitcodec.open(FOLDER / "module_hash-variable-22.bc")
        variable = module.global_variables["g"]
        variable.initializer = ConstantInt(variable.value_type, value)
        files[f"g{value}.bc"] = bitcodec.dumps(module)
    command = "llvm-lto2-22 run g.bc -o {}.o -cache-dir cache -r=g.bc,g,plx -r=g.bc,f,plx -r=g.bc,ph,plx"
    commands = [line for name in files for line in (f"cp {name} g.bc", command.format(name))]
    objects = build(commands, files, [f"{name}.o.1" for name in files])
    assert len(set(objects.values())) == 2
