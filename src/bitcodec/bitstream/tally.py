# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# ruff: noqa: ANN201
"""Loops over all records or all operands of a stream: what they count and find."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

from bitcodec.bitstream.abbreviations import AbbreviationId
from bitcodec.bitstream.columns import zeros

COMPILED = cython.compiled

_UNABBREV_RECORD = cython.declare(cython.uint, AbbreviationId.UNABBREV_RECORD)
_CODES = cython.declare(cython.Py_ssize_t, 256)
_FIGURES = cython.declare(cython.Py_ssize_t, 3)


def tally_records(
    block: cython.const[cython.uint][::1],
    code: cython.const[cython.uint][::1],
    abbreviation: cython.const[cython.uint][::1],
    start: cython.const[cython.ulonglong][::1],
    end: cython.const[cython.ulonglong][::1],
    kind_of_block: cython.const[cython.uint][::1],
    kinds: cython.Py_ssize_t,
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
    figures: cython.ulonglong[::1] = zeros("Q", kinds * _CODES * _FIGURES)
    counts: dict = {}
    row: cython.Py_ssize_t
    cell: cython.Py_ssize_t = 0
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


def find_operands(operands: cython.const[cython.ulonglong][::1], least: cython.ulonglong, most: cython.ulonglong):
    """Return the indices of the operands from `least` to `most`."""
    found: list = []
    index: cython.Py_ssize_t
    for index in range(len(operands)):
        if least <= operands[index] <= most:
            found.append(index)  # noqa: PERF401 - the variable of a comprehension has no C type
    return found
