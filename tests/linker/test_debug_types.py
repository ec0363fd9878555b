"""Composite types of debug information that linked modules share by identifier, in bitcode and in text."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

import bitcodec
from answers import ask
from cli.running import succeed

if TYPE_CHECKING:
    from pathlib import Path

_MODULE = """
source_filename = "{name}"
define void @{name}() !dbg !7 {{
  ret void
}}
!llvm.dbg.cu = !{{!0}}
!llvm.module.flags = !{{!2}}
!members = !{{!5}}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug, retainedTypes: !3)
!1 = !DIFile(filename: "{name}.cpp", directory: "/tmp")
!2 = !{{i32 2, !"Debug Info Version", i32 3}}
!3 = !{{!4, {inner}}}
!4 = {type}
!5 = !{{!6, !11}}
!6 = !DIDerivedType(tag: DW_TAG_member, name: "first", scope: !4, file: !1, line: {line}, baseType: !9, size: 32)
!7 = distinct !DISubprogram(name: "{name}", scope: !1, file: !1, type: !8, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DISubroutineType(types: !10)
!9 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = !{{null}}
!11 = !DISubprogram(name: "f", linkageName: "_Zf", scope: !4, file: !1, line: {line}, type: !8, spFlags: 0)
"""
_DEFINITION = (
    'distinct !DICompositeType(tag: DW_TAG_structure_type, name: "{name}", file: !1, line: 1, size: 32,'
    ' elements: !5, identifier: "type")'
)
_DECLARATION = (
    '!DICompositeType(tag: DW_TAG_structure_type, name: "{name}", file: !1, flags: DIFlagFwdDecl, identifier: "type")'
)
_OTHER_TAG = _DEFINITION.replace("structure", "class")
_INNER = _DECLARATION.format(name="inner").replace('"type"', '"inner"')
"""A node without a number."""
_SETS = {
    "definitions": (_DEFINITION, _DEFINITION),
    "a declaration first": (_DECLARATION, _DEFINITION, _DEFINITION),
    "a declaration last": (_DEFINITION, _DECLARATION),
    "declarations": (_DECLARATION, _DECLARATION),
    "tags that differ": (_DEFINITION, _OTHER_TAG),
}


def _texts(types: tuple[str, ...]) -> dict[str, str]:
    names = [f"m{number}" for number in range(len(types))]
    return {
        name: _MODULE.format(name=name, line=line, type=type_.format(name=name), inner=_INNER)
        for line, (name, type_) in enumerate(zip(names, types, strict=True), 1)
    }


@pytest.mark.parametrize("types", _SETS.values(), ids=_SETS)
def test_text_is_linked_like_bitcode(types: tuple[str, ...]) -> None:
    texts = [text.encode() for text in _texts(types).values()]
    bitcode = [bitcodec.dumps(bitcodec.parse_assembly(text)) for text in texts]
    expected = str(bitcodec.link(bitcode))
    for inputs in product(*zip(texts, bitcode, strict=True)):
        assert str(bitcodec.link(inputs)) == expected


@pytest.mark.parametrize("llvm_version", [4, 8, 14, 19])
@pytest.mark.parametrize("types", _SETS.values(), ids=_SETS)
def test_shorter_records_of_older_versions_are_linked(types: tuple[str, ...], llvm_version: int) -> None:
    modules = [bitcodec.parse_assembly(text) for text in _texts(types).values()]
    older = [bitcodec.dumps(module, llvm_version=llvm_version) for module in modules]
    expected = str(bitcodec.link(map(bitcodec.dumps, modules)))
    assert str(bitcodec.link(older)) == expected


@pytest.mark.parametrize("types", _SETS.values(), ids=_SETS)
@pytest.mark.parametrize("form", ["ll", "bc"])
def test_text_is_that_of_llvm_link(types: tuple[str, ...], form: str, tmp_path: Path) -> None:
    for name, text in _texts(types).items():
        is_text = form == "ll"
        (tmp_path / name).write_bytes(text.encode() if is_text else bitcodec.dumps(bitcodec.parse_assembly(text)))
    paths = sorted(tmp_path.iterdir())
    done = ask(["llvm-link-22", "-S", *paths, "-o", "-"], check=True, keeps="digest")
    assert bitcodec.print_assembly(bitcodec.link(paths)) == done.stdout.decode()


def test_types_of_files_kept_apart(tmp_path: Path) -> None:
    for name, text in _texts(_SETS["definitions"]).items():
        (tmp_path / f"{name}.ll").write_text(text)
    paths = sorted(tmp_path.iterdir())
    command: list[str | Path] = ["llvm-link-22", "-S", "--disable-debug-info-type-map", *paths, "-o", "-"]
    expected = ask(command, check=True, keeps="digest").stdout
    options = ["--disable-debug-info-type-map", "-f", "-S", "-o", "-"]
    assert succeed("link", *paths, *options) == expected
