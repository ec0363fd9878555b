"""Collecting: functions, calls and flags as the model has them, files that are damaged, and several files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import bitcodec
from bitcodec import BitcodecError
from bitcodec.bitstream.wrapper import wrapped
from bitcodec.report import collect, collect_file
from containers.builders import gnu_archive, member

from .files import DATA, HELLO, QUEUE, TAGGED, bytes_of


def test_functions_are_those_of_the_model() -> None:
    for path in (HELLO, QUEUE, TAGGED, DATA / "exceptions-O2-19.bc"):
        (report,) = collect([path]).modules
        module = bitcodec.open(path)
        defined = [function for function in module.functions if not function.is_declaration]
        assert [each.name for each in report.functions] == [function.name for function in defined]
        assert report.declarations == len(module.functions) - len(defined)
        assert report.variables == len(module.global_variables)
        for each, function in zip(report.functions, defined, strict=True):
            assert each.opcodes == Counter(instruction.opcode for instruction in function.instructions)
            assert each.instructions == len(function.instructions)
            assert each.blocks == len(function.blocks)
            assert sum(each.parts.values()) < each.bits


def test_what_is_known_of_a_function() -> None:
    (report,) = collect([QUEUE]).modules
    push = next(function for function in report.functions if function.name == "push")

    assert push.source_file.endswith("queue.c")
    assert push.line > 0
    assert report.flags["wchar_size"] == "4"
    assert report.producer.startswith("LLVM")


def test_calls_by_name_are_counted() -> None:
    report = collect_file(bytes_of("callee", "once", "twice"), "calls.bc")

    calls = {function.name: function.calls for function in report.modules[0].functions}
    assert calls == {"callee": {}, "once": {"callee": 1}, "twice": {"callee": 2}}


def test_pc_sections_are_counted() -> None:
    (report,) = collect([TAGGED]).modules
    module = bitcodec.open(TAGGED)

    wanted: Counter[str] = Counter()
    for function in module.functions:
        for holder in (function, *function.instructions):
            wanted.update({section.name for section in holder.pcsections or ()})
    found: Counter[str] = Counter()
    for each in report.functions:
        found.update(each.pcsections)
    assert found == wanted
    assert found


def test_members_of_an_archive_are_modules(tmp_path: Path) -> None:
    path = tmp_path / "lib.a"
    path.write_bytes(gnu_archive(("a.o", HELLO.read_bytes()), ("b.o", QUEUE.read_bytes())))

    report = collect([path])
    assert [(module.member, module.stream) for module in report.modules] == [("a.o", 0), ("b.o", 1)]
    assert report.modules[1].label == f"{path}(b.o)"
    assert report.size == path.stat().st_size


def test_members_of_a_thin_archive_add_to_its_size(tmp_path: Path) -> None:
    (tmp_path / "a.bc").write_bytes(HELLO.read_bytes())
    path = tmp_path / "thin.a"
    header = (
        member(b"//", b"a.bc/\n") + b"/0              0           0     0     644     %-10d`\n" % HELLO.stat().st_size
    )
    path.write_bytes(b"!<thin>\n" + header)

    report = collect([path])
    assert report.size == path.stat().st_size + HELLO.stat().st_size
    assert [module.member for module in report.modules]


def test_a_damaged_module_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    data = QUEUE.read_bytes()[:4000]
    path = tmp_path / "lib.a"
    path.write_bytes(gnu_archive(("bad.o", data), ("good.o", HELLO.read_bytes())))

    (file,) = collect([path]).files
    assert len(file.errors) == 1
    assert file.errors[0].startswith("bad.o: ")
    assert [function.name for function in file.modules[-1].functions] == ["main"]


def test_what_is_no_bitcode_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("nothing of the kind")
    with pytest.raises(BitcodecError, match="text"):
        collect([tmp_path / "text"])
    with pytest.raises(FileNotFoundError):
        collect([tmp_path / "missing"])


def test_a_wrapped_module() -> None:
    report = collect_file(wrapped(HELLO.read_bytes()), "wrapped")

    assert report.modules[0].functions[0].name == "main"
