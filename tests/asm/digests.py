"""Digests of all that is printed and written of modules; as a script, by the package's sources alone."""

from __future__ import annotations

import hashlib
import sys
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from typing import Any


class SourceOnly:
    """Finds the modules of the package as if no compiled ones lay beside them."""

    @staticmethod
    def find_spec(name: str, path: Any = None, _target: Any = None) -> ModuleSpec | None:
        if not name.startswith("bitcodec.") or not path:
            return None
        return FileFinder(path[0], (SourceFileLoader, [".py"])).find_spec(name)


def digests(path: Path) -> str:
    """Return a line for a file: the digests of its modules' texts, orders of uses included, and of their bitcode."""
    import bitcodec  # noqa: PLC0415 - the script says first which form that is

    found = []
    for module in bitcodec.loads_all(path.read_bytes(), path.name):
        text = bitcodec.print_assembly(module, preserve_use_list_order=True).encode("utf-8", "surrogateescape")
        written = bitcodec.dumps(module, copies_unchanged=False)
        found += [f"{len(data)} {hashlib.sha256(data).hexdigest()}" for data in (text, written)]
    return " ".join([path.name, *found])


def main() -> None:
    sys.modules["cython"] = None  # type: ignore[assignment] # bars an import, as in an install without it
    sys.meta_path.insert(0, SourceOnly)  # type: ignore[arg-type]
    from bitcodec.asm import bodies  # noqa: PLC0415 - as above
    from bitcodec.bitstream import reader  # noqa: PLC0415 - as above

    assert all(str(module.__file__).endswith(".py") for module in (bodies, reader))
    for path in sys.argv[1:]:
        print(digests(Path(path)))


if __name__ == "__main__":
    main()
