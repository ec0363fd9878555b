"""Flags that functions say themselves now are so marked, whoever is asked for first."""

from __future__ import annotations

import pytest

import bitcodec
from answers import ask, recall
from bitcodec.builder import Builder, add_block, add_function, add_module_flag, new_module
from bitcodec.ir.module import Module

KEYS = ("branch-target-enforcement", "sign-return-address", "guarded-control-stack")
ARCHITECTURES = [
    "aarch64", "aarch64_be", "aarch64_32", "aarch64foo", "aarch64v8eb", "arm64", "arm64ec", "arm64e", "arm64v9",
    "arm64foo", "arm", "armeb", "armv7", "armv7eb", "armebv7", "armv", "armfoo", "armvfoo", "armebfoo", "thumb",
    "thumbv7em", "thumbfoo", "xscale", "xscaleeb", "xscalefoo", "x86_64",
]  # fmt: skip


def opened(triple: str) -> Module:
    module = new_module("made", target_triple=triple)
    function = add_function(module, "f", module.context.types.function(module.context.types.void))
    Builder(add_block(function)).ret()
    for key, value in zip(KEYS, (1, 1, 0), strict=True):
        add_module_flag(module, 8, key, value)
    return bitcodec.loads(bitcodec.dumps(module))


@pytest.mark.parametrize("is_flags_first", [False, True])
def test_flags_and_functions_agree(is_flags_first: bool) -> None:
    module = opened("aarch64-linux-gnu")
    if is_flags_first:
        assert [module.flags.integer(key) for key in KEYS] == [2, 2, 0]
    attributes = module.functions["f"].attributes.for_function
    assert [module.flags.integer(key) for key in KEYS] == [2, 2, 0]
    assert all(name in attributes for name in ("branch-target-enforcement", "sign-return-address"))


def test_an_edit_is_left_alone_when_functions_are_read() -> None:
    module = opened("aarch64-linux-gnu")
    module.flags.set(KEYS[0], 1)
    assert module.functions
    assert module.flags.integer(KEYS[0]) == 1


def test_what_is_saved_has_it_in_functions() -> None:
    module = opened("aarch64-linux-gnu")
    assert module.flags
    saved = bitcodec.loads(bitcodec.dumps(module))
    assert "branch-target-enforcement" in saved.functions["f"].attributes.for_function


def test_other_targets_keep_their_flags() -> None:
    module = opened("x86_64-linux-gnu")
    assert module.functions
    assert [module.flags.integer(key) for key in KEYS] == [1, 1, 0]


def has_llvm(text: str) -> bool:
    """Return whether LLVM 22 hands the flag to the function."""
    bitcode = ask(["llvm-as-22", "-", "-o", "-"], input=text, check=True).stdout
    return b"attributes #0" in ask(["llvm-dis-22", "-", "-o", "-"], input=bitcode, check=True).stdout


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_architectures_are_those_of_llvm(architecture: str) -> None:
    """An architecture that LLVM does not know has no upgrade, though its name begins like one that has."""
    text = f"""target triple = "{architecture}-unknown-none"
define void @f() {{
  ret void
}}
!llvm.module.flags = !{{!0}}
!0 = !{{i32 8, !"guarded-control-stack", i32 1}}
"""
    is_handed = recall(["llvm-as-22", "llvm-dis-22", "is branch protection handed on", text], lambda: has_llvm(text))
    for module in (bitcodec.parse_assembly(text), opened(f"{architecture}-unknown-none")):
        key = KEYS[2] if module.flags.integer(KEYS[2]) else KEYS[0]
        assert (key in module.functions["f"].attributes.for_function) == is_handed
        assert module.flags.integer(key) == (2 if is_handed else 1)
