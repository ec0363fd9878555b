"""Functions through which tests can notice a fault: the one that contains it, or those that use a faulty table.

Names are resolved by the imports of each file.  A table made at import of a faulty one is faulty too, and so is the
result of a faulty function that is called at import or keeps its result.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .points import Mutant

__all__ = ["Function", "Program", "Traces", "first_line"]

_Name = tuple[str, str]
"""A module, and a name in it; "" for the module itself."""
_MOST_STEPS = 5
"""Tables made of tables: what is further away is hardly ever faulty."""


class Function(NamedTuple):
    """A function: its file, relative to the package; its names, and its line among functions of the same names."""

    file: str
    name: str
    number: int

    def __str__(self) -> str:
        return f"{self.file}:{self.name}:{self.number}"


class Traces(NamedTuple):
    """Where a fault can be noticed: functions, and names of what is faulty at import."""

    functions: frozenset[Function]
    names: frozenset[str]


class _User(NamedTuple):
    """A function, or a statement outside functions, and the names that it binds."""

    bound: tuple[_Name, ...]
    function: Function | None
    keeps: bool


class Program:
    """Functions of all sources, and the names that each uses."""

    def __init__(self, folder: Path, package: str = "bitcodec") -> None:
        """Read the sources below a folder, that of a package."""
        self.bodies: dict[str, dict[Function, ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        self._files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.py"))}
        self._modules = {_module_of(file, package): file for file in self._files}
        self._users: dict[_Name, list[_User]] = defaultdict(list)
        self._statements: dict[str, list[tuple[ast.stmt, _User]]] = defaultdict(list)
        self._classes: dict[_Name, list[Function]] = defaultdict(list)
        for file, path in self._files.items():
            self._read(file, _module_of(file, package), ast.parse(path.read_bytes()))

    def traces_of(self, file: str, mutant: Mutant) -> Traces:
        """Return the functions whose tests can notice a mutant, and the names that tests can use themselves."""
        inner = [each for each in self.bodies[file].items() if _contains(each[1], mutant.line)]
        if inner:
            function = max(inner, key=lambda each: first_line(each[1]))[0]
            users = [user for _, user in self._statements[file] if user.function == function]
        else:
            users = [user for node, user in self._statements[file] if _contains(node, mutant.line)]
        return self._reached_from(users)

    def _reached_from(self, users: list[_User]) -> Traces:
        found: set[Function] = set()
        names: set[str] = set()
        done: set[_User] = set()
        for _ in range(_MOST_STEPS):
            following = []
            for user in users:
                if user in done:
                    continue
                done.add(user)
                if user.function is not None:
                    found.add(user.function)
                for name in user.bound:
                    names.add(".".join(name))
                    found.update(self._classes.get(name, ()))
                    is_result = user.function is not None and not user.keeps
                    following += [
                        each
                        for each in (*self._users.get(name, ()), *self._users.get((name[0], ""), ()))
                        if not is_result or each.function is None or each.keeps
                    ]
            users = following
        return Traces(frozenset(found), frozenset(names))

    def _read(self, file: str, module: str, tree: ast.Module) -> None:
        bodies = self.bodies[file] = dict(_functions(file, tree))
        names = _Imports(module, file.endswith("__init__.py"), self._modules)
        names.read(tree)
        inner = {id(node) for body in bodies.values() for node in ast.walk(body) if node is not body}
        for local, origin in names.names.items():
            self._users[origin].append(_User(((module, local),), None, keeps=True))
        for function, body in bodies.items():
            is_outer = id(body) not in inner and "." not in function.name
            bound = ((module, body.name),) if is_outer else ()
            user = _User(bound, function, keeps=any("cache" in ast.unparse(each) for each in body.decorator_list))
            self._statements[file].append((body, user))
            for name in names.used(body):
                self._users[name].append(user)
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.Import | ast.ImportFrom):
                continue
            bound = tuple((module, name) for name in _bound(statement))
            if isinstance(statement, ast.ClassDef):
                prefix = f"{statement.name}."
                self._classes[bound[0]] += [each for each in bodies if each.name.startswith(prefix)]
            used = names.used(statement, frozenset(map(id, bodies.values())))
            user = _User(bound or tuple(used), None, keeps=True)
            self._statements[file].append((statement, user))
            for name in used:
                self._users[name].append(user)


class _Imports:
    """Names of a module that are those of other modules."""

    def __init__(self, module: str, is_package: bool, modules: dict[str, str]) -> None:
        self.names: dict[str, _Name] = {}
        self._module = module
        self._is_package = is_package
        self._modules = modules

    def read(self, tree: ast.Module) -> None:
        """Read all imports, in functions too."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                self.names |= {each.asname: (each.name, "") for each in node.names if each.asname}
            elif isinstance(node, ast.ImportFrom):
                origin = self._absolute(node)
                for each in node.names:
                    inner = f"{origin}.{each.name}"
                    name = (inner, "") if inner in self._modules else (origin, each.name)
                    self.names[each.asname or each.name] = name

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self._module.split(".")
        base = parts[: len(parts) - node.level + self._is_package]
        return ".".join([*base, *([node.module] if node.module else [])])

    def used(self, node: ast.AST, without: frozenset[int] = frozenset()) -> set[_Name]:
        """Return the names that a piece of code uses, except in some of its nodes."""
        found: set[_Name] = set()
        waiting = [node]
        while waiting:
            each = waiting.pop()
            if id(each) in without:
                continue
            if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
                module, inner = self.names.get(each.value.id, ("", "?"))
                if not inner:
                    found.add((module, each.attr))
                    continue
            waiting += ast.iter_child_nodes(each)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
                found.add(self.names.get(each.id, (self._module, each.id)))
        return found


def _functions(file: str, tree: ast.Module) -> Iterator[tuple[Function, ast.FunctionDef | ast.AsyncFunctionDef]]:
    numbers: dict[str, int] = defaultdict(int)
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        prefix, node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = prefix + node.name
            prefix = f"{name}."
            if not isinstance(node, ast.ClassDef):
                yield Function(file, name, numbers[name]), node
                numbers[name] += 1
        waiting += [(prefix, child) for child in reversed([*ast.iter_child_nodes(node)])]


def _module_of(file: str, package: str) -> str:
    parts = [package, *Path(file).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _bound(statement: ast.stmt) -> set[str]:
    """Return the names that a statement outside functions binds."""
    if isinstance(statement, ast.ClassDef):
        return {statement.name}
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def first_line(node: ast.stmt) -> int:
    """Return the line where a statement begins, with its decorators."""
    return min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])


def _contains(node: ast.stmt, line: int) -> bool:
    return first_line(node) <= line <= (node.end_lineno or 0)
