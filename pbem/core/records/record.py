"""A game's text record, its signature and check, and its public data.

The signature covers the fingerprint, which holds setup and plies, and the tags of the end; but not names and
comments: a name may have to go, and a comment may be left out.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

from pbem.core.game.clock_display import times_used
from pbem.core.game.fingerprint import canonical, chain, fingerprint, iso, setup_data
from pbem.core.game.game import Game
from pbem.core.game.journal import AGREE, CLAIM, PROVED, RESIGN, SEATS, TIMEOUT, Ruling, describe_ruling
from pbem.core.game.state import Ending, Ply, result_word
from pbem.core.ratings.results import is_short
from pbem.core.redact import mask_hosts
from rules import picture, record
from rules.contract import SEAT_NAMES, Seat, option_words, other
from rules.search.proof import BadProof, check_proof, read_proof

ENDING_KINDS = frozenset({RESIGN, TIMEOUT, AGREE, CLAIM})
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


def result(ending: Ending | None) -> str:
    """Return `first`, `second`, `draw`, `void` or `*`. A void game came to nothing; `*` goes on."""
    return "*" if ending is None else result_word(ending.how, ending.winner)


def record_of(game: Game, site: str, sign: Sign | None = None) -> record.Record:
    """The game as a record, signed if `sign` is given. Comments have mail addresses masked."""
    plies = tuple(record.RecordPly(ply.seat, ply.move, _comment(game, ply)) for ply in game.state.plies)
    return record.Record(tags_of(game, site, sign), plies, _ending(game))


def _comment(game: Game, ply: Ply) -> str | None:
    """The words with a ply. Decisions after it, or before the first ply, are added."""
    decided = [each for each in game.state.rulings if max(each.after, 1) == ply.n]
    words = [ply.comment, *(f"Director, {iso(each.at)}: {describe_ruling(each)}" for each in decided)]
    return mask_hosts("\n".join(filter(None, words))) or None


def tags_of(game: Game, site: str, sign: Sign | None) -> dict[str, str]:
    ending = game.state.ending
    tags = {
        "Game": game.rules.name,
        "Id": str(game.id),
        "Rules": game.rules_version,
        "Players": " ".join(map(str, game.founders)),
        "Site": site,
        "Options": option_words(game.options),
        **({} if game.told_seed is None else {"Seed": game.told_seed}),
        "First": game.seats[0].name,
        "Second": game.seats[1].name,
        "Start": iso(game.started_at),
    }
    if computers := [SEAT_NAMES[seat] for seat in SEATS if game.seats[seat].bot]:
        tags["Computer"] = " ".join(computers)
    if ending is None:
        tags["Result"] = result(None)
    else:
        tags |= {"End": iso(ending.at), "Result": result(ending), "Ended": ending.how}
    tags["Fingerprint"] = fingerprint(game, game.state.plies, site)
    if sign:
        tags["Signature"] = sign(signed_bytes(tags))
    if proof := proof_text(game):
        tags["Proof"] = proof
    return tags


def proof_text(game: Game) -> str:
    """Return the proof that ended a game, in compact form, or ""."""
    ending = game.state.ending
    if ending is None or ending.how != "proof":
        return ""
    return str(next(each.data["proof"] for each in reversed(game.journal) if each.kind == PROVED))


def _ending(game: Game) -> record.RecordEnding | None:
    ending = game.state.ending
    if ending is None or ending.how not in SERVER_ENDINGS:
        return None
    loser: Seat | None = None if ending.winner is None else other(ending.winner)
    words = _last_words(game)
    return record.RecordEnding(SERVER_ENDINGS[ending.how], loser, mask_hosts(words) or None)


def _last_words(game: Game) -> str:
    end = next(entry for entry in reversed(game.journal) if entry.kind in ENDING_KINDS)
    found = (said for said in game.state.said if said.entry in (end.n, end.n + 1))
    return next((said.words for said in found if (said.seat, said.at) == (end.seat, end.at)), "")


def game_data(game: Game, site: str) -> dict[str, Any]:
    state, ending, used = game.state, game.state.ending, times_used(game)
    seat, outcome = state.to_play, None
    if ending is not None:
        winner = None if ending.winner is None else SEAT_NAMES[ending.winner]
        outcome = {"winner": winner, "side": ending.side, "how": ending.how, "reason": ending.reason}
    return {
        "id": game.id,
        **setup_data(game),
        "seed": game.told_seed,
        "site": site,
        "players": {SEAT_NAMES[n]: player.name for n, player in enumerate(game.seats)},
        "rated": game.rated and not (ending and is_short(state)),
        "started": iso(game.started_at),
        "ended": iso(ending.at) if ending else None,
        "result": result(ending),
        "outcome": outcome,
        "ply": len(state.plies),
        "to_play": None if seat is None else SEAT_NAMES[seat],
        "side_to_play": None if seat is None else state.position.side(seat),
        "plies": [ply_data(ply) | _time_used(used.get(ply.n)) for ply in state.plies],
        "said": [
            {"after": s.after, "seat": SEAT_NAMES[s.seat], "words": mask_hosts(s.words), "at": iso(s.at)}
            for s in state.said
        ],
        "comments": [
            {"after": c.after, "name": c.name, "words": mask_hosts(c.words), "at": iso(c.at)}
            for c in (state.comments if ending else ())
        ],
        "taken_back": [ply_data(taken.ply) | {"taken_back": iso(taken.at)} for taken in state.taken_back],
        "director": [_ruling_data(each) for each in state.rulings],
        "board": picture.text(state.picture),
        "playable": [] if ending else state.position.playable(),
        "scores": state.position.scores(),
        "fingerprint": fingerprint(game, state.plies, site),
    }


def ply_data(ply: Ply) -> dict[str, Any]:
    found: dict[str, Any] = {"n": ply.n, "seat": SEAT_NAMES[ply.seat], "move": ply.move, "at": iso(ply.at)}
    found |= {"auto": True} if ply.auto else {}
    return found | ({"comment": mask_hosts(ply.comment)} if ply.comment else {})


def _time_used(time: timedelta | None) -> dict[str, int]:
    return {} if time is None else {"seconds": int(time.total_seconds())}


def _ruling_data(ruling: Ruling) -> dict[str, Any]:
    kept = ("reason", "turn", "entry", "by")
    what = {name: value for name, value in ruling.data.items() if name not in kept}
    reason = mask_hosts(ruling.reason)
    return {"after": ruling.after, "kind": ruling.kind, "at": iso(ruling.at), **what, "reason": reason}


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
    """One finding of a check. `good` is None if it was impossible."""

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
        **({"proof": _proof(played)} if _tag_without_blanks(found.tags, "Ended") == "proof" else {}),
    }
    return tuple(RecordFinding(what, *finding) for what, finding in findings.items())


def _fingerprint(played: record.Replay) -> tuple[bool | None, str]:
    tags = played.record.tags
    if "Fingerprint" not in tags:
        return None, "the record has none"
    missing = [name for name in NEEDED_TAGS if name not in tags]
    if missing == ["Seed"] and tags.get("Result") == "*":
        return None, "it can be made again when the game is over, and its seed is told"
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
        "options": played.rules.complete_for(
            tags["Game"], record.written_options(played.rules, played.record)
        ),
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


def _proof(played: record.Replay) -> tuple[bool | None, str]:
    """Replay the proof from the last position, by the rules alone."""
    winner = played.outcome.winner if played.outcome else None
    try:
        proof = read_proof(played.record.tags.get("Proof", ""))
        if proof.seat != winner or proof.draws:
            return False, f"it is not for {_tag_without_blanks(played.record.tags, 'Result') or 'nobody'}"
        check_proof(played.position, proof)
    except BadProof as error:
        return False, str(error).rstrip(".")
    return True, f"{SEAT_NAMES[proof.seat]} wins against every answer, in {len(proof.nodes)} positions"


def _signature(tags: Mapping[str, str], check: Check | None) -> tuple[bool | None, str]:
    text = _tag_without_blanks(tags, "Signature")
    if not text:
        return None, "the record has none"
    if check is None:
        return None, "not looked at: the key of the site is not known here"
    if not check(signed_bytes(tags), text):
        return False, "it is not of this site's key, or of another end"
    return True, f"made by {tags.get('Site', 'the site').strip()}"
