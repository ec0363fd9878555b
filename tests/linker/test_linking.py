"""Modules linked: inputs of every kind, what they leave unchanged, and what is said of their symbols."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.bitcode.loading import open_all
from bitcodec.linker import Linker, LinkError, ProblemKind, Survey
from bitcodec.linker.linking import ModuleLinker
from cli.running import run, succeed

A = """
@shared = weak global i32 1
@table = linkonce_odr global [2 x i32] zeroinitializer
declare i32 @helper(i32)
define i32 @main() {
  %1 = call i32 @helper(i32 1)
  %2 = load i32, ptr @shared
  ret i32 %1
}
"""
B = """
@shared = global i32 2
define internal i32 @twice(i32 %x) {
  %y = add i32 %x, %x
  ret i32 %y
}
define i32 @helper(i32 %x) {
  %y = call i32 @twice(i32 %x)
  ret i32 %y
}
define void @main2() {
  ret void
}
"""
CONFLICTING = """
@shared = global i32 3
define i32 @helper(i32 %x) {
  ret i32 %x
}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 2}
"""
FLAGGED = '!llvm.module.flags = !{!0}\n!0 = !{i32 1, !"wchar_size", i32 4}\n'


def write(folder: Path, **texts: str) -> list[str]:
    for name, text in texts.items():
        (folder / f"{name}.ll").write_text(text)
    return [str(folder / f"{name}.ll") for name in texts]


def defined(module: bitcodec.Module) -> list[str]:
    return [value.name for value in module.globals if not value.is_declaration]


def test_modules_stay_as_they_are() -> None:
    modules = [bitcodec.parse_assembly(text) for text in (A, B)]
    texts = [*map(str, modules)]
    linked = bitcodec.link(modules)
    assert defined(linked) == ["shared", "main", "helper", "twice", "main2"]

    assert [*map(str, modules)] == texts
    assert linked.verify() == []
    assert str(bitcodec.loads(bitcodec.dumps(linked), "llvm-link")) == str(linked)


def test_inputs_of_every_kind(tmp_path: Path) -> None:
    paths = write(tmp_path, a=A, b=B)
    bitcode = bitcodec.dumps(bitcodec.open(paths[1]))
    expected = str(bitcodec.link(paths))
    assert str(bitcodec.link([Path(paths[0]), bitcode])) == expected
    assert str(bitcodec.link([bitcodec.open(paths[0]), paths[1]])) == expected


def test_bodies_that_are_not_linked_are_not_read() -> None:
    unused = "define linkonce_odr void @unused() {\n  ret void\n}\n"
    linker = ModuleLinker()
    (module,) = open_all(bitcodec.dumps(bitcodec.parse_assembly(A + unused)), context=linker.module.context)
    function = module.functions["unused"]
    linker.add(module)
    assert linker.finish().functions.get("unused") is None
    assert not function.is_materialized


def test_what_became_of_symbols(tmp_path: Path) -> None:
    first, second = write(tmp_path, a=A, b=B)
    linker = Linker()
    for path in (first, second):
        linker.add(path)
    assert linker.finish().get("shared") is not None
    assert [str(candidate) for candidate in linker.explain("shared")] == [
        f"{first}: a weak definition, linked",
        f"{second}: an external definition, linked; it replaces the weak definition in {first}",
    ]
    assert linker.explain("nothing") == ()
    assert linker.origins()["shared"] == linker.origins()["helper"] == second


def test_why_symbols_are_not_linked(tmp_path: Path) -> None:
    text = """
