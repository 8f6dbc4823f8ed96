"""The site's signature of a record, and the check of a record.

It covers the fingerprint, which holds setup and plies, and the tags of the end; but not names and comments: a
name may have to go, and a comment may be left out.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pbem.core.game.fingerprint import canonical, chain
from pbem.core.game.state import result_word
from rules import record

Sign = Callable[[bytes], str]
"""Return the text of a signature for these bytes."""
Check = Callable[[bytes, str], bool]
"""Verify that this text is the signature of these bytes."""

SIGNED_TAGS = ("Fingerprint", "Result", "Ended", "End")
NEEDED_TAGS = ("Id", "Rules", "Players", "Site", "Options", "Seed", "Start")
"""Tags that a fingerprint needs beside the game's name and the plies."""

_SIGNATURE_PREFIX = b"pbem record 1\n"
"""A prefix of the signed bytes. With it no signature fits anything else."""

SERVER_ENDINGS: Mapping[str, Literal["resign", "timeout", "draw"]] = {
    "resignation": "resign",
    "timeout": "timeout",
    "agreement": "draw",
    "claim": "draw",
}
"""The last line of a record by its `Ended` tag. Only for ends that players cause, not the rules."""
DECIDED_ENDINGS = ("director", "void")
"""Ends that neither plies nor a last line show."""


def signed_bytes(tags: Mapping[str, str]) -> bytes:
    """The bytes to sign for a record. A running game is signed without an end."""
    signed = {name.lower(): _tag_without_blanks(tags, name) for name in SIGNED_TAGS}
    return _SIGNATURE_PREFIX + canonical(signed)


def _tag_without_blanks(tags: Mapping[str, str], name: str) -> str:
    """A tag without blanks. Mail programs may add blanks where they wrap the line."""
    found = "".join(tags.get(name, "").split())
    return found.lower() if name == "Fingerprint" else found


@dataclass(frozen=True)
class RecordFinding:
    """One result of a check; `good` is None if no check was possible."""

    what: str
    good: bool | None
    sentence: str


def examine_record(found: record.Record, check: Check | None) -> tuple[RecordFinding, ...]:
    """Check a record; without `check` the key is unknown. Raises what `record.replay` raises."""
    played = record.replay(found)
    findings = {
        "plies": (True, f"all {len(found.plies)} follow the rules of {played.rules.name}"),
        "fingerprint": _fingerprint(played),
        "end": _end(played),
        "signature": _signature(found.tags, check),
    }
    return tuple(RecordFinding(what, *finding) for what, finding in findings.items())


def _fingerprint(played: record.Replay) -> tuple[bool | None, str]:
    tags = played.record.tags
    if "Fingerprint" not in tags:
        return None, "the record has none"
    missing = [name for name in NEEDED_TAGS if name not in tags]
    if missing:
        return False, f"it cannot be made again without {', '.join(missing)}"
    setup = _setup(played)
    if setup is None:
        return False, "Id and Players should be whole numbers"
    if chain(setup, zip(played.seats, played.moves, strict=True)) != _tag_without_blanks(tags, "Fingerprint"):
        return False, "a tag or a ply is not what it was when the record was made"
    return True, f"{_tag_without_blanks(tags, 'Fingerprint')[:8]}, as it should be"


def _setup(played: record.Replay) -> dict[str, Any] | None:
    tags = played.record.tags
    if not re.fullmatch(r"[0-9]{1,12}", tags["Id"].strip()):
        return None
    if not re.fullmatch(r"\s*[0-9]{1,12}\s+[0-9]{1,12}\s*", tags["Players"]):
        return None
    return {
        "game": played.rules.key,
        "rules": tags["Rules"].strip(),
        "options": played.rules.complete(record.written_options(played.rules, played.record)),
        "seed": tags["Seed"].strip(),
        "site": tags["Site"].strip(),
        "id": int(tags["Id"]),
        "start": tags["Start"].strip(),
        "players": [int(number) for number in tags["Players"].split()],
    }


def _end(played: record.Replay) -> tuple[bool | None, str]:
    tags, ending = played.record.tags, played.record.ending
    result, ended = _tag_without_blanks(tags, "Result") or "*", _tag_without_blanks(tags, "Ended")
    if ended in DECIDED_ENDINGS and not ending:
        return True, f"{result}, by decision"
    told = "*" if played.outcome is None else result_word("rules", played.outcome.winner)
    if result != told:
        return False, f'Result is "{result}", and plies and last line come to "{told}"'
    lasting = ending.kind if ending else None
    if ended and lasting != SERVER_ENDINGS.get(ended):
        return False, f'Ended is "{ended}", and the last line tells of another end'
    if ended == "rules" and not played.position.outcome:
        return False, 'Ended is "rules", and by the rules the game goes on'
    return True, "the game goes on" if result == "*" else f"{result}, by {ended or 'its tags'}"


def _signature(tags: Mapping[str, str], check: Check | None) -> tuple[bool | None, str]:
    text = _tag_without_blanks(tags, "Signature")
    if not text:
        return None, "the record has none"
    if check is None:
        return None, "not looked at: the key of the site is not known here"
    if not check(signed_bytes(tags), text):
        return False, "it is not of this site's key, or of another end"
    return True, f"made by {tags.get('Site', 'the site').strip()}"
