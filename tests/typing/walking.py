"""What a user may write who walks a module: `test_typing.py` has mypy check it, and runs it."""

from __future__ import annotations

import sys
from collections import Counter

import bitcodec
from bitcodec.ir import (
    Argument,
    AtomicOrdering,
    BasicBlock,
    BinaryOperator,
    Branch,
    Call,
    ConstantDataArray,
    ConstantInt,
    Function,
    GlobalVariable,
    ICmp,
    ICmpPredicate,
    Instruction,
    IntegerType,
    Linkage,
    Load,
    MDNode,
    Module,
    Phi,
    Return,
    Store,
    StructType,
    Switch,
    Terminator,
    ThreadLocalMode,
    Type,
    Value,
)


def told(instruction: Instruction) -> str:
    """Return what an instruction does, in words."""
    return told_of_terminator(instruction) if isinstance(instruction, Terminator) else told_of_value(instruction)


def told_of_value(instruction: Instruction) -> str:
    match instruction:
        case Load(GlobalVariable(name), IntegerType(width), is_volatile=True):
            return f"reads {width} bits of {name}, and must"
        case Load(pointer, type):
            return f"reads a {type} at {pointer.name}"
        case Store(ConstantInt(number), pointer, alignment=alignment):
            return f"writes {number} to {pointer.name}, aligned to {alignment}"
        case BinaryOperator("add" | "sub" as opcode, lhs, ConstantInt(number)):
            return f"{opcode}s {number}: {lhs.name}"
        case ICmp(ICmpPredicate.EQ | ICmpPredicate.NE, lhs, rhs):
            return f"tells whether {lhs.name} is {rhs.name}"
        case Call(called_function=Function(name), arguments=(first, *_)):
            return f"calls {name} with {kind(first)}"
        case Phi(incoming=edges):
            return " or ".join(f"{value.name} from {block.name}" for value, block in edges)
        case _:
            return instruction.opcode


def told_of_terminator(terminator: Terminator) -> str:
    match terminator:
        case Branch(None, (target,)):
            return f"goes to {target.name}"
        case Branch(condition=Value() as condition, successors=(then, otherwise)):
            return f"goes to {then.name} or {otherwise.name} by {condition.name}"
        case Switch(condition, default, cases):
            return f"{len(cases)} cases by {condition.name}, else {default.name}"
        case Return(None):
            return "goes back"
        case Return(Value(name=name)):
            return f"gives {name}"
        case _:
            return terminator.opcode


def kind(value: Value) -> str:
    match value:
        case Argument(index, type):
            return f"argument {index} of type {type}"
        case GlobalVariable(initializer=ConstantDataArray(bytes(text))):
            return f"the text {text!r}"
        case _:
            return repr(value)


def walk(module: Module) -> list[str]:
    lines: list[str] = []
    opcodes: Counter[str] = Counter()
    for function in module.functions:
        parameters: list[Type] = [argument.type for argument in function.arguments]
        lines.append(f"{function.name}: {function.return_type} of {len(parameters)}")
        for block in function:
            terminator: Terminator | None = block.terminator
            targets: tuple[BasicBlock, ...] = block.successors
            lines.append(f"  {block.name}: {len(block)} to {[target.name for target in targets]}")
            assert terminator is None or terminator.successors == targets
            for instruction in block:
                opcodes[instruction.opcode] += 1
                lines.append(f"    {told(instruction)}")
        attached: dict[str, MDNode] = dict(function.metadata)
        lines += [f"  has {name}" for name in attached]
    found: Function = module.functions["main"] if "main" in module.functions else module.functions[0]
    first: Instruction = next(each for function in (found, *module.functions) for each in function.instructions)
    users: list[str] = [type(user).__name__ for user in first.users]
    types: list[Type] = [variable.value_type for variable in module.global_variables]
    structs: list[StructType] = [each for each in types if isinstance(each, StructType)]
    return [*lines, f"{first.opcode} is used by {users}", f"{len(structs)} structs, {opcodes.most_common(1)}"]


def edit(module: Module) -> None:
    """Count calls: put one in front of each return."""
    types, constants = module.context.types, module.context.constants
    hook = module.get_or_insert_function("hook", types.function(types.void, [types.integer(32)]))
    for number, function in enumerate(module.functions):
        for block in function:
            match block.terminator:
                case Return() as leaving:
                    Call(hook.function_type, hook, [constants.integer(types.integer(32), number)]).insert_before(
                        leaving
                    )


def spell(module: Module) -> list[str]:
    """Assign spellings to attributes, and read enumerators."""
    function, variable = module.functions[0], module.global_variables[0]
    function.linkage = "internal"
    function.calling_convention = "fastcc"
    variable.visibility = "hidden"
    variable.thread_local_mode = ThreadLocalMode.LOCAL_EXEC
    variable.code_model = "small"
    for instruction in (each for function in module.functions for each in function.instructions):
        match instruction:
            case Load(ordering=AtomicOrdering.NOT_ATOMIC):
                instruction.alignment = 8
            case Load(ordering=ordering):
                instruction.ordering = "seq_cst" if ordering is AtomicOrdering.ACQUIRE else ordering
            case ICmp(predicate=predicate) if predicate is ICmpPredicate.EQ:
                instruction.predicate = "ne"
            case BinaryOperator():
                instruction.flags = "nuw nsw" if instruction.opcode == "add" else instruction.flags
            case Call():
                instruction.tail_kind = "notail"
    linkages: list[Linkage] = [each.linkage for each in module.globals]
    if function.linkage is Linkage.INTERNAL and function.linkage.is_local:
        return [function.linkage.spelling, f"{function.calling_convention + 1}", *(each.name for each in linkages)]
    return []


if __name__ == "__main__":
    opened = bitcodec.open(sys.argv[1])
    edit(opened)
    print("\n".join(walk(opened)))
    print(*spell(opened)[:2])
