"""A finished game as JSON, in Abstract Play's game-record schema. Our own data is in `x-pbem`."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from pbem.core.clock.intervals import time_outside
from pbem.core.game.fingerprint import iso, setup_data
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, ROLLBACK, SEATS, TAKEBACK
from pbem.core.game.state import Ending
from pbem.core.ratings.results import is_short
from pbem.core.records.record import NEEDED_TAGS, SERVER_ENDINGS, Sign, result, tags_of
from rules import find, record
from rules.contract import SEAT_NAMES, Seat, option_words, other

SWAP = "swap"
PBEM_MEMBER = "x-pbem"
TURN_RESTARTS = frozenset({TAKEBACK, ROLLBACK})


def gamerecord(game: Game, site: str, sign: Sign | None = None) -> dict[str, Any]:
    ending = game.state.ending
    assert ending is not None, "only a finished game has a game record"
    tags = tags_of(game, site, sign)
    pied = game.rules.pie and any(ply.move == SWAP for ply in game.state.plies[:2])
    order: tuple[Seat, Seat] = (1, 0) if pied else (0, 1)
    header: dict[str, Any] = {
        "game": {"name": game.rules.name, "variants": variants(game)},
        "site": {"name": site, "gameid": game.id},
        "date-start": iso(game.started_at),
        "date-end": iso(ending.at),
        "date-generated": iso(max(ending.at, game.open_entries[-1].at)),
        "unrated": not game.rated or bool(game.replacements) or ending.how == "void" or is_short(game.state),
        "pied": pied,
        "players": [
            {
                "name": game.seats[seat].name,
                "userid": str(game.seats[seat].id),
                "result": 1 if ending.winner == seat else 0,
                "seat": SEAT_NAMES[seat],
            }
            for seat in order
        ],
    }
    if game.rules.deals:
        header["startingPosition"] = f"seed {game.seed}"
    header[PBEM_MEMBER] = _pbem_header(game, ending, tags)
    return {"header": header, "moves": move_rows([(ply.seat, ply.move) for ply in game.state.plies], pied)}


def variants(game: Game) -> list[str]:
    usual = game.rules.complete({})
    return [f"{name}={value}" for name, value in game.options.items() if usual.get(name) != value]


def move_rows(plies: Sequence[tuple[Seat, str]], pied: bool) -> list[list[str | None]]:
    """Return rows of two moves, the left one first. None is no move."""
    rows: list[list[str | None]] = []
    last = 1
    for n, (seat, move) in enumerate(plies, 1):
        if pied and n <= 2 and move == SWAP:
            continue
        column = other(seat) if pied and n > 2 else seat
        if column <= last:
            rows.append([None, None])
        rows[-1][column] = move
        last = column
    return rows


def _pbem_header(game: Game, ending: Ending, tags: Mapping[str, str]) -> dict[str, Any]:
    spent = spent_seconds(game)
    return {
        **setup_data(game),
        "clock": {"pace": str(game.time_control), "soft": game.soft},
        "players": list(game.founders),
        "result": result(ending),
        "ended-by": ending.how,
        "reason": ending.reason,
        "plies": [
            {
                "n": ply.n,
                "by": str(game.id_at(ply.seat, ply.entry)),
                "seat": SEAT_NAMES[ply.seat],
                "move": ply.move,
                "at": iso(ply.at),
                "spent_s": spent.get(ply.entry, 0),
                "auto": ply.auto,
            }
            for ply in game.state.plies
        ],
        "fingerprint": tags["Fingerprint"],
        **({"signature": tags["Signature"]} if "Signature" in tags else {}),
        **({"proof": tags["Proof"]} if "Proof" in tags else {}),
    }


def spent_seconds(game: Game) -> dict[int, int]:
    spent: dict[int, int] = {}
    begins = game.started_at
    for entry in game.journal:
        if entry.kind == PLY and entry.seat is not None:
            used = time_outside(game.stops.of(entry.seat, begins), begins, entry.effective_time)
            spent[entry.n] = 0 if entry.data.get("auto") else int(used.total_seconds())
        if entry.kind == PLY or entry.kind in TURN_RESTARTS:
            begins = entry.at
    return spent


class ContradictoryRecord(record.NotARecord):
    """A game record whose schema part and `x-pbem` part describe different games."""


def read_records(text: str) -> Iterator[record.Record]:
    """Read all records in a text, as text or JSON. Raises NotARecord or ContradictoryRecord."""
    start = text.lstrip("\ufeff \t\r\n")[:20]
    if start.startswith("{") or re.match(r"\[\s*[\]{]", start):
        yield from map(_from_json, _parse_json(text))
        return
    starts = [match.start() for match in re.finditer(r"^\[\s*Game\s", text, re.MULTILINE)][1:]
    pieces = [text[begin:end] for begin, end in pairwise([0, *starts, len(text)])]
    for n, piece in enumerate(pieces, 1):
        try:
            yield record.read(piece)
        except record.NotARecord as error:
            raise record.NotARecord(f"record {n}: {error}" if len(pieces) > 1 else str(error)) from None


def _parse_json(text: str) -> list[Any]:
    try:
        found = json.loads(text.lstrip("\ufeff"), object_pairs_hook=_object_without_repeats)
        json.dumps(found, ensure_ascii=False).encode()  # half a character (a surrogate) is no text
    except (ValueError, RecursionError) as error:
        raise record.NotARecord(f"This is no record of a game: it is no JSON either ({error}).") from None
    return found if isinstance(found, list) else [found]


def _object_without_repeats(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object without repeats, which programs read differently. Raises ValueError."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a member stands twice in one object")
    return found


def _from_json(data: Any) -> record.Record:
    try:
        header = data["header"]
        ours = header[PBEM_MEMBER]
        plies = tuple(
            record.RecordPly(SEATS[SEAT_NAMES.index(ply["seat"])], str(ply["move"]), None, 0)
            for ply in ours["plies"]
        )
        _check_consistent(data["moves"], header, ours, plies)
        return record.Record(_tags(header, ours), plies, _ending(ours))
    except ContradictoryRecord:
        raise
    except (KeyError, TypeError, ValueError, AttributeError):
        raise record.NotARecord(
            f'This JSON is no record of a game of ours: that has its own in header["{PBEM_MEMBER}"].'
        ) from None


def _check_consistent(
    moves: Any, header: Mapping[str, Any], ours: Mapping[str, Any], plies: Sequence[record.RecordPly]
) -> None:
    signed: list[tuple[Seat, str]] = [(ply.seat or 0, ply.move) for ply in plies]
    pied = any(move == SWAP for _, move in signed[:2])
    order = SEAT_NAMES[::-1] if pied else SEAT_NAMES
    results = [(seat, 1 if ours["result"] == seat else 0) for seat in order]
    named = find(header["game"]["name"])
    told = {
        "game": named is None or named.key == ours["game"],
        "moves": moves == move_rows(signed, pied),
        "pied": header["pied"] is pied,
        "players": results == [(player["seat"], player["result"]) for player in header["players"]],
        "n": list(range(1, len(plies) + 1)) == [ply["n"] for ply in ours["plies"]],
    }
    for member, good in told.items():
        if not good:
            raise ContradictoryRecord(
                f'"{member}" tells of another game than the plies and the result in "{PBEM_MEMBER}" do.'
            )


def _tags(header: Mapping[str, Any], ours: Mapping[str, Any]) -> dict[str, str]:
    names = {player["seat"]: str(player["name"]) for player in header["players"]}
    tags = {
        "Game": header["game"]["name"],
        "Id": header["site"]["gameid"],
        "Rules": ours["rules"],
        "Players": " ".join(map(str, ours["players"])),
        "Site": header["site"]["name"],
        "Options": option_words(ours["options"]),
        "Seed": ours["seed"],
        "First": names["first"],
        "Second": names["second"],
        "Start": header["date-start"],
        "End": header["date-end"],
        "Result": ours["result"],
        "Ended": ours["ended-by"],
        "Fingerprint": ours["fingerprint"],
        "Signature": ours.get("signature", ""),
        "Proof": ours.get("proof", ""),
    }
    return {name: str(value) for name, value in tags.items() if value != "" or name in NEEDED_TAGS}


def _ending(ours: Mapping[str, Any]) -> record.RecordEnding | None:
    kind = SERVER_ENDINGS.get(ours["ended-by"])
    if kind is None:
        return None
    winner = ours["result"] if kind != "draw" else None
    return record.RecordEnding(kind, None if winner is None else other(SEATS[SEAT_NAMES.index(winner)]))
