"""Auto-upgrade: changes that LLVM 22 makes to modules of older versions while reading. Works on the model alone.

The package exports the upgrades that few modules need: `upgrade.upgraded_tbaa` imports its module when it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.on_demand import names_on_demand

if TYPE_CHECKING:
    from bitcodec.upgrade.address_spaces import (
        is_address_space_bitcast,
        upgraded_bitcast_constant,
        upgraded_bitcasts,
    )
    from bitcodec.upgrade.arc import arc_replacements
    from bitcodec.upgrade.atomics import upgrade_unsafe_atomics
    from bitcodec.upgrade.branch_protection import mark_branch_protection, protect_functions
    from bitcodec.upgrade.callbr import upgraded_callbr
    from bitcodec.upgrade.calls import redirect_uses, upgrade_calls
    from bitcodec.upgrade.debug_info_stripping import (
        drop_other_debug_info,
        strip_function,
        strip_globals,
        strip_named_metadata,
    )
    from bitcodec.upgrade.declares import upgrade_declares
    from bitcodec.upgrade.loops import is_old_loop_tag, upgraded_loop
    from bitcodec.upgrade.nvvm import upgrade_nvvm_annotations
    from bitcodec.upgrade.strict_floating_point import upgrade_strict_calls
    from bitcodec.upgrade.tbaa import upgraded_tbaa

__all__ = [
    "arc_replacements",
    "drop_other_debug_info",
    "is_address_space_bitcast",
    "is_old_loop_tag",
    "mark_branch_protection",
    "protect_functions",
    "redirect_uses",
    "strip_function",
    "strip_globals",
    "strip_named_metadata",
    "upgrade_calls",
    "upgrade_declares",
    "upgrade_nvvm_annotations",
    "upgrade_strict_calls",
    "upgrade_unsafe_atomics",
    "upgraded_bitcast_constant",
    "upgraded_bitcasts",
    "upgraded_callbr",
    "upgraded_loop",
    "upgraded_tbaa",
]

__getattr__, __dir__ = names_on_demand(
    __name__,
    {
        "address_spaces": ("is_address_space_bitcast", "upgraded_bitcast_constant", "upgraded_bitcasts"),
        "arc": ("arc_replacements",),
        "atomics": ("upgrade_unsafe_atomics",),
        "branch_protection": ("mark_branch_protection", "protect_functions"),
        "callbr": ("upgraded_callbr",),
        "calls": ("redirect_uses", "upgrade_calls"),
        "debug_info_stripping": (
            "drop_other_debug_info",
            "strip_function",
            "strip_globals",
            "strip_named_metadata",
        ),
        "declares": ("upgrade_declares",),
        "loops": ("is_old_loop_tag", "upgraded_loop"),
        "nvvm": ("upgrade_nvvm_annotations",),
        "strict_floating_point": ("upgrade_strict_calls",),
        "tbaa": ("upgraded_tbaa",),
    },
)
