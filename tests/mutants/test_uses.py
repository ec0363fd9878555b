"""Functions whose tests can notice a fault: those that contain it, and those that use what is made of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .points import Mutant
from .uses import Program

FILES = {
    "__init__.py": "from .rows import ROWS as PUBLIC\n",
    "rows.py": """
        ROWS = (
            1,
            2,
        )
        BY_NUMBER = {row: 1 for row in ROWS}

        class Table:
            limit = 3

            def size(self):
                return self.limit

        def _made(number):
            return number

        MADE = _made(1)

        @cache
        def kept():
            return 5
    """,
    "users.py": """
        import bitcodec
        from . import rows
        from .rows import BY_NUMBER, kept, MADE

        def by_name():
            def inner():
                return BY_NUMBER
            return 1

        def by_module():
            return rows.ROWS

        def other(ROWS=1):
            return 1

        def by_modules():
            return [each.ROWS for each in (rows, 1)]

        def of_made():
            return MADE

        def of_kept():
            return kept()

        def of_of_kept():
            return of_kept()
    """,
    "inner/deep.py": """
        from ..rows import Table
        from .. import PUBLIC

        def make():
            return Table

        def public():
            return PUBLIC
    """,
}


@pytest.fixture
def program(tmp_path: Path) -> Program:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(line.removeprefix(" " * 8) for line in text.splitlines()))
    return Program(tmp_path)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (3, {"by_module", "by_modules", "by_name", "by_name.inner", "public"}),
        (9, {"Table.size", "make", "by_modules"}),
        (12, {"Table.size"}),
        (15, {"_made", "of_made", "by_modules"}),
        (21, {"kept", "of_kept", "by_modules"}),
    ],
)
def test_functions_of_a_fault(program: Program, line: int, expected: set[str]) -> None:
    found = program.traces_of("rows.py", Mutant("constant", line, 0, 0, b""))

    assert {function.name for function in found.functions} == expected


def test_the_innermost_function_contains_a_fault(program: Program) -> None:
    found = program.traces_of("users.py", Mutant("constant", 8, 0, 0, b""))

    assert {str(function) for function in found.functions} == {"users.py:by_name.inner:0"}
