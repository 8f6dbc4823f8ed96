"""The layout of docs/build/architecture.md, measured: rooms, floors, circles, sizes, docstrings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.house import House, circles

ROOT = Path(__file__).parents[1]
HOUSE = House(ROOT)

MAX_FLOORS = 10
MAX_LINES_OF_FUNCTION = 50
MAX_LINES_OF_FILE = 470
MAX_WORDS = 20
"""Words of a docstring's first sentence; what stands in backticks is one."""
LEANS = re.compile(r"(?<=[.!?])\s+(It|They|The rest|The same|Its|Their)\b")
"""A sentence without a subject of its own."""
SENTENCE = re.compile(r"""(.+?[.!?])(?=["')`]*\s+["'(`]*[^\sa-z])""")
QUESTION = re.compile(r"(Whether|What|Who|Whose|Whom|How|Which|Where|When|Why|Of which|Of what)\b")


@cache
def trees() -> dict[str, tuple[Path, ast.Module]]:
    """The syntax tree of each module, and where it stands."""
    return {name: (path, ast.parse(path.read_text())) for name, path in HOUSE.modules.items()}


def definitions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]]:
    """Every function and class with the place where it stands."""
    for path, tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}", node


def docstrings() -> Iterator[tuple[str, str, str]]:
    """Every docstring, with the name that it is about and its place."""
    for module, (path, tree) in trees().items():
        if "migrations" in module:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                text = ast.get_docstring(node)
                name = module.rpartition(".")[2] if isinstance(node, ast.Module) else node.name
                if text:
                    yield f"{path.relative_to(ROOT)}: {name}", name, text


def test_no_modules_and_no_packages_import_each_other_in_a_circle() -> None:
    assert [] == circles(HOUSE.files)
    assert [] == circles(HOUSE.folders)


def test_a_circle_is_found_where_there_is_one() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a", "e"}, "e": set(), "f": {"g"}, "g": {"f"}}
    found = circles({name: frozenset(to) for name, to in graph.items()})
    assert [["a", "b", "c"], ["f", "g"]] == found


def test_from_the_command_line_to_the_rules_there_are_few_floors() -> None:
    assert HOUSE.floors["rules"] == 1
    assert HOUSE.floors["pbem.cli"] == max(HOUSE.floors.values()) <= MAX_FLOORS


def test_pbem_holds_packages_and_three_modules() -> None:
    assert {"__init__.py", "__main__.py", "app.py", "resources.py"} == {
        path.name for path in (ROOT / "pbem").glob("*.py")
    }


def test_tests_stand_where_the_packages_stand() -> None:
    packages = {path.name for path in (ROOT / "pbem").iterdir() if (path / "__init__.py").exists()}
    tested = {path.name for path in (ROOT / "tests").iterdir() if any(path.glob("**/test_*.py"))}
    assert packages | {"rules"} <= tested


def test_functions_are_short() -> None:
    long = [
        f"{place} has {length} lines"
        for place, node in definitions()
        if "migrations" not in place and not isinstance(node, ast.ClassDef)
        if (length := (node.end_lineno or 0) - node.lineno + 1) > MAX_LINES_OF_FUNCTION
    ]
    assert [] == long


def test_files_are_one_thing_each() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in HOUSE.modules.values()
        if "migrations" not in path.parts
        and (lines := len(path.read_text().splitlines())) > MAX_LINES_OF_FILE
    }
    assert {} == long


def test_no_docstring_opens_with_a_question_word() -> None:
    assert [] == [f"{place}: {text[:60]}" for place, _, text in docstrings() if QUESTION.match(text)]


def words_of_first_sentence(text: str) -> int:
    summary = " ".join(text.split("\n\n")[0].split())
    found = SENTENCE.match(summary)
    return len(re.sub("`[^`]*`", "x", found[1] if found else summary).split())


def test_docstrings_begin_with_a_short_sentence() -> None:
    counted = ((place, text, words_of_first_sentence(text)) for place, _, text in docstrings())
    long = [f"{place}: {words} words: {text[:60]}" for place, text, words in counted if words > MAX_WORDS]
    assert [] == long


def test_each_sentence_of_a_docstring_has_a_subject_of_its_own() -> None:
    said = [(place, text) for place, _, text in docstrings() if "Example:" not in text]  # `pbem --help`
    assert [] == [f"{place}: {found[0].strip()}" for place, text in said if (found := LEANS.search(text))]


def test_words_of_a_first_sentence_are_counted() -> None:
    assert 3 == words_of_first_sentence("Send a letter. All others wait for it.")
    assert 5 == words_of_first_sentence("Read `accept 12 and more` of\na mail")
    assert 5 == words_of_first_sentence("Return it by RFC 5321. Then\nwait.\n\nMore words here.")


def test_no_docstring_repeats_its_name() -> None:
    """`def open_mail` is not explained by "Open a mail."."""

    def words(text: str) -> list[str]:
        return [word for word in re.findall(r"[a-z]+", text.lower()) if word not in {"a", "an", "the", "of"}]

    same = [f"{place}: {text}" for place, name, text in docstrings() if words(name) == words(text)]
    assert [] == same


def test_a_class_name_stands_for_one_thing() -> None:
    """Packages of games are apart: each has words of its own."""
    places: dict[str, list[str]] = {}
    for module, (_path, tree) in trees().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not module.startswith("rules.games."):
                places.setdefault(node.name, []).append(module)
    assert {} == {name: found for name, found in places.items() if len(found) > 1}
