"""Structs of two modules that are the same but for names give them up, whether they are used or not."""

from __future__ import annotations

import time

import bitcodec


def linked_names(*texts: str) -> list[str]:
    """Return the names of the structs in the result of linking texts, as bitcode."""
    linker = bitcodec.Linker()
    for text in texts:
        linker.add(bitcodec.dumps(bitcodec.parse_assembly(text)))
    text = bitcodec.print_assembly(linker.finish())
    return [line.partition(" ")[0] for line in text.splitlines() if line.startswith("%") and " = type " in line]


def using(name: str, body: str, *, variable: str = "v") -> str:
    return f"%{name} = type {body}\n@{variable} = global %{name} zeroinitializer\n"


def test_names_of_equal_structs_are_free_again() -> None:
    again = "%P = type { i32 }\n@w = global i32 0\ndefine internal void @f() {\n  %p = alloca %P\n  ret void\n}\n"
    assert linked_names(using("P", "{ i32 }"), again, using("P.0", "{ double }", variable="x")) == ["%P", "%P.0"]


def test_names_of_other_structs_stay_taken() -> None:
    other = "%P = type { i64 }\n@w = global i32 0\ndefine internal void @f() {\n  %p = alloca %P\n  ret void\n}\n"
    assert linked_names(using("P", "{ i32 }"), other, using("P.0", "{ double }", variable="x")) == ["%P", "%P.0.1"]


def test_equal_structs_in_others_lose_their_names() -> None:
    first = "%Q = type { i8 }\n" + using("P", "{ %Q, i32 }")
    body = "define internal void @f() {\n  %p = alloca %P\n  ret void\n}\n"
    second = "%Q = type { i8 }\n%P = type { %Q, i64 }\n@w = global i32 0\n" + body
    numbers = [linked_names(first, second, using(name, "{ double }", variable="x"))[-1] for name in ("Q.0", "P.1")]
    assert numbers == ["%Q.0", "%P.1.2"]


def test_nested_pairs_are_compared_once() -> None:
    depth = 24
    levels = "".join([f"%S{level + 1} = type {{ %S{level}, %S{level} }}\n" for level in range(depth)])
    structs = f"%S0 = type {{ i8 }}\n{levels}"
    texts = [
        f"{structs}@{name} = external global %S{depth}\ndefine ptr @use.{name}() {{\n  ret ptr @{name}\n}}\n"
        for name in ("a", "b")
    ]
    start = time.process_time()
    assert len(linked_names(*texts)) == depth + 1
    assert time.process_time() - start < 5
