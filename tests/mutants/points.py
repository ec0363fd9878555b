"""Places of a source file where a small fault fits, and the text with the fault."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

__all__ = ["Mutant", "Source", "changes_of_rows", "mutants_of"]

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
_OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.LShift: ("<<", ">>"),
    ast.BitAnd: ("&", "|"),
}
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_MIN_ROWS = 3


class Mutant(NamedTuple):
    """A fault.

    Attributes:
        kind: "comparison", "constant", "word", "branch", "operator" or "row".
        line: of the fault, from 1.
        start, end: offsets of the replaced bytes.
        text: the bytes in their place.
    """

    kind: str
    line: int
    start: int
    end: int
    text: bytes

    def applied(self, source: bytes) -> bytes:
        """Return the source with the fault."""
        return source[: self.start] + self.text + source[self.end :]


class Source:
    """A source file and the offsets of its nodes."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def begin(self, line: int) -> int:
        """Return the offset of the first byte of a line, from 1."""
        return self._lines[line - 1]

    def span(self, node: ast.expr) -> tuple[int, int]:
        """Return the offsets of the first byte of a node and the first one after it."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._lines[node.lineno - 1] + node.col_offset, self._lines[node.end_lineno - 1] + node.end_col_offset

    def replaced(self, kind: str, node: ast.expr, text: str) -> Mutant:
        """Return the mutant with other text for a node."""
        return Mutant(kind, node.lineno, *self.span(node), text.encode())

    def between(self, kind: str, left: ast.expr, right: ast.expr, old: str, new: str) -> Iterator[Mutant]:
        """Return the mutant with another operator between two nodes, if nothing but the operator is there."""
        start, end = self.span(left)[1], self.span(right)[0]
        if self.source[start:end].split() == old.encode().split():
            yield Mutant(kind, left.lineno, start, end, f" {new} ".encode())


def mutants_of(source: bytes) -> list[Mutant]:
    """Return all mutants of a source file, in the order of the file."""
    tree = ast.parse(source)
    found = Source(source)
    skipped = _annotations(tree)
    mutants = [mutant for node in ast.walk(tree) if id(node) not in skipped for mutant in _mutants(found, node)]
    mutants += [mutant for statement in tree.body for mutant in _rows(found, statement)]
    return sorted(set(mutants), key=lambda mutant: mutant[1:])


def changes_of_rows(source: bytes) -> list[Mutant]:
    """Return the mutants that change a number, a word or a default of a row, in the order of the file."""
    found = Source(source)
    rows = [row for statement in ast.parse(source).body for row in _tables(statement)]
    formats = {
        id(node) for row in rows for each in ast.walk(row) if isinstance(each, ast.JoinedStr) for node in ast.walk(each)
    }
    nodes = [node for row in rows for node in ast.walk(row) if id(node) not in formats]
    return sorted({mutant for node in nodes for mutant in _changed(found, node)}, key=lambda mutant: mutant[1:])


def _tables(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield what a table is made of, or the rows that a generator yields; a list of public names is no table."""
    if isinstance(statement, ast.ClassDef):
        for inner in statement.body:
            if isinstance(inner, ast.Assign | ast.AnnAssign):
                yield from _tables(inner)
    elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
        if not ast.unparse(statement).startswith("__all__"):
            yield statement.value
    elif isinstance(statement, ast.FunctionDef):
        nodes = [*ast.walk(statement)]
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes):
            for node in nodes:
                match node:
                    case ast.Yield(value=ast.expr() as value) | ast.Assign(value=value) | ast.For(iter=value):
                        yield value


def _changed(source: Source, node: ast.AST) -> Iterator[Mutant]:
    match node:
        case ast.Constant(value=bool() | int()):
            yield from _mutants(source, node)
        case ast.Constant(value=str() as text) if " " not in text:  # other texts are for people
            yield source.replaced("word", node, repr(f"{text}x"))


def _annotations(tree: ast.Module) -> set[int]:
    """Return the nodes that decide nothing: annotations, what only type checkers and Cython read, and assertions."""
    roots: list[ast.AST] = []
    for node in ast.walk(tree):
        roots += [each for each in getattr(node, "decorator_list", ()) if ast.unparse(each).startswith("cython.")]
        if isinstance(node, ast.keyword) and node.arg == "strict":
            roots.append(node)
        roots += [value for name in ("annotation", "returns") if (value := getattr(node, name, None))]
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            roots.append(node)
    return {id(node) for root in roots for node in ast.walk(root)}


def _mutants(source: Source, node: ast.AST) -> Iterator[Mutant]:
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            yield from source.between("comparison", left, right, _spelling(operator), _COMPARISONS[type(operator)])
        case ast.Constant(value=bool() as value):
            yield source.replaced("constant", node, str(not value))
        case ast.Constant(value=int() as value):
            yield source.replaced("constant", node, str(value + 1))
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.NamedExpr):
            start, end = source.span(test)
            yield source.replaced("branch", test, f"(not ({source.source[start:end].decode()}))")
        case ast.BoolOp(op=operation, values=[left, right]):
            old, new = ("and", "or") if isinstance(operation, ast.And) else ("or", "and")
            yield from source.between("branch", left, right, old, new)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
            spellings = _OPERATORS[type(operator)]
            yield from source.between("operator", left, right, *spellings)
        case ast.Call(func=ast.Name(id=name) as function) if name in _CALLS:
            yield source.replaced("operator", function, _CALLS[name])


def _spelling(operator: ast.cmpop) -> str:
    """Return a comparison as Python spells it."""
    pair = ast.unparse(ast.Compare(ast.Name("a"), [operator], [ast.Name("b")]))
    return pair.removeprefix("a ").removesuffix(" b")


def _rows(source: Source, statement: ast.stmt) -> Iterator[Mutant]:
    """Return the mutants of a table: each lacks a row; a list of public names is not one."""
    value = getattr(statement, "value", None)
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or ast.unparse(statement).startswith("__all__"):
        return
    rows: list[ast.expr] = []
    if isinstance(value, ast.Tuple | ast.List | ast.Set):
        rows = value.elts
    elif isinstance(value, ast.Dict):
        rows = [key for key in value.keys if key is not None]
    if len(rows) >= _MIN_ROWS:
        for row, following in pairwise(rows):
            yield Mutant("row", row.lineno, source.span(row)[0], source.span(following)[0], b"")
