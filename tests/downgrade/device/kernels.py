"""Functions with one operation each, for every type of elements and many sizes of vectors.

A function reads the operands from rows of memory, 16 bytes for each scalar, and writes each scalar of the result to 16
bytes of another row.  No function reads an operand that makes its result poison.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["LAYOUT", "TRIPLE", "Kernel", "kernels"]

TRIPLE = "nvptx64-nvidia-cuda"
LAYOUT = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
    "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
)
SLOT = 16
"""Bytes of a scalar in memory."""
INTEGERS = (1, 8, 16, 32, 64, 65, 100, 128)
FLOATS = ("half", "bfloat", "float", "double")
COUNTS = range(2, 17)
_MANGLED = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}
_CONTAINERS = (8, 16, 32, 64, 128)


class Kernel(NamedTuple):
    """A function.

    Attributes:
        name: of the function.
        operands: the types of the scalars that it reads, in order.
        results: the types of those that it writes.
        text: the definition and the declarations that it needs.
        is_zero_signed: whether the sign of a zero is specified.
    """

    name: str
    operands: tuple[str, ...]
    results: tuple[str, ...]
    text: str
    is_zero_signed: bool = True

    @property
    def module(self) -> str:
        """A module with the function alone."""
        return f'target datalayout = "{LAYOUT}"\ntarget triple = "{TRIPLE}"\n\n{self.text}'


class Shape(NamedTuple):
    """A type: a scalar, or a vector of them."""

    scalar: str
    count: int = 0

    @property
    def text(self) -> str:
        """The type in IR."""
        return f"<{self.count} x {self.scalar}>" if self.count else self.scalar

    @property
    def mangled(self) -> str:
        """The type at the end of the name of an intrinsic."""
        scalar = _MANGLED.get(self.scalar, self.scalar)
        return f"v{self.count}{scalar}" if self.count else scalar

    @property
    def parts(self) -> tuple[str, ...]:
        """The types of the scalars."""
        return (self.scalar,) * max(self.count, 1)

    def of(self, scalar: str) -> Shape:
        """Return the shape with other scalars."""
        return Shape(scalar, self.count)

    def splat(self, number: int | str) -> str:
        """Return a constant whose elements are the same."""
        return "<" + ", ".join(f"{self.scalar} {number}" for _ in self.parts) + ">" if self.count else str(number)


def width_of(scalar: str) -> int:
    """Return the number of bits of a scalar."""
    return {"half": 16, "bfloat": 16, "float": 32, "double": 64}.get(scalar) or int(scalar[1:])


def _container(scalar: str) -> str:
    width = width_of(scalar)
    return f"i{next(each for each in _CONTAINERS if each >= width)}"


def _read(scalar: str, name: str, slot: int) -> Iterator[str]:
    container = _container(scalar)
    yield f"%{name}.p = getelementptr i8, ptr %in, i64 {slot * SLOT}"
    if container == scalar or scalar in _MANGLED:
        yield f"%{name} = load {scalar}, ptr %{name}.p, align {SLOT}"
    else:
        yield f"%{name}.w = load {container}, ptr %{name}.p, align {SLOT}"
        yield f"%{name} = trunc {container} %{name}.w to {scalar}"


def _write(scalar: str, name: str, slot: int) -> Iterator[str]:
    container = _container(scalar)
    yield f"%{name}.p = getelementptr i8, ptr %out, i64 {slot * SLOT}"
    if container != scalar and scalar not in _MANGLED:
        yield f"%{name}.w = zext {scalar} %{name} to {container}"
        yield f"store {container} %{name}.w, ptr %{name}.p, align {SLOT}"
    else:
        yield f"store {scalar} %{name}, ptr %{name}.p, align {SLOT}"


def _operand(shape: Shape, name: str, slot: int) -> Iterator[str]:
    if not shape.count:
        yield from _read(shape.scalar, name, slot)
        return
    previous = "poison"
    for index in range(shape.count):
        yield from _read(shape.scalar, f"{name}.{index}", slot + index)
        made = f"%{name}" if index == shape.count - 1 else f"%{name}.v{index}"
        yield f"{made} = insertelement {shape.text} {previous}, {shape.scalar} %{name}.{index}, i32 {index}"
        previous = made


def _result(shape: Shape, name: str, slot: int) -> Iterator[str]:
    if not shape.count:
        yield from _write(shape.scalar, name, slot)
        return
    for index in range(shape.count):
        yield f"%{name}.{index} = extractelement {shape.text} %{name}, i32 {index}"
        yield from _write(shape.scalar, f"{name}.{index}", slot + index)


def kernel(
    name: str, operands: Sequence[Shape], lines: str, results: Sequence[tuple[str, Shape]], *, signed: bool = True
) -> Kernel:
    """Return a function.

    Args:
        name: of it.
        operands: are `%a`, `%b`, ... in the lines.
        lines: compute the results.
        results: values of the lines.
        signed: whether the sign of a zero is specified.
    """
    body: list[str] = []
    scalars: list[str] = []
    written: list[str] = []
    for letter, shape in zip("abcdef", operands, strict=False):
        body += _operand(shape, letter, len(scalars))
        scalars += shape.parts
    body += lines.strip().splitlines()
    for value, shape in results:
        body += _result(shape, value, len(written))
        written += shape.parts
    text = f"define void @{name}(ptr %in, ptr %out) {{\n" + "".join(f"  {line.strip()}\n" for line in body)
    text += "  ret void\n}\n" + "".join(f"{each}\n" for each in sorted(set(_declarations(body))))
    return Kernel(name, tuple(scalars), tuple(written), text, signed)


_CALL = re.compile(r"call ([^@]*) @(llvm\.[\w.]+)\((.*)\)$")
_ARGUMENT = re.compile(r"(<[^>]*>|\w+) (?:<[^>]*>|[^,<]+)(?:, |$)")


def _declarations(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        found = _CALL.search(line.strip())
        if found:
            arguments = ", ".join(_ARGUMENT.findall(found[3]))
            yield f"declare {found[1]} @{found[2]}({arguments})"


def _shapes(scalars: Sequence[str]) -> Iterator[Shape]:
    """Yield each scalar, and vectors of it with sizes that differ from one to the next."""
    for place, scalar in enumerate(scalars):
        yield Shape(scalar)
        for count in (2, 3, *(COUNTS[(place * 5 + step) % len(COUNTS)] for step in (3, 7))):
            yield Shape(scalar, count)


_INTEGER_TYPES = [f"i{width}" for width in INTEGERS]


def _of_intrinsic(base: str, shape: Shape, count: int, extra: str = "", **options: bool) -> Kernel:
    """Return a kernel that calls an intrinsic whose operands and result have one type."""
    type_ = shape.text
    arguments = ", ".join(f"{type_} %{letter}" for letter in "abc"[:count])
    line = f"%r = call {type_} @llvm.{base}.{shape.mangled}({arguments}{extra})"
    return kernel(_named(base, shape), [shape] * count, line, [("r", shape)], **options)


def _named(base: str, *shapes: Shape) -> str:
    return "_".join([base.replace(".", "_"), *(shape.mangled for shape in shapes)])


def _integer_arithmetic() -> Iterator[Kernel]:
    for shape in _shapes(_INTEGER_TYPES):
        for name in ("add", "sub", "mul", "and", "or", "xor"):
            if name in {"mul", "xor"} or not shape.count:
                yield kernel(_named(name, shape), [shape] * 2, f"%r = {name} {shape.text} %a, %b", [("r", shape)])
        if width_of(shape.scalar) > 1:
            yield from _divisions(shape)
            yield from _shifts(shape)


def _divisions(shape: Shape) -> Iterator[Kernel]:
    type_ = shape.text
    for name in ("udiv", "urem", "sdiv", "srem"):
        # The divisor is neither 0 nor -1.
        lines = f"%o = or {type_} %b, {shape.splat(1)}\n%m = icmp eq {type_} %o, {shape.splat(-1)}\n"
        lines += f"%d = select {shape.of('i1').text} %m, {type_} {shape.splat(3)}, {type_} %o\n"
        lines += f"%r = {name} {type_} %a, %d"
        if shape.count in {0, 3} or name == "sdiv":
            yield kernel(_named(name, shape), [shape] * 2, lines, [("r", shape)])


def _shifts(shape: Shape) -> Iterator[Kernel]:
    for name in ("shl", "lshr", "ashr"):
        lines = f"%d = urem {shape.text} %b, {shape.splat(width_of(shape.scalar))}\n%r = {name} {shape.text} %a, %d"
        if shape.count in {0, 3}:
            yield kernel(_named(name, shape), [shape] * 2, lines, [("r", shape)])


def _float_arithmetic() -> Iterator[Kernel]:
    for shape in _shapes(FLOATS):
        for name in ("fadd", "fsub", "fmul", "fdiv"):
            line = f"%r = {name} {shape.text} %a, %b"
            yield kernel(_named(name, shape), [shape] * 2, line, [("r", shape)])
        yield kernel(_named("fneg", shape), [shape], f"%r = fneg {shape.text} %a", [("r", shape)])
        truth = shape.of("i1")
        for name in ("olt", "ult", "one", "ueq", "uno"):
            if name == "one" or not shape.count:
                line = f"%r = fcmp {name} {shape.text} %a, %b"
                yield kernel(_named(f"fcmp_{name}", shape), [shape] * 2, line, [("r", truth)])


def _conversions() -> Iterator[Kernel]:
    for scalar in FLOATS:
        for place, width in enumerate(INTEGERS):
            for count in (0, 2 + (place + len(scalar)) % 15):
                shape, other = Shape(scalar, count), Shape(f"i{width}", count)
                for name in ("fptosi.sat", "fptoui.sat"):
                    line = f"%r = call {other.text} @llvm.{name}.{other.mangled}.{shape.mangled}({shape.text} %a)"
                    yield kernel(_named(name, other, shape), [shape], line, [("r", other)])
                for name in ("sitofp", "uitofp"):
                    line = f"%r = {name} {other.text} %a to {shape.text}"
                    if width != 1 or not count:
                        yield kernel(_named(name, other, shape), [other], line, [("r", shape)])
    for narrow, wide in (("half", "float"), ("half", "double"), ("bfloat", "float"), ("bfloat", "double")):
        for count in (0, 3, 8):
            one, other = Shape(narrow, count), Shape(wide, count)
            line = f"%r = fpext {one.text} %a to {other.text}"
            yield kernel(_named("fpext", one, other), [one], line, [("r", other)])
            line = f"%r = fptrunc {other.text} %a to {one.text}"
            yield kernel(_named("fptrunc", other, one), [other], line, [("r", one)])


def _of_integers() -> Iterator[Kernel]:
    """Intrinsics of integers."""
    for shape in _shapes(_INTEGER_TYPES):
        width = width_of(shape.scalar)
        for name in ("smax", "smin", "umax", "umin", "sadd.sat", "ssub.sat", "uadd.sat", "usub.sat"):
            if not shape.count or name in {"smax", "umin", "ssub.sat"}:
                yield _of_intrinsic(name, shape, 2)
        yield _of_intrinsic("abs", shape, 1, ", i1 false")
        for name in ("ctpop", "bitreverse"):
            yield _of_intrinsic(name, shape, 1)
        for name in ("ctlz", "cttz"):
            yield _of_intrinsic(name, shape, 1, ", i1 false")
        if width % 16 == 0:
            yield _of_intrinsic("bswap", shape, 1)
        for name in ("fshl", "fshr"):
            yield _of_intrinsic(name, shape, 3)
        if width > 1:
            yield from _of_wider_integers(shape)


def _of_wider_integers(shape: Shape) -> Iterator[Kernel]:
    """Intrinsics that integers of one bit have no sensible operands for."""
    type_, small = shape.text, Shape("i8", shape.count)
    for name in ("scmp", "ucmp"):
        line = f"%r = call {small.text} @llvm.{name}.{small.mangled}.{shape.mangled}({type_} %a, {type_} %b)"
        yield kernel(_named(name, shape), [shape] * 2, line, [("r", small)])
    for name in ("sshl.sat", "ushl.sat"):
        line = f"%d = urem {type_} %b, {shape.splat(width_of(shape.scalar))}\n"
        line += f"%r = call {type_} @llvm.{name}.{shape.mangled}({type_} %a, {type_} %d)"
        yield kernel(_named(name, shape), [shape] * 2, line, [("r", shape)])


def _overflows() -> Iterator[Kernel]:
    for shape in _shapes(_INTEGER_TYPES):
        truth = shape.of("i1")
        for name in ("sadd", "uadd", "ssub", "usub", "smul", "umul"):
            if shape.count and name not in {"sadd", "usub", "smul", "umul"}:
                continue
            pair = f"{{ {shape.text}, {truth.text} }}"
            lines = f"%p = call {pair} @llvm.{name}.with.overflow.{shape.mangled}({shape.text} %a, {shape.text} %b)\n"
            lines += f"%r = extractvalue {pair} %p, 0\n%s = extractvalue {pair} %p, 1"
            yield kernel(_named(f"{name}.with.overflow", shape), [shape] * 2, lines, [("r", shape), ("s", truth)])


def _fixed_points() -> Iterator[Kernel]:
    for width in (8, 16, 32, 64):
        for count in (0, 3):
            shape = Shape(f"i{width}", count)
            for name in ("smul.fix", "umul.fix", "smul.fix.sat", "umul.fix.sat"):
                for scale in (0, 3, width - 1):
                    made = _of_intrinsic(name, shape, 2, f", i32 {scale}")
                    text = made.text.replace(f"@{made.name}(", f"@{made.name}_{scale}(")
                    yield made._replace(name=f"{made.name}_{scale}", text=text)


def _of_floats() -> Iterator[Kernel]:
    """Intrinsics of floating-point numbers."""
    for shape in _shapes(FLOATS):
        for name in ("minnum", "maxnum"):
            yield _of_intrinsic(name, shape, 2, signed=False)
        for name in ("minimum", "maximum", "minimumnum", "maximumnum", "copysign"):
            yield _of_intrinsic(name, shape, 2)
        for name in ("fabs", "floor", "ceil", "trunc", "rint", "round", "roundeven", "sqrt"):
            if not shape.count or name in {"fabs", "ceil", "round"}:
                yield _of_intrinsic(name, shape, 1)
        yield _of_intrinsic("fma", shape, 3)
        if not shape.count:
            for test in (1, 2, 4, 96, 144, 264, 515):
                line = f"%r = call i1 @llvm.is.fpclass.{shape.mangled}({shape.text} %a, i32 {test})"
                yield kernel(_named(f"is_fpclass_{test}", shape), [shape], line, [("r", Shape("i1"))])


def _reductions() -> Iterator[Kernel]:
    for scalar in _INTEGER_TYPES:
        for name in ("add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin"):
            for count in COUNTS:
                yield _reduction(name, Shape(scalar, count))
    for scalar in FLOATS:
        for count in COUNTS:
            for name in ("fmax", "fmin"):
                yield _reduction(name, Shape(scalar, count), signed=False)
            for name in ("fmaximum", "fminimum"):
                yield _reduction(name, Shape(scalar, count))
            for name in ("fadd", "fmul"):
                shape, one = Shape(scalar, count), Shape(scalar)
                called = f"@llvm.vector.reduce.{name}.{shape.mangled}({scalar} %a, {shape.text} %b)"
                line = f"%r = call {scalar} {called}"
                yield kernel(_named(f"reduce_{name}", shape), [one, shape], line, [("r", one)])


def _reduction(name: str, shape: Shape, *, signed: bool = True) -> Kernel:
    one = Shape(shape.scalar)
    line = f"%r = call {shape.scalar} @llvm.vector.reduce.{name}.{shape.mangled}({shape.text} %a)"
    return kernel(_named(f"reduce_{name}", shape), [shape], line, [("r", one)], signed=signed)


def _of_vectors() -> Iterator[Kernel]:
    """Operations that move elements."""
    for scalar in (*_INTEGER_TYPES, *FLOATS):
        for count in (2, 4, 6):
            shape, half = Shape(scalar, count), Shape(scalar, count // 2)
            yield _of_intrinsic("vector.reverse", shape, 1)
            for side in ("left", "right"):
                called = f"@llvm.vector.splice.{side}.{shape.mangled}({shape.text} %a, {shape.text} %b, i32 1)"
                line = f"%r = call {shape.text} {called}"
                yield kernel(_named(f"splice_{side}", shape), [shape] * 2, line, [("r", shape)])
            called = f"@llvm.vector.insert.{shape.mangled}.{half.mangled}"
            called += f"({shape.text} %a, {half.text} %b, i64 {half.count})"
            yield kernel(_named("insert", shape), [shape, half], f"%r = call {shape.text} {called}", [("r", shape)])
            called = f"@llvm.vector.extract.{half.mangled}.{shape.mangled}({shape.text} %a, i64 {half.count})"
            yield kernel(_named("extract", shape), [shape], f"%r = call {half.text} {called}", [("r", half)])


def _predicated() -> Iterator[Kernel]:
    """Operations on the lanes of a mask; lanes that are off are not looked at."""
    for scalar in ("i8", "i32", "i64", "half", "float"):
        is_float = scalar in _MANGLED
        for count in (3, 4, 8):
            shape = Shape(scalar, count)
            for name in ("fadd", "fmul", "maxnum") if is_float else ("add", "sdiv", "urem", "smax", "xor"):
                yield _on_lanes(name, shape)
            for name in ("fadd", "fmax") if is_float else ("add", "smin", "umax"):
                yield _reduced_lanes(name, shape)


def _on_lanes(name: str, shape: Shape) -> Kernel:
    type_, mask, divisor = shape.text, Shape("i1", shape.count), "%b"
    lines = "%n = and i32 %d, 3\n"
    if shape.scalar not in _MANGLED:
        lines += f"%o = or {type_} %b, {shape.splat(1)}\n%m = icmp eq {type_} %o, {shape.splat(-1)}\n"
        lines += f"%q = select {mask.text} %m, {type_} {shape.splat(3)}, {type_} %o\n"
        divisor = "%q"
    on = f"{mask.text} %c, i32 %n"
    lines += f"%v = call {type_} @llvm.vp.{name}.{shape.mangled}({type_} %a, {type_} {divisor}, {on})\n"
    merged = f"{mask.text} %c, {type_} %v, {type_} %a, i32 %n"
    lines += f"%r = call {type_} @llvm.vp.merge.{shape.mangled}({merged})"
    operands = [shape, shape, mask, Shape("i32")]
    return kernel(_named(f"vp_{name}", shape), operands, lines, [("r", shape)], signed=name != "maxnum")


def _reduced_lanes(name: str, shape: Shape) -> Kernel:
    one, mask = Shape(shape.scalar), Shape("i1", shape.count)
    called = f"@llvm.vp.reduce.{name}.{shape.mangled}({one.text} %a, {shape.text} %b, {mask.text} %c, i32 %n)"
    lines = f"%n = and i32 %d, 3\n%r = call {one.text} {called}"
    operands = [one, shape, mask, Shape("i32")]
    return kernel(_named(f"vp_reduce_{name}", shape), operands, lines, [("r", one)], signed=name != "fmax")


def _atomics() -> Iterator[Kernel]:
    names = "xchg add sub and nand or xor max min umax umin uinc_wrap udec_wrap usub_cond usub_sat"
    for width in (8, 16, 32, 64):
        for name in names.split():
            yield _atomic(name, Shape(f"i{width}"))
    for scalar in FLOATS:
        for name in ("xchg", "fadd", "fsub", "fmaximum", "fminimum"):
            yield _atomic(name, Shape(scalar))
        for name in ("fmax", "fmin"):
            yield _atomic(name, Shape(scalar), signed=False)
    for scalar in ("half", "bfloat", "float"):
        for name in ("fadd", "fsub"):
            yield _atomic(name, Shape(scalar, 2))


def _atomic(name: str, shape: Shape, *, signed: bool = True) -> Kernel:
    type_ = shape.text
    size = max(1, width_of(shape.scalar) * len(shape.parts) // 8)
    lines = f"%m = alloca {type_}, align 16\nstore {type_} %a, ptr %m, align 16\n"
    lines += f"%o = atomicrmw {name} ptr %m, {type_} %b monotonic, align {size}\n%r = load {type_}, ptr %m, align 16"
    return kernel(_named(f"atomic_{name}", shape), [shape] * 2, lines, [("o", shape), ("r", shape)], signed=signed)


def kernels() -> list[Kernel]:
    """Return all functions."""
    makers = (
        *(_integer_arithmetic, _float_arithmetic, _conversions, _of_integers, _overflows, _fixed_points),
        *(_of_floats, _reductions, _of_vectors, _predicated, _atomics),
    )
    found = [each for make in makers for each in make()]
    return list({each.name: each for each in found}.values())
