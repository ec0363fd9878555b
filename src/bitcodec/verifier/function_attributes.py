"""Rules of the attributes of functions and calls as a whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bitcodec.ir.attribute_values import AllocKind, AllocSize, VScaleRange
from bitcodec.ir.attributes import StringAttribute
from bitcodec.ir.types import IntegerType
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.attributes import AttributePosition, MemoryAccess
from bitcodec.verifier.rules import Called, Problem, first_broken, without_values, worded
from bitcodec.verifier.vector_variants import is_vector_variant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.attributes import AttributeList, AttributeSet
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import FunctionType
    from bitcodec.verifier.rules import Rule, Rules

__all__ = ["function_attribute_problems"]

_EXCLUSIVE = (
    ("noinline", "alwaysinline"),
    ("optsize", "optnone"),
    ("minsize", "optnone"),
    ("optdebug", "optnone"),
    ("sanitize_realtime", "sanitize_realtime_blocking"),
    ("optsize", "optdebug"),
    ("minsize", "optdebug"),
    ("aarch64_pstate_sm_enabled", "aarch64_pstate_sm_compatible"),
)
_ZA = ("new", "in", "out", "inout", "preserves")
_BOOLEANS = (
    "allow_direct_access_in_hot_patch_function",
    "less-precise-fpmad",
    "loader-replaceable",
    "marked_for_windows_hot_patching",
    "no-infs-fp-math",
    "no-inline-line-tables",
    "no-jump-tables",
    "no-nans-fp-math",
    "no-signed-zeros-fp-math",
    "profile-sample-accurate",
    "use-sample-profile",
)
_YES_OR_NO = "(true|false)?"
_DENORMAL = "(ieee|preserve-sign|positive-zero|dynamic)"
_DENORMALS = f"({_DENORMAL}?|{_DENORMAL}?,{_DENORMAL}?)"
_WORDS = {
    "frame-pointer": "all|non-leaf|none|reserved|non-leaf-no-reserve",
    "sign-return-address": "none|all|non-leaf",
    "sign-return-address-key": "a_key|b_key",
    "branch-target-enforcement": _YES_OR_NO,
    "branch-protection-pauth-lr": _YES_OR_NO,
    "guarded-control-stack": _YES_OR_NO,
    "denormal-fp-math": _DENORMALS,
    "denormal-fp-math-f32": _DENORMALS,
}
"""Allowed values of string attributes, as regular expressions."""
_VARIANT_NAME = "vector-function-abi-variant"


class _Subject(NamedTuple):
    """Arguments of the rules of functions."""

    attributes: AttributeSet
    all_attributes: AttributeList
    function_type: FunctionType
    module: Module

    @property
    def strings(self) -> dict[str, str]:
        """Value of each string attribute, for messages."""
        return {found.key: found.value for found in self.attributes if isinstance(found, StringAttribute)}


def function_attribute_problems(
    function_type: FunctionType, attributes: AttributeList, module: Module
) -> Iterator[str]:
    """Yield the errors in the attributes of a function or call as a whole."""
    found = attributes.for_function
    for name in _BOOLEANS:
        value = found.string(name)
        if value not in {None, "", "true", "false"}:
            yield Problem(worded("invalid value for '{}' attribute: {}", name, value))
    for attribute in found:
        kind = attribute.kind
        if kind is not None and not kind.positions & AttributePosition.FUNCTION:
            yield worded("Attribute '{}' does not apply to functions!", attribute)
            return
    yield from _problems_in_order(_Subject(found, attributes, function_type, module))


def _problems_in_order(subject: _Subject) -> Iterator[str]:
    """Yield the errors, in LLVM's order, up to the first broken rule that is not `Called`."""
    for rule in _RULES:
        rules = rule.rules if isinstance(rule, Called) else (rule,)
        problem = first_broken(rules, subject)
        if problem is not None:
            yield problem
            if not isinstance(rule, Called):
                return
    features = subject.attributes.string("target-features")
    if features:
        yield from _feature_problems(features.split(","))


def _feature_problems(features: list[str]) -> Iterator[str]:
    """Yield the errors in target features: each is enabled (`+`) or disabled (`-`)."""
    for feature in features:
        if not feature:
            yield Problem("target-features attribute should not contain an empty string")
        elif not feature.startswith(("+", "-")):
            yield worded("target feature '{}' must start with a '+' or '-'", feature)
            return


def _without_both(first: str, second: str) -> Rule:
    message = f"Attributes '{first} and {second}' are incompatible!"
    return (message, lambda subject: first not in subject.attributes or second not in subject.attributes)


