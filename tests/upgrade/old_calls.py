"""Modules with a call of each old intrinsic that the tables know, of generated types."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from bitcodec.builder import Builder, add_block, add_function, attribute_list, new_module
from bitcodec.ir import FunctionType, Module, Type, Value, VectorType
from bitcodec.ir.type_table import TypeTable
from bitcodec.upgrade.intrinsics.rows import IntrinsicTable
from bitcodec.upgrade.intrinsics.signatures import _TESTS, bound, type_of

from .x86_goldens import goldens, parsed
from .x86_goldens import type_of as x86_type

TARGETS = {
    "": ("x86_64-unknown-linux-gnu", ("generic", "memory")),
    "aarch64.": ("aarch64-unknown-linux-gnu", ("aarch64",)),
    "amdgcn.": ("amdgcn-amd-amdhsa", ("amdgcn",)),
    "arm.": ("armv7-unknown-linux-gnueabi", ("arm",)),
    "nvvm.": ("nvptx64-nvidia-cuda", ("nvvm",)),
    "riscv.": ("riscv64-unknown-linux-gnu", ("riscv",)),
    "wasm.": ("wasm32-unknown-unknown", ("wasm",)),
}
"""Target triple and modules of tables, by how names begin behind `llvm.`."""
X86 = "x86."

_TRIES = 50
_LETTER = re.compile(r"(?<![a-z0-9])([A-Z])(?::([a-z]+))?")


class OldCalls:
    """Modules of one target; a module declares each name once, so names with several rows get several modules.

    Args:
        prefix: of the names, behind `llvm.`.
        seed: for the choice of types.
        is_alone: whether each call gets a module of its own.

    Attributes:
        modules: the modules.
        names: the intrinsics that each module calls.
        left_out: intrinsics for whose signature no types were found.
    """

    def __init__(self, prefix: str, seed: int, *, is_alone: bool = False) -> None:
        self.modules: list[Module] = []
        self.names: list[set[str]] = []
        self.left_out: list[str] = []
        self._is_alone = is_alone
        self._triple = "x86_64-unknown-linux-gnu" if prefix == X86 else TARGETS[prefix][0]
        self._is_scalable = prefix in {"", "aarch64.", "riscv."}
        for name, signature in _x86_calls() if prefix == X86 else _rows(prefix):
            self._add(name, signature, random.Random(f"{seed} {name} {signature}"))

    def _add(self, name: str, signature: Any, chance: random.Random) -> None:
        free = () if self._is_alone else (index for index, names in enumerate(self.names) if name not in names)
        number = next(iter(free), len(self.modules))
        if number == len(self.modules):
            self.modules.append(new_module("sample"))
            self.modules[-1].target_triple = self._triple
            self.names.append(set())
        module = self.modules[number]
        types = module.context.types
        if isinstance(signature, str):
            function_type = _generated(signature, _pool(types, self._is_scalable), types, chance)
            constants = [1 if token.startswith("#") else None for token in _tokens(signature)[1:]]
        else:
            result, arguments = signature
            parameters = [x86_type(types, type_) for type_, _ in arguments]
            function_type = types.function(x86_type(types, result), parameters)
            constants = [int(constant) if constant else None for _, constant in arguments]
        if function_type is None:
            self.left_out.append(name)
            return
        self.names[number].add(name)
        _call(module, name, function_type, constants)


def _call(module: Module, name: str, function_type: FunctionType, values: list[int | None]) -> None:
    """Declare an intrinsic with an attribute that it does not have, and call it with a marker and an attribute."""
    constants = module.context.constants
    callee = add_function(module, f"llvm.{name}", function_type, attributes=["cold"])
    caller_type = module.context.types.function(module.context.types.void, function_type.parameter_types)
    caller = add_function(module, f"calls.{name}", caller_type)
    builder = Builder(add_block(caller))
    values = values or [None] * len(caller.arguments)
    arguments: list[Value] = []
    for argument, value in zip(caller.arguments, values, strict=True):
        number = None if value is None else constants.integer(argument.type.scalar_type, value)
        is_vector = number is not None and isinstance(argument.type, VectorType)
        arguments.append(constants.splat(argument.type, number) if is_vector else number or argument)
    call = builder.call(callee, arguments)
    call.tail_kind = "tail"
    call.attributes = attribute_list(["nounwind"])
    builder.ret()


def _rows(prefix: str) -> Iterator[tuple[str, str]]:
    """Yield a name and a signature for each row; names that are given by their beginning get an ending."""
    for home in TARGETS[prefix][1]:
        module = import_module(f"bitcodec.upgrade.intrinsics.{home}")
        for table in [each for each in vars(module).values() if isinstance(each, IntrinsicTable)]:
            for name, rows in table._exact.items():
                yield from ((prefix + name, row.signature) for row in rows)
            for name, rows in table._prefixes:
                yield from ((prefix + _completed(name, row.signature), row.signature) for row in rows)


def _completed(beginning: str, signature: str) -> str:
    """Return a name that begins so."""
    if beginning.endswith("nxv"):
        return f"{beginning}4i32"
    return f"{beginning.rstrip('.')}.{'x' if signature.startswith('void') else 'v4i32'}"


def _x86_calls() -> Iterator[tuple[str, tuple[str, list[tuple[str, str]]]]]:
    for case in goldens():
        result, name, arguments = parsed(case)
        yield X86 + name, (result, arguments)


def _tokens(signature: str) -> list[str]:
    """Return the result, then the parameters; a struct is one token."""
    if signature == "*":
        return ["i32", "i32"]
    result, parameters = re.fullmatch(r"(\{[^}]*\}|[^(]+)\((.*)\)", signature).groups()
    return [result, *filter(None, re.split(r",(?![^{]*\})", parameters))]


def _generated(signature: str, pool: list[Type], types: TypeTable, chance: random.Random) -> FunctionType | None:
    """Return a type that has a signature, None if none was found."""
    for _ in range(_TRIES):
        letters: dict[str, Type] = {}
        for letter, test in sorted(_LETTER.findall(signature), key=lambda found: not found[1]):
            if letter not in letters:
                letters[letter] = chance.choice([type_ for type_ in pool if _TESTS[test](type_)])
        spelled = [re.sub(r":[a-z]+", "", token.lstrip("#")) for token in _tokens(signature)]
        try:
            result, *parameters = [type_of(each, letters, types) for each in spelled]
            found = types.function(result, parameters)
        except (TypeError, ValueError, KeyError):
            continue
        if bound(signature, found) is not None:
            return found
    return None


def _pool(types: TypeTable, is_scalable: bool) -> list[Type]:
    numbers = [types.integer(width) for width in (8, 16, 32, 64)] + [types.float, types.double, types.half]
    vectors = [types.vector(count, number) for count in (2, 4, 8, 16) for number in numbers]
    scalable = [types.vector(4, number, is_scalable=True) for number in [types.integer(1), *numbers]]
    return [types.integer(1), *numbers, types.ptr, types.pointer(3), *vectors, *(scalable if is_scalable else ())]
