"""`downgrade`: what is written, what is reported, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.bitcode import saving
from bitcodec.builder import Builder, add_block, add_function, new_module
from bitcodec.cli import downgrade as command
from bitcodec.downgrade.profiles import PROFILES

from .documents import document
from .running import fail, run, succeed

EXAMPLES = Path(__file__).parents[2] / "examples"
QUEUE, HELLO = EXAMPLES / "queue.bc", EXAMPLES / "hello.bc"


def test_the_module_is_written_and_losses_are_announced(tmp_path: Path) -> None:
    output = tmp_path / "old.bc"
    result = run("downgrade", HELLO, "--llvm", "18", "-o", output)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith(f"bitcodec: warning: {HELLO}: field `keyInstructions`")
    assert result.stderr.endswith(" and 1 more dropped for LLVM 18; --report - lists each place\n")
    module = bitcodec.open(HELLO)
    assert output.read_bytes() == bitcodec.dumps(module, llvm_version=18)


def test_the_report(tmp_path: Path) -> None:
    output, report = tmp_path / "old.bc", tmp_path / "report"
    lines = succeed("downgrade", HELLO, "--llvm", "18", "-o", output, "--report", "-").decode().splitlines()
    losses: list[bitcodec.Loss] = []
    bitcodec.dumps(bitcodec.open(HELLO), llvm_version=18, on_loss=losses.append)
    assert lines == [str(loss) for loss in losses]
    assert succeed("downgrade", HELLO, "--llvm", "18", "-o", output, "--report", report) == b""
    assert report.read_text().splitlines() == lines
    assert succeed("downgrade", HELLO, "--llvm", "22", "-o", output, "--report", "-") == b""


def test_the_report_as_json(tmp_path: Path) -> None:
    found = document(succeed("downgrade", QUEUE, "--llvm", "16", "-o", tmp_path / "old.bc", "--json"))
    assert (found["file"], found["llvm_version"]) == (str(QUEUE), 16)
    lowered = [loss for loss in found["losses"] if loss["construct"] == "debug records"]
    assert [(loss["place"], loss["action"], loss["since"]) for loss in lowered] == [
        (loss["place"], "lowered", 19) for loss in lowered
    ]
    assert {"push", "pop"} <= {loss["place"] for loss in lowered}


def test_strict_writes_nothing_if_something_is_lost(tmp_path: Path) -> None:
    output = tmp_path / "old.bc"
    message = fail("downgrade", HELLO, "--llvm", "18", "--strict", "-o", output)
    assert "would be lost for LLVM 18" in message
    assert not output.exists()


def test_one_stream_for_two_outputs_is_refused() -> None:
    result = run("downgrade", QUEUE, "--llvm", "16", "-o", "-", "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the module and the report cannot both be written to standard output" in result.stderr


@pytest.mark.parametrize("version", ["3", "23", "x"])
def test_other_versions_are_refused(version: str, tmp_path: Path) -> None:
    result = run("downgrade", QUEUE, "--llvm", version, "-o", tmp_path / "old.bc")
    assert result.exit_code == 2
    assert f"expected a number from 4 to 22, got '{version}'" in result.stderr


def test_versions_are_those_of_the_library() -> None:
    assert (command._OLDEST, command._NEWEST) == (saving.OLDEST_VERSION, saving.NEWEST_VERSION)


def test_profiles_are_those_of_the_library() -> None:
    assert tuple(PROFILES) == command.PROFILES


def test_a_version_or_a_profile_is_needed(tmp_path: Path) -> None:
    for options in ([], ["--llvm", "16", "--for", "nvvm"]):
        result = run("downgrade", QUEUE, *options, "-o", tmp_path / "old.bc")
        assert result.exit_code == 2
        assert "give either --llvm N or --for READER" in result.stderr


def test_the_report_for_a_profile(tmp_path: Path) -> None:
    module = new_module("kernels", target_triple="nvptx64-nvidia-cuda")
    types = module.context.types
    builder = Builder(add_block(add_function(module, "f", types.function(types.void, []))))
    builder.fence("seq_cst")
    builder.ret()
    bitcodec.save(module, tmp_path / "kernels.bc")
    options = ["--for", "nvvm", "-o", tmp_path / "old.bc"]
    found = document(succeed("downgrade", tmp_path / "kernels.bc", *options, "--json"))
    assert (found["llvm_version"], found["profile"]) == (None, "nvvm")
    losses = [(loss["construct"], loss["since"], loss["instead"]) for loss in found["losses"]]
    assert ("fence", None, "llvm.nvvm.membar") in losses
    message = fail("downgrade", QUEUE, *options)
    assert "target other than nvptx64-*-cuda cannot be written for libNVVM 12.4" in message