def _one_state(register: str) -> Rule:
    """Return the rule that a function does one thing to a register of the matrix extension."""
    names = [f"aarch64_{what}_{register}" for what in _ZA] + ["aarch64_za_state_agnostic"]
    listed = ", ".join(f"'{name}'" for name in names[:-1])
    return (
        f"Attributes {listed} and '{names[-1]}' are mutually exclusive",
        lambda subject: sum(name in subject.attributes for name in names) <= 1,
    )


def _writes_what_is_writable(subject: _Subject) -> bool:
    if not any("writable" in found for found in subject.all_attributes.parameters.values()):
        return True
    memory = subject.attributes.memory
    return memory is None or bool(memory["argmem"] & MemoryAccess.WRITE)


_TOGETHER: Rules = (
    _without_both(*_EXCLUSIVE[0]),
    (
        "Attribute 'optnone' requires 'noinline'!",
        lambda subject: "optnone" not in subject.attributes or "noinline" in subject.attributes,
    ),
    *(_without_both(first, second) for first, second in _EXCLUSIVE[1:-1]),
    ("Attribute writable and memory without argmem: write are incompatible!", _writes_what_is_writable),
    _without_both(*_EXCLUSIVE[-1]),
    _one_state("za"),
    _one_state("zt0"),
)


def _size_parameter(subject: _Subject, which: str) -> int | None:
    raw = subject.attributes.integer("allocsize")
    found = None if raw is None else getattr(AllocSize(raw), which)
    return found if isinstance(found, int) else None


def _sized_by_parameter(which: str, words: str) -> Rules:
    """Return the rules for a parameter that gives the size of an allocation."""

    def is_there(subject: _Subject) -> bool:
        index = _size_parameter(subject, which)
        return index is None or index < len(subject.function_type.parameter_types)

    def is_integer(subject: _Subject) -> bool:
        index = _size_parameter(subject, which)
        return index is None or isinstance(subject.function_type.parameter_types[index], IntegerType)

    return (
        (f"'allocsize' {words} argument is out of bounds", is_there),
        (f"'allocsize' {words} argument must refer to an integer parameter", is_integer),
    )


_SIZED: Rules = (
    *_sized_by_parameter("element_size", "element size"),
    *_sized_by_parameter("element_count", "number of elements"),
)


def _kinds(subject: _Subject) -> set[str] | None:
    raw = subject.attributes.integer("allockind")
    return None if raw is None else set(AllocKind(raw).words)


def _allocates(rule: Any) -> Any:
    """Return a predicate that applies a rule to the kind of an allocator, and holds for any other function."""
    return lambda subject: (kinds := _kinds(subject)) is None or rule(kinds)


_KIND: tuple[Rules, ...] = (
    (
        (
            "'allockind()' requires exactly one of alloc, realloc, and free",
            _allocates(lambda kinds: len(kinds & {"alloc", "realloc", "free"}) == 1),
            without_values,
        ),
    ),
    (
        (
            "'allockind(\"free\")' doesn't allow uninitialized, zeroed, or aligned modifiers.",
            _allocates(
                lambda kinds: (
                    kinds & {"alloc", "realloc", "free"} != {"free"}
                    or not kinds & {"uninitialized", "zeroed", "aligned"}
                )
            ),
            without_values,
        ),
    ),
    (
        (
            "'allockind()' can't be both zeroed and uninitialized",
            _allocates(lambda kinds: not {"uninitialized", "zeroed"} <= kinds),
            without_values,
        ),
    ),
)


def _of_variant(rule: Any) -> Any:
    """Return a predicate that applies a rule to the zeroing variant of an allocator, and holds without a variant."""

    def holds(subject: _Subject) -> bool:
        name = subject.attributes.string("alloc-variant-zeroed")
        variant = subject.module.functions.get(name) if name else None
        return variant is None or rule(variant, subject)

    return holds


_VARIANT: Rules = (
    (
        "'alloc-variant-zeroed' must not be empty",
        lambda subject: subject.attributes.string("alloc-variant-zeroed") != "",
        without_values,
    ),
    (
        "'alloc-variant-zeroed' must name a function belonging to the same 'alloc-family'",
        _of_variant(
            lambda variant, subject: (
                "alloc-family" not in subject.attributes
                or variant.attributes.for_function.string("alloc-family") == subject.attributes.string("alloc-family")
            )
        ),
        without_values,
    ),
    (
        "'alloc-variant-zeroed' must name a function with 'allockind(\"zeroed\")'",
        _of_variant(
            lambda variant, _: "zeroed" in AllocKind(variant.attributes.for_function.integer("allockind") or 0).words
        ),
        without_values,
    ),
    (
        "'alloc-variant-zeroed' must name a function with the same signature",
        _of_variant(lambda variant, subject: variant.value_type is subject.function_type),
        without_values,
    ),
)


