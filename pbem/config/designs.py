"""The games that an operator has installed from designers' files, which stand in a folder of PBEM_VAR."""

from pathlib import Path

import rules
from rules.designed.made import rules_from
from rules.designed.reading import MAX_BYTES, Faulty

FOLDER = "designs"
ENDING = ".txt"


def designs_folder(var: Path) -> Path:
    return var / FOLDER


def offer_designs(var: Path) -> None:
    """Add the installed games to `rules.RULES`. A file that cannot be read is left out, with a reason."""
    for path in sorted(designs_folder(var).glob(f"*{ENDING}")):
        try:
            fault = _offer(path)
        except (OSError, UnicodeError, Faulty) as error:
            fault = str(error).partition("\n")[0]
        if fault:
            rules.leave_out(path.stem, f"The game in {path} is left out: {fault}")


def _offer(path: Path) -> str:
    """Add the game in a file; returns why it cannot be added, or ""."""
    with path.open("rb") as file:
        text = file.read(MAX_BYTES + 1).decode()
    found = rules_from(text)
    known = rules.RULES.get(found.key)
    return "" if known is not None and known.text == found.text else rules.add(found)
