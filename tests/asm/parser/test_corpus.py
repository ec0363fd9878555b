"""Printed texts: parsed and printed again they are the same."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

import bitcodec
from corpus import FOLDER, needs_corpus

MAX_BYTES = 8_000
"""Of the compressed texts that are parsed here."""
REFUSED = ("verifier-non-integer-gep-index.ll.bc.ll.gz",)
"""llvm-as refuses these, too."""
DATA = Path(__file__).parents[2] / "data"
MODULES = [path for path in sorted(DATA.rglob("*.bc")) if path.parent.name != "hostile" and path.stem != "bytes-23"]
_NAME = r"expected '[),]' here"
_NAMED = "instructions returning void cannot have a name"
DIFFERENT = {
    **dict.fromkeys(("index-22", "index-contexts-22", "module-14", "module-16", "module-19", "module-22"), _NAME),
    **dict.fromkeys(("module-relbf-14", "module-relbf-19"), _NAME),
    "generic": _NAMED,
    "ir_types-22": "wrong number of indexes, expected [34]",
    "vtables-14": "",
    "vtables-22": "",
}
"""Modules whose text is refused, with the message, or means something else; llvm-as 22 does the same with each.

LLVM prints names in summaries without escapes, so a quotation mark ends them; it keeps the name of a call that an
upgrade has made one without a value; its parser takes each visibility of virtual calls but 0 for 1, and makes some
constants that refer to functions only at the end, behind the directives.
"""


def texts() -> list[Path]:
    found = sorted((FOLDER / "modules").glob("*.ll.gz")) + sorted((FOLDER / "legacy").glob("*.ll.gz"))
    return [path for path in found if path.stat().st_size < MAX_BYTES and path.name not in REFUSED]


def without_order(text: str) -> str:
    """Return text with predecessors in the order of their names: text without directives does not have their order."""
    return re.sub(r"; preds = (.*)", lambda match: ", ".join(sorted(match[1].split(", "))), text)


def printed_again(module: bitcodec.Module) -> str:
    """Return what is printed of the printed text of a module; the orders of uses are part of both."""
    text = bitcodec.print_assembly(module, preserve_use_list_order=True)
    return bitcodec.print_assembly(bitcodec.parse_assembly(text, name=module.identifier), preserve_use_list_order=True)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_printed_data_is_parsed_and_printed_again_with_the_orders_of_uses(path: Path) -> None:
    for module in bitcodec.open_all(path):
        text = bitcodec.print_assembly(module, preserve_use_list_order=True)
        if DIFFERENT.get(path.stem):
            with pytest.raises(bitcodec.AssemblyError, match=DIFFERENT[path.stem]):
                printed_again(module)
        else:
            assert (printed_again(module) == text) is (path.stem not in DIFFERENT)


@needs_corpus
@pytest.mark.parametrize("part", range(8))
def test_printed_text_is_parsed_and_printed_again(part: int) -> None:
    for path in texts()[part::8]:
        text = gzip.decompress(path.read_bytes()).decode("utf-8", "surrogateescape")
        printed = str(bitcodec.parse_assembly(text)).partition("\n")[2]
        wanted = text.partition("\n")[2] if text.startswith("; ModuleID") else text
        assert without_order(printed) == without_order(wanted), path.name
