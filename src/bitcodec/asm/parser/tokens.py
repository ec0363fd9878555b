"""Kinds of tokens of LLVM assembly.  Rules: docs/reference/text.md, 16."""

from __future__ import annotations

__all__ = [
    "ATTRIBUTE_GROUP",
    "BAR",
    "COLON",
    "COMDAT_NAME",
    "COMMA",
    "DOTS",
    "END",
    "EQUAL",
    "EXCLAIM",
    "FLOAT",
    "GLOBAL_ID",
    "GLOBAL_NAME",
    "GREATER",
    "HASH",
    "HEX_FLOAT",
    "HEX_INTEGER",
    "INTEGER",
    "INTEGER_TYPE",
    "LABEL",
    "LABEL_ID",
    "LEFT_BRACE",
    "LEFT_PARENTHESIS",
    "LEFT_SQUARE",
    "LESS",
    "LOCAL_ID",
    "LOCAL_NAME",
    "METADATA_NAME",
    "PUNCTUATION",
    "RIGHT_BRACE",
    "RIGHT_PARENTHESIS",
    "RIGHT_SQUARE",
    "STAR",
    "STRING",
    "SUMMARY_ID",
    "UNKNOWN",
    "WORD",
]

END = 0
UNKNOWN = 1
"""No token; `Lexer.problem` may have the reason."""
WORD = 2
"""A keyword, or another word of letters, digits and `_`."""
LABEL = 3
LABEL_ID = 4
GLOBAL_NAME = 5
GLOBAL_ID = 6
LOCAL_NAME = 7
LOCAL_ID = 8
COMDAT_NAME = 9
METADATA_NAME = 10
ATTRIBUTE_GROUP = 11
SUMMARY_ID = 12
STRING = 13
INTEGER = 14
HEX_INTEGER = 15
"""`u0x...` or `s0x...`."""
FLOAT = 16
"""A decimal number with a point."""
HEX_FLOAT = 17
INTEGER_TYPE = 18
DOTS = 19
EQUAL = 20
COMMA = 21
STAR = 22
LEFT_SQUARE = 23
RIGHT_SQUARE = 24
LEFT_BRACE = 25
RIGHT_BRACE = 26
LESS = 27
GREATER = 28
LEFT_PARENTHESIS = 29
RIGHT_PARENTHESIS = 30
EXCLAIM = 31
BAR = 32
COLON = 33
HASH = 34

PUNCTUATION = {
    "=": EQUAL,
    ",": COMMA,
    "*": STAR,
    "[": LEFT_SQUARE,
    "]": RIGHT_SQUARE,
    "{": LEFT_BRACE,
    "}": RIGHT_BRACE,
    "<": LESS,
    ">": GREATER,
    "(": LEFT_PARENTHESIS,
    ")": RIGHT_PARENTHESIS,
    "|": BAR,
    ":": COLON,
}
"""Tokens of one character; `!` and `#` may also begin longer ones."""
