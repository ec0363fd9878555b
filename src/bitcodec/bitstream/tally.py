# cython: language_level=3, annotation_typing=False, boundscheck=False, wraparound=False, initializedcheck=False
# ruff: noqa: ANN001, ANN201
"""Loops over all records or all operands of a stream, for counts and searches."""

from __future__ import annotations

from bitcodec.bitstream.abbreviations import AbbreviationId
from bitcodec.bitstream.columns import zeros
from bitcodec.host import native

COMPILED = bool(native.COMPILED)

_UNABBREV_RECORD = AbbreviationId.UNABBREV_RECORD
_CODES = 256
_FIGURES = 3


def tally_records(
    block,
    code,
    abbreviation,
    start,
    end,
    kind_of_block,
    kinds,
):
    """Count records.

    Args:
        block, code, abbreviation, start, end: columns of `RecordColumns`.
        kind_of_block: for each block, a number below `kinds`.
        kinds: how many kinds of blocks there are.

    Returns:
        A dictionary from (kind, code) to the number of such records, their bits, and how many are abbreviated.
    """
    # Codes are small; the few that are not go straight to the dictionary.
    figures = zeros("Q", kinds * _CODES * _FIGURES)
    counts = {}
    cell = 0
    for row in range(len(code)):
        if code[row] >= _CODES:
            key = (kind_of_block[block[row]], code[row])
            count, bits, abbreviated = counts.get(key, (0, 0, 0))
            abbreviated += abbreviation[row] != _UNABBREV_RECORD
            counts[key] = (count + 1, bits + end[row] - start[row], abbreviated)
            continue
        cell = (kind_of_block[block[row]] * _CODES + code[row]) * _FIGURES
        figures[cell] += 1
        figures[cell + 1] += end[row] - start[row]
        if abbreviation[row] != _UNABBREV_RECORD:
            figures[cell + 2] += 1
    for cell in range(0, len(figures), _FIGURES):
        if figures[cell]:
            key = (cell // _FIGURES // _CODES, cell // _FIGURES % _CODES)
            counts[key] = (figures[cell], figures[cell + 1], figures[cell + 2])
    return counts


def find_operands(operands, least, most):
    """Return the indices of the operands from `least` to `most`."""
    found = []
    for index in range(len(operands)):
        if least <= operands[index] <= most:
            found.append(index)  # noqa: PERF401 - the variable of a comprehension has no C type
    return found
