"""Checks of the operator's own HTML templates, before any letter is written.

A letter is made from `mail/<kind>.txt`; an operator's `mail/<kind>.html` takes the place of its HTML part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from jinja2 import Environment, TemplateError, TemplateNotFound, meta, nodes

from pbem.core.game.letter_kinds import KINDS

LAYOUT = "_layout"


def faulty_templates(environment: Environment, own: Path) -> Mapping[str, str]:
    """The faults of HTML templates in the operator's folder by name, such as `turn`."""
    included: set[str] = set()
    names = [path.stem for path in sorted((own / "mail").glob("*.html"))]
    faults = {name: "; ".join(_faults(environment, name, included)) for name in names}
    for name in {*names} - {*KINDS, LAYOUT, *included}:
        faults[name] = "no letter has this name"
    return {
        name: f"{own / 'mail' / name}.html is not used: {fault} (docs/mail.md, Looks)"
        for name, fault in faults.items()
        if fault
    }


def _faults(environment: Environment, name: str, included: set[str]) -> Iterator[str]:
    """Adds to `included` the names of the HTML templates that this one needs."""
    try:
        environment.get_template(f"mail/{name}.html")
        assert environment.loader is not None
        tree = environment.parse(environment.loader.get_source(environment, f"mail/{name}.html")[0])
    except TemplateError as error:
        yield str(error)
        return
    except KeyError as error:
        yield f"mail/_letter.css has no class {error}"
        return
    for other in meta.find_referenced_templates(tree):
        if other is None:
            continue
        included.add(Path(other).stem)
        try:
            environment.get_template(other)
        except TemplateNotFound:
            yield f"there is no {other}"
        except (TemplateError, KeyError):
            yield f"{other} is faulty"
    called = {call.node.name for call in tree.find_all(nodes.Call) if isinstance(call.node, nodes.Name)}
    for unknown in sorted((called & meta.find_undeclared_variables(tree)) - {*environment.globals}):
        yield f"there is no {unknown}()"
