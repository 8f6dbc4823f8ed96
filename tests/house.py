"""The layout of the project as figures: `python -m tests.house [TREE]` prints rooms, floors, arrows, circles.

A room is a package or a module directly in `pbem`, `rules`, or the folder of all games. An arrow leads from
a room to one that it imports. A floor is the longest way down by arrows. A circle is modules, or packages of
any depth, that import each other.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

PARTS = ("pbem", "rules")

Graph = Mapping[str, frozenset[str]]


def circles(graph: Graph) -> list[list[str]]:
    """Groups of nodes that reach each other, by Tarjan (1972); without single nodes."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return sorted(found)


@dataclass(frozen=True)
class House:
    """The modules of a tree and what they import of each other; imports for types alone are left out."""

    root: Path

    @cached_property
    def modules(self) -> dict[str, Path]:
        """Every module by its dotted name."""
        found = {}
        for part in PARTS:
            for path in sorted((self.root / part).rglob("*.py")):
                names = path.relative_to(self.root).with_suffix("").parts
                found[".".join(names[:-1] if names[-1] == "__init__" else names)] = path
        return found

    def _targets(self, module: str, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
            return
        package = module if self.modules[module].name == "__init__.py" else module.rpartition(".")[0]
        above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        source = ".".join([*above, *([node.module] if node.module else [])])
        for alias in node.names:
            full = f"{source}.{alias.name}"
            yield full if full in self.modules else source

    def _imports(self, module: str) -> frozenset[str]:
        tree = ast.parse(self.modules[module].read_text())
        return frozenset(
            target
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for target in self._targets(module, node)
            if target in self.modules and target != module
        )

    @cached_property
    def files(self) -> Graph:
        """Each module with the modules that it imports."""
        return {module: self._imports(module) for module in self.modules}

    def room(self, module: str) -> str:
        """The part of `pbem` that a module stands in; `rules` or `rules.games` for those of games."""
        names = module.split(".")
        if names[0] == "rules":
            return "rules.games" if names[1:2] == ["games"] else "rules"
        return ".".join(names[:2])

    def folder(self, module: str) -> str:
        return module if self.modules[module].name == "__init__.py" else module.rpartition(".")[0]

    def grouped(self, place: Callable[[str], str]) -> Graph:
        """Each place of modules with the places that they import."""
        found: dict[str, set[str]] = {}
        for module, targets in self.files.items():
            found.setdefault(place(module), set()).update(map(place, targets))
        return {name: frozenset(to - {name, "pbem"}) for name, to in found.items() if name != "pbem"}

    @cached_property
    def rooms(self) -> Graph:
        return self.grouped(self.room)

    @cached_property
    def folders(self) -> Graph:
        return self.grouped(self.folder)

    @cached_property
    def floors(self) -> dict[str, int]:
        """Each room with its floor, 1 for the lowest; rooms of a circle share one."""
        group = {room: tuple(circle) for circle in circles(self.rooms) for room in circle}
        known: dict[str, int] = {}

        def floor(room: str) -> int:
            if room not in known:
                together = group.get(room, (room,))
                below = {to for one in together for to in self.rooms[one]} - set(together)
                known.update(dict.fromkeys(together, 1 + max((floor(to) for to in below), default=0)))
            return known[room]

        return {room: floor(room) for room in self.rooms}

    @property
    def arrows(self) -> int:
        return sum(map(len, self.rooms.values()))


def main(root: Path) -> None:
    """Print the house, highest floor first, then its figures and circles."""
    house = House(root)
    for floor in range(max(house.floors.values()), 0, -1):
        print(f"{floor:3}  {'  '.join(sorted(room for room, at in house.floors.items() if at == floor))}")
    print(f"{len(house.rooms)} rooms, {max(house.floors.values())} floors, {house.arrows} arrows")
    for name, graph in (("modules", house.files), ("folders", house.folders)):
        found = circles(graph)
        print(f"{len(found)} circles of {name}")
        for circle in found:
            print("   ", " <-> ".join(circle))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1])
