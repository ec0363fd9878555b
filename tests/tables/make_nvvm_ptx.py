"""Makes `bitcodec/tables/nvvm_ptx.txt`: lets LLVM 22's `llc` write each intrinsic of NVPTX that libNVVM does not know.

`python -m tests.tables.make_nvvm_ptx` needs `llc-22`.  A function passes its parameters to the intrinsic and returns
the result.  A row is made if PTX computes the result with one instruction, apart from those that read parameters and
store results.  A parameter that must be a constant is an operand of the instruction, or chooses one of several rows.
"""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bitcodec.downgrade.profiles.nvvm.intrinsics import has_lowering
from bitcodec.downgrade.profiles.nvvm.matrices import matrix_ptx
from bitcodec.downgrade.profiles.nvvm.ptx import PTX
from bitcodec.tables.intrinsics import IntrinsicRow, intrinsic_rows
from bitcodec.tables.libnvvm import is_known

OUTPUT = Path(__file__).parents[2] / "src" / "bitcodec" / "tables" / "nvvm_ptx.txt"
HEADER = """\
# PTX for the intrinsics of NVPTX that libNVVM of CUDA 12.4 does not know and LLVM 22 writes one instruction for, made
# by tests/tables/make_nvvm_ptx.py with llc of LLVM 22.
#
# Each line is the number of words (they end with dots) that a name shares with the name before it, and its other words;
# a tab; the text, with $0... for results and then parameters.  Names are those without `llvm.`; behind a name are in
# parentheses the values of the parameters that must be constants, if the text depends on them.

"""
PROCESSORS = ("sm_90a", "sm_100a", "sm_120a", "sm_103a")
FEATURE = "+ptx88"
TYPES = {"f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double", "void": "void"}
SIZES = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "ptr": 8}
LARGE = (56, 88, 72, 104, 136)
"""Values of constants that PTX is unlikely to contain for another reason."""
MAX_CHOICES = 16
MAX_VARIANTS = 16
"""An intrinsic with more rows has none: the table would be too large."""
TENSOR_MEMORY = "6"
"""An address space whose pointers have 32 bits, but 64 in the data layout that libNVVM takes."""
PLAIN = re.compile(r"(?:mov|cvt|and|setp|selp|or|cvta)\.[\w.]+$")
REGISTER = re.compile(r"%[a-z]+\d+")


class Immediate(NamedTuple):
    """A parameter that must be a constant: its place, and the values that it may have; none if they are many."""

    place: int
    values: tuple[int, ...]


class Shape(NamedTuple):
    """The types of the result's parts and of parameters, and the parameters that must be constants."""

    results: tuple[str, ...]
    parameters: tuple[str, ...]
    immediates: tuple[Immediate, ...]

    @property
    def result(self) -> str:
        """The type of the result."""
        if not self.results:
            return "void"
        return self.results[0] if len(self.results) == 1 else f"{{ {', '.join(self.results)} }}"


def spelled(name: str) -> str | None:
    """Return how text spells a type; None for one that has no register."""
    if name in TYPES or name in {"i1", "i8", "i16", "i32", "i64"}:
        return TYPES.get(name, name)
    pointer = re.fullmatch(r"p(\d*)", name)
    if pointer and pointer[1] != TENSOR_MEMORY:
        return f"ptr addrspace({pointer[1]})" if pointer[1] not in {"", "0"} else "ptr"
    vector = re.fullmatch(r"v(\d+)(.+)", name)
    element = spelled(vector[2]) if vector else None
    found = f"<{vector[1]} x {element}>" if vector and element else None
    return found if found and size_of(found) in {4, 8} else None


def size_of(type_: str) -> int:
    """Return the number of bytes of a type."""
    vector = re.fullmatch(r"<(\d+) x (.+)>", type_)
    if vector:
        return int(vector[1]) * size_of(vector[2])
    return SIZES.get(type_.partition(" ")[0]) or max(8, int(type_[1:])) // 8


def shape_of(row: IntrinsicRow) -> Shape | None:
    """Return the types of an intrinsic; None if one has no register."""
    found = re.fullmatch(r"(\{.*?\}|[^({]+)\((.*)\)", row.signature)
    if found is None or row.is_overloaded:
        return None
    results = [spelled(each) for each in found[1].strip("{}").split(",")]
    parameters = [spelled(each) for each in found[2].split(",") if each]
    if None in results or None in parameters:
        return None
    texts = [text for text in row.attributes[1:] if "immarg" in text]
    immediates = [_immediate(text, parameters) for text in texts]
    results = [] if results == ["void"] else results
    return Shape(tuple(map(str, results)), tuple(map(str, parameters)), tuple(sorted(immediates)))


