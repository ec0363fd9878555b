"""What LLD and `llvm-lto2` report about flags under ThinLTO is predicted.

Live, `BITCODEC_THIN_LINKS` programs that are made up are linked; a hundred take about 20 seconds.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.lint import FlagLinter, Prediction

from .programs import program
from .test_reproductions import NODE

RECORDED = 8
LINKS = int(os.environ.get("BITCODEC_THIN_LINKS", "24"))
X86 = "--target=x86_64-linux-gnu -O2"
CALLER, CALLEE = "int g(int); int f(int x) { return g(x) + 1; }\n", "int g(int x) { return x * 3; }\n"
VIRTUAL = "struct A { virtual int h(); }; int A::h() { return 1; } int i(A *a) { return a->h(); }\n"
CFI = "-fsanitize=cfi-vcall -fvisibility=hidden -fno-rtti -fsplit-lto-unit"


def predicted(names: Sequence[str], folder: Path) -> Prediction:
    linter = FlagLinter(predicts_thin_lto=True)
    for name in names:
        for number, module in enumerate(bitcodec.open_all(folder / name)):
            linter.add(module, name if not number else f"{name}[{number + 1}]")
    return linter.report().predictions[1]


def lld(names: Sequence[str], folder: Path) -> tuple[bool, set[str]]:
    """Return whether LLD stops, and its messages about flags and LTO."""
    done = ask(["ld.lld-22", "-shared", "--threads=1", *names, "-o", os.devnull], cwd=folder, text=True)
    lines = [line.removeprefix("ld.lld-22: ") for line in done.stderr.splitlines()]
    return done.returncode != 0, {
        NODE.sub("NODE from", line) for line in lines if "module flags" in line or "LTO" in line
    }


def outcome(prediction: Prediction) -> tuple[bool, set[str]]:
    texts = (f"{'error' if each.is_error else 'warning'}: {each.text}" for each in prediction.messages)
    return prediction.is_stopped, {NODE.sub("NODE from", text) for text in texts}


def check_link(seed: int, folder: Path) -> None:
    names = []
    for number, text in enumerate(program(seed)):
        names.append(f"m{number}.bc")
        ask(["opt-22", "-module-summary", "-", "-o", names[-1]], input=text, cwd=folder, check=True)

    assert outcome(predicted(names, folder)) == lld(names, folder)


@pytest.mark.parametrize("seed", range(RECORDED))
def test_links_of_programs_that_are_made_up(seed: int, tmp_path: Path) -> None:
    check_link(seed, tmp_path)


@pytest.mark.live
@pytest.mark.parametrize("seed", range(RECORDED, LINKS))
def test_links_of_more_programs(seed: int, tmp_path: Path) -> None:
    check_link(seed, tmp_path)


IMPORT = "error: Function Import: link error: linking module flags "
UNIFIED = "error: unified LTO compilation must use compatible bitcode modules (use -funified-lto)"


@pytest.mark.parametrize(
    ("caller", "callee", "message"),
    [
        ("-flto=thin", "-flto=thin", ""),
        (
            "-flto=thin",
            "-flto=thin -fshort-wchar",
            f"{IMPORT}'wchar_size'",
        ),
        ("-flto=thin", "-flto=thin -fshort-wchar -fno-inline", ""),
        ("-flto=full", "-flto=full -fshort-wchar", "error: linking module flags 'wchar_size'"),
        ("-flto=full", "-flto=thin -fshort-wchar", ""),
        ("-flto=thin -fcf-protection=full", "-flto=thin", ""),
        (
            "-flto=thin -fsplit-lto-unit",
            "-flto=thin",
            f"{IMPORT}'EnableSplitLTOUnit'",
        ),
        (
            "-flto=thin -funified-lto",
            "-flto=thin",
            UNIFIED,
        ),
        (
            "-flto=thin -funified-lto",
            "-flto=full",
            UNIFIED,
        ),
        ("-flto=thin", "-flto=thin -funified-lto", f"{IMPORT}'EnableSplitLTOUnit'"),
        (
            "-flto=thin -mcmodel=large",
            "-flto=thin -mcmodel=medium",
            IMPORT,
        ),
    ],
)
def test_links_of_real_modules(caller: str, callee: str, message: str, tmp_path: Path) -> None:
    compile_(CALLER, f"{X86} -fPIC {caller}", "a.o", tmp_path)
    compile_(CALLEE, f"{X86} -fPIC {callee}", "b.o", tmp_path)

    stops, messages = lld(["a.o", "b.o"], tmp_path)

    assert outcome(predicted(["a.o", "b.o"], tmp_path)) == (stops, messages)
    assert stops is bool(message)
    assert [each.startswith(message) for each in messages] == [True] * stops


def test_type_tests_need_consistent_splitting(tmp_path: Path) -> None:
    compile_(VIRTUAL, f"{X86} -fPIC -flto=thin -x c++ {CFI}", "v.o", tmp_path)
    compile_(CALLEE, f"{X86} -fPIC -flto=thin", "b.o", tmp_path)

    assert outcome(predicted(["v.o", "b.o"], tmp_path)) == lld(["v.o", "b.o"], tmp_path)
    assert predicted(["v.o", "b.o"], tmp_path).messages[0].text.startswith("inconsistent LTO Unit splitting")


def test_llvm_lto2_agrees(tmp_path: Path) -> None:
    compile_(CALLER, f"{X86} -fPIC -flto=thin", "a.o", tmp_path)
    compile_(CALLEE, f"{X86} -fPIC -flto=thin -fshort-wchar", "b.o", tmp_path)
    resolutions = ["-r", "a.o,f,plx", "-r", "a.o,g,", "-r", "b.o,g,plx"]
    command = ["llvm-lto2-22", "run", "a.o", "b.o", "-o", "program", *resolutions]

    done = ask(command, cwd=tmp_path, text=True)

    (message,) = predicted(["a.o", "b.o"], tmp_path).messages
    assert done.stderr == f"llvm-lto2: LTO::run failed: {message.text}\n"


def compile_(source: str, options: str, name: str, folder: Path) -> None:
    ask(["clang-22", "-x", "c", *shlex.split(options), "-c", "-o", name, "-"], input=source, cwd=folder, check=True)
