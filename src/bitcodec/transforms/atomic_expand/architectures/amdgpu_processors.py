"""Features of AMDGPU's processors that atomic accesses depend on; `make_amdgpu_processors` writes it."""

from __future__ import annotations

__all__ = ["IMPLIED", "PROCESSORS"]

PROCESSORS = (
    (
        "bonaire gfx700 gfx701 gfx702 gfx703 gfx704 gfx705 hawaii kabini kaveri mullins",
        ("atomic-fmin-fmax-flat-f32 atomic-fmin-fmax-flat-f64 atomic-fmin-fmax-global-f32 atomic-fmin-fmax-global-f64"),
    ),
    (
        (
            "carrizo fiji gfx801 gfx802 gfx803 gfx805 gfx810 gfx9-generic gfx900 gfx902 gfx904 gfx906 gfx909 "
            "gfx90c iceland polaris10 polaris11 stoney tonga tongapro"
        ),
        "gfx8-insts",
    ),
    ("generic generic-hsa", ""),
    (
        "gfx10-1-generic gfx1010 gfx1011 gfx1012 gfx1013",
        (
            "atomic-fmin-fmax-flat-f32 atomic-fmin-fmax-flat-f64 atomic-fmin-fmax-global-f32 "
            "atomic-fmin-fmax-global-f64 gfx8-insts"
        ),
    ),
    (
        "gfx10-3-generic gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036",
        (
            "atomic-fmin-fmax-flat-f32 atomic-fmin-fmax-flat-f64 atomic-fmin-fmax-global-f32 "
            "atomic-fmin-fmax-global-f64 gfx10-3-insts gfx8-insts"
        ),
    ),
    (
        "gfx11-generic gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153",
        (
            "atomic-fadd-no-rtn-insts atomic-fadd-rtn-insts atomic-fmin-fmax-flat-f32 atomic-fmin-fmax-global-f32 "
            "flat-atomic-fadd-f32-inst gfx10-3-insts gfx8-insts memory-atomic-fadd-f32-denormal-support"
        ),
    ),
    (
        "gfx12-generic gfx1200 gfx1201",
        (
            "agent-scope-fine-grained-remote-memory-atomics atomic-buffer-global-pk-add-f16-insts "
            "atomic-buffer-pk-add-bf16-inst atomic-ds-pk-add-16-insts atomic-fadd-no-rtn-insts "
            "atomic-fadd-rtn-insts atomic-flat-pk-add-16-insts atomic-fmin-fmax-flat-f32 "
            "atomic-fmin-fmax-global-f32 atomic-global-pk-add-bf16-inst flat-atomic-fadd-f32-inst gfx10-3-insts "
            "gfx12-insts gfx8-insts memory-atomic-fadd-f32-denormal-support"
        ),
    ),
    (
        "gfx1250 gfx1251",
        (
            "agent-scope-fine-grained-remote-memory-atomics atomic-buffer-global-pk-add-f16-insts "
            "atomic-buffer-pk-add-bf16-inst atomic-ds-pk-add-16-insts atomic-fadd-no-rtn-insts "
            "atomic-fadd-rtn-insts atomic-flat-pk-add-16-insts atomic-fmin-fmax-flat-f32 "
            "atomic-fmin-fmax-flat-f64 atomic-fmin-fmax-global-f32 atomic-fmin-fmax-global-f64 "
            "atomic-global-pk-add-bf16-inst emulated-system-scope-atomics flat-atomic-fadd-f32-inst "
            "flat-buffer-global-fadd-f64-inst gfx10-3-insts gfx12-insts gfx1250-insts gfx8-insts "
            "globally-addressable-scratch memory-atomic-fadd-f32-denormal-support"
        ),
    ),
    (
        "gfx600 gfx601 gfx602 hainan oland pitcairn tahiti verde",
        "atomic-fmin-fmax-global-f32 atomic-fmin-fmax-global-f64",
    ),
    (
        "gfx9-4-generic gfx942",
        (
            "agent-scope-fine-grained-remote-memory-atomics atomic-buffer-global-pk-add-f16-insts "
            "atomic-ds-pk-add-16-insts atomic-fadd-no-rtn-insts atomic-fadd-rtn-insts atomic-flat-pk-add-16-insts "
            "atomic-fmin-fmax-flat-f64 atomic-fmin-fmax-global-f64 atomic-global-pk-add-bf16-inst "
            "flat-atomic-fadd-f32-inst flat-buffer-global-fadd-f64-inst gfx8-insts gfx90a-insts "
            "memory-atomic-fadd-f32-denormal-support"
        ),
    ),
    ("gfx908", "atomic-buffer-global-pk-add-f16-no-rtn-insts atomic-fadd-no-rtn-insts gfx8-insts"),
    (
        "gfx90a",
        (
            "atomic-buffer-global-pk-add-f16-insts atomic-fadd-no-rtn-insts atomic-fadd-rtn-insts "
            "atomic-fmin-fmax-flat-f64 atomic-fmin-fmax-global-f64 flat-buffer-global-fadd-f64-inst gfx8-insts "
            "gfx90a-insts"
        ),
    ),
    (
        "gfx950",
        (
            "agent-scope-fine-grained-remote-memory-atomics atomic-buffer-global-pk-add-f16-insts "
            "atomic-buffer-pk-add-bf16-inst atomic-ds-pk-add-16-insts atomic-fadd-no-rtn-insts "
            "atomic-fadd-rtn-insts atomic-flat-pk-add-16-insts atomic-fmin-fmax-flat-f64 "
            "atomic-fmin-fmax-global-f64 atomic-global-pk-add-bf16-inst flat-atomic-fadd-f32-inst "
            "flat-buffer-global-fadd-f64-inst gfx8-insts gfx90a-insts memory-atomic-fadd-f32-denormal-support"
        ),
    ),
)
"""Names of processors, and the features that they have."""

