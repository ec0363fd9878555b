"""PC sections: program counters of instructions and functions, with data of one's own, in sections of the object file.

What one instruction or function asks for is `Instruction.pcsections` and `Function.pcsections`, part of the model.
"""

from __future__ import annotations

from bitcodec.ir.pcsections import PCSECTIONS, PCSection, PCSections

__all__ = ["PCSECTIONS", "PCSection", "PCSections"]
