"""The metadata of all corpus files against the text of llvm-dis, what nodes refer to left out."""

from __future__ import annotations

import gzip
from collections import Counter

import pytest

from bitcodec.bitcode.reader.metadata import ModuleMetadata
from bitcodec.ir.debug_info import DIAssignID, DILocation, DINode
from bitcodec.ir.metadata import MDTuple, Metadata
from bitcodec.upgrade.module_flags import (
    upgrade_linker_options,
    upgrade_module_flags,
    upgrade_retain_release_marker,
)
from corpus import FOLDER, File, parameters, streams

from .metadata_files import reached, read_metadata
from .metadata_text import golden_lines, golden_tuples, line, tuple_line

ATTACHED_LATE = "legacy/upgrade-loop-metadata.ll.bc"
"""Has a node that is upgraded where it is attached."""


def modules() -> list[File]:
    return [file for file in streams() if "ll" in file.goldens and texts_of(file)]


def texts_of(file: File) -> list[str]:
    """Return what llvm-dis printed for each module of a file; nothing if it refused one."""
    goldens = file.goldens["ll"] if isinstance(file.goldens["ll"], list) else [file.goldens["ll"]]
    if any(golden["exit"] for golden in goldens):
        return []
    return [gzip.decompress((FOLDER / golden["file"]).read_bytes()).decode("latin-1") for golden in goldens]


@pytest.mark.parametrize("file", parameters(modules()))
def test_nodes_are_as_llvm_has_them(file: File) -> None:
    for (module, functions), text in zip(read_metadata(file.data), texts_of(file), strict=True):
        nodes = list(reached(module, functions))
        assert_debug_info_is_that_of(text, nodes)
        if file.path != ATTACHED_LATE:
            assert_tuples_are_those_of(text, nodes, module)


def assert_debug_info_is_that_of(text: str, nodes: list[Metadata]) -> None:
    # Functions have most locations in their code.
    golden = Counter(text for text in golden_lines(text) if "!DILocation(" not in text)
    found = [node for node in nodes if isinstance(node, DINode | DIAssignID) and not isinstance(node, DILocation)]
    if golden or "!llvm.dbg.cu" in text:
        assert Counter(map(line, found)) == golden


def assert_tuples_are_those_of(text: str, nodes: list[Metadata], module: ModuleMetadata) -> None:
    tuples = [node for node in nodes if isinstance(node, MDTuple)]
    upgrade_retain_release_marker(module.named, module.context)
    upgrade_module_flags(module.named, module.context)
    upgrade_linker_options(module.named)
    flags = [node for named in module.named.values() for node in named.operands if isinstance(node, MDTuple)]
    ours = Counter(map(tuple_line, dict.fromkeys(tuples + flags)))
    assert not Counter(golden_tuples(text)) - ours
