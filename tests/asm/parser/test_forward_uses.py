"""Orders of the uses of what comes later in the text: those that LLVM has when it has parsed the same text."""

from __future__ import annotations

import pytest

import bitcodec
from answers import ask

ADDRESSES = """@table = global [3 x ptr] [ptr blockaddress(@f, %b), ptr blockaddress(@f, %a), ptr blockaddress(@f, %b)]
@differences = global [2 x i64] [
  i64 sub (i64 ptrtoint (ptr blockaddress(@f, %b) to i64), i64 ptrtoint (ptr blockaddress(@f, %a) to i64)),
  i64 sub (i64 ptrtoint (ptr blockaddress(@f, %a) to i64), i64 ptrtoint (ptr blockaddress(@f, %a) to i64))]
define void @f(ptr %p) {
  indirectbr ptr %p, [label %a, label %b, label %a]
a:
  store ptr blockaddress(@f, %b), ptr %p
  br label %b
b:
  ret void
}
"""
TEXTS = {
    "a constant gets the global for all operands at once": (
        (
            "@a = global ptr @x\n@b = global { ptr, ptr, ptr } { ptr @x, ptr @x, ptr null }\n"
            "@c = global [2 x ptr] [ptr @x, ptr @b]\n@x = global i32 0\n@d = global ptr @x\n"
        ),
        ["uselistorder ptr @x, { 0, 1, 3, 2, 4 }"],
    ),
    "constants around a global that is known by then": (
        (
            "@a = global { ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @x, i64 2), ptr @late }\n"
            "@x = external global [0 x ptr]\n"
            "@b = global { ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @x, i64 2), ptr @later }\n"
            "@c = global { ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @x, i64 2), ptr @a }\n"
            "@late = global i32 0\n@later = global i32 0\n"
        ),
        [],
    ),
    "no_cfi and dso_local_equivalent": (
        (
            "@a = global [2 x ptr] [ptr null, ptr @f]\n@b = global i64 ptrtoint (ptr @f to i64)\n"
            "@c = global i64 ptrtoint (ptr dso_local_equivalent @f to i64)\n@d = global ptr no_cfi @f\n"
            "@e = global [1 x ptr] [ptr @f]\n@g = global ptr dso_local_equivalent @f\ndeclare void @f()\n"
        ),
        ["uselistorder ptr dso_local_equivalent @f, { 1, 0 }", "uselistorder ptr @f, { 1, 2, 0, 3, 4 }"],
    ),
    "addresses of blocks": (ADDRESSES, ["uselistorder ptr blockaddress(@f, %b), { 2, 1, 3, 0 }"]),
    "addresses of blocks by number": (
        ADDRESSES.replace("%a", "%1").replace("%b", "%2").replace("\na:", "\n1:").replace("\nb:", "\n2:"),
        ["uselistorder ptr blockaddress(@f, %2), { 2, 1, 3, 0 }"],
    ),
}


def orders(text: str) -> list[str]:
    """Return the directives of a text."""
    return [line for line in text.splitlines() if line.strip().startswith("uselistorder")]


@pytest.mark.parametrize("name", TEXTS)
def test_orders(name: str) -> None:
    text, wanted = TEXTS[name]
    module = bitcodec.parse_assembly(text)
    assert orders(bitcodec.print_assembly(module, preserve_use_list_order=True)) == wanted


@pytest.mark.same_in_both
@pytest.mark.parametrize("name", TEXTS)
def test_llvm_has_the_same(name: str) -> None:
    text, wanted = TEXTS[name]
    command = ["opt-22", "-S", "-preserve-ll-uselistorder"]
    done = ask(command, input=text, text=True, check=True)
    assert orders(done.stdout) == wanted
