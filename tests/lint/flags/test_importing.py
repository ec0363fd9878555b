"""Which modules a module imports from under ThinLTO: `llvm-lto` 22 lists them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import bitcodec
from answers import ask, recall
from bitcodec.lint.flags.importing import import_sources

HEAD = """target triple = "x86_64-unknown-linux-gnu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
"""


def long(name: str, count: int, attributes: str = "") -> str:
    """Return a function of many instructions."""
    lines = [f"%v{number + 1} = mul i32 %v{number}, %v{number}" for number in range(count)]
    return "\n".join([f"define i32 @{name}(i32 %v0) {attributes} {{", *lines, f"ret i32 %v{count}", "}"])


CALLED = {
    "small": long("small", 3),
    "at_limit": long("at_limit", 99),
    "large": long("large", 100),
    "large_inlined": long("large_inlined", 100, "alwaysinline"),
    "never": long("never", 3, "noinline"),
    "weak": long("weak", 3).replace("define", "define weak"),
    "once": long("once", 3).replace("define", "define linkonce_odr"),
    "alias": f"{long('aliasee', 3)}\n@alias = alias i32 (i32), ptr @aliasee",
    "further": "declare i32 @near(i32)\ndefine i32 @further(i32 %x) {\n%v = call i32 @near(i32 %x)\nret i32 %v\n}",
    "near": long("near", 69),
    "further_too": (
        "declare i32 @far(i32)\ndefine i32 @further_too(i32 %x) {\n%v = call i32 @far(i32 %x)\nret i32 %v\n}"
    ),
    "uses": "@of_uses = external constant i32\ndefine i32 @uses(i32 %x) {\n%v = load i32, ptr @of_uses\nret i32 %v\n}",
}
"""Functions that the first module calls."""
USED = {
    "constant": "@constant = constant i32 1",
    "plain": "@plain = global i32 1",
    "weak_constant": "@weak_constant = weak constant i32 1",
    "referring": "@referred = external constant i32\n@referring = constant ptr @referred",
    "referring_plain": "@other = external constant i32\n@referring_plain = global ptr @other",
}
"""Variables that the first module uses."""
FURTHER = {
    "far": long("far", 70),
    "of_uses": "@of_uses = constant i32 1",
    "referred": "@referred = constant i32 1",
    "other": "@other = constant i32 1",
    "unused": "@unused = constant i32 1",
}
"""What imported functions and variables refer to."""
MODULES = {**CALLED, **USED, **FURTHER}


def first_module() -> str:
    """Return a module that calls and uses definitions of others."""
    lines = [f"declare i32 @{name}(i32)" for name in CALLED if name != "near"]
    lines += [f"@{name} = external global i32" for name in USED]
    lines.append("define i32 @main(i32 %x) {")
    lines += [f"%c{number} = call i32 @{name}(i32 %x)" for number, name in enumerate(CALLED) if name != "near"]
    lines += [f"%l{number} = load i32, ptr @{name}" for number, name in enumerate(USED)]
    return "\n".join([*lines, "ret i32 %x", "}"])


def imported(names: list[str], folder: Path) -> list[str]:
    """Return the modules that the first one imports from, where every symbol is kept."""
    subprocess.run(["llvm-lto-22", "-thinlto-action=thinlink", "-o", "index", *names], cwd=folder, check=True)
    kept = [f"-exported-symbol={name.removesuffix('.bc')}" for name in names]
    command = ["llvm-lto-22", "-thinlto-action=emitimports", "-thinlto-index=index", *kept, names[0]]
    subprocess.run(command, cwd=folder, check=True)
    return (folder / f"{names[0]}.imports").read_text().split()


def test_sources_are_those_of_llvm(tmp_path: Path) -> None:
    texts = {"main": first_module(), **MODULES}
    names = [f"{name}.bc" for name in texts]
    for name, text in texts.items():
        ask(["opt-22", "-module-summary", "-", "-o", f"{name}.bc"], input=HEAD + text, cwd=tmp_path, check=True)
    found = recall(
        ["llvm-lto-22", "imports, symbols are kept", *texts, *texts.values()], lambda: imported(names, tmp_path)
    )

    indexes = [bitcodec.open(tmp_path / name).summary for name in names]
    sources = import_sources([index for index in indexes if index is not None])
    assert sorted(names[number] for number in sources[0]) == sorted(found)
