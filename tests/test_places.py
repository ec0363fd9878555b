"""Where tests are, by the rule in CONTRIBUTING: folders of packages, names of modules, first lines of docstrings."""

from __future__ import annotations

from find import ELSEWHERE, SOURCES, TESTS, find_tests, first_line, folders_around, imported_modules, name_of

OF_THE_PACKAGE = {
    "answers": "the recorded answers",
    "fuzzing": "targets for fuzzing",
    "hostile": "hostile input to every function and command",
    "mutants": "mutants of sources, which the tests must notice",
    "parity": "what bitcodec reads, value by value, against the text of LLVM",
    "skips": "the list of skipped tests",
    "strictness": "mutated files, as bitcodec and LLVM 22 read them",
    "typing": "types for users: pyright and mypy",
}
"""Folders of tests that are about the whole package, or about the tests."""
OF_A_COMMAND = {"downgrade/device": "kernels of `downgrade`, run on the host"}
"""Folders of tests that need files and programs of their own."""

FILES = sorted(TESTS.rglob("test_*.py"))
MODULES = sorted(SOURCES.rglob("*.py"))


def test_folders_are_those_of_packages() -> None:
    folders = {path.parent.relative_to(TESTS).as_posix() for path in FILES} - {"."}
    others = {*OF_THE_PACKAGE, *OF_A_COMMAND, *ELSEWHERE.values()}

    assert {folder for folder in folders - others if not (SOURCES / folder / "__init__.py").exists()} == set()


def test_packages_have_tests() -> None:
    packages = {module.parent for module in MODULES} - {SOURCES}

    assert [package.name for package in packages if folders_around(package / "__init__.py") == [TESTS]] == []


def test_tests_of_one_module_have_its_place() -> None:
    """A file that has the name of a module in a package below its folder, and imports it, belongs there."""
    wrong = set()
    for test in FILES:
        below = SOURCES / test.parent.relative_to(TESTS)
        namesakes = [
            module for module in MODULES if f"test_{module.stem}.py" == test.name and below in module.parents[1:]
        ]
        has_place = any((folder / test.name.removeprefix("test_")).exists() for folder in (below, SOURCES))
        if not has_place and any(name_of(module) in imported_modules(test) for module in namesakes):
            wrong.add(test.relative_to(TESTS).as_posix())

    assert wrong == set()


def test_first_lines_name_the_behaviour() -> None:
    assert [str(test.relative_to(TESTS)) for test in FILES if not first_line(test)] == []


def test_tests_are_found() -> None:
    found = [str(test.relative_to(TESTS)) for test in find_tests(SOURCES / "bitcode" / "reader" / "field_reader.py")]
    assert found[0] == "bitcode/reader/test_field_reader.py"
    assert all(any(find_tests(module)) for module in MODULES[::25])
    assert folders_around(SOURCES / "corpus" / "tables" / "__init__.py") == [TESTS / "corpus_tables"]
    expansion = SOURCES / "downgrade" / "expansions" / "fixed_point.py"
    assert folders_around(expansion) == [TESTS / "downgrade"]
