"""Writes the table of features of AMDGPU's processors that atomic accesses depend on, by experiment with `opt` 22.

    python -m tests.transforms.atomic_expand.make_amdgpu_processors

A processor has a feature if atomic accesses become something else when that is taken away. A feature implies another if
adding it to a processor that has none makes the other one removable.
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

from bitcodec.transforms.atomic_expand import architectures

from .live import OPT

_TRIPLE = "amdgcn-amd-amdhsa"
_BASE = "generic"
_PLAIN = "amdgpu.no.fine.grained.memory"
_DENORMAL = "amdgpu.ignore.denormal.mode"
_FEATURES = (
    "agent-scope-fine-grained-remote-memory-atomics",
    "atomic-buffer-global-pk-add-f16-insts",
    "atomic-buffer-global-pk-add-f16-no-rtn-insts",
    "atomic-buffer-pk-add-bf16-inst",
    "atomic-ds-pk-add-16-insts",
    "atomic-fadd-no-rtn-insts",
    "atomic-fadd-rtn-insts",
    "atomic-flat-pk-add-16-insts",
    "atomic-fmin-fmax-flat-f32",
    "atomic-fmin-fmax-flat-f64",
    "atomic-fmin-fmax-global-f32",
    "atomic-fmin-fmax-global-f64",
    "atomic-global-pk-add-bf16-inst",
    "emulated-system-scope-atomics",
    "flat-atomic-fadd-f32-inst",
    "flat-buffer-global-fadd-f64-inst",
    "gfx10-3-insts",
    "gfx12-insts",
    "gfx1250-insts",
    "gfx8-insts",
    "gfx90a-insts",
    "globally-addressable-scratch",
    "memory-atomic-fadd-f32-denormal-support",
)
"""Features that atomic accesses depend on."""

_MASKED = {
    "atomic-buffer-global-pk-add-f16-no-rtn-insts": "atomic-buffer-global-pk-add-f16-insts",
    "gfx1250-insts": "gfx90a-insts",
    "gfx90a-insts": "gfx1250-insts",
}
"""Features that show only where another one is taken away."""
_RICH = ("gfx803", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1200", "gfx1250")
"""Processors that have every feature, among them."""
_FILE = Path(architectures.__file__).with_name("amdgpu_processors.py")
_HEAD = '''"""Features of AMDGPU's processors that atomic accesses depend on; `make_amdgpu_processors` writes it."""

from __future__ import annotations

