"""What audits say, in few words."""

from __future__ import annotations

from typing import TypeAlias

import bitcodec
from bitcodec.ir import Module
from bitcodec.pcsections.auditing.audit import Audit

Told: TypeAlias = "tuple[str, str, str, str, str]"


def told(audit: Audit, *, functions: bool = False) -> list[Told]:
    """Return function, node, verdict, and who carried it before and after; of functions' own nodes if asked to."""
    return [
        (each.function, str(each.wanted), each.verdict.value, carriers(each.before), carriers(each.after))
        for each in audit
        if each.wanted.of_function is functions
    ]


def carriers(opcodes: object) -> str:
    """Return `2 load 1 store`; of what has no opcodes `3`."""
    assert isinstance(opcodes, dict)
    return " ".join(f"{count} {opcode}".strip() for opcode, count in opcodes.items())


def copied(module: Module) -> Module:
    """Return a module that says the same."""
    return bitcodec.loads(bitcodec.dumps(module))