def _is_power_of_two(number: int) -> bool:
    return number.bit_count() == 1


def _of_vscale(rule: Any) -> Any:
    """Return a predicate that applies a rule to the range of `vscale`, and holds without a range."""

    def holds(subject: _Subject) -> bool:
        raw = subject.attributes.integer("vscale_range")
        return raw is None or rule(VScaleRange(raw))

    return holds


_VSCALE: tuple[Rules, ...] = (
    (
        ("'vscale_range' minimum must be greater than 0", _of_vscale(lambda found: found.minimum)),
        (
            "'vscale_range' minimum must be power-of-two value",
            _of_vscale(lambda found: _is_power_of_two(found.minimum)),
        ),
    ),
    (
        (
            "'vscale_range' minimum cannot be greater than maximum",
            _of_vscale(lambda found: found.maximum is None or found.minimum <= found.maximum),
        ),
        (
            "'vscale_range' maximum must be power-of-two value",
            _of_vscale(lambda found: found.maximum is None or _is_power_of_two(found.maximum)),
        ),
    ),
)


def _format_index(subject: _Subject) -> str | None:
    """Return the index of the first argument to be formatted, counted from 1, as given in `modular-format`."""
    parts = (subject.attributes.string("modular-format") or "").split(",")
    return parts[2] if len(parts) > 2 else None


def _unsigned(text: str) -> int | None:
    """Return an integer of 32 bits, None if a text is something else."""
    found = re.fullmatch("0*([0-9]{1,10})", text)
    number = None if found is None else int(found[1])
    return number if number is not None and number < 1 << 32 else None


def _is_format_index(subject: _Subject) -> bool:
    index = _format_index(subject)
    return index is None or _unsigned(index) is not None


def _is_format_argument(subject: _Subject) -> bool:
    index, type_ = _format_index(subject), subject.function_type
    return index is None or 0 < (_unsigned(index) or 0) <= len(type_.parameter_types) + type_.is_vararg


def _spells(name: str) -> Called:
    """Return the rule of the words that a string attribute may contain."""

    def holds(subject: _Subject) -> bool:
        value = subject.attributes.string(name)
        return value is None or re.fullmatch(_WORDS[name], value) is not None

    return Called(((f"invalid value for '{name}' attribute: {{0.strings[{name}]}}", holds),))


def _is_number(name: str) -> Called:
    """Return the rule of a string attribute that is a number of 32 bits."""

    def holds(subject: _Subject) -> bool:
        value = subject.attributes.string(name)
        return value is None or _unsigned(value) is not None

    return Called(((f'"{name}" takes an unsigned integer: {{0.strings[{name}]}}', holds),))


def _has_sound_variant(subject: _Subject) -> bool:
    name = subject.attributes.string(_VARIANT_NAME)
    return name is None or is_vector_variant(name, subject.function_type)


_TEXTS: tuple[Rule | Called, ...] = (
    _spells("frame-pointer"),
    _is_number("patchable-function-prefix"),
    _is_number("patchable-function-entry"),
    (
        '"patchable-function-entry-section" must not be empty',
        lambda subject: subject.attributes.string("patchable-function-entry-section") != "",
        without_values,
    ),
    _is_number("warn-stack-size"),
    _spells("sign-return-address"),
    _spells("sign-return-address-key"),
    Called(
        (
            (
                "'sign-return-address-key' present without `sign-return-address`",
                lambda subject: (
                    "sign-return-address-key" not in subject.attributes or "sign-return-address" in subject.attributes
                ),
                without_values,
            ),
        )
    ),
    _spells("branch-target-enforcement"),
    _spells("branch-protection-pauth-lr"),
    _spells("guarded-control-stack"),
    Called(((f"invalid name for a VFABI variant: {{0.strings[{_VARIANT_NAME}]}}", _has_sound_variant),)),
    _spells("denormal-fp-math"),
    _spells("denormal-fp-math-f32"),
    (
        "modular-format attribute requires at least 5 arguments",
        lambda subject: (subject.attributes.string("modular-format") or ",,,,").count(",") >= 4,
    ),
    ("modular-format attribute first arg index is not an integer", _is_format_index),
    ("modular-format attribute first arg index is out of bounds", _is_format_argument),
)
_RULES: tuple[Rule | Called, ...] = (
    *_TOGETHER,
    *_SIZED,
    *map(Called, _KIND),
    *_VARIANT,
    *map(Called, _VSCALE),
    *_TEXTS,
)
"""In LLVM's order."""
