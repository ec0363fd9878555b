"""libNVVM: NVIDIA's compiler from NVVM IR, a dialect of LLVM 7's IR, to PTX.

Rules: its verifier and code generator of CUDA 12.4, construct by construct.  `rows` has a row for each construct that
it lacks; the other modules lower these, in the order in which `lower` calls them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.downgrade.profiles.nvvm import rows
from bitcodec.downgrade.profiles.nvvm.assembly import lower_to_assembly
from bitcodec.downgrade.profiles.nvvm.assembly_operands import lower_assembly_operands
from bitcodec.downgrade.profiles.nvvm.debug_info import lower_debug_info
from bitcodec.downgrade.profiles.nvvm.global_values import ATTRIBUTE_ROWS, lower_globals, valid_name
from bitcodec.downgrade.profiles.nvvm.halves import lower_halves
from bitcodec.downgrade.profiles.nvvm.instructions import lower_instructions
from bitcodec.downgrade.profiles.nvvm.intrinsics import lower_intrinsics
from bitcodec.downgrade.profiles.nvvm.kernels import lower_kernels
from bitcodec.downgrade.profiles.nvvm.memory import lower_memory
from bitcodec.downgrade.profiles.nvvm.new_intrinsics import expand_intrinsics
from bitcodec.downgrade.profiles.nvvm.wide_integers import lower_wide_integers
from bitcodec.downgrade.profiles.profile import Order, Profile

if TYPE_CHECKING:
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type

__all__ = ["NVVM"]


def lower(module: Module, losses: Losses) -> None:
    """Lower a module to NVVM IR 2.0."""
    lower_globals(module, losses)
    lower_instructions(module, losses)
    expand_intrinsics(module, losses)
    lower_memory(module, losses)
    lower_assembly_operands(module, losses)
    lower_to_assembly(module, losses)
    lower_halves(module, losses)
    lower_intrinsics(module, losses)
    lower_wide_integers(module, losses)
    lower_debug_info(module, losses)
    lower_kernels(module, losses)


def replaced_types(module: Module) -> dict[Type, Type]:
    """Return integer types for floating-point types of 16 bits."""
    types = module.context.types
    return {types.half: types.integer(16), types.bfloat: types.integer(16)}


NVVM = Profile(
    "nvvm",
    "libNVVM 12.4",
    7,
    lower,
    replaced_types,
    targets=("nvptx",),
    short_refusal="module: parse {message}",
    refusal="module: parse {message} (Producer: '{producer}' Reader: 'LLVM 7.0.1')",
    fatal="",
    order=Order(
        unverified=(rows.VERSION, rows.OTHER_VERSION),
        module=(rows.NO_TRIPLE, rows.NO_LAYOUT, rows.LAYOUT, rows.TRIPLE),
        functions=frozenset({rows.NAME, *rows.LINKAGES.values()}),
        inside=(
            *(rows.SECTION, rows.STRUCTORS, rows.OTHER_SPACE, rows.SHARED_INITIALIZER),
            *(rows.NAME, *rows.LINKAGES.values()),
            *(rows.ALIGNED_FUNCTION, *rows.REFUSED_DATA.values(), rows.PERSONALITY, rows.GARBAGE_COLLECTOR),
            *ATTRIBUTE_ROWS.values(),
        ),
        compiled=(
            *(rows.EMPTY_TYPE.message, rows.SPLIT_RESULT, rows.SPLIT_OPERAND, rows.SCALARIZED_RESULT),
            rows.UNSUPPORTED,
        ),
        last=frozenset({rows.CIRCLE}),
    ),
    crashing=frozenset(
        {
            rows.ASSEMBLY_REGISTER,
            rows.COMMON_SHARED,
            rows.DECLARED_SUBPROGRAM,
            rows.METADATA_CALL,
            rows.SOURCE,
            rows.VARIANTS,
            rows.ODD_ARITHMETIC,
            rows.WIDE_ARITHMETIC,
            rows.WIDE_INTEGER,
        }
    ),
    about_name=lambda name: rows.NAME if valid_name(name) != name else None,
)
