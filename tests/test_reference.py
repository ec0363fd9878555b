"""The pages in `docs/reference`: citations and links reach their sections, tables have the numbers of the rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import bitcodec
from bitcodec.bitcode.schema.blocks import ConstantsCode, FunctionCode, MetadataCode, ModuleCode, NamedCode, TypeCode
from bitcodec.bitcode.schema.node_versions import NODE_VERSIONS
from bitcodec.tables import dwarf
from bitcodec.tables.attributes import HIGHEST_NUMBERS, KINDS_BY_NUMBER
from bitcodec.tables.calling_conventions import CALLING_CONVENTIONS
from bitcodec.tables.metadata_kinds import METADATA_KINDS
from bitcodec.tables.names import Named

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "reference"
PAGES = sorted(FOLDER.glob("*.md"))
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{2,4} (\d+(?:\.\d+)*)\.? ", re.MULTILINE)
NUMBER = r"\d+(?:\.\d+)*(?: \([^)]*\))?"
CITATION = re.compile(rf"docs/reference/([\w-]+\.md)(?:, ({NUMBER}(?:(?:, | and | to |, and ){NUMBER})*))?")
LINK = re.compile(r"\]\(([\w/.-]*?([\w-]+\.md)?)#(\d[\d.]*)\)")
LATEST = 22
"""The version that the tables on the pages are about."""


def sections(page: Path) -> list[str]:
    """Return the numbers of the sections of a page."""
    return HEADING.findall(CODE.sub("", page.read_text(encoding="utf-8")))


def citations() -> Iterator[tuple[str, str, list[str]]]:
    """Yield for each citation in sources and tests where it is, the page, and the numbers of sections."""
    for folder in ("src", "tests"):
        files = (path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in {".py", ".pyi", ".pxd"})
        for path in files:
            text = path.read_text(encoding="utf-8")
            if "docs/reference/" not in text:
                continue
            text = re.sub(r"\s+(?:# )?", " ", text)
            for page, numbers in CITATION.findall(text):
                stripped = re.sub(r"\([^)]*\)", "", numbers)
                yield str(path.relative_to(ROOT)), page, re.findall(r"\d+(?:\.\d+)*", stripped)


def test_citations_resolve() -> None:
    known = {page.name: {*sections(page)} for page in PAGES}
    found = [each for each in citations() if each[0] != "tests/test_reference.py"]
    assert len(found) > 250
    assert [each for each in found if each[1] not in known or not {*each[2]} <= known[each[1]]] == []


def test_citations_have_one_form() -> None:
    """No sentence names a page by its subject, as in "bitcode record reference, section 7.3"."""
    subjects = "record|writer|upgrade|text|parsing|readers|linking|flags|sections"
    older = re.compile(rf"\b(?:{subjects})\s+reference\b", re.IGNORECASE)
    files = [path for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.py") if path != Path(__file__)]

    texts = {str(path): path.read_text(encoding="utf-8") for path in files}

    assert [name for name, text in texts.items() if "reference" in text and older.search(text)] == []


def test_sections_are_numbered_once() -> None:
    twice = {page.name: [each for each in sections(page) if sections(page).count(each) > 1] for page in PAGES}
    assert {name: numbers for name, numbers in twice.items() if numbers} == {}


def test_links_reach_sections() -> None:
    lost = []
    for page in [*PAGES, *sorted((ROOT / "docs").glob("*.md"))]:
        for path, name, number in LINK.findall(page.read_text(encoding="utf-8")):
            target = page.parent / path if name else page
            if not target.exists() or number not in sections(target):
                lost.append(f"{page.name}: {path}#{number}")
    assert lost == []


def section(page: str, number: str) -> str:
    """Return the text of a section of a page."""
    text = (FOLDER / page).read_text(encoding="utf-8")
    found = re.search(rf"^(#+) {re.escape(number)}\.? .*?(?=^#{{2,4}} |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None, f"{page} has no section {number}"
    return found[0]


def test_attribute_kinds_are_those_of_the_rows() -> None:
    shown = {}
    for line in section("records.md", "5.4").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        shown |= {
            int(cells[place]): cells[place + 1].split()[0]
            for place in (0, 4)
            if cells[place : place + 1] and cells[place].isdigit()
        }
    rows = {number: kind.name for number, kind in KINDS_BY_NUMBER.items() if number <= HIGHEST_NUMBERS[LATEST]}
    assert {number: shown.get(number) for number in rows} == rows


def test_calling_conventions_are_those_of_the_rows() -> None:
    shown = dict(re.findall(r"`(\d+) ([^`]+)`", section("text.md", "7")))
    rows = {number: name for number, name in CALLING_CONVENTIONS.items() if not name.startswith("riscv_vls_cc")}
    assert {number: shown.get(str(number), "").replace("␣", " ") for number in rows} == rows


def test_kinds_of_metadata_are_those_of_the_rows() -> None:
    shown = {int(number): name for number, name in re.findall(r"(\d+) ([a-zA-Z][\w.]+)", section("text.md", "12.4"))}
    assert [shown.get(number) for number in range(len(METADATA_KINDS))] == list(METADATA_KINDS)


@pytest.mark.parametrize(
    ("codes", "numbers"),
    [
        (ModuleCode, ["3.1"]),
        (TypeCode, ["4"]),
        (ConstantsCode, ["6.2"]),
        (FunctionCode, ["7.3"]),
        (MetadataCode, ["8.2", "8.5"]),
    ],
)
def test_records_are_those_of_the_rows(codes: type[NamedCode], numbers: list[str]) -> None:
    text = "".join(section("records.md", number).split("VERSION meaning")[0] for number in numbers)
    cells = re.findall(r"^\| (\d+(?: / \d+)*)(?: | \().*?\|", text, re.MULTILINE)
    shown = {int(number) for cell in cells for number in cell.split(" / ")}
    rows = {int(code) for code in codes if code.since <= LATEST}

    # The records of attachments are in a table of metadata, and in a block of their own.
    assert shown - {11} == rows - {11}


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Tags", dwarf.Tag),
        ("Languages", dwarf.Language),
        ("Version-less language names", dwarf.LanguageName),
        ("Encodings", dwarf.TypeEncoding),
        ("Calling conventions", dwarf.CallingConvention),
    ],
)
def test_names_of_dwarf_are_those_of_the_rows(title: str, names: type[Named]) -> None:
    found = re.search(rf"^\*\*{title} .*?\n\n(.*?)\n\n", section("text.md", "20"), re.MULTILINE | re.DOTALL)
    assert found is not None
    listed = re.findall(r"(?:^|· )([0-9a-f]+) (\w+)", re.sub(r"\s+", " ", found[1]))

    assert {int(number, 16): names.prefix + name for number, name in listed} == names.spellings


def test_the_example_of_the_text_prints_as_itself() -> None:
    example = re.search(r"^```llvm\n(; ModuleID.*?)^```", section("text.md", "2"), re.MULTILINE | re.DOTALL)
    assert example is not None
    module = bitcodec.parse_assembly(example[1], name="m.bc")

    assert bitcodec.print_assembly(module).partition("\n")[2] == example[1].partition("\n")[2]


def test_literals_are_printed_as_the_table_states() -> None:
    rows = re.findall(r"^\| (\w+) \| `(\S+)` \| (same|`\S+`) \|", section("llvm-23-24.md", "2.1"), re.MULTILINE)
    assert len(rows) > 100
    text = "".join(f"@{place} = global {type_} {value}\n" for place, (type_, value, _) in enumerate(rows))
    printed = [line for line in bitcodec.print_assembly(bitcodec.parse_assembly(text)).splitlines() if line[:1] == "@"]
    stated = [value if shown == "same" else shown.strip("`") for _, value, shown in rows]

    assert [line.split()[-1] for line in printed] == stated


def accepted_lengths(cell: str) -> Iterator[tuple[int, set[int]]]:
    """Yield versions and the numbers of operands that they accept: `5-7: 12; 8+: 11-13 (13 in version 2)`."""
    for part in re.sub(r"\([^)]*\)", "", cell).split(";"):
        found = re.fullmatch(r"\s*(all|\d+)(?:-(\d+)|(\+))?: (\d+(?:-\d+)?(?:, \d+(?:-\d+)?)*)\s*", part)
        if found is not None:
            first, last, is_open, lengths = found.groups()
            begin = 5 if first == "all" else int(first)
            end = LATEST if first == "all" or is_open else int(last or first)
            spans = [[int(number) for number in span.split("-")] for span in lengths.split(", ")]
            accepted = {length for span in spans for length in range(span[0], span[-1] + 1)}
            yield from ((version, accepted) for version in range(begin, end + 1))


def test_lengths_of_nodes_are_those_of_the_rows() -> None:
    rows = re.findall(r"^\| [A-Z_]+ (\d+) \| .* \| (.*?) \|$", section("older-readers.md", "8"), re.MULTILINE)
    stated = [(int(code), version, accepted) for code, cell in rows for version, accepted in accepted_lengths(cell)]
    assert len(stated) > 200
    wrong = []
    for code, version, accepted in stated:
        row = [each.accepted for each in NODE_VERSIONS[code].lengths if each.since <= version][-1]
        if row is not None and {*row} != accepted:
            wrong.append((code, version, accepted, row))
    assert wrong == []


def test_highest_kinds_of_attributes_are_those_of_the_rows() -> None:
    lines = section("older-readers.md", "2").splitlines()
    versions, highest = (
        next(line for line in lines if line.startswith(f"| {word} |")) for word in ("reader", "highest id")
    )
    shown = dict(zip(re.findall(r"\d+", versions), re.findall(r"\d+", highest), strict=True))

    assert {int(version): int(kind) for version, kind in shown.items()} == {
        version: kind for version, kind in HIGHEST_NUMBERS.items() if 5 <= version <= LATEST
    }
