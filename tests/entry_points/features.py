"""Entry points for module flags, PC sections and machine IR."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bitcodec
from bitcodec import (
    bitstream,
    containers,
    flags,
    mir,
    pcsections,
)
from bitcodec.bitcode.editing.flag_changes import replace_flags
from bitcodec.bitcode.loading import loads_all
from bitcodec.bitcode.modules import modules_of, single_module

from .registry import add, add_for_modules

if TYPE_CHECKING:
    from bitcodec.ir import Module


def _read_flags(module: Module) -> None:
    found = module.flags
    _ = found.check(), flags.lint(found), [flags.spelled(flag.value) for flag in found.entries.values()]
    for flag in found.entries.values():
        _ = flags.describe(flag.key, flag.value), flags.meaning_of(flag.key, flag.value), flags.advice(flag.key)


def _replace_streams(data: bytes) -> None:
    found = containers.open_streams(memoryview(data))
    contents = {each.offset: bytes(each.stream.data) for each in found if each.offset is not None}
    containers.open_streams(memoryview(containers.replace_streams(data, contents)))


add("containers.replace_streams", _replace_streams)


def _merge_flags(data: bytes) -> None:
    for first, second in zip(loads_all(data), loads_all(data), strict=True):
        flags.conflicts([("first", first.flags), ("second", second.flags)])
        for dialect in (flags.LANGREF, flags.PROPOSAL_2012):
            for diagnostic in flags.merge(first.flags, second.flags, dialect=dialect).diagnostics:
                _ = str(diagnostic), flags.explanation(diagnostic)


def remove_flag(module: Module) -> None:
    for key in list(module.flags)[:1]:
        module.flags.remove(key)


def _save_flags(data: bytes) -> None:
    for found in containers.open_streams(memoryview(data)):
        for blocks in modules_of(found.stream):
            alone = bitstream.loads(single_module(found.stream, blocks))
            module = bitcodec.loads(alone.dumps())
            remove_flag(module)
            written = replace_flags(module, alone)
            if written is not None:
                loads_all(written)


add_for_modules("flags", _read_flags)
add("flags.merge", _merge_flags)
add("flags.replace_flags", _save_flags)


def _schemas(module: Module) -> None:
    pcsections.Schema.of_module(module)


def _audit(data: bytes) -> None:
    for before, after in zip(loads_all(data), loads_all(data), strict=True):
        pcsections.audit(before, after)


def attach(module: Module) -> None:
    pcsections.attach(module, "all,functions", [pcsections.PCSection.of("hot")])


add_for_modules("pcsections.survey", lambda module: list(pcsections.survey(module)))
add_for_modules("pcsections.check", pcsections.check)
add_for_modules("pcsections.schema", _schemas)
add("pcsections.audit", _audit)
add("pcsections.pieces", pcsections.pieces)
add("pcsections.decode", lambda data: list(pcsections.decode(data, 0x1000, "hot=instruction:i32|function")))
add("pcsections.decode_file", pcsections.decode_file)
add("mir.loads", lambda data: mir.loads(data).dumps(reprint=True))
