"""Control flow and loops: what LLVM's own analyses say of the same functions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import bitcodec
import corpus
from answers import ask
from bitcodec.analysis import ControlFlow, Loops
from bitcodec.ir import BasicBlock, Function

DATA = Path(__file__).parents[1] / "data"
HELLO = Path(__file__).parents[2] / "examples" / "hello.bc"
_SAMPLE = 40


def files() -> list[Path]:
    """Return modules of LLVM 22 and older ones, with loops of all kinds among them."""
    found = sorted((corpus.FOLDER / "modules").glob("*.bc"))
    return [*DATA.glob("*-O2-*.bc"), *found[:: max(1, len(found) // _SAMPLE)]]


def analysed(path: Path, *passes: str) -> str:
    """Return what `opt` prints; blocks and functions have the names that the file gives them."""
    names = ",".join(f"print<{each}>" for each in passes)
    done = ask(["opt-22", "-disable-verify", f"-passes=function({names})", "-disable-output", path], text=True)
    if done.returncode:
        pytest.skip(f"opt refuses it: {done.stderr[:200]}")
    return str(done.stderr)


def loops_of_llvm(text: str) -> dict[str, set[tuple[int, str, frozenset[str]]]]:
    """Return depth, header and blocks of the loops of each function."""
    found: dict[str, set[tuple[int, str, frozenset[str]]]] = {}
    for part in re.split(r"^Loop info for function '", text, flags=re.MULTILINE)[1:]:
        name, _, rest = part.partition("':\n")
        loops = found.setdefault(name, set())
        for depth, blocks in re.findall(r"Loop at depth (\d+) containing: (.*)", rest):
            named = [re.sub(r"(<\w+>)+$", "", each) for each in blocks.split(",%")]
            named = [each if each.startswith("%") else f"%{each}" for each in named]
            loops.add((int(depth), named[0], frozenset(named)))
    return found


def has_plain_names(function: Function) -> bool:
    """Return whether the lists that `opt` prints can be told apart: names with commas in them cannot."""
    return all(re.fullmatch(r"[\w.$-]*", value.name) for value in (function, *function.blocks))


def loops_of(function: Function) -> set[tuple[int, str, frozenset[str]]]:
    graph = ControlFlow(function)
    return {
        (loop.depth, graph.node_name(loop.header), frozenset(map(graph.node_name, loop.blocks)))
        for loop in Loops(graph)
    }


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_loops_are_those_of_llvm(path: Path) -> None:
    expected = loops_of_llvm(analysed(path, "loops"))
    functions = [each for each in bitcodec.open(path).functions if not each.is_declaration and has_plain_names(each)]
    assert {each.name: loops_of(each) for each in functions} == {
        each.name: expected.get(each.name, set()) for each in functions
    }


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_dominators_are_those_of_llvm(path: Path) -> None:
    text = analysed(path, "domtree")
    parts = re.split(r"DominatorTree for function: ", text)[1:]
    trees = {name: part for name, _, part in (part.partition("\n") for part in parts)}
    for function in bitcodec.open(path).functions:
        if function.is_declaration or not has_plain_names(function):
            continue
        graph = ControlFlow(function)
        above: list[str] = []
        expected: dict[str, str | None] = {}
        for level, name in re.findall(r"^\s*\[(\d+)\] (%\S+) ", trees[function.name], re.MULTILINE):
            del above[int(level) - 1 :]
            expected[name] = above[-1] if above else None
            above.append(name)
        assert {graph.node_name(block): _name(graph, block) for block in graph.dominators.order} == expected


def _name(graph: ControlFlow, block: BasicBlock) -> str | None:
    above = graph.dominators.immediate_dominator(block)
    return None if above is None else graph.node_name(above)


def test_a_graph_has_three_forms() -> None:
    graph = ControlFlow(bitcodec.open(HELLO).functions["main"])
    assert graph.adjacency() == {"%2": ["%6"], "%5": [], "%6": ["%8", "%10"], "%8": ["%10"], "%10": ["%5", "%6"]}
    document = json.loads(graph.to_json())
    assert [each["id"] for each in document["nodes"]] == list(graph.adjacency())
    assert [(each["source"], each["target"]) for each in document["links"]] == [
        (graph.node_name(one), graph.node_name(other)) for one, other in graph.edges()
    ]
    assert graph.to_dot().startswith('digraph "@main" {\n  node [shape=box];\n  "%2";\n')
    assert '  "%10" -> "%6";\n' in graph.to_dot()
    assert {graph.node_name(block) for block in graph.reachable(graph.nodes[3])} == {"%8", "%10", "%5", "%6"}


def test_a_loop_knows_its_surroundings() -> None:
    graph = ControlFlow(bitcodec.open(HELLO).functions["main"])
    (loop,) = loops = Loops(graph)
    assert loops.outermost == (loop,)
    assert [graph.node_name(block) for block in loop.blocks] == ["%6", "%8", "%10"]
    assert [graph.node_name(block) for block in loop.latches] == ["%10"]
    assert [graph.node_name(block) for block in loop.exits] == ["%5"]
    assert [graph.node_name(block) for block in loop.exiting_blocks] == ["%10"]
    assert loop.preheader is graph.entry
    assert loop.header in loop
    assert loops.innermost(loop.header) is loop
    assert loops.innermost(graph.nodes[1]) is None


def test_what_is_only_declared_has_no_blocks() -> None:
    graph = ControlFlow(bitcodec.open(HELLO).functions["printf"])
    assert (len(graph), graph.entry, list(Loops(graph))) == (0, None, [])
    with pytest.raises(ValueError, match=r"^@printf has no blocks$"):
        _ = graph.dominators
