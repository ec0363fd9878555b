"""Bodies that are linked without being read: what is written of them, and what they are when somebody reads them.

`python -m linker.test_record_bodies 5000`, run in `tests`, compares as many sets.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

import bitcodec
from amounts import amount
from answers import ask, recall
from answers.tools import path_of
from bitcodec import BitcodecError, bitcode
from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode, FunctionCode
from bitcodec.bitstream import loads
from bitcodec.ir.construction.record_bodies import record_bodies
from bitcodec.linker import Linker, LinkError

from .generating import generate_set
from .test_linking import archive_of

LINK, DIS = "llvm-link-22", "llvm-dis-22"
SETS = 60


def assembled(texts: list[str], folder: Path) -> list[str]:
    """Write texts as bitcode, and return the files."""
    files = []
    for number, text in enumerate(texts):
        files.append(str(folder / f"{number}.bc"))
        bitcodec.save(bitcodec.parse_assembly(text), files[-1])
    return files


def link(files: list[str], option: str = "", *, reads_bodies: bool = False) -> bitcodec.Module:
    """Link files with an option of llvm-link."""
    linker = Linker(only_needed=option == "only-needed", internalize=option == "internalize", reads_bodies=reads_bodies)
    for file in files[:-1]:
        linker.add(file)
    (linker.override if option == "override" else linker.add)(files[-1])
    return linker.finish()


def expected(texts: list[str], option: str, folder: Path) -> tuple[Any, Any]:
    """Return digests of what llvm-link and llvm-dis make of bitcode: written and read again, and printed at once."""

    def compute() -> list[str]:
        *others, last = assembled(texts, folder)
        arguments = [f"--override={last}"] if option == "override" else [last, *[f"--{option}"] * bool(option)]
        command = [str(path_of(LINK)), "--disable-verify", "-o", "-", *others, *arguments]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode:
            return ["", ""]
        written = subprocess.run([str(path_of(DIS)), "-o", "-"], input=done.stdout, capture_output=True, check=True)
        printed = subprocess.run([*command, "-S"], capture_output=True, check=True)
        return [digest(written.stdout), digest(printed.stdout)]

    written, printed = recall([LINK, DIS, option, *texts], compute)
    return written, printed


def digest(text: bytes) -> str:
    """Return the SHA-256 of a text without the line that names the file."""
    return hashlib.sha256(text.partition(b"\n")[2]).hexdigest()


def difference(seed: int, option: str, folder: Path) -> str:
    """Return which form of a set is not what llvm-link makes of it, "" if none."""
    texts = generate_set(seed)
    written, printed = expected(texts, option, folder)
    try:
        module = link(assembled(texts, folder), option)
    except LinkError:
        return "refused" if written else ""
    if digest(bitcodec.print_assembly(bitcodec.loads(bitcodec.dumps(module))).encode()) != written:
        return "written"
    return "" if digest(bitcodec.print_assembly(module).encode()) == printed else "read late"


@pytest.mark.parametrize("first", range(0, amount(30, SETS), 10))
def test_sets_are_those_of_llvm(first: int, tmp_path: Path) -> None:
    found = {seed: difference(seed, "", tmp_path) for seed in range(first, first + 10)}
    assert {seed: what for seed, what in found.items() if what} == {}


@pytest.mark.parametrize("option", ["only-needed", "internalize", "override"])
def test_options(option: str, tmp_path: Path) -> None:
    found = {seed: difference(seed, option, tmp_path) for seed in range(1000, 1000 + amount(5, 12))}
    assert {seed: what for seed, what in found.items() if what} == {}


EXAMPLES = ["examples/hello.bc", "examples/queue.bc"]


def unread(module: bitcodec.Module) -> list[str]:
    """Return the names of functions whose bodies nobody has read."""
    return [body.function.name for body in record_bodies(module)]


def test_a_body_is_read_when_a_part_is_requested() -> None:
    module = link(EXAMPLES)
    assert unread(module) == ["main", "push", "acquire", "release", "pop", "drain"]
    assert (
        module.functions["push"].metadata.keys() == link(EXAMPLES, reads_bodies=True).functions["push"].metadata.keys()
    )
    assert module.functions["pop"].blocks[-1].terminator is not None
    assert unread(module) == ["main", "push", "acquire", "release", "drain"]
    assert bitcodec.print_assembly(module) == bitcodec.print_assembly(link(EXAMPLES, reads_bodies=True))
    assert unread(module) == []


CHAIN = """
@x = global i32 1
define i32 @f(ptr %p) {
  %loaded = load i32, ptr %p
  %next = getelementptr i32, ptr %p, i64 1
  store i32 %loaded, ptr %next
  %called = call i32 @g(ptr @x)
  ret i32 %called
}
declare i32 @g(ptr)
"""


@pytest.mark.parametrize(("version", "options", "names"), [(14, ["-opaque-pointers"], []), (15, [], ["f"])])
def test_bodies_of_llvm_15_are_those_of_llvm_22(
    version: int, options: list[str], names: list[str], tmp_path: Path
) -> None:
    """LLVM 14 can write opaque pointers too, but its bodies are always read."""
    file = tmp_path / "f.bc"
    ask([f"llvm-as-{version}", *options, "-", "-o", file], input=CHAIN, check=True)
    module = link([str(file)])

    assert unread(module) == names
    linked = ask([LINK, "-S", file, "-o", "-"], check=True, keeps="digest").stdout
    assert bitcodec.print_assembly(module).encode() == linked


def test_who_uses_a_global_is_known() -> None:
    module, other = link(EXAMPLES), link(EXAMPLES, reads_bodies=True)
    for name in ("acquire", "release"):
        users = [str(user) for user in module.functions[name].users]
        assert users
        assert users == [str(user) for user in other.functions[name].users]


@pytest.mark.parametrize("reads_some", [False, True])
def test_changes_are_written(*, reads_some: bool) -> None:
    texts = []
    for reads_bodies in (False, True):
        module = link(EXAMPLES, reads_bodies=reads_bodies)
        module.functions["acquire"].name = "take"
        if reads_some:
            module.functions["release"].replace_all_uses_with(module.functions["take"])
        texts.append(bitcodec.print_assembly(bitcodec.open(bitcodec.dumps(module))))
    assert "@take(" in texts[0]
    assert texts[0] == texts[1]


def test_the_same_bytes_are_written_again() -> None:
    module = link(EXAMPLES)
    data = bitcodec.dumps(module)
    assert bitcodec.dumps(module) == data
    assert unread(module)


@pytest.mark.parametrize("version", [22, 19, 14])
def test_other_versions_are_written(version: int) -> None:
    written = [bitcodec.dumps(link(EXAMPLES, reads_bodies=reads), llvm_version=version) for reads in (False, True)]
    texts = [bitcodec.print_assembly(bitcodec.open(data)) for data in written]
    assert texts[0] == texts[1]


CALLER = """
declare i32 @drain()
define i32 @f() {
  %sum = call i32 @drain()
  ret i32 %sum
}
"""


@pytest.mark.parametrize("whole_archive", [False, True])
def test_members_of_archives(tmp_path: Path, *, whole_archive: bool) -> None:
    caller = tmp_path / "caller.bc"
    bitcodec.save(bitcodec.parse_assembly(CALLER), caller)
    archive = tmp_path / "library.a"
    archive.write_bytes(archive_of(*[(Path(path).name, Path(path).read_bytes()) for path in EXAMPLES]))
    texts = []
    for reads_bodies in (False, True):
        linker = Linker(whole_archive=whole_archive, reads_bodies=reads_bodies)
        linker.add(caller)
        linker.add(archive)
        texts.append(bitcodec.print_assembly(bitcodec.open(bitcodec.dumps(linker.finish()))))
    assert "@drain()" in texts[0]
    assert texts[0] == texts[1]


BODY = """
@other = global i32 1
define i32 @f(i1 %c) {
entry:
  br i1 %c, label %yes, label %no
yes:
  %a = load i32, ptr @other
  ret i32 %a
no:
  ret i32 2
}
"""


@pytest.mark.parametrize(
    ("code", "operands", "reason"),
    [
        (FunctionCode.INST_BR, [1, 9, 1], "block 9 does not exist"),
        (FunctionCode.INST_LOAD, [999, 1, 3, 0], "DECLAREBLOCKS|INST_LOAD"),
        (FunctionCode.INST_RET, [4_294_967_000, 0], "value"),
        (FunctionCode.DECLAREBLOCKS, [0], "no basic blocks"),
    ],
)
def test_a_malformed_body_is_refused_as_if_it_were_read(code: FunctionCode, operands: list[int], reason: str) -> None:
    draft = loads(bitcodec.dumps(bitcodec.parse_assembly(BODY))).edit()
    record = draft.block(BlockId.MODULE_BLOCK).block(BlockId.FUNCTION_BLOCK).record(code)
    record.operands, record.abbreviation_id = operands, 3
    data = bitcode.dumps(draft)
    for reads_bodies in (False, True):
        linker = Linker(reads_bodies=reads_bodies)
        with pytest.raises(BitcodecError, match=reason):
            linker.add(data)


def test_a_type_without_an_operand_is_refused_as_if_it_were_read() -> None:
    draft = loads(bitcodec.dumps(bitcodec.parse_assembly(BODY))).edit()
    function = draft.block(BlockId.MODULE_BLOCK).block(BlockId.FUNCTION_BLOCK)
    record = function.block(BlockId.CONSTANTS_BLOCK).record(ConstantsCode.SETTYPE)
    record.operands, record.abbreviation_id = [], 3
    data = bitcode.dumps(draft)
    for reads_bodies in (False, True):
        with pytest.raises(BitcodecError, match="SETTYPE record: has too few operands"):
            Linker(reads_bodies=reads_bodies).add(data)


MOVED = """
@other = global i32 1
define i32 @f(i1 %c, i32 %d) {
entry:
  %a = load i32, ptr @other, !range !0
  %b = add i32 %a, %d
  call void @llvm.f(metadata i32 %b)
  br i1 %c, label %yes, label %no
yes:
  %x = add i32 %b, 17
  ret i32 %x
no:
  %y = mul i32 %b, 42
  ret i32 %y

  uselistorder i32 %b, { 1, 0 }
}
declare void @llvm.f(metadata)
!0 = !{i32 0, i32 9}
"""
ITEMS = {
    "count": 0,
    "constants": 1,
    "metadata": 2,
    "names": 11,
}
"""Places in the body: the count of blocks, and blocks; instructions begin at 3."""


def with_moved_item(item: str, place: int) -> bytes:
    """Return bitcode whose body has one item at another place."""
    module = bitcodec.parse_assembly(MOVED)
    module.preserves_use_list_order = True
    draft = loads(bitcodec.dumps(module)).edit()
    items = draft.block(BlockId.MODULE_BLOCK).block(BlockId.FUNCTION_BLOCK).items
    items.insert(place, items.pop(ITEMS[item]))
    return bitcode.dumps(draft)


def linked_by_llvm(data: bytes) -> str:
    """Return the digest of the text that llvm-link makes of bitcode, "" if it refuses the bitcode."""
    written = subprocess.run([str(path_of(LINK)), "-o", "-", "-"], input=data, capture_output=True, check=False)
    if written.returncode:
        return ""
    printed = subprocess.run([str(path_of(DIS)), "-o", "-"], input=written.stdout, capture_output=True, check=True)
    return digest(printed.stdout)


@pytest.mark.parametrize(
    ("item", "place"),
    [("count", 1), ("count", 2), ("constants", 0), ("constants", 4), ("metadata", 5), ("names", 2), ("names", 6)],
)
def test_a_body_in_another_order_than_llvm_writes_is_linked_as_it_is_read(item: str, place: int) -> None:
    data = with_moved_item(item, place)
    try:
        linker = Linker()
        linker.add(data)
        found = digest(bitcodec.print_assembly(bitcodec.loads(bitcodec.dumps(linker.finish()))).encode())
    except BitcodecError:
        found = ""
    assert found == recall([LINK, DIS, "moved", MOVED, item, str(place)], lambda: linked_by_llvm(data))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        for number in range(int(sys.argv[1])):
            what = difference(number, "", Path(made))
            if what:
                print(number, what, flush=True)
