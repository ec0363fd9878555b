"""Shapes of debug-info nodes: nodes that differ in what a rule reads have different shapes."""

from __future__ import annotations

from typing import Any

import pytest

from bitcodec.verifier.debug_info import NODE_RULES
from bitcodec.verifier.node_shapes import NODE_SHAPES
from bitcodec.verifier.rules import Called, Searched


class _Probe:
    """A node that notes the fields that are read.  Its fields have no content, or a number."""

    def __init__(self, kind: type, number: int | None) -> None:
        self.read: set[str] = set()
        self._kind = kind
        self._number = number

    @property
    def __class__(self) -> type:
        return self._kind

    @__class__.setter
    def __class__(self, _kind: type) -> None:
        raise TypeError

    def __getattr__(self, name: str) -> Any:
        self.read.add(name)
        return 0 if "flags" in name or name in {"tag", "line", "column"} else self._number


@pytest.mark.parametrize("kind", NODE_SHAPES, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("number", [None, 0, 1])
def test_shapes_have_each_field_that_rules_read(kind: type, number: int | None) -> None:
    shape, probe = NODE_SHAPES[kind], _Probe(kind, number)
    rules = [rule for rule in NODE_RULES[kind] if rule not in shape.remaining_rules]
    parts = [part for rule in rules for part in (rule.rules if isinstance(rule, Called) else (rule,))]
    for rule in parts:
        assert not isinstance(rule, Searched)
        try:
            rule[1](probe)
        except TypeError:
            assert number is not None  # a number is no list
    assert probe.read <= {kind.__match_args__[place] for place, _ in shape.parts}


def test_remaining_rules_are_rules_of_the_class() -> None:
    for kind, shape in NODE_SHAPES.items():
        places = [NODE_RULES[kind].index(rule) for rule in shape.remaining_rules]
        assert places == sorted(places)
