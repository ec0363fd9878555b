"""Signals, closed streams and readers that stop: commands end as other tools do, and leave no file behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from amounts import some

from .running import BITCODEC, process

HELLO = Path(__file__).parents[2] / "examples" / "hello.bc"
DAMAGED = Path(__file__).parents[1] / "data" / "README.md"

if os.name != "posix":
    pytest.skip("signals and descriptors as POSIX has them", allow_module_level=True)

SLOW = """
import importlib, sys, time
from bitcodec import cli

def slow(*arguments, **options):
    yield "; half of a module\\n"
    print("ready", file=sys.stderr, flush=True)
    time.sleep(60)

importlib.import_module("bitcodec.cli.dis")._modules = slow
cli.main()
"""
"""`bitcodec` with a `dis` that takes a minute in the middle of writing."""
SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM", "SIGXCPU", "SIGALRM", "SIGUSR1", "SIGPIPE"]


@pytest.fixture(autouse=True)
def interrupts() -> Iterator[None]:
    """Let children receive SIGINT, which shells ignore for what they run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def begun(target: Path, *, ignored: str = "") -> subprocess.Popen[bytes]:
    """Return a process that has begun to write a file; it was started with a signal ignored, if one is named."""
    line = f"trap '' {ignored}; exec \"$@\"" if ignored else 'exec "$@"'
    command = ["bash", "-c", line, "bash", sys.executable, "-c", SLOW, "dis", HELLO, "-o", target]
    child = subprocess.Popen(command, stderr=subprocess.PIPE)
    assert child.stderr is not None
    assert child.stderr.readline() == b"ready\n"
    assert len(list(target.parent.glob(".bitcodec-*"))) == 1
    return child


def ended(child: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    """Return how a process ends, and what it says until then."""
    assert child.stderr is not None
    text = child.stderr.read()
    child.stderr.close()
    return child.wait(), text


@pytest.mark.parametrize(("name", "existing"), some([*product(SIGNALS, [None, b"precious"])], 8))
def test_a_signal_in_the_middle_of_writing(name: str, existing: bytes | None, tmp_path: Path) -> None:
    target = tmp_path / "out.ll"
    if existing is not None:
        target.write_bytes(existing)
    child = begun(target)
    number = signal.Signals[name]
    child.send_signal(number)
    assert ended(child) == (-number, b"")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == (
        {} if existing is None else {"out.ll": existing}
    )


def test_two_signals_at_once(tmp_path: Path) -> None:
    child = begun(tmp_path / "out.ll")
    child.send_signal(signal.SIGTERM)
    child.send_signal(signal.SIGINT)
    assert ended(child)[0] in {-signal.SIGTERM, -signal.SIGINT}
    assert list(tmp_path.iterdir()) == []


def test_a_signal_that_the_caller_ignores_stays_ignored(tmp_path: Path) -> None:
    child = begun(tmp_path / "out.ll", ignored="HUP")
    child.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        child.wait(0.3)
    child.terminate()
    assert ended(child) == (-signal.SIGTERM, b"")
    assert list(tmp_path.iterdir()) == []


def test_control_c_while_input_is_awaited() -> None:
    child = subprocess.Popen(
        [*BITCODEC, "info", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdin is not None
    child.stdin.write(b"BC\xc0\xde" * 50_000)  # more than a pipe holds: who has read it reads on
    child.stdin.flush()
    child.send_signal(signal.SIGINT)
    text, errors = child.communicate()
    assert (child.returncode, text, errors) == (-signal.SIGINT, b"", b"")


def test_the_library_handles_no_signal() -> None:
    script = (
        "import signal, bitcodec, bitcodec.cli, bitcodec.files\n"
        "before = [signal.getsignal(number) for number in signal.valid_signals()]\n"
        f"str(bitcodec.open({str(HELLO)!r}))\n"
        "assert before == [signal.getsignal(number) for number in signal.valid_signals()]\n"
        "assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize(
    "arguments", ["dis {}", "dump {}", "info {}", "nm {}", "analyze {}", "dump --json {}", "flags show {}"]
)
def test_a_reader_that_stops_at_once(arguments: str) -> None:
    child = subprocess.Popen(
        [*BITCODEC, *arguments.format(HELLO).split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    child.stdout.close()
    assert ended(child) == (-signal.SIGPIPE, b"")


def shell(command: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command line, in which BITCODEC stands for ours."""
    line = command.replace("BITCODEC", " ".join(BITCODEC))
    return subprocess.run(["bash", "-c", line], stdin=subprocess.DEVNULL, capture_output=True, check=False)


@pytest.mark.parametrize("arguments", ["info", "dis", "dump", "nm", "analyze --json", "flags show", "info --json"])
def test_closed_standard_output(arguments: str) -> None:
    done = shell(f"BITCODEC {arguments} {HELLO} >&-")
    assert (done.returncode, done.stderr) == (1, b"bitcodec: error: standard output: Bad file descriptor\n")


def test_closed_standard_output_is_no_matter_for_files(tmp_path: Path) -> None:
    done = shell(f"BITCODEC strip {HELLO} -o {tmp_path}/out.bc >&- <&-")
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "out.bc").read_bytes() == process("strip", HELLO, "-o", "-").stdout


def test_closed_standard_input() -> None:
    done = shell("BITCODEC info - <&-")
    assert (done.returncode, done.stderr) == (1, b"bitcodec: error: -: Bad file descriptor\n")
    assert shell(f"BITCODEC info {HELLO} <&-").returncode == 0


def test_closed_standard_error(tmp_path: Path) -> None:
    done = shell(f"BITCODEC info {DAMAGED} 2>&-")
    assert (done.returncode, done.stdout) == (1, b"")
    done = shell(f"BITCODEC strip {DAMAGED} -o {tmp_path}/out.bc 2>&- >&-")
    assert (done.returncode, list(tmp_path.iterdir())) == (1, [])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "arguments",
    some(["info", "dis", "dump", "dump --json", "nm", "analyze", "flags show", "flags conflicts", "strip -o -"], 5),
)
def test_a_full_device_is_one_line(arguments: str) -> None:
    done = shell(f"BITCODEC {arguments} {HELLO} > /dev/full")
    assert (done.returncode, done.stderr) == (1, b"bitcodec: error: standard output: No space left on device\n")


def test_a_file_that_shrinks_while_it_is_in_use(tmp_path: Path) -> None:
    path = tmp_path / "a.bc"
    path.write_bytes(HELLO.read_bytes() + bytes(100_000))
    script = (
        "import os, sys, bitcodec\n"
        "from bitcodec import bitstream\n"
        "module, stream = bitcodec.open(sys.argv[1]), bitstream.open(sys.argv[1])\n"
        "os.truncate(sys.argv[1], 0)\n"
        "print(len(str(module)) > 0, stream.columns.error is None)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"True True\n")


def test_the_end_of_a_pipe_is_read_to(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    data = HELLO.read_bytes()
    writer = threading.Thread(target=fifo.write_bytes, args=(data,))
    writer.start()
    done = process("strip", fifo, "-o", "-")
    writer.join()
    assert done.stdout == process("strip", HELLO, "-o", "-").stdout
