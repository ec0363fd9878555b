"""LLVM 22's answer about a module, from its shared library: read or refused, verified, printed.

The library is the one that `llvm-dis-22` and `opt-22` link to, so it has no assertions and gives their answers.  A
process for each file costs 50 ms; here a server loads the library once and forks for each request.  A request that
crashes or hangs ends its fork alone.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import resource
import signal
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, NamedTuple, Self, cast

__all__ = ["Answer", "Reference", "library_path"]

LIBRARIES = [
    Path("/usr/lib/llvm-22/lib/libLLVM.so.22.1"),
    Path("/usr/lib/llvm-22/lib/libLLVM-22.so"),
    Path("/usr/lib/x86_64-linux-gnu/libLLVM.so.22.1"),
]
MAX_SECONDS = 20
MAX_MEMORY = 4 << 30
READ, REFUSED, FATAL, CRASHED = "read", "refused", "fatal", "crashed"
_RETURN_STATUS = 2
_OPTIONS = (b"reference", b"-disable-auto-upgrade-debug-info")


class Answer(NamedTuple):
    """LLVM's answer about one module.

    Attributes:
        status: READ; REFUSED with an error; FATAL if LLVM ended its process with a message; CRASHED if without one.
        message: the error.
        findings: lines that the verifier printed; empty if it is clean.
        text: the module's text, as `llvm-dis` prints it.
    """

    status: str
    message: str = ""
    findings: tuple[str, ...] = ()
    text: str = ""

    @property
    def is_read(self) -> bool:
        """Whether LLVM reads it, whatever the verifier reports."""
        return self.status == READ


def library_path() -> Path | None:
    """Return the shared library of LLVM 22, None if it is not installed."""
    return next((path for path in LIBRARIES if path.exists()), None)


class Reference:
    """A server process that answers for LLVM.

    Args:
        keeps_debug_info: whether invalid debug info is kept and verified, instead of dropped while reading.
    """

    def __init__(self, *, keeps_debug_info: bool = False) -> None:
        command = [sys.executable, __file__, *(["keep"] if keeps_debug_info else [])]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the server."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def ask(self, data: bytes) -> Answer:
        """Return LLVM's answer about a module."""
        _send(cast("IO[bytes]", self._process.stdin), data)
        answer = _receive(cast("IO[bytes]", self._process.stdout))
        assert answer is not None, "the server ended"
        return Answer(*pickle.loads(answer))


def _send(stream: IO[bytes], data: bytes) -> None:
    stream.write(struct.pack("<Q", len(data)) + data)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes | None:
    head = stream.read(8)
    return stream.read(struct.unpack("<Q", head)[0]) if len(head) == 8 else None


# The server


def _serve(*, keeps_debug_info: bool) -> None:
    path = library_path()
    assert path is not None
    library = ctypes.CDLL(str(path))
    for name in ("LLVMContextCreate", "LLVMPrintModuleToString", "LLVMGetDiagInfoDescription"):
        getattr(library, name).restype = ctypes.c_void_p
    library.LLVMCreateMemoryBufferWithMemoryRangeCopy.restype = ctypes.c_void_p
    if keeps_debug_info:
        library.LLVMParseCommandLineOptions(len(_OPTIONS), (ctypes.c_char_p * len(_OPTIONS))(*_OPTIONS), None)
    while (data := _receive(sys.stdin.buffer)) is not None:
        _send(sys.stdout.buffer, pickle.dumps(tuple(_answer_in_a_fork(library, data))))


def _answer_in_a_fork(library: ctypes.CDLL, data: bytes) -> Answer:
    with tempfile.TemporaryFile() as result, tempfile.TemporaryFile() as errors:
        child = os.fork()
        if not child:
            signal.alarm(MAX_SECONDS)
            resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.dup2(errors.fileno(), 2)
            result.write(pickle.dumps(tuple(_answer(library, data))))
            result.flush()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status == 0:
            result.seek(0)
            return Answer(*pickle.load(result))
        errors.seek(0)
        lines = errors.read().decode(errors="replace").splitlines()
    fatal = next((line for line in reversed(lines) if line.startswith("LLVM ERROR: ")), None)
    if fatal is not None:
        return Answer(FATAL, fatal.removeprefix("LLVM ERROR: "), tuple(lines))
    return Answer(CRASHED, f"status {status}", tuple(lines))


def _answer(library: ctypes.CDLL, data: bytes) -> Answer:
    messages: list[str] = []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
    def keep(diagnostic: int, _context: int) -> None:
        text = library.LLVMGetDiagInfoDescription(ctypes.c_void_p(diagnostic))
        messages.append(ctypes.string_at(text).decode(errors="replace"))

    context = ctypes.c_void_p(library.LLVMContextCreate())
    library.LLVMContextSetDiagnosticHandler(context, keep, None)
    buffer = library.LLVMCreateMemoryBufferWithMemoryRangeCopy(data, ctypes.c_size_t(len(data)), b"module")
    module = ctypes.c_void_p()
    if library.LLVMParseBitcodeInContext2(context, ctypes.c_void_p(buffer), ctypes.byref(module)):
        return Answer(REFUSED, messages[-1] if messages else "no message")
    text = ctypes.string_at(library.LLVMPrintModuleToString(module)).decode(errors="surrogateescape")
    found = ctypes.c_void_p()
    is_broken = library.LLVMVerifyModule(module, _RETURN_STATUS, ctypes.byref(found))
    lines = ctypes.string_at(found.value or b"").decode(errors="replace").splitlines() if found.value else []
    return Answer(READ, "; ".join(messages), tuple(lines) or (("broken",) if is_broken else ()), text)


if __name__ == "__main__":
    _serve(keeps_debug_info="keep" in sys.argv)
