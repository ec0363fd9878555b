"""Target, version and annotations of a module for libNVVM.

Reading annotations makes attributes and calling conventions of them again: `upgrade.nvvm` has the other direction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder.metadata import add_named_metadata, metadata_node
from bitcodec.downgrade.constructs import Way
from bitcodec.downgrade.profiles.nvvm import rows
from bitcodec.ir.data_layout import DataLayout
from bitcodec.tables import calling_conventions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.builder.metadata import MetadataLike
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module

__all__ = ["lower_kernels"]

_LAYOUTS = {
    is_wide: (
        f"e-p:{bits}:{bits}:{bits}-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64"
        "-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
    )
    for is_wide, bits in ((True, 64), (False, 32))
}
"""The only data layouts that libNVVM takes, by whether pointers have 64 bits."""
_VERSIONS = (2, 0, 3, 1)
"""NVVM IR 2.0 with debug information 3.1."""
_KNOWN_VERSIONS = ("!{i32 2, i32 0}", "!{i32 2, i32 0, i32 3, i32 0}", "!{i32 2, i32 0, i32 3, i32 1}")

_VECTORS = {"nvvm.maxntid": "maxntid", "nvvm.reqntid": "reqntid", "nvvm.cluster_dim": "cluster_dim_"}
"""By attribute with up to three numbers, how the names of the annotations begin, which end with x, y and z."""
_NUMBERS = {
    "nvvm.maxclusterrank": "cluster_max_blocks",
    "nvvm.maxnreg": "maxnreg",
    "nvvm.minctasm": "minctasm",
}
"""By attribute with a number, the annotation."""
_ALIGNMENT = "alignstack"
_GRID_CONSTANT = "nvvm.grid_constant"


def lower_kernels(module: Module, losses: Losses) -> None:
    """Annotate functions, and state the target and the version of NVVM IR."""
    for function in module.functions:
        annotations = list(_annotations(module, function, losses))
        if annotations:
            pairs = [part for pair in annotations for part in pair]
            add_named_metadata(module, "nvvm.annotations", metadata_node(module, function, *pairs))
        if function.calling_convention == calling_conventions.PTX_KERNEL:
            function.calling_convention = calling_conventions.C
    layout = str(module.data_layout)
    if layout not in _LAYOUTS.values():
        losses.add(rows.LAYOUT if layout else rows.NO_LAYOUT, "")
        module.data_layout = DataLayout(_LAYOUTS[module.target_triple.startswith("nvptx64")])
    named = module.named_metadata.pop("nvvmir.version", None)
    if named is None or not named.operands:
        losses.add(rows.VERSION, "")
    elif not all(str(node) in _KNOWN_VERSIONS for node in named.operands):
        losses.add(rows.OTHER_VERSION, "", ", ".join(map(str, named.operands)))
    add_named_metadata(module, "nvvmir.version", metadata_node(module, *(_number(module, each) for each in _VERSIONS)))


def _number(module: Module, value: int) -> MetadataLike:
    return module.context.constants.integer(module.context.types.integer(32), value)


def _annotations(module: Module, function: Function, losses: Losses) -> Iterator[tuple[str, MetadataLike]]:
    """Yield names and values for attributes and the calling convention; remove these attributes."""
    if function.calling_convention == calling_conventions.PTX_KERNEL:
        yield "kernel", _number(module, 1)
    own = function.attributes.for_function
    for attribute, name in _VECTORS.items():
        for axis, text in zip("xyz", (own.string(attribute) or "").split(","), strict=False):
            if text.strip().isdecimal():
                yield name + axis, _number(module, int(text))
    for attribute, name in _NUMBERS.items():
        text = own.string(attribute) or ""
        if text.isdecimal():
            yield name, _number(module, int(text))
    if "nvvm.blocksareclusters" in own:
        losses.add(rows.attribute("nvvm.blocksareclusters", Way.REFUSE), function.name)
    known = (*_VECTORS, *_NUMBERS)
    if any(name in own for name in known):
        function.attributes = function.attributes.with_function(own.without(*known))
    yield from _of_parameters(module, function)


def _of_parameters(module: Module, function: Function) -> Iterator[tuple[str, MetadataLike]]:
    attributes = function.attributes
    constant = []
    alignment = attributes.for_return.integer(_ALIGNMENT)
    if alignment is not None:
        yield "align", _number(module, alignment)
        attributes = attributes.with_return(attributes.for_return.without(_ALIGNMENT))
    for index, old in function.attributes.parameters.items():
        alignment = old.integer(_ALIGNMENT)
        if alignment is not None:
            yield "align", _number(module, index + 1 << 16 | alignment)
        if _GRID_CONSTANT in old:
            constant.append(_number(module, index + 1))
        attributes = attributes.with_parameter(index, old.without(_ALIGNMENT, _GRID_CONSTANT))
    if constant:
        yield "grid_constant", metadata_node(module, *constant)
    if attributes != function.attributes:
        function.attributes = attributes
