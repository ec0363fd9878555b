"""Modules: which target each function is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.data_layout import DataLayout
from bitcodec.transforms.atomic_expand.expansion import expand_all
from bitcodec.transforms.atomic_expand.soundness import atomic_instructions, check
from bitcodec.transforms.atomic_expand.targets import NO_IMPLICIT_FLOAT, architecture_of
from bitcodec.transforms.atomic_expand.triples import has_known_layout
from bitcodec.transforms.reading import read_for_change

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module
    from bitcodec.transforms.atomic_expand.description import AtomicTarget

__all__ = ["expand_atomics"]


def expand_atomics(
    module: Module,
    triple: str = "",
    *,
    processor: str = "",
    features: Iterable[str] = (),
    is_optimized: bool = True,
) -> int:
    """Let every atomic instruction become what a target has for it.

    The module is for that target then; if it has no data layout, it gets that of the target.

    Args:
        module: the module; it is read to the end first.
        triple: the target, "" for that of the module.
        processor: of functions that name none in `target-cpu` that is known here.
        features: changes to what the processor and `target-features` say: `+lse`, `-cx16`.
        is_optimized: whether code generation is to optimize; at level 0 some targets have no LL/SC.

    Returns:
        How many atomic instructions there were.

    Raises:
        BitcodecError: something in the module is malformed; it is then as it was.
        ValueError: the target is not known, or its data layout is not and the module has none; a feature is misspelled
            or not known, or an atomic instruction is none that there can be; the module is then as it was.
    """
    triple = triple or module.target_triple
    choice = _Choice(triple, processor, tuple(features), is_optimized=is_optimized)
    plain = choice.target(processor, ())
    read_for_change(module)
    found = [(choice.of_function(function), atomic_instructions(function)) for function in module.functions]
    layout = module.data_layout
    if not layout.text:
        if not has_known_layout(triple):
            raise ValueError(f"the data layout of {triple} is not known here: give the module one")
        layout = DataLayout(plain.data_layout)
    for _, instructions in found:
        for instruction in instructions:
            check(instruction, layout)
    module.data_layout = layout
    module.target_triple = triple
    for target, instructions in found:
        expand_all(instructions, target)
    return sum(len(instructions) for _, instructions in found)


class _Choice:
    """The targets of the functions of a module: each may name a processor and features of its own."""

    def __init__(self, triple: str, processor: str, changes: tuple[str, ...], *, is_optimized: bool) -> None:
        self.architecture = architecture_of(triple)
        self.processor = processor
        self.changes = changes
        self.is_optimized = is_optimized
        self._targets: dict[tuple[str, tuple[str, ...]], AtomicTarget] = {}

    def of_function(self, function: Function) -> AtomicTarget:
        attributes = function.attributes.for_function
        processor = attributes.string("target-cpu") or ""
        is_known = processor and processor in self.architecture.processors
        # Compilers that name a processor name its features, too.
        own = tuple(filter(None, (attributes.string("target-features") or "").split(",")))
        if attributes.string("use-soft-float") == "true":
            own += ("+soft-float",)
        if NO_IMPLICIT_FLOAT in attributes:
            own += (f"+{NO_IMPLICIT_FLOAT}",)
        return self.target(processor if is_known else self.processor, own)

    def target(self, processor: str, own: tuple[str, ...]) -> AtomicTarget:
        asked = processor, own
        if asked not in self._targets:
            features = self.architecture.features(processor, own + self.changes)
            self._targets[asked] = self.architecture.describe(features, is_optimized=self.is_optimized)
        return self._targets[asked]
