"""Several kinds at once, made up: what the rewriter leaves of them is what passes of LLVM 22 leave today."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .metadata.nodes import KINDS, POOLS, TEMPLATES
from .metadata.outcomes import assembled, differing, ours, theirs
from .metadata.pairs import PASSES, Case, module_text

FEW, MANY = 40, 120

pytestmark = pytest.mark.live


@st.composite
def nodes(draw: st.DrawFn, pools: tuple[str, ...]) -> dict[str, str]:
    """Return nodes by pool, one of a kind at most."""
    chosen = draw(st.lists(st.sampled_from(pools), unique_by=lambda pool: KINDS[pool]))
    return {pool: draw(st.sampled_from(POOLS[pool])) for pool in sorted(chosen)}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    name = draw(st.sampled_from([name for name, template in TEMPLATES.items() if len(template.pools) > 1]))
    template = TEMPLATES[name]
    how = draw(st.sampled_from([how for how in PASSES if how in template.hows]))
    pools = template.pools
    kept, gone = draw(nodes(pools)), draw(nodes(pools))
    return Case(how, name, kept, {pool: node for pool, node in gone.items() if pool in kept or _is_new(pool, kept)})


def _is_new(pool: str, others: dict[str, str]) -> bool:
    """Return whether others have no node of a kind: the two forms of one kind never meet in one module."""
    return KINDS[pool] not in {KINDS[other] for other in others}


@given(st.lists(cases(), min_size=FEW, max_size=MANY))
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_it_leaves_what_llvm_leaves(found: list[Case]) -> None:
    bitcode = assembled(module_text(found))
    assert differing(ours(bitcode), theirs(bitcode)) == []
