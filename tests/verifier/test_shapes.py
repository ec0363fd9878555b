"""Rules are applied to one instruction of each shape: what is found must be the same as if they were applied to all."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import bitcodec
from bitcodec.ir import Function, Module
from bitcodec.ir.instructions import BinaryOperator, CallBase, Cast, GetElementPtr, Load, Store
from bitcodec.ir.types import LabelType
from bitcodec.tables.opcodes import AtomicOrdering
from bitcodec.verifier import verifier, verify

from .snippets import DATA

SHIPPED = Path(__file__).parents[1] / "data"
FILES = [DATA / "sound.bc", SHIPPED / "control-O2-16.bc", SHIPPED / "exceptions-O2-19.bc"]
CHANGES = 30


class Forgetful(dict[Any, Any]):
    """A mapping or set that forgets what is put into it."""

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def add(self, key: object) -> None:
        pass


def change_callees(chance: random.Random, calls: list[CallBase], functions: list[Function]) -> None:
    for function in chance.sample(functions, len(functions) // 3):
        function.attributes = chance.choice(functions).attributes
    for call in chance.sample(calls, min(len(calls), CHANGES // 3)):
        call.set_operand(call.operand_count - 1, chance.choice(functions))


def changed(path: Path, seed: int) -> Module:
    """Return a module in which operands, types, and what rules read besides are mixed up."""
    chance = random.Random(f"{path.name} {seed}")
    module = bitcodec.open(path)
    module.materialize()
    instructions = [found for function in module.functions for found in function.instructions]
    values = [*instructions, *(value for found in instructions for value in found.operands)]
    calls = [found for found in instructions if isinstance(found, CallBase)]
    change_callees(chance, calls, list(module.functions))
    for _ in range(CHANGES):
        found = chance.choice(instructions)
        other = chance.choice(values)
        if isinstance(found, (Load, Store)) and chance.random() < 0.5:
            match chance.randrange(3):
                case 0:
                    found.alignment = chance.choice([1, 8, 1 << 40])
                case 1:
                    found.ordering = chance.choice([*AtomicOrdering])
                case _:
                    found.sync_scope = chance.choice(["", "singlethread"])
        elif isinstance(found, (BinaryOperator, Cast)) and chance.random() < 0.5:
            found.opcode = chance.choice([one for one in instructions if type(one) is type(found)]).opcode
        elif isinstance(found, GetElementPtr) and chance.random() < 0.5:
            found.source_element_type = other.type
        elif isinstance(found, CallBase) and chance.random() < 0.5:
            found.attributes = chance.choice(calls).attributes
        elif found.operands and not isinstance(other.type, LabelType):
            index = chance.randrange(found.operand_count)
            if not isinstance(found.operand_at(index).type, LabelType):
                found.set_operand(index, other)
    return module


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_findings_do_not_depend_on_what_is_kept(path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    module = changed(path, seed)
    findings = verify(module)
    made = verifier.Verifier.__init__

    def forget(self: verifier.Verifier, module: Module) -> None:
        made(self, module)
        self.sound_shapes = Forgetful()
        self.sound_attachments = Forgetful()  # type: ignore[assignment]
        self.sound_records = Forgetful()  # type: ignore[assignment]
        self.sound_signatures = Forgetful()  # type: ignore[assignment]
        self.sound_globals = Forgetful()  # type: ignore[assignment]

    monkeypatch.setattr(verifier.Verifier, "__init__", forget)
    assert verify(module) == findings
    assert findings
