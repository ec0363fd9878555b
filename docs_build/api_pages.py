"""Pages of the API reference: one for each public package, with an entry for each name of its `__all__`."""

from __future__ import annotations

import importlib
import importlib.util

__all__ = ["PACKAGES", "api_pages", "public_names"]

PACKAGES = {
    "bitcodec": "Open, print, verify and save modules",
    "bitcodec.ir": "The model of LLVM IR",
    "bitcodec.builder": "Build modules and instructions",
    "bitcodec.asm": "LLVM assembly",
    "bitcodec.verifier": "Verify modules",
    "bitcodec.analysis": "Control flow, dominators, loops, calls",
    "bitcodec.transforms": "Strip, extract, expand and rewrite",
    "bitcodec.diff": "Compare modules",
    "bitcodec.doctor": "Which versions of LLVM read a file",
    "bitcodec.report": "Sizes, duplicates, growth, as data and as a page",
    "bitcodec.linker": "Link modules",
    "bitcodec.flags": "Module flags",
    "bitcodec.lint": "Linters of whole builds",
    "bitcodec.symbols": "Symbols",
    "bitcodec.corpus": "Tables of many modules",
    "bitcodec.pcsections": "PC sections",
    "bitcodec.mir": "Machine IR",
    "bitcodec.containers": "Find bitcode in other files",
    "bitcodec.bitcode": "Write edited streams of LLVM IR",
    "bitcodec.bitstream": "The bitstream container",
}
"""Public packages, and what each is for."""


def public_names(package: str) -> list[str]:
    """Return the names that a package lists in `__all__`, without dunder names."""
    return sorted((name for name in importlib.import_module(package).__all__ if not name.startswith("__")), key=_rank)


def _rank(name: str) -> tuple[bool, str]:
    """Return a sort key: functions and constants first, then classes."""
    return name[0].isupper() and not name.isupper(), name.lower()


def api_pages() -> dict[str, str]:
    """Return the Markdown text of each page by its path in the site."""
    pages = {f"api/{package}.md": _package_page(package) for package in PACKAGES}
    rows = [f"| [`{package}`]({package}.md) | {purpose} |" for package, purpose in PACKAGES.items()]
    pages["api/index.md"] = "\n".join(["# API reference\n", "| package | purpose |", "| --- | --- |", *rows, ""])
    return pages


def _package_page(package: str) -> str:
    options = ["members: []", "show_root_heading: false", "show_root_toc_entry: false"]
    introduction = "\n      ".join([f"# {package}\n\n::: {package}\n    options:", *options])
    return "\n\n".join([introduction, *(_entry(package, name) for name in public_names(package))])


def _entry(package: str, name: str) -> str:
    """Return the entry of a name; one that a module of the package shares is documented where it is defined."""
    path = f"{package}.{name}"
    if not _is_module(path):
        return f"::: {path}"
    public = getattr(importlib.import_module(package), name)
    return f'<a id="{path}"></a>\n\n::: {public.__module__}.{public.__qualname__}'


def _is_module(path: str) -> bool:
    try:
        return importlib.util.find_spec(path) is not None
    except ModuleNotFoundError:  # the path goes through a module that is no package
        return False
