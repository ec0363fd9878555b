"""Exceptions that are not the package's own stop where the reader and the writer end."""

from __future__ import annotations

from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING

import pytest

import bitcodec
from bitcodec import BitcodeError, EncodingError, InternalError, PlacedError
from bitcodec.bitcode import foreign
from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader import body
from bitcodec.bitcode.reader.attachments import AttachmentSource
from bitcodec.bitcode.reader.globals import GlobalReader
from bitcodec.bitcode.reader.module import ModuleReader
from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.bitcode.writer.boundary import writing
from bitcodec.builder import Builder
from bitcodec.ir.sources import Source
from bitcodec.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Callable

WITH_DEBUG_INFO = Path(__file__).parents[1] / "transforms" / "described.bc"
WITH_BUNDLES = Path(__file__).parents[1] / "ir" / "instructions" / "every.bc"
HELLO = (Path(__file__).parents[2] / "examples" / "hello.bc").read_bytes()


def module_whose_globals_raise(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> bitcodec.Module:
    def read(*_: object) -> None:
        raise error

    monkeypatch.setattr(GlobalReader, "read", read)
    return bitcodec.loads(HELLO)


@pytest.mark.parametrize(
    "error",
    [
        AttributeError("is_null"),
        KeyError(7),
        ValueError("no"),
        OverflowError("big"),
        RecursionError(),
        TypeError("of another type"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_foreign_exceptions_of_the_reader_are_faults_of_its_own(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = module_whose_globals_raise(error, monkeypatch)
    with pytest.raises(InternalError, match="because of a fault in bitcodec; please report it") as raised:
        _ = module.functions
    assert raised.value.__cause__ is error
    check_place(raised.value)


def test_refusals_of_the_reader_have_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    module = module_whose_globals_raise(Malformed(Sentence("bad")), monkeypatch)
    with pytest.raises(BitcodeError, match="bad") as raised:
        _ = module.functions
    check_place(raised.value)


def test_a_mistake_in_the_maker_of_an_instruction_is_no_malformed_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a parameter that is renamed in one of two places."""

    def make(*_: object) -> None:
        raise TypeError("load_atomic() got an unexpected keyword argument 'ordering'")

    monkeypatch.setattr(body, "operand_bundle", make)
    module = bitcodec.open(WITH_BUNDLES)
    with pytest.raises(InternalError, match="unexpected keyword") as raised:
        module.materialize()
    check_place(raised.value)


def check_place(error: PlacedError) -> None:
    assert error.block_path == (BlockId.MODULE_BLOCK,)
    assert error.bit_offset > 0
    assert "\n" not in str(error)


def first_location(module: bitcodec.Module) -> object:
    return [each.debug_location for function in module.functions for each in function.instructions]


def first_attachment(module: bitcodec.Module) -> object:
    return [each.metadata for function in module.functions for each in function.instructions]


def first_debug_record(module: bitcodec.Module) -> object:
    return [each.debug_records for function in module.functions for each in function.instructions]


@pytest.mark.parametrize("read", [first_location, first_attachment, first_debug_record, bitcodec.Module.materialize])
def test_deferred_parts_of_bodies_give_foreign_exceptions_the_place_of_a_record(
    read: Callable[[bitcodec.Module], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Unreadable(dict[int, object]):
        outer = None
        first_id = 0

        def __missing__(self, metadata_id: int) -> object:
            raise KeyError(metadata_id)

    module = bitcodec.open(WITH_DEBUG_INFO)
    monkeypatch.setattr(AttachmentSource, "made", property(lambda _: Unreadable()))
    for _ in range(2):
        with pytest.raises(InternalError, match="record: KeyError") as raised:
            read(module)
        assert raised.value.block_path[:2] == (BlockId.MODULE_BLOCK, BlockId.FUNCTION_BLOCK)


@pytest.mark.parametrize("error", [MemoryError(), KeyboardInterrupt(), SystemExit(), AssertionError("a fault of ours")])
def test_what_is_no_refusal_passes(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    module = module_whose_globals_raise(error, monkeypatch)
    with pytest.raises(type(error)):
        _ = module.functions


def module_with_a_value_from_nowhere() -> bitcodec.Module:
    module = bitcodec.loads(HELLO)
    block = module.functions["main"].blocks[0]
    nowhere = next(each for each in block.instructions if not each.is_terminator and each.type.is_first_class).clone()
    made = Builder(block)
    made.before(block.instructions[0])
    made.store(nowhere, made.alloca(nowhere.type))
    return module


def test_the_writer_names_the_body_that_refers_to_something_else() -> None:
    module = module_with_a_value_from_nowhere()
    with pytest.raises(EncodingError, match=r"the body of @main refers to .*, which the module does not contain"):
        bitcodec.dumps(module, copies_unchanged=False)


@pytest.mark.parametrize("error", [TypeError("unexpected keyword"), KeyError("name"), KeyError(3)])
def test_a_mistake_in_the_writer_is_no_fault_of_the_module(error: Exception) -> None:
    message = "the body of @f was not written because of a fault in bitcodec; please report it"
    with pytest.raises(EncodingError, match=message) as raised, writing("the body of @f"):
        raise error
    assert (raised.value.reason.name, raised.value.__cause__) == ("internal-writing", error)


def test_names_of_any_kind_are_one_line_of_a_message() -> None:
    module = module_with_a_value_from_nowhere()
    module.functions["main"].name = "a\nb" * 1000
    with pytest.raises(EncodingError, match=r"the body of @'a\\nba.*'\.\.\. refers to") as raised:
        bitcodec.dumps(module, copies_unchanged=False)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 500


def test_foreign_exceptions_pass_where_tests_look_for_missing_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "ARE_REFUSED", False)
    with pytest.raises(KeyError):
        bitcodec.dumps(module_with_a_value_from_nowhere(), copies_unchanged=False)
    with pytest.raises(KeyError):
        _ = module_whose_globals_raise(KeyError(7), monkeypatch).functions
    with pytest.raises(BitcodeError, match="bad"):
        _ = module_whose_globals_raise(Malformed(Sentence("bad")), monkeypatch).functions


UNGUARDED = {"close", "identified_structs"}
"""Methods of a source that read nothing: they return what has been read, or let go of it."""


def test_every_method_by_which_the_model_calls_the_reader_is_a_boundary() -> None:
    methods = {name for name, method in vars(Source).items() if isinstance(method, FunctionType) and name[0] != "_"}
    guarded = {name for name, method in vars(ModuleReader).items() if hasattr(method, "__wrapped__")}
    assert methods - guarded == UNGUARDED