IMPLIED = {
    "atomic-buffer-global-pk-add-f16-insts": "flat-address-space flat-global-insts",
    "atomic-buffer-global-pk-add-f16-no-rtn-insts": "flat-address-space flat-global-insts",
    "atomic-fadd-no-rtn-insts": "flat-address-space flat-global-insts",
    "atomic-fadd-rtn-insts": "flat-address-space flat-global-insts",
    "atomic-fmin-fmax-flat-f32": "flat-address-space",
    "atomic-fmin-fmax-flat-f64": "flat-address-space",
    "atomic-global-pk-add-bf16-inst": "flat-address-space flat-global-insts",
    "flat-atomic-fadd-f32-inst": "flat-address-space",
    "gfx10": (
        "atomic-fmin-fmax-flat-f32 atomic-fmin-fmax-flat-f64 atomic-fmin-fmax-global-f32 "
        "atomic-fmin-fmax-global-f64 gfx8-insts"
    ),
    "gfx11": "atomic-fmin-fmax-flat-f32 atomic-fmin-fmax-global-f32 gfx10-3-insts gfx8-insts",
    "gfx12": (
        "agent-scope-fine-grained-remote-memory-atomics atomic-fmin-fmax-flat-f32 atomic-fmin-fmax-global-f32 "
        "gfx10-3-insts gfx12-insts gfx8-insts"
    ),
    "gfx9": "gfx8-insts",
    "memory-atomic-fadd-f32-denormal-support": "flat-address-space flat-global-insts",
    "sea-islands": (
        "atomic-fmin-fmax-flat-f32 atomic-fmin-fmax-flat-f64 atomic-fmin-fmax-global-f32 atomic-fmin-fmax-global-f64"
    ),
    "southern-islands": "atomic-fmin-fmax-global-f32 atomic-fmin-fmax-global-f64",
    "volcanic-islands": "gfx8-insts",
}
"""Features that each feature implies, directly or through others."""
