"""Random functions of atomic instructions, as text: several in a block, described to debuggers, used in all ways.

The grid of `cases` tries one instruction after another; these try what depends on what is around them.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from .cases import FLOAT_OPERATIONS, FLOATS, INTEGER_OPERATIONS, LOAD_ORDERINGS, ORDERINGS, STORE_ORDERINGS

__all__ = ["ACCESSED", "INTEGERS", "SIZES", "VECTORS", "RandomFunction", "function_texts", "module_text"]

INTEGERS = ("i8", "i16", "i32", "i64", "i128")
VECTORS = ("<2 x half>", "<2 x bfloat>", "<2 x float>", "<4 x float>")
ACCESSED = (*INTEGERS, *FLOATS, "ptr")
SIZES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "i128": 16, **FLOATS, "ptr": 8}
SIZES |= {"<2 x half>": 4, "<2 x bfloat>": 4, "<2 x float>": 8, "<4 x float>": 16}
_FAILURES = ("monotonic", "acquire", "seq_cst")
_CONSTANTS = {
    "i": ("0", "1", "-1", "5", "-128", "127"),
    "p": ("null", "@global"),
    "<": ("zeroinitializer",),
}
_FLOAT_CONSTANTS = {"float": ("0.0", "-0.0", "1.5"), "double": ("0.0", "-0.0", "1.5"), "half": ("0xH0000", "0xH8000")}
_ATTRIBUTES = ("minsize", "optsize", "nounwind", "noimplicitfloat")

_END = """
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!5 = !{!"section"}
!6 = !{!"tag", !"value"}
!7 = !{!"function_entry_count", i64 1000}
!8 = !{!9, !9, i64 0}
!9 = !{!"int", !10, i64 0}
!10 = !{!"root"}
"""


_NAMES = ("r", "r", "r", "loaded", "new", "success", "newloaded", "lo", "atomicrmw.start")
"""What results are called, with numbers; expansions themselves give some of these names."""

COPIES = 3
"""How often each function comes: the expansion of the second instruction of a shape is repeated for the third."""


def function_texts(seed: int, count: int, kind: type[RandomFunction] | None = None) -> list[str]:
    """Return the text of functions `f0`, `f1`..., the same for the same seed; after a third they come again.

    Args:
        seed: for random numbers.
        count: how many.
        kind: makes each; None: as for most targets.
    """
    kind = kind or RandomFunction
    texts: list[str] = []
    while len(texts) < count:
        random = Random(seed)
        texts += [kind(random, len(texts) + number).text() for number in range(-(-count // COPIES))]
    return texts[:count]


def module_text(functions: Mapping[int, str], head: str = "") -> str:
    """Return the text of a module.

    Args:
        functions: its functions, by number.
        head: the lines with the data layout and triple.
    """
    nodes = [line for number in functions for line in _debug_nodes(number)]
    return "\n".join([head, "@global = external global i64", *functions.values(), *nodes, _END])


def _debug_nodes(number: int) -> tuple[str, ...]:
    first = 100 + 3 * number
    return (
        f'!{first} = distinct !DISubprogram(name: "f{number}", file: !1, unit: !0, spFlags: DISPFlagDefinition)',
        f"!{first + 1} = !DILocation(line: {number + 2}, scope: !{first})",
        f'!{first + 2} = !DILocalVariable(name: "v", scope: !{first}, file: !1, line: 1, type: !4)',
    )


class RandomFunction:
    """One function: it takes addresses and a value of each type."""

    POINTERS: tuple[str, ...] = ("ptr %p",)
    ALIGNED = 0.85
    LOADED: tuple[str, ...] = ACCESSED
    FLOATS: tuple[str, ...] = (*FLOATS, *VECTORS)
    INTEGERS: tuple[str, ...] = INTEGERS

    def __init__(self, random: Random, number: int) -> None:
        self.random = random
        self.number = number
        self.lines: list[str] = []
        self.is_described = random.random() < 0.5
        self.location = f", !dbg !{101 + 3 * number}" if self.is_described else ""
        self.is_strict = random.random() < 0.05

    def text(self) -> str:
        random = self.random
        name = random.choice(_NAMES)
        for index in range(random.choice((1, 1, 2, 3))):
            self._access(f"%{name}{index}")
        types = (*ACCESSED, *VECTORS)
        parameters = ", ".join([*self.POINTERS, *(f"{type_} %a{place}" for place, type_ in enumerate(types))])
        words = self._attributes() + ["strictfp"] * self.is_strict
        words += [f"!dbg !{100 + 3 * self.number}"] * self.is_described
        words += ["!prof !7"] * (random.random() < 0.1)
        head = " ".join([f"define void @f{self.number}({parameters})", *words])
        return "\n".join([f"{head} {{", *self.lines, f"  ret void{self.location}", "}"])

    def _attributes(self) -> list[str]:
        """Return attributes of the function."""
        return [word for word in _ATTRIBUTES if self.random.random() < 0.1]

    def _pointer(self) -> str:
        """Return the address of an access, with its type."""
        return "ptr %p"

    def _marks(self) -> str:
        """Return metadata of an access beside those of all targets."""
        return ""

    def _access(self, name: str) -> None:
        random = self.random
        opcode = random.choice(("load", "store", "atomicrmw", "atomicrmw", "atomicrmw", "cmpxchg"))
        getattr(self, f"_{opcode}")(name)
        if self.is_described and random.random() < 0.6:
            variable = 102 + 3 * self.number
            described = self._described or "i32 1"
            self.lines.append(f"    #dbg_value({described}, !{variable}, !DIExpression(), !{variable - 1})")

    def _load(self, name: str) -> None:
        type_ = self.random.choice(self.LOADED)
        ordering = self.random.choice(LOAD_ORDERINGS)
        self._add(f"{name} = load atomic{self._volatile()} {type_}, {self._pointer()}{self._scope()} {ordering}", type_)
        self._use(f"{type_} {name}")

    def _store(self, _name: str) -> None:
        type_ = self.random.choice(self.LOADED)
        ordering = self.random.choice(STORE_ORDERINGS)
        value = self._value(type_)
        words = f"store atomic{self._volatile()} {type_} {value}, {self._pointer()}"
        self._add(f"{words}{self._scope()} {ordering}", type_)
        self._described = ""

    def _atomicrmw(self, name: str) -> None:
        random = self.random
        kind = random.choice(("xchg", "integer", "integer", "integer", "float"))
        types = {"xchg": self.LOADED, "integer": self.INTEGERS, "float": self.FLOATS}[kind]
        operations = {"xchg": ("xchg",), "integer": INTEGER_OPERATIONS, "float": FLOAT_OPERATIONS}[kind]
        type_, operation = random.choice(types), random.choice(operations)
        words = f"atomicrmw{self._volatile()} {operation} {self._pointer()}, {type_} {self._value(type_)}"
        self._add(f"{name} = {words}{self._scope()} {random.choice(ORDERINGS)}", type_)
        self._use(f"{type_} {name}")

    def _cmpxchg(self, name: str) -> None:
        random = self.random
        type_ = random.choice((*self.INTEGERS, "ptr"))
        weak = " weak" * (random.random() < 0.3)
        values = f"{type_} {self._value(type_)}, {type_} {self._value(type_)}"
        orderings = f"{random.choice(ORDERINGS)} {random.choice(_FAILURES)}"
        words = f"cmpxchg{weak}{self._volatile()} {self._pointer()}, {values}{self._scope()} {orderings}"
        self._add(f"{name} = {words}", type_)
        pair = f"{{ {type_}, i1 }} {name}"
        if random.random() < 0.6:
            for index, part in enumerate((type_, "i1")):
                if random.random() < 0.8:
                    self.lines.append(f"  {name}.{index} = extractvalue {pair}, {index}{self.location}")
                    self._use(f"{part} {name}.{index}")
        else:
            self._use(pair)
        self._described = ""

    def _add(self, words: str, type_: str) -> None:
        random = self.random
        size = SIZES[type_]
        alignment = size if random.random() < self.ALIGNED else random.choice((1, 2, 4, 8, 16))
        marks = self.location
        marks += ", !pcsections !5" * (random.random() < 0.6)
        marks += ", !mmra !6" * (random.random() < 0.1)
        marks += ", !tbaa !8" * (random.random() < 0.1 and "store" not in words)
        self.lines.append(f"  {words}, align {alignment}{marks}{self._marks()}")

    def _use(self, value: str) -> None:
        """Use a value once, twice or not at all."""
        self._described = value
        for _ in range(self.random.choice((0, 1, 1, 2))):
            self.lines.append(f"  store volatile {value}, ptr %p, align 1{self.location}")

    def _value(self, type_: str) -> str:
        random = self.random
        known = _FLOAT_CONSTANTS.get(type_) or _CONSTANTS.get(type_[0])
        if known and random.random() < 0.3:
            return random.choice(known)
        return f"%a{(*ACCESSED, *VECTORS).index(type_)}"

    def _volatile(self) -> str:
        return " volatile" * (self.random.random() < 0.1)

    def _scope(self) -> str:
        return ' syncscope("singlethread")' * (self.random.random() < 0.1)