$group = comdat any
define linkonce_odr void @group() comdat { ret void }
define linkonce_odr void @unused() { ret void }
define internal void @local() { ret void }
define void @NAME() {
  call void @group()
  call void @local()
  ret void
}
"""
    first, second = write(tmp_path, a=text.replace("NAME", "a"), b=text.replace("NAME", "b"))
    archive = tmp_path / "library.a"
    archive.write_bytes(archive_of(("member.bc", bitcodec.dumps(bitcodec.parse_assembly(B)))))
    done = succeed(
        "link", first, second, archive, *[f"--explain={name}" for name in ("group", "unused", "local", "main2")]
    )
    unused = "a linkonce definition, not linked; nothing that is linked refers to it"
    assert done.decode().splitlines() == [
        "group:",
        f"  {first}: a linkonce definition, linked",
        f"  {second}: a linkonce definition, not linked; it loses against the linkonce definition in {first}",
        "unused:",
        f"  {first}: {unused}",
        f"  {second}: {unused}",
        "local:",
        f"  {first}: an internal definition, linked",
        f"  {second}: an internal definition, linked as local.1",
        "main2:",
        f"  {archive}(member.bc): an external definition, not linked; nothing before its archive needs the member",
    ]
    undefined = succeed("link", *write(tmp_path, c=A), "--explain", "helper").decode()
    assert undefined == f"helper: no input defines it; {tmp_path / 'c.ll'} declares it\n"


def test_all_conflicts_are_found_without_linking(tmp_path: Path) -> None:
    paths = write(tmp_path, a=A, flagged=FLAGGED, b=B, c=CONFLICTING)
    survey = Survey()
    for path in paths:
        survey.add(bitcodec.open(path))
    assert [(problem.kind, problem.name) for problem in survey.problems] == [
        (ProblemKind.MULTIPLY_DEFINED, "shared"),
        (ProblemKind.MULTIPLY_DEFINED, "helper"),
        (ProblemKind.FLAGS, "wchar_size"),
    ]
    assert {problem.source for problem in survey.problems} == {paths[3]}
    assert [problem.destination for problem in survey.problems] == [paths[2], paths[2], paths[1]]
    assert "--override" in survey.problems[0].advice
    assert survey.problems[2].advice.startswith("compile both with the same -f[no-]short-wchar; `bitcodec flags lint`")
    with pytest.raises(LinkError) as caught:
        bitcodec.link(paths)
    assert "symbol multiply defined!" in str(caught.value)
    assert [problem.name for problem in caught.value.errors] == ["shared", "helper"]


def test_an_error_is_one_line_of_some_conflicts() -> None:
    names = [f"f{number}" for number in range(20)]
    for each in (names, ['"\\0A' + "f" * 100_000 + '"']):
        text = "".join(f"@{name} = global i32 1\n" for name in each)
        with pytest.raises(LinkError) as caught:
            bitcodec.link([bitcodec.parse_assembly(text, name="a.bc"), bitcodec.parse_assembly(text, name="b.bc")])
        message = str(caught.value)
        assert len(caught.value.errors) == len(each)
        assert len(message) < 2000
        assert message.isprintable()
        first = "Linking globals named 'f0': symbol multiply defined! (external definition in a.bc, "
        assert message.startswith(first) is (each is names)
        assert message.endswith("; and 15 more") is (each is names)


def test_deep_constants_are_linked() -> None:
    depth = 3000
    types = "\n".join(f"%t{number} = type {{ %t{number - 1} }}" for number in range(1, depth))
    text = (
        f"%t0 = type {{ ptr }}\n{types}\n@other = external global i32\n@deep = global %t{depth - 1} zeroinitializer\n"
    )
    linked = bitcodec.link([bitcodec.parse_assembly(text), bitcodec.parse_assembly(text.replace("@deep", "@deep2"))])
    assert defined(linked) == ["deep", "deep2"]
    first, second = linked.global_variables
    assert first.value_type is second.value_type


def test_command(tmp_path: Path) -> None:
    paths = write(tmp_path, a=A, b=B)
    map_file = tmp_path / "map.json"
    text = succeed("link", *paths, "-S", "-o", "-", "--map", map_file)
    assert text.decode() == str(bitcodec.link(paths))
    assert json.loads(map_file.read_text())["symbols"]["main"] == paths[0]
    output = tmp_path / "out.bc"
    said = succeed("link", *paths, "-o", output, "--explain", "helper", "--explain", "gone").decode()
    outcome = f"an external definition, linked; it replaces the declaration in {paths[0]}"
    assert said.splitlines() == ["helper:", f"  {paths[1]}: {outcome}", "gone: no input defines it"]
    assert defined(bitcodec.open(output)) == defined(bitcodec.link(paths))


def test_options_of_llvm_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, a=A, b=B)
    ignored = ["-f", "--disable-lazy-loading", "--disable-verify"]
    found = run("link", "-v", *ignored, "a.ll", "b.ll", "-o", "both.bc")
    assert found.stderr == "Linking in 'a.ll'\nLinking in 'b.ll'\nWriting bitcode...\n"
    assert "two dashes: --only-needed" in run("link", "-only-needed", "a.ll", "b.ll").stderr
    assert "two dashes: --override=b.ll" in run("link", "-override=b.ll", "a.ll").stderr
    assert "two dashes: --only-needed" in run("link", "a.ll", "-only-needed", "b.ll", "-o", "both.bc").stderr
    assert "several output files" in run("link", "a.ll", "-o", "a.bc", "-o", "b.bc").stderr


@pytest.mark.parametrize("option", ["--explain=f", "--map=map.json"])
def test_a_dry_run_refuses_options_that_need_a_link(option: str, tmp_path: Path) -> None:
    paths = write(tmp_path, a=A)
    assert "--dry-run links nothing" in run("link", "--dry-run", *paths, option).stderr


def test_command_lists_all_conflicts(tmp_path: Path) -> None:
    paths = write(tmp_path, a=A, flagged=FLAGGED, b=B, c=CONFLICTING)
    output = tmp_path / "out.bc"
    for options in ([], ["--dry-run"]):
        done = run("link", *paths, "-o", output, *options)
        assert done.exit_code == 1
        errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
        assert len(errors) == 3
        assert f"external definition in {paths[2]}, external definition in {paths[3]}" in done.stderr
        assert not output.exists()
    assert "no files" in run("link", "-o", output).stderr
    assert run("link", *paths).exit_code == 2


def test_archives(tmp_path: Path) -> None:
    extra = "define void @extra() {\n  ret void\n}\n"
    members = {"a": A, "b": B, "extra": extra}
    bitcode = {name: bitcodec.dumps(bitcodec.parse_assembly(text)) for name, text in members.items()}
    (tmp_path / "a.bc").write_bytes(bitcode["a"])
    archive = tmp_path / "library.a"
    archive.write_bytes(archive_of(("b.bc", bitcode["b"]), ("extra.bc", bitcode["extra"])))
    inputs = [tmp_path / "a.bc", archive]
    assert defined(bitcodec.link(inputs)) == ["shared", "main", "helper", "twice", "main2"]
    whole = bitcodec.print_assembly(bitcodec.link(inputs, whole_archive=True))
    theirs = ask(["llvm-link-22", "-S", *inputs, "-o", "-"], text=True, check=True)
    assert whole == theirs.stdout


def test_archives_before_the_files_that_need_them(tmp_path: Path) -> None:
    write(tmp_path, a=A)
    (tmp_path / "lib.a").write_bytes(archive_of(("b.o", bitcodec.dumps(bitcodec.parse_assembly(B.encode())))))
    paths = [str(tmp_path / "lib.a"), str(tmp_path / "a.ll")]
    linker = Linker()
    for path in paths:
        linker.add(path)
    linker.finish()
    first, second = linker.problems
    assert str(first) == f"Nothing of archive {paths[0]} is linked: no file before it needs a member"
    assert str(second) == f"Archive {paths[0]} precedes the files that need 'helper' of it"
    for options in (("-o", tmp_path / "x.bc"), ("--dry-run",)):
        assert run("link", *reversed(paths), *options).stderr == ""
    done, dry = run("link", *paths, "-o", tmp_path / "x.bc"), run("link", *paths, "--dry-run")
    assert done.stderr.count("warning: ") == 2
    assert (dry.exit_code, dry.stderr) == (done.exit_code, done.stderr)
    assert "name each file once" in run("link", paths[1], paths[1], "-o", tmp_path / "x.bc").stderr


def test_members_of_archives_that_need_each_other() -> None:
    texts = {
        "main": "declare void @a()\ndefine void @main() {\n  call void @a()\n  ret void\n}\n",
        "first": "declare void @b()\ndefine void @a() {\n  call void @b()\n  ret void\n}\n"
        "define void @c() {\n  ret void\n}\ndefine void @unused() {\n  ret void\n}\n",
        "second": "declare void @c()\ndefine void @b() {\n  call void @c()\n  ret void\n}\n",
    }
    bitcode = {name: bitcodec.dumps(bitcodec.parse_assembly(text.encode())) for name, text in texts.items()}
    archive = archive_of(("first.o", bitcode["first"]), ("second.o", bitcode["second"]))
    assert defined(bitcodec.link([bitcode["main"], archive], only_needed=True)) == ["main", "a", "b", "c"]
    assert defined(bitcodec.link([bitcode["main"], archive])) == ["main", "a", "c", "unused", "b"]


def archive_of(*members: tuple[str, bytes]) -> bytes:
    """Return an archive in the form of GNU's ar."""
    parts = [b"!<arch>\n"]
    for name, content in members:
        header = f"{name + '/':<16}{0:<12}{0:<6}{0:<6}{'644':<8}{len(content):<10}`\n"
        parts += [header.encode(), content, b"\n" * (len(content) % 2)]
    return b"".join(parts)


