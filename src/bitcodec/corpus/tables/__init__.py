"""The tables, as rows: name, type, unit and meaning of each column, the parts to read for it, and how that is done.

Extraction, the options `--tables` and `--columns`, the documentation and the tests are made from these rows.
"""

from __future__ import annotations

from bitcodec.corpus.tables.bodies import CALLS, GRAPHS, INSTRUCTIONS, PCSECTIONS
from bitcodec.corpus.tables.errors import ERRORS
from bitcodec.corpus.tables.functions import ATTRIBUTES, FUNCTIONS, GLOBALS
from bitcodec.corpus.tables.modules import DEBUG_SOURCES, FILES, FLAGS, METADATA_KINDS, MODULES, TYPES

__all__ = ["TABLES"]

TABLES = {
    table.name: table
    for table in (
        FILES,
        MODULES,
        FUNCTIONS,
        GLOBALS,
        CALLS,
        INSTRUCTIONS,
        TYPES,
        FLAGS,
        ATTRIBUTES,
        DEBUG_SOURCES,
        METADATA_KINDS,
        PCSECTIONS,
        GRAPHS,
        ERRORS,
    )
}
"""All tables by name, in the order of the documentation."""
