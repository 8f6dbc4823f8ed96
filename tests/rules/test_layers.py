"""The files of rules/ stand in layers: none imports, over others, one that imports it, even for types."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]


def modules() -> Mapping[str, Path]:
    """Every module of rules/ by its dotted name."""
    paths = sorted((ROOT / "rules").rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}


def imports(path: Path, names: Mapping[str, Path]) -> set[str]:
    """The modules of rules/ that a file imports anywhere in it, `rules` itself for names of its own."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "rules":
            source = str(node.module)
            for alias in node.names:
                asked = [
                    f"{source}.{alias.name}",
                    f"{source}.{alias.name}.__init__",
                    source,
                    f"{source}.__init__",
                ]
                found.add(next(name for name in asked if name in names))
    return found


def test_no_circle_of_files():
    names = modules()
    graph = {name: imports(path, names) for name, path in names.items()}
    assert graph["rules.games.begird.__init__"] >= {"rules.games.begird.ground"}
    order = list(TopologicalSorter(graph).static_order())
    assert order.index("rules.contract") < order.index("rules.stone_placement")


QUESTIONS = frozenset("Whether What Who Whom Whose How Which Where When Why".split())


def test_no_docstring_opens_with_a_question_word():
    found = []
    for name, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                words = (ast.get_docstring(node) or "").replace("Of ", "", 1).split(" ")
                found += [f"{name}: {words[0]}"] if words[0].capitalize() in QUESTIONS else []
    assert [] == found
