"""`--json`: one document for each run, in a form that the package ships a JSON Schema of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bitcodec.cli import _root
from bitcodec.cli.declaring import Command, CommandGroup

from . import documents
from .documents import FOLDER, document
from .running import run

EXAMPLES = Path(__file__).parents[2] / "examples"
HELLO, QUEUE, TAGGED = (EXAMPLES / f"{name}.bc" for name in ("hello", "queue", "tagged"))
RUNS = [
    f"{command} --json {{}}"
    for command in (
        "info",
        "info --instructions --symbols",
        "verify",
        "doctor",
        "doctor --llvm 14",
        "report",
        "nm",
        "nm -a",
        "analyze",
        "dump",
        "extract --list",
    )
]
RUNS += [f"flags {command} --json {{}}" for command in ("show", "check", "merge", "conflicts", "lint")]
RUNS += ["flags explain --json", "flags explain --json wchar_size"]
RUNS += ["diff --json {} {hello}", "diff --json --brief -g {} {hello}", "diff --json {} {}"]
RUNS += ["report --json -C {}", "report --json --compare {hello} {}"]
RUNS += ["pcsections show --json {}", "pcsections audit --json {} {hello}"]
LISTS = ("streams", "modules", "comparisons", "flags", "entries", "instructions", "nodes", "conflicts", "requests")


@pytest.mark.parametrize("arguments", RUNS)
@pytest.mark.parametrize("example", [HELLO, QUEUE, TAGGED], ids=lambda path: path.stem)
def test_documents_keep_to_their_schema(arguments: str, example: Path) -> None:
    pytest.importorskip("jsonschema")
    words = [word.format(example, hello=HELLO) for word in arguments.split()]
    found = document(run(*words).stdout)
    name = found["schema"].split("/")[1]
    command = [word for word in words if word in {"flags", "pcsections"}] + [name.split("-")[-1]]
    assert name == "-".join(command)
    assert next(iter(found)) == "schema"
    assert [key for key in LISTS if key in found]


def commands(group: CommandGroup = _root, path: str = "") -> Iterator[tuple[str, Command]]:
    for name in group.names:
        found = group.find(name)
        if isinstance(found, CommandGroup):
            yield from commands(found, f"{path}{name}-")
        else:
            yield f"{path}{name}", found


def test_each_command_with_json_has_a_schema_and_says_its_key() -> None:
    with_json = {name for name, command in commands() if any(each.name == "as_json" for each in command.parameters)}
    shipped = {path.name for path in FOLDER.iterdir()}
    assert shipped == {f"{name}.json" for name in with_json} | {documents.COMMON}
    assert {"flags-check", "flags-explain", "extract", "pcsections-map"} <= with_json
    for name in with_json:
        assert documents.schema(f"{name}.json")["properties"]["schema"] == {"const": f"bitcodec/{name}/1"}


def objects(schema: object) -> Iterator[dict[str, object]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for each in schema.values():
            yield from objects(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from objects(each)


def test_schemas_name_every_key() -> None:
    for path in FOLDER.iterdir():
        for each in objects(documents.schema(path.name)):
            assert "additionalProperties" in each, path.name


def test_several_files_are_one_document(tmp_path: Path) -> None:
    bad = tmp_path / "bad.bc"
    bad.write_bytes(HELLO.read_bytes()[:200])
    for command in ("nm", "verify", "flags show", "flags check", "info"):
        result = run(*command.split(), "--json", HELLO, bad, QUEUE)
        found = document(result.stdout)
        (rows,) = (value for value in found.values() if isinstance(value, list))
        assert [row["file"] for row in rows if row["file"] != str(bad)] == [str(HELLO), str(QUEUE)]
        assert all(row["member"] is None for row in rows)
        assert result.exit_code != 0


def test_bytes_that_are_not_utf8_get_escapes(tmp_path: Path) -> None:
    name = str(tmp_path / "a\udcffb\U0001f600.bc")
    Path(name).write_bytes(HELLO.read_bytes())
    for command in ("nm", "verify", "dump", "analyze", "flags show"):
        found = document(run(*command.split(), "--json", name).stdout)
        (rows,) = (value for value in found.values() if isinstance(value, list))
        assert rows[0]["file"] == str(tmp_path / "a\\xffb\U0001f600.bc")
