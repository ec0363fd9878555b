"""`check_writable` refuses what `dumps` refuses, with the same message, and writes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.downgrade import check_writable
from bitcodec.errors import EncodingError

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.bc"))

_SOUND = "define void @f(ptr %p) {\n  %1 = load i32, ptr %p\n  ret void\n}\n"
_REFUSED = {
    "constant": ("@a = global i64 ptrtoaddr (ptr @a to i64)\n", 20),
    "constant in a body": (
        "define i64 @f() {\n  ret i64 ptrtoaddr (ptr @f to i64)\n}\ndefine void @g() {\n  ret void\n}\n",
        20,
    ),
    "type in a body": ('define void @f() {\n  %1 = alloca target("spirv.Event")\n  ret void\n}\n', 15),
    "attribute": ("define void @f(ptr captures(none) %p) {\n  ret void\n}\n", 19),
    "cast without a place": (
        "define void @f(ptr %p) personality ptr @f {\n  invoke void %p(ptr %p) to label %a unwind label %b\n"  # noqa: ISC004
        "a:\n  ret void\nb:\n  %1 = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %1\n}\n",
        13,
    ),
}


def _outcome(text: str, version: int, *, only_checks: bool) -> tuple[str, str] | None:
    module = bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly(text)))
    try:
        if only_checks:
            check_writable(module, version)
        else:
            bitcodec.dumps(module, llvm_version=version)
    except EncodingError as error:
        return str(error), error.lacking
    return None


@pytest.mark.parametrize(("text", "version"), _REFUSED.values(), ids=_REFUSED)
def test_checks_refuse_what_writing_refuses(text: str, version: int) -> None:
    for each in (*range(4, 22), version):
        assert _outcome(text, each, only_checks=True) == _outcome(text, each, only_checks=False)


def test_sound_modules_pass() -> None:
    for version in range(4, 23):
        assert _outcome(_SOUND, version, only_checks=True) is None


def test_metadata_of_an_instruction_that_is_no_call_is_refused() -> None:
    module = bitcodec.parse_assembly("define void @f() {\n  %1 = freeze i32 0\n  ret void\n}\n")
    function = module.functions["f"]
    wrapper = bitcodec.parse_assembly(
        "declare void @g(metadata)\ndefine void @f() {\n  call void @g(metadata !0)\n  ret void\n}\n!0 = !{}\n",
        context=module.context,
    )
    value = wrapper.functions["f"].blocks[0].instructions[0].operands[0]
    freeze = function.blocks[0].instructions[0]
    freeze._set_operands([value])
    messages = []
    for attempt in (check_writable, lambda module, version: bitcodec.dumps(module, llvm_version=version)):
        with pytest.raises(EncodingError) as caught:
            attempt(module, 19)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_examples_pass() -> None:
    for path in EXAMPLES:
        for version in (4, 13, 19):
            check_writable(bitcodec.open(path), version)
