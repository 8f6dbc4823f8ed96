"""Folders of templates and static files, and paths inside a folder.

A wheel has our folders inside `pbem`, a checkout beside it.
"""

from pathlib import Path
from textwrap import fill

from rules.contract import Rules

MAX_NAME_BYTES = 255
"""The longest name of one file or folder on Linux."""


class BadName(ValueError):
    """Raised for a name that is no path inside its folder."""


def inside(folder: Path, name: str) -> Path:
    """Return the path of a name inside a folder, such as `mail/turn.txt`. Raises BadName.

    Every name out of a file or a row comes this way before it is a path. Links to other folders count.
    """
    parts = name.split("/")
    path = folder.joinpath(*parts) if all(map(_is_plain, parts)) else None
    if path is None or not path.parent.resolve().is_relative_to(folder.resolve()):
        raise BadName(f"{name!r} is no name of a file inside {folder}")
    return path


def _is_plain(part: str) -> bool:
    """True if this part of a name names one file or folder."""
    return (
        part not in ("", ".", "..")
        and part.isprintable()
        and "\\" not in part
        and len(part.encode()) <= MAX_NAME_BYTES
    )


def folders(own: Path | None = None) -> list[Path]:
    """The folders to search, the operator's `own` first. Raises FileNotFoundError where ours are missing."""
    package = Path(__file__).parent
    for shipped in (package / "_templates", package.parent / "templates"):
        if shipped.is_dir():
            return [shipped] if own is None else [own, shipped]
    raise FileNotFoundError(f"pbem has no templates in {package}: the installation is incomplete")


def find_template(name: str, own: Path | None = None) -> Path:
    """The file of a template, such as `rules/bipod.txt`; raises FileNotFoundError."""
    for folder in folders(own):
        path = folder / name
        if path.is_file():
            return path
    raise FileNotFoundError(f"there is no template {name}")


def rules_in_words(rules: Rules, own: Path | None = None) -> str:
    """Return a game's rules in plain words, from its template or package."""
    try:
        return find_template(f"rules/{rules.key}.txt", own).read_text(encoding="utf-8")
    except FileNotFoundError:
        return _laid_out(rules)


def _laid_out(rules: Rules) -> str:
    """Return the text of a game without a template, in 72 columns under the usual heading."""
    parts = [
        f"{rules.name.upper()}\na game by {rules.credit}",
        fill(f"In a few words: {rules.summary}", 72),
    ]
    for paragraph in rules.text.split("\n\n") if rules.text else ():
        fits = all(len(line) <= 72 for line in paragraph.splitlines())
        parts.append(paragraph.rstrip() if fits else fill(paragraph, 72))
    return "\n\n".join([*parts, fill(f"How it is written: {rules.turn}", 72)]) + "\n"
