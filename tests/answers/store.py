"""A file of recorded answers: one line of JSON for each, in the order of their keys."""

from __future__ import annotations

import base64
import hashlib
import json
import lzma
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

__all__ = ["NAME", "Digest", "Store", "packed", "unpacked"]

NAME = "answers.jsonl"
_MAX_INLINE = 1500
"""Bytes of output that a line holds as text; more is compressed."""
_SAVE_EVERY = 50
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]


class Digest:
    """Output of which only the SHA-256 is recorded: equal to the bytes, the text, or the digest, that have it."""

    def __init__(self, sha256: str, normalized: Callable[[bytes], bytes]) -> None:
        """Take the digest of an output, and the function that removes the names of a run from an output."""
        self.sha256 = sha256
        self._normalized = normalized

    def __eq__(self, other: object) -> bool:
        """Return whether text or bytes have this digest."""
        if isinstance(other, Digest):
            return self.sha256 == other.sha256
        if isinstance(other, str):
            other = other.encode("utf-8", "surrogateescape")
        if not isinstance(other, bytes):
            return NotImplemented
        return hashlib.sha256(self._normalized(other)).hexdigest() == self.sha256

    __hash__ = None  # type: ignore[assignment]  # equal to values with other hashes

    def __repr__(self) -> str:
        return f"<output with the SHA-256 {self.sha256}; --live shows the difference>"

    def decode(self) -> Digest:
        """Return this digest, which is equal to text, too."""
        return self


def packed(data: bytes, *, is_whole: bool = True) -> Any:
    """Return the JSON form of an output: short text as it is, other bytes compressed, or their digest."""
    if not is_whole:
        return {"sha256": hashlib.sha256(data).hexdigest()}
    if len(data) <= _MAX_INLINE:
        try:
            return data.decode()
        except UnicodeDecodeError:
            pass
    short = lzma.compress(data, lzma.FORMAT_RAW, filters=_FILTERS)
    return {"xz": base64.b85encode(short).decode()}


def unpacked(value: Any) -> bytes | str:
    """Return the bytes of an output in JSON or as a tool printed it, or its SHA-256 in hexadecimal digits."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    if "sha256" in value:
        return str(value["sha256"])
    return lzma.decompress(base64.b85decode(value["xz"]), lzma.FORMAT_RAW, filters=_FILTERS)


class Store:
    """The answers of one folder of tests: a key of 24 hexadecimal digits to the fields of the answer."""

    def __init__(self, path: Path) -> None:
        """Read a file of answers, if it is there."""
        self._path = path
        self._lines = _read(path)
        self._added: dict[str, dict[str, Any]] = {}
        self._asked: set[str] = set()

    def get(self, key: str) -> dict[str, Any] | None:
        """Return an answer, None if none is recorded."""
        self._asked.add(key)
        if key in self._added:
            return self._added[key]
        line = self._lines.get(key)
        return None if line is None else {name: value for name, value in json.loads(line).items() if name != "key"}

    def add(self, key: str, answer: dict[str, Any]) -> None:
        """Add an answer, or replace one."""
        self._added[key] = answer
        if len(self._added) % _SAVE_EVERY == 0:  # a recording that is interrupted goes on from here
            self.save(forgets=False)

    def save(self, *, forgets: bool) -> None:
        """Write what was added; other processes may write the same file.

        Args:
            forgets: also remove the answers that nobody asked for.
        """
        unused = self._lines.keys() - self._asked if forgets else set()
        if not self._added and not unused:
            return
        with _locked(self._path):
            lines = {key: line for key, line in _read(self._path).items() if key not in unused}
            lines |= {key: _line(key, answer) for key, answer in self._added.items()}
            _write(self._path, (line for _, line in sorted(lines.items())))
        self._lines = lines
        self._added.clear()


def _line(key: str, answer: dict[str, Any]) -> str:
    return json.dumps({"key": key, **answer}, ensure_ascii=False)


def _read(path: Path) -> dict[str, str]:
    """Return the lines of a file by key, without taking them apart."""
    if not path.exists():
        return {}
    start = len('{"key": "')
    return {line[start : start + 24]: line for line in path.read_text(encoding="utf-8").split("\n") if line}


def _write(path: Path, lines: Iterable[str]) -> None:
    """Replace a file at once."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
        file.writelines(f"{line}\n" for line in lines)
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)


class _locked:  # noqa: N801 - used as a function
    """Keeps other processes from writing a file."""

    def __init__(self, path: Path) -> None:
        name = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:16]
        self._path = Path(tempfile.gettempdir(), f"answers-{name}.lock")

    def __enter__(self) -> None:
        import fcntl  # noqa: PLC0415 - answers are recorded on Unix only

        self._file = self._path.open("w")
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        self._file.close()