__all__ = ["IMPLIED", "PROCESSORS"]
'''


def main() -> None:
    if OPT is None:
        sys.exit("opt-22 is not installed")
    names, features = known_to_opt()
    rows: dict[str, list[str]] = {}
    for name in names:
        rows.setdefault(" ".join(features_of(name)), []).append(name)
    implied = implications(features)
    pairs = sorted((" ".join(found), features) for features, found in rows.items())
    table = "\n".join(f"    ({_quoted(left)}, {_quoted(right)})," for left, right in pairs)
    text = f'{_HEAD}\nPROCESSORS = (\n{table}\n)\n"""Names of processors, and the features that they have."""\n'
    table = "\n".join(f'    "{feature}": {_quoted(" ".join(others))},' for feature, others in implied.items())
    text += f'\nIMPLIED = {{\n{table}\n}}\n"""Features that each feature implies, directly or through others."""\n'
    _FILE.write_text(text)
    subprocess.run(["ruff", "format", "--quiet", _FILE], check=True)


def _quoted(words: str) -> str:
    """Return words as string literals, one on each line."""
    lines = textwrap.wrap(words, 100, break_on_hyphens=False) or [""]
    literals = "\n".join(f'"{line}{" " * (line is not lines[-1])}"' for line in lines)
    return f"({literals})" if lines[1:] else literals


def known_to_opt() -> tuple[list[str], list[str]]:
    """Return the names of processors and of features that `opt` lists."""
    assert OPT is not None
    command = [OPT, f"-mtriple={_TRIPLE}", "-mcpu=help", "-o", "/dev/null", "-"]
    done = subprocess.run(command, input=_probes(), capture_output=True, check=False, text=True)
    processors, _, features = done.stderr.partition("Available features")
    return [re.findall(r"^  (\S+) +- ", part, re.MULTILINE) for part in (processors, features)]


def features_of(processor: str, *added: str) -> list[str]:
    """Return the features of a processor, which may have another one, that atomic accesses depend on."""
    found = []
    for feature in _FEATURES:
        masking = [f"-{_MASKED[feature]}"] if feature in _MASKED else []
        before = expanded(processor, [*added, *masking])
        if expanded(processor, [*added, *masking, f"-{feature}"]) != before:
            found.append(feature)
    return found


def implications(features: Iterable[str]) -> dict[str, list[str]]:
    """Return the features that each feature implies, as far as either matters."""
    implied: dict[str, list[str]] = {}
    base = expanded(_BASE, [])
    for feature in features:
        if expanded(_BASE, [f"+{feature}"]) != base:
            others = [name for name in features_of(_BASE, f"+{feature}") if name != feature]
            if others:
                implied[feature] = others
    for processor, feature in product(_RICH, features):
        if feature not in _FEATURES and expanded(processor, [f"-{feature}"]) != expanded(processor, []):
            before, after = (set(features_of(processor, *change)) for change in ([], [f"-{feature}"]))
            for lost in before - after:
                if feature not in implied.setdefault(lost, []):
                    implied[lost].append(feature)
    return dict(sorted(implied.items()))


_KNOWN: dict[tuple[str, ...], str] = {}


def expanded(processor: str, changes: Iterable[str]) -> str:
    """Return the text that `opt` makes of the probes."""
    key = (processor, *changes)
    if key not in _KNOWN:
        assert OPT is not None
        command = [OPT, f"-mtriple={_TRIPLE}", f"-mcpu={processor}", "-passes=atomic-expand", "-S", "-o", "-", "-"]
        command += [f"-mattr={','.join(key[1:])}"] * bool(key[1:])
        done = subprocess.run(command, input=_probes(), capture_output=True, check=True, text=True)
        _KNOWN[key] = done.stdout.partition("\nattributes ")[0]
    return _KNOWN[key]


def _probes() -> str:
    """Return a module whose functions become something else with each feature."""
    texts = [
        f"define void @f{number}(ptr addrspace({space}) %p, {type_} %v) {{\n{body}\n  ret void\n}}"
        for number, (space, type_, body) in enumerate(_accesses())
    ]
    return "\n".join([*texts, "!0 = !{}", "!1 = !{i32 5, i32 6}"])


def _accesses() -> Iterator[tuple[int, str, str]]:
    for type_, space, is_used in product(("float", "double", "<2 x half>", "<2 x bfloat>"), (0, 1, 3, 7), (0, 1)):
        yield _operation("fadd", type_, space, (_PLAIN, _DENORMAL), is_used=bool(is_used))
    for operation, type_, space in product(("fmin", "fmax"), ("float", "double"), (0, 1, 7)):
        yield _operation(operation, type_, space, (_PLAIN,))
    yield _operation("fadd", "float", 1, (_PLAIN,))
    for operation, type_ in (("fadd", "double"), ("fmin", "float"), ("or", "i32")):
        yield _operation(operation, type_, 1, ())
        yield _operation(operation, type_, 1, (), scope="agent")
        yield _operation(operation, type_, 1, ("amdgpu.no.remote.memory",))
    yield _operation("usub_cond", "i32", 3, ())
    yield _operation("usub_sat", "i32", 3, ())
    yield 5, "i32", "  %r = load atomic i32, ptr addrspace(5) %p seq_cst, align 4"


def _operation(
    operation: str, type_: str, space: int, marks: Iterable[str], *, scope: str = "", is_used: bool = False
) -> tuple[int, str, str]:
    marked = "".join(f", !{mark} !0" for mark in marks) + ", !noalias.addrspace !1" * (not space)
    scope = f' syncscope("{scope}")' * bool(scope)
    align = 8 if type_ == "double" else 4
    body = f"  %r = atomicrmw {operation} ptr addrspace({space}) %p, {type_} %v{scope} monotonic, align {align}{marked}"
    body += f"\n  store {type_} %r, ptr addrspace(1) null" * is_used
    return space, type_, body


if __name__ == "__main__":
    main()
