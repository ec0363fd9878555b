"""Files to hold the verdicts of `doctor` against real readers, by number; each number always makes the same file."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import NamedTuple

import bitcodec
from bitcodec import BitcodecError
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.module import Module
from corpus import FOLDER
from mutations import DATA, in_order, modules, mutated, with_records_changed

__all__ = ["CUDA", "Sample", "as_nvvm_ir", "for_libnvvm", "for_versions"]

CUDA = "nvptx64-nvidia-cuda"
_LARGEST = 400_000
"""Bytes; readers of larger files take too long."""
_FOLDERS = (FOLDER / "modules", FOLDER / "legacy", FOLDER / "containers", DATA, DATA / "upgrade", DATA / "newer")
_VERSIONS = range(4, 22)


class Sample(NamedTuple):
    """A file: what it was made of, and its content."""

    name: str
    data: bytes


@cache
def _sound() -> list[Path]:
    """Return the sound modules in an order of their own."""
    paths = in_order(path for folder in _FOLDERS for path in folder.glob("*.bc") if path.stat().st_size < _LARGEST)
    random.Random("doctor").shuffle(paths)
    return paths


def for_versions(number: int) -> Sample:
    """Return a file for the readers of LLVM: as it is, mutated, or written for an older version, in turn."""
    source = random.Random(f"doctor {number}")
    path = _sound()[number // 3 % len(_sound())]
    if number % 3 == 0:
        return Sample(path.name, path.read_bytes())
    if number % 3 == 1:
        return _mutated(source)
    while True:
        version = source.choice(_VERSIONS)
        try:
            return Sample(f"{path.name} for {version}", bitcodec.dumps(bitcodec.open(path), llvm_version=version))
        except (BitcodecError, ValueError):
            path = source.choice(_sound())


def _mutated(source: random.Random) -> Sample:
    path = source.choice(modules())
    data = path.read_bytes()
    if source.random() < 0.5:
        return Sample(f"{path.name} mutated", mutated(data, source))
    try:
        return Sample(f"{path.name} with records changed", with_records_changed(data, source))
    except BitcodecError:  # a malformed file of the corpus, or a blob where none can be
        return Sample(f"{path.name} mutated", mutated(data, source))


def for_libnvvm(number: int) -> Sample:
    """Return a file for libNVVM.

    In turn: NVVM IR in which nothing else is lowered, what is written for libNVVM, the same as the first mutated, and
    files that are no NVVM IR.
    """
    source = random.Random(f"libNVVM {number}")
    while True:
        path = source.choice(_sound())
        try:
            return Sample(path.name, _nvvm(path, number % 4, source))
        except (BitcodecError, ValueError):
            continue


def _nvvm(path: Path, kind: int, source: random.Random) -> bytes:
    module = bitcodec.open(path)
    if kind == 3:
        return path.read_bytes() if source.random() < 0.5 else bitcodec.dumps(module, llvm_version=7)
    module.target_triple = CUDA
    if kind == 1:
        return bitcodec.dumps(module, profile="nvvm")
    data = as_nvvm_ir(module)
    return with_records_changed(data, source) if kind == 2 else data


@cache
def _empty() -> Module:
    module = bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly(f'target triple = "{CUDA}"'), profile="nvvm"))
    module.materialize()
    return module


def as_nvvm_ir(module: Module) -> bytes:
    """Return bitcode of LLVM 7 with NVVM IR's version and data layout, in which nothing is lowered for libNVVM."""
    module.data_layout = DataLayout(str(_empty().data_layout))
    version = bitcodec.loads(bitcodec.dumps(_empty())).named_metadata["nvvmir.version"]
    module.named_metadata["nvvmir.version"] = version
    return bitcodec.dumps(module, llvm_version=7)
