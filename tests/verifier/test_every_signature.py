"""Calls of intrinsics of all signatures, with types that fit and types that do not: LLVM's verifier agrees."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator

import pytest

import bitcodec
from answers import ask
from bitcodec.ir.mangling import mangled
from bitcodec.ir.type_table import TypeTable
from bitcodec.ir.types import MetadataType, TokenType, Type
from bitcodec.tables.intrinsics import intrinsic_rows
from bitcodec.upgrade.intrinsics.signatures import type_of
from bitcodec.verifier import verify

TYPES = TypeTable()
SPELLINGS = ["i1", "i8", "i16", "i32", "i64", "f16", "f32", "f64", "p0", "p1", "v4i32", "v8i16", "v16i8", "v4f32"]
SPELLINGS += ["nxv4i32", "nxv8i16", "nxv16i8", "nxv2f64", "v4p0", "v4i1", "nxv4i1"]
POOL = [type_of(spelling, {}, TYPES) for spelling in SPELLINGS]
KINDS = {"i": "i32", "f": "f32", "v": "v4i32", "p": "p0", "*": "i64"}
UPGRADED = (
    "mem",
    "dbg.",
    "masked.",
    "vector.splice",
    "preserve.",
    "aarch64.",
    "amdgcn.",
    "arm.",
    "nvvm.",
    "riscv.",
    "wasm.",
    "x86.",
)
"""Begin names of intrinsics that LLVM upgrades by name, and dies of if they are of types that they never had."""
MESSAGES = re.compile(r"Intrinsic (has incorrect|was not defined)|Callsite was not defined")


def plain(token: str) -> Type:
    """Return a type for what a signature has at a place; one that depends on others may not fit."""
    if ":" in token:
        return type_of(KINDS[token[token.index(":") + 1]], {}, TYPES)
    if re.match(r"[A-J]($|\.|/)", token):
        return type_of("v4i32", {}, TYPES)
    token = token.partition("/")[0]
    others = {"Metadata": TYPES.metadata, "x86amx": TYPES.x86_amx, "taarch64.svcountt": POOL[0], "ppcf128": TYPES.fp128}
    return others[token] if token in others else type_of(token, {}, TYPES)


def functions(chance: random.Random) -> Iterator[str]:
    """Yield a declaration and a call for each signature, with types of which some are changed."""
    seen = set()
    for name, row in intrinsic_rows().items():
        if row.signature in seen or name.startswith(UPGRADED):
            continue
        seen.add(row.signature)
        result, _, parameters = row.signature.removesuffix(")").partition("(")
        if result.startswith("{"):
            returned: Type = TYPES.struct([plain(token) for token in result[1:-1].split(",")])
        else:
            returned = plain(result)
        types = [plain(token) for token in parameters.split(",") if token not in {"", "..."}]
        for _ in range(chance.randrange(3)):
            place = chance.randrange(-2, len(types))
            if place >= 0:
                types[place] = chance.choice(POOL)
            elif place == -1 and types:
                types.pop()
            else:
                types.append(chance.choice(POOL))
        yield call(f"llvm.{name}.{mangled(returned)}" if row.is_overloaded else f"llvm.{name}", returned, types)


def call(name: str, returned: Type, types: list[Type]) -> str:
    values = {MetadataType: "!{}", TokenType: "none"}
    arguments = ", ".join(f"{type_} {values.get(type(type_), 'poison')}" for type_ in types)
    return (
        f"declare {returned} @{name}({', '.join(map(str, types))})\n"
        f"define void @f.{name}() {{\n  call {returned} @{name}({arguments})\n  ret void\n}}\n"
    )


@pytest.mark.parametrize("seed", range(3))
def test_verdicts(seed: int) -> None:
    text = "".join(functions(random.Random(seed)))
    module = bitcodec.parse_assembly(text, dialect=22)
    ours = [finding.message for finding in verify(module) if MESSAGES.match(finding.message)]
    said = ask(["llvm-as-22", "-o", os.devnull], input=text, text=True).stderr.splitlines()
    assert len(ours) > 200
    assert ours == [line for line in said if MESSAGES.match(line)]