def _immediate(text: str, parameters: Sequence[str | None]) -> Immediate:
    place = int(text.partition(":")[0]) - 1
    bounds = re.search(r"range\(iN (\d+), (\d+)\)", text)
    count = 2 if parameters[place] == "i1" else MAX_CHOICES + 1
    values = range(int(bounds[1]), int(bounds[2])) if bounds else range(count)
    return Immediate(place, tuple(values) if len(values) <= MAX_CHOICES else ())


def instances(name: str) -> Iterator[tuple[str, Shape]]:
    """Yield the names of an intrinsic with suffixes for the types that it is for, and its shapes."""
    row = intrinsic_rows()[name]
    kinds = dict.fromkeys(re.findall(r"([A-Z]):(\w)", row.signature))
    if not kinds:
        shape = shape_of(row)
        if shape:
            yield name, shape
        return
    options = {"p": ("p0", "p1", "p3", "p7"), "i": ("i32", "i64"), "f": ("f32", "f64")}
    if any(kind not in options for _, kind in kinds):
        return
    for chosen in itertools.product(*(options[kind] for _, kind in kinds)):
        signature = row.signature
        for (letter, kind), type_ in zip(kinds, chosen, strict=True):
            signature = re.sub(rf"\b{letter}\b(?::{kind})?", type_, signature)
        shape = shape_of(IntrinsicRow(row.attributes, signature))
        if shape:
            yield ".".join([name, *chosen]), shape


def module_of(name: str, shape: Shape, variants: Sequence[Sequence[int]]) -> str:
    """Return a module with a function for each list of constants, which calls an intrinsic with these."""
    places = [immediate.place for immediate in shape.immediates]
    declared = ", ".join(f"{type_} immarg" if at in places else type_ for at, type_ in enumerate(shape.parameters))
    given = ", ".join(f"{type_} %p{place}" for place, type_ in enumerate(shape.parameters))
    value, returned = ("%v = ", f"{shape.result} %v") if shape.results else ("", "void")
    text = f'target triple = "nvptx64-nvidia-cuda"\ndeclare {shape.result} @llvm.{name}({declared})\n'
    for index, constants in enumerate(variants):
        values = dict(zip(places, constants, strict=True))
        passed = ", ".join(f"{type_} {values.get(at, f'%p{at}')}" for at, type_ in enumerate(shape.parameters))
        text += f"define {shape.result} @f{index}({given}) {{\n"
        text += f"{value}call {shape.result} @llvm.{name}({passed})\nret {returned}\n}}\n"
    return text.replace(" i1 0", " i1 false").replace(" i1 1", " i1 true")


def compiled(text: str) -> list[str]:
    """Return the PTX of each function of a module; nothing if no processor has the instructions."""
    for processor in PROCESSORS:
        command = ["llc-22", f"-mcpu={processor}", f"-mattr={FEATURE}", "-o", "-"]
        run = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        if not run.returncode:
            return re.findall(r"^\{$(.*?)^\}", run.stdout, re.MULTILINE | re.DOTALL)
    return []


class Trace(NamedTuple):
    """The instructions of PTX.

    Attributes:
        parameters: by register, the place of the parameter that it holds.
        sources: by register, the register that it has its value from.
        results: by offset in the result, the register.
        instructions: everything that neither reads parameters nor stores results.
    """

    parameters: dict[str, int]
    sources: dict[str, str]
    results: dict[int, str]
    instructions: list[str]


