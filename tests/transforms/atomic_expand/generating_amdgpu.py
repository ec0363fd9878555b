"""Random functions of atomic instructions for AMDGPU: address spaces, kinds of memory, denormal modes."""

from __future__ import annotations

from .generating import ACCESSED, INTEGERS, SIZES, VECTORS, RandomFunction

__all__ = ["GLOBALS", "NODES", "AMDGPUFunction"]

_SPACES = (0, 0, 0, 1, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 11)
_SCOPES = ("singlethread", "wavefront", "workgroup", "agent", "agent", "one-as", "agent-one-as", "workgroup-one-as")
_KINDS = {"amdgpu.no.fine.grained.memory": 0.45, "amdgpu.no.remote.memory": 0.2, "amdgpu.ignore.denormal.mode": 0.4}
_MODES = ("ieee,ieee", "preserve-sign,preserve-sign", "preserve-sign", "positive-zero,positive-zero", "dynamic,dynamic")
_MODES += ("preserve-sign,ieee",)
_EXTREMES = {bits: (str((1 << (bits - 1)) - 1), str(-(1 << (bits - 1))), "-1", "0") for bits in (8, 16, 32, 64)}

GLOBALS = """
@global1 = external addrspace(1) global i64, !amdgpu.no.fine.grained.memory !11, !amdgpu.no.remote.memory !11
@global3 = external addrspace(3) global i64, !amdgpu.ignore.denormal.mode !11
"""
"""They name the kinds of metadata, which have numbers in the same order in each module then."""
NODES = """
!11 = !{}
!12 = !{i32 5, i32 6}
!13 = !{i32 1, i32 3}
!14 = !{i32 1, i32 3, i32 4, i32 7}
!15 = !{i32 6, i32 1}
"""


class AMDGPUFunction(RandomFunction):
    """One function: it takes an address of each space."""

    POINTERS = ("ptr %p", *(f"ptr addrspace({space}) %p{space}" for space in sorted({*_SPACES})))
    LOADED = tuple(type_ for type_ in ACCESSED if SIZES[type_] <= 8)
    FLOATS = ("half", "bfloat", "float", "float", "double", *(type_ for type_ in VECTORS if SIZES[type_] <= 8))
    INTEGERS = tuple(type_ for type_ in INTEGERS if SIZES[type_] <= 8)
    ALIGNED = 1.0

    def _attributes(self) -> list[str]:
        names = [name for name in ("denormal-fp-math", "denormal-fp-math-f32") if self.random.random() < 0.25]
        modes = [f'"{name}"="{self.random.choice(_MODES)}"' for name in names]
        return [*super()._attributes(), *modes]

    def _pointer(self) -> str:
        space = self.random.choice(_SPACES)
        if space in (0, 1, 3) and self.random.random() < 0.0:
            return f"ptr addrspace({space}) @global{space or ''}"
        return f"ptr addrspace({space}) %p{space}"

    def _marks(self) -> str:
        random = self.random
        found = [f", !{kind} !11" for kind, share in _KINDS.items() if random.random() < share]
        excluded = [f", !noalias.addrspace !{random.randint(12, 15)}"] * (random.random() < 0.25)
        return "".join(found + excluded)

    def _value(self, type_: str) -> str:
        if type_[0] == "i" and self.random.random() < 0.3:
            return self.random.choice(_EXTREMES[int(type_[1:])])
        return super()._value(type_)

    def _scope(self) -> str:
        random = self.random
        return f' syncscope("{random.choice(_SCOPES)}")' * (random.random() < 0.4)
