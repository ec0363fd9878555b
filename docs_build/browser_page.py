"""What the page in the browser runs: the interpreted form of the package, click, and Pyodide if it is there."""

from __future__ import annotations

import os
import shutil
import zipfile
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PYODIDE_FILES", "find_pyodide", "write_package", "write_pyodide"]

SOURCES = Path(__file__).parents[1] / "src"
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
_SUFFIXES = {".py", ".txt", ".json", ".html", ".css", ".js"}
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The time of all files in the archive, so that equal sources make equal archives."""


def find_pyodide() -> Path | None:
    """Return the folder of the npm package `pyodide` that BITCODEC_PYODIDE names, None if it is not set.

    Raises:
        FileNotFoundError: a file is missing there.
    """
    named = os.environ.get("BITCODEC_PYODIDE")
    if not named:
        return None
    missing = [name for name in PYODIDE_FILES if not (Path(named) / name).is_file()]
    if missing:
        raise FileNotFoundError(f"BITCODEC_PYODIDE: there is no {missing[0]} in {named}")
    return Path(named)


def write_package(path: Path) -> None:
    """Write an archive of the package without compiled parts, and of click."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, file in sorted([*_package_files(), *_click_files()]):
            archive.writestr(zipfile.ZipInfo(name, _EARLIEST), file.read_bytes(), zipfile.ZIP_DEFLATED)


def write_pyodide(folder: Path, pyodide: Path) -> None:
    """Copy what a browser loads of Pyodide."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PYODIDE_FILES:
        shutil.copyfile(pyodide / name, folder / name)


def _package_files() -> Iterator[tuple[str, Path]]:
    for file in (SOURCES / "bitcodec").rglob("*"):
        if file.suffix in _SUFFIXES and file.is_file():
            yield file.relative_to(SOURCES).as_posix(), file


def _click_files() -> Iterator[tuple[str, Path]]:
    """Yield the modules and the license of click."""
    for file in metadata.files("click") or ():
        if file.suffix == ".py" or "license" in file.name.lower():
            yield file.as_posix(), Path(str(file.locate()))
