"""Modules: which target each function is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.host.collection import without_collection
from bitcodec.ir.attributes import StringAttribute
from bitcodec.ir.construction.present import growth_of
from bitcodec.ir.data_layout import DataLayout
from bitcodec.tables.data_layouts import data_layout
from bitcodec.tables.triple_components import Triple
from bitcodec.tables.triples import normalized
from bitcodec.transforms.atomic_expand.architectures.row import NO_IMPLICIT_FLOAT
from bitcodec.transforms.atomic_expand.bodies import BodyExpander
from bitcodec.transforms.atomic_expand.expansion import Expander
from bitcodec.transforms.atomic_expand.reuse import expanding
from bitcodec.transforms.atomic_expand.soundness import atomic_instructions, check_all, check_supported
from bitcodec.transforms.atomic_expand.targets import architecture_of
from bitcodec.transforms.reading import read_for_change

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module
    from bitcodec.transforms.atomic_expand.description import AtomicTarget

__all__ = ["expand_atomics"]

_PROCESSOR = "target-cpu"
_FEATURES = "target-features"


def expand_atomics(
    module: Module,
    triple: str = "",
    *,
    processor: str = "",
    features: Iterable[str] = (),
    is_optimized: bool = True,
) -> int:
    """Expand every atomic instruction to code that a target supports.

    The module then has that target; if it has no data layout, it gets the target's. The processor is written
    into functions without one (`target-cpu`), the features behind the features of each function (`target-features`).

    Args:
        module: the module; it is read to the end first.
        triple: the target, "" for the module's.  It is normalized: `aarch64-linux-gnu` has no vendor.
        processor: of functions whose `target-cpu` is missing or unknown here.
        features: changes to the features of the processor and of `target-features`: `+lse`, `-cx16`.
        is_optimized: whether code generation is to optimize; at level 0 some targets have no LL/SC.

    Returns:
        Number of atomic instructions.

    Raises:
        BitcodecError: something in the module is malformed; it is then unchanged.
        ValueError: the target is unknown; a feature is misspelled or unknown, or an atomic instruction is
            invalid or unsupported by the target; the module is then unchanged.
    """
    triple = normalized(triple) if triple else module.target_triple
    choice = _Choice(triple, processor, tuple(features), is_optimized=is_optimized)
    choice.target(processor, ())
    read_for_change(module)
    found = [(function, choice.of_function(function), atomic_instructions(function)) for function in module.functions]
    layout = module.data_layout
    if not layout.text:
        layout = DataLayout(data_layout(triple))
    sound: set[Hashable] = set()
    for _, target, instructions in found:
        check_all(instructions, layout, sound)
        check_supported(instructions, layout, target)
    module.data_layout = layout
    module.target_triple = triple
    _name_target(module, processor, ",".join(choice.changes))
    expanders: dict[int, BodyExpander] = {}
    with without_collection(growth_of(module)), expanding():
        for function, target, instructions in found:
            expander = expanders.get(id(target))
            if expander is None:
                expander = expanders[id(target)] = BodyExpander(Expander(target, layout))
            expander.expand(function, instructions)
    return sum(len(instructions) for *_, instructions in found)


def _name_target(module: Module, processor: str, features: str) -> None:
    """Write the processor into functions that name none, and features behind the features of functions."""
    for function in module.functions:
        attributes = found = function.attributes.for_function
        if processor and not found.string(_PROCESSOR):
            attributes = attributes.with_(StringAttribute(_PROCESSOR, processor))
        if features:
            own = found.string(_FEATURES)
            attributes = attributes.with_(StringAttribute(_FEATURES, f"{own},{features}" if own else features))
        if attributes is not found:
            function.attributes = function.attributes.with_function(attributes)


class _Choice:
    """The targets of the functions of a module: each function may name a processor and features."""

    def __init__(self, triple: str, processor: str, changes: tuple[str, ...], *, is_optimized: bool) -> None:
        self.architecture = architecture_of(triple)
        self.triple = Triple.parse(triple)
        self.processor = processor
        self.changes = changes
        self.is_optimized = is_optimized
        self._targets: dict[tuple[str, tuple[str, ...]], AtomicTarget] = {}

    def of_function(self, function: Function) -> AtomicTarget:
        attributes = function.attributes.for_function
        processor = attributes.string(_PROCESSOR) or ""
        is_known = processor and processor in self.architecture.processors
        # Compilers that name a processor name its features, too.
        own = tuple(filter(None, (attributes.string(_FEATURES) or "").split(",")))
        if attributes.string("use-soft-float") == "true":
            own += ("+soft-float",)
        if NO_IMPLICIT_FLOAT in attributes:
            own += (f"+{NO_IMPLICIT_FLOAT}",)
        return self.target(processor if is_known else self.processor, own)

    def target(self, processor: str, own: tuple[str, ...]) -> AtomicTarget:
        asked = processor, own
        if asked not in self._targets:
            features = self.architecture.features(self.triple, processor, own + self.changes)
            self._targets[asked] = self.architecture.describe(features, is_optimized=self.is_optimized)
        return self._targets[asked]
