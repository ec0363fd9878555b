"""Programs of a few modules that are made up: functions that call across modules, and flags that may conflict."""

from __future__ import annotations

import random
from collections.abc import Iterator

__all__ = ["program"]

LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
HEAD = f'target datalayout = "{LAYOUT}"\ntarget triple = "x86_64-unknown-linux-gnu"'
ERROR, WARNING, OVERRIDE, APPEND, APPEND_UNIQUE, MAX, MIN = 1, 2, 4, 5, 6, 7, 8
LISTS = (APPEND, APPEND_UNIQUE)
USUAL = (ERROR, ERROR, ERROR, WARNING, OVERRIDE, APPEND, APPEND_UNIQUE, MAX, MIN)
SIZES = (1, 1, 3, 80, 120)
"""Instructions of a function; larger ones than 100 are not imported."""
FUNCTIONS = range(2)


def program(seed: int) -> list[str]:
    """Return the assembly of the modules of a program; some are for full LTO."""
    chance = random.Random(seed)
    count = chance.randint(2, 4)
    keys = [(key, chance.choice(USUAL)) for key in ("k1", "k2", "k3")[: chance.randint(1, 3)]]
    return ["\n".join(_module(chance, number, count, keys)) + "\n" for number in range(count)]


def _module(chance: random.Random, number: int, count: int, keys: list[tuple[str, int]]) -> Iterator[str]:
    yield HEAD
    yield f"@g{number} = {chance.choice(('global', 'constant'))} i32 {number}"
    declared: set[str] = set()
    others = [other for other in range(count) if other != number]
    for function in FUNCTIONS:
        linkage = chance.choice(("", "", "", "weak ", "linkonce_odr ", "weak_odr "))
        attribute = chance.choice(("", "", "", " noinline", " alwaysinline"))
        yield f"define {linkage}i32 @f{number}_{function}(i32 %x){attribute} {{"
        yield from _body(chance, others, declared)
        yield "}"
    yield from sorted(declared)
    yield from _flags(chance, keys)


def _body(chance: random.Random, others: list[int], declared: set[str]) -> Iterator[str]:
    value = "%x"
    for line in range(chance.choice(SIZES)):
        yield f"  %v{line} = add i32 {value}, {line + 1}"
        value = f"%v{line}"
    for call in range(chance.choice((0, 1, 1, 2))):
        name = f"@f{chance.choice(others)}_{chance.choice(FUNCTIONS)}"
        declared.add(f"declare i32 {name}(i32)")
        yield f"  %c{call} = call i32 {name}(i32 {value})"
        value = f"%c{call}"
    if chance.random() < 0.2:
        name = f"@g{chance.choice(others)}"
        declared.add(f"{name} = external global i32")
        yield f"  %l = load i32, ptr {name}"
        yield f"  %s = add i32 %l, {value}"
        value = "%s"
    yield f"  ret i32 {value}"


def _flags(chance: random.Random, keys: list[tuple[str, int]]) -> Iterator[str]:
    flags = [_flag(chance, key, usual) for key, usual in keys if chance.random() < 0.7]
    if chance.random() < 0.15:
        flags.append('!{i32 1, !"ThinLTO", i32 0}')
    if flags or chance.random() < 0.8:
        yield f"!llvm.module.flags = !{{{', '.join(f'!{number}' for number in range(len(flags)))}}}"
        yield from (f"!{number} = {flag}" for number, flag in enumerate(flags))


def _flag(chance: random.Random, key: str, usual: int) -> str:
    behavior = usual if chance.random() < 0.95 else chance.choice((ERROR, WARNING, OVERRIDE, MAX, MIN))
    value = f"i32 {chance.choice((1, 1, 1, 1, 2))}"
    return f'!{{i32 {behavior}, !"{key}", {f"!{{{value}}}" if behavior in LISTS else value}}}'
