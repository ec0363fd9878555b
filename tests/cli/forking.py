"""Commands in processes of their own, each forked from one that has imported the package: a start takes milliseconds.

Run as a script with the number of a socket, this file is that process.
"""

from __future__ import annotations

import atexit
import functools
import importlib
import json
import os
import pkgutil
import selectors
import socket
import subprocess
import sys
from pathlib import Path

IS_POSSIBLE = hasattr(os, "fork") and hasattr(socket, "send_fds")
_MOST_BYTES = 1 << 20
"""Bytes of a request at most: arguments and variables."""


def run_forked(arguments: list[str], *, folder: Path | None, environment: dict[str, str]) -> tuple[int, bytes, bytes]:
    """Return the exit code, the output and the errors of a command without input; both are pipes."""
    ends = [os.pipe() for _ in range(2)]
    with Path(os.devnull).open("rb") as nothing:
        send(arguments, folder, environment, [nothing.fileno(), *(write for _, write in ends)])
    for _, write in ends:
        os.close(write)
    output, errors = read_all([read for read, _ in ends])
    return receive(), output, errors


def send(arguments: list[str], folder: Path | None, environment: dict[str, str], files: list[int]) -> None:
    """Have a command started, with the given standard streams."""
    request = json.dumps([arguments, os.fspath(folder or Path.cwd()), environment]).encode("ascii")
    assert len(request) < _MOST_BYTES
    channel = _channel()
    socket.send_fds(channel, [len(request).to_bytes(4, "little")], files)
    channel.sendall(request)


def receive() -> int:
    """Wait for the end of the command, and return its exit code."""
    return int.from_bytes(_exactly(_channel(), 4), "little", signed=True)


def read_all(files: list[int]) -> list[bytes]:
    """Return the content of pipes, read side by side."""
    pieces: dict[int, list[bytes]] = {file: [] for file in files}
    with selectors.DefaultSelector() as selector:
        for file in files:
            selector.register(file, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                if piece := os.read(key.fd, 1 << 16):
                    pieces[key.fd].append(piece)
                else:
                    selector.unregister(key.fd)
                    os.close(key.fd)
    return [b"".join(pieces[file]) for file in files]


@functools.cache
def _channel() -> socket.socket:
    ours, theirs = socket.socketpair()
    with theirs:
        command = [sys.executable, __file__, str(theirs.fileno())]
        process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _exactly(channel: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        piece = channel.recv(size - len(found))
        if not piece:
            raise EOFError
        found += piece
    return found


def serve(channel: socket.socket) -> None:
    """Fork a process for each request, one after the other, until the other end is closed."""
    import_everything()
    while True:
        head, files, _, _ = socket.recv_fds(channel, 4, 3)
        if not head:
            return
        arguments, folder, environment = json.loads(_exactly(channel, int.from_bytes(head, "little")))
        child = os.fork()
        if child == 0:
            channel.close()
            become_command(arguments, folder, environment, files)
        for file in files:
            os.close(file)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        channel.sendall(code.to_bytes(4, "little", signed=True))


def import_everything() -> None:
    """Import all modules of the package, whichever the commands are going to need."""
    import bitcodec  # noqa: PLC0415 - the tests import this file too

    for module in pkgutil.walk_packages(bitcodec.__path__, "bitcodec."):
        if not module.name.endswith(("__main__", "daft_functions")):
            importlib.import_module(module.name)


def become_command(arguments: list[str], folder: str, environment: dict[str, str], files: list[int]) -> None:
    """Run the command in this process, which ends with it."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["bitcodec", *arguments]
    streams = [open(number, mode, closefd=False) for number, mode in enumerate("rww")]  # noqa: SIM115 - to the end
    sys.stdin, sys.stdout, sys.stderr = streams
    from bitcodec.cli import main  # noqa: PLC0415 - the tests import this file too

    try:
        main()
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:  # noqa: BLE001 - it is printed, as the interpreter does
        sys.excepthook(*sys.exc_info())
    os._exit(1)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as own_end:
        serve(own_end)