def trace(body: str) -> Trace:
    """Return what a function in PTX does."""
    found = Trace({}, {}, {}, [])
    lines = re.sub(r"//.*", "", body).split(";")
    for line in (" ".join(each.split()) for each in lines):
        read = re.fullmatch(r"ld\.param\.\w+ (%\w+), \[f\d+_param_(\d+)\]", line)
        stored = re.fullmatch(r"st\.param\.(?:v\d\.)?b(\d+) \[func_retval0(?:\+(\d+))?\], \{?(.*?)\}?", line)
        plain = re.fullmatch(r"([\w.]+) (%\w+), (?:-?1, 0, )?(%\w+)(?:, -?\d+)?", line)
        if read:
            found.parameters[read[1]] = int(read[2])
        elif stored:
            for index, register in enumerate(stored[3].split(", ")):
                found.results[int(stored[2] or 0) + index * int(stored[1]) // 8] = register
        elif plain and PLAIN.match(plain[1]) and not plain[1].startswith("cvt.r"):
            found.sources[plain[2]] = plain[3]
        elif line and line != "ret" and not line.startswith((".reg", ".local", ".loc")):
            found.instructions.append(line)
    return found


def template(shape: Shape, body: str) -> str | None:
    """Return the one instruction with `$0`... for registers; None if there are several or other registers."""
    found = trace(body)
    if len(found.instructions) != 1 or "_param_" in found.instructions[0]:
        return None
    (instruction,) = found.instructions
    registers = REGISTER.findall(instruction)
    results = _result_registers(shape, found, registers)
    if results is None:
        return None
    names, after = {}, ""
    for index, register in enumerate(results):
        names[register] = f"q{index}" if register.startswith("%p") else f"${index}"
        if register.startswith("%p"):
            after += f" selp.b32 ${index}, 1, 0, q{index};"
    before = _name_operands(shape, found, registers, names)
    if not names.keys() >= set(registers):
        return None
    text = REGISTER.sub(lambda each: names[each[0]], instruction) + ";"
    predicates = [name for name in names.values() if not name.startswith("$")]
    return f"{{ .reg .pred {', '.join(predicates)}; {before}{text}{after} }}" if predicates else text


def _result_registers(shape: Shape, found: Trace, registers: Sequence[str]) -> list[str] | None:
    """Return the registers of the instruction that the parts of the result are from, None if one is from elsewhere."""
    results: list[str] = []
    offset = 0
    for type_ in shape.results:
        size = size_of(type_)
        offset = -(-offset // size) * size
        register = found.results.get(offset)
        while register in found.sources and register not in registers:
            register = found.sources[register]
        if register is None or register not in registers:
            return None
        results.append(register)
        offset += size
    return results


def _name_operands(shape: Shape, found: Trace, registers: Sequence[str], names: dict[str, str]) -> str:
    """Add the names of registers that hold parameters; return instructions that make predicates of these."""
    before = ""
    for register in registers:
        source = register
        while source in found.sources:
            source = found.sources[source]
        place = found.parameters.get(source)
        if register in names or place is None:
            continue
        operand = f"${len(shape.results) + place}"
        names[register] = f"p{place}" if register.startswith("%p") else operand
        if register.startswith("%p"):
            before += f"setp.ne.u32 p{place}, {operand}, 0; "
    return before


def rows_of(name: str, shape: Shape) -> Iterator[tuple[str, str]]:
    """Yield the rows of an intrinsic: names, and texts."""
    choices = [each.values or (LARGE[index],) for index, each in enumerate(shape.immediates)]
    variants = list(itertools.product(*choices))
    if len(variants) > MAX_VARIANTS:
        return
    texts = compiled(module_of(name, shape, variants))
    if not texts and len(variants) > 1:
        texts = [(compiled(module_of(name, shape, [each])) or [""])[0] for each in variants]
    found = {}
    for constants, text in zip(variants, texts, strict=False):
        made = _with_operands(template(shape, text), shape)
        if made:
            found[constants] = made
    if len(found) == len(variants) and len(set(found.values())) == 1:
        yield name, next(iter(found.values()))
        return
    for constants, made in found.items():
        yield f"{name}({','.join(map(str, constants))})", made


def _with_operands(text: str | None, shape: Shape) -> str | None:
    """Let an operand take the place of each constant that may have many values."""
    for index, each in enumerate(shape.immediates):
        if text and not each.values:
            pattern = rf"(?<![\w$]){LARGE[index]}(?!\w)"
            text = re.sub(pattern, f"${len(shape.results) + each.place}", text) if re.search(pattern, text) else None
    return text


def lacking() -> Iterator[tuple[str, Shape]]:
    """Yield the intrinsics that libNVVM does not know and no other table has a row for."""
    for base in intrinsic_rows():
        if base.startswith("nvvm.") and not is_known(base) and not has_lowering(base):
            for name, shape in instances(base):
                if name not in PTX and matrix_ptx(name, len(shape.results), len(shape.parameters)) is None:
                    yield name, shape


def shortened(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield lines of the table."""
    before: list[str] = []
    for name, text in rows:
        words = name.split(".")
        shared = 0
        while shared < min(len(words), len(before)) - 1 and words[shared] == before[shared]:
            shared += 1
        yield f"{shared} {'.'.join(words[shared:])}\t{text}\n"
        before = words


def main() -> int:
    found = []
    for name, shape in lacking():
        rows = list(rows_of(name, shape))
        print(name, len(rows), flush=True)
        found += rows
    OUTPUT.write_text(HEADER + "".join(shortened(sorted(found))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
