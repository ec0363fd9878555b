"""Symbols of a module as linkers see them, named as in object files.

It works on the model alone, whatever that was read from.

>>> import bitcodec
>>> from bitcodec.symbols import symbols_of
>>> [(symbol.letter, symbol.name) for symbol in symbols_of(bitcodec.open("examples/hello.bc"))]
[('T', 'main'), ('U', 'printf')]
"""

from __future__ import annotations

from bitcodec.symbols.mangling import Mangler
from bitcodec.symbols.module_symbols import symbols_of
from bitcodec.symbols.symbol import Symbol, SymbolFlags

__all__ = ["Mangler", "Symbol", "SymbolFlags", "symbols_of"]