@pytest.mark.parametrize("options", [[], ["--whole-archive"]])
def test_members_without_bitcode(options: list[str], tmp_path: Path) -> None:
    first, archive = tmp_path / "a.ll", tmp_path / "library.a"
    first.write_text(A)
    archive.write_bytes(archive_of(("b.bc", bitcodec.dumps(bitcodec.parse_assembly(B))), ("notes.txt", b"some notes")))
    arguments = ["link", first, archive, *options, "-S", "-o", "-"]
    done = run(*arguments)
    assert done.exit_code == 1
    assert f"{archive}: member of archive is not a bitcode file: 'notes.txt'; compile it to bitcode" in done.stderr
    dry = run("link", "--dry-run", first, archive, *options)
    assert (dry.exit_code, dry.stderr) == (1, done.stderr)
    succeed("link", "--dry-run", "--ignore-non-bitcode", first, archive, *options)
    text = succeed(*arguments, "--ignore-non-bitcode").decode()
    linked = bitcodec.link([first, archive], whole_archive=bool(options), ignore_non_bitcode=True)
    assert text == bitcodec.print_assembly(linked)
    assert defined(linked) == ["shared", "main", "helper", "twice", "main2"]


def test_a_dry_run_takes_the_members_of_archives_that_a_link_takes(tmp_path: Path) -> None:
    members = {"a": A, "b": B, "other": "define i32 @main() {\n  ret i32 1\n}\n"}
    bitcode = {name: bitcodec.dumps(bitcodec.parse_assembly(text)) for name, text in members.items()}
    (tmp_path / "a.bc").write_bytes(bitcode["a"])
    archive = tmp_path / "library.a"
    archive.write_bytes(archive_of(("other.bc", bitcode["other"]), ("b.bc", bitcode["b"])))
    inputs = [str(tmp_path / "a.bc"), str(archive)]
    succeed("link", "--dry-run", *inputs)
    refused = run("link", "--dry-run", "--whole-archive", *inputs)
    assert refused.exit_code == 1
    assert "Linking globals named 'main'" in refused.stderr


def test_addresses_of_blocks_follow_a_body_that_an_alias_keeps(tmp_path: Path) -> None:
    strong = "define void @f() {\n  ret void\n}\n"
    weak = """
@table = global ptr blockaddress(@f, %next)
@alias = alias void (), ptr @f
define weak void @f() {
  indirectbr ptr blockaddress(@f, %next), [label %next]
next:
  ret void
}
"""
    linked = bitcodec.link(write(tmp_path, strong=strong, weak=weak))
    assert linked.verify() == []
    assert "indirectbr ptr blockaddress(@f.1, %next)" in bitcodec.print_assembly(linked)


def test_archives_without_members_are_linked() -> None:
    module = bitcodec.link([b"!<arch>\n", b"@x = global i32 1\n"], whole_archive=True)
    assert [value.name for value in module.globals] == ["x"]
