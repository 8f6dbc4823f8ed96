"""A game's text record, and all its public data."""

from typing import Any

from pbem.core.game.fingerprint import fingerprint, iso, setup_data
from pbem.core.game.game import Game
from pbem.core.game.journal import AGREE, CLAIM, RESIGN, TIMEOUT, Ruling, describe_ruling
from pbem.core.game.state import Ending, Ply, result_word
from pbem.core.ratings.results import is_short
from pbem.core.records.signature import SERVER_ENDINGS, Sign, signed_bytes
from pbem.core.redact import mask_hosts
from rules import picture, record
from rules.contract import SEAT_NAMES, Seat, option_words, other

ENDING_KINDS = frozenset({RESIGN, TIMEOUT, AGREE, CLAIM})


def result(ending: Ending | None) -> str:
    """`first`, `second`, `draw`, `void` for a game that came to nothing, `*` for one that goes on."""
    return "*" if ending is None else result_word(ending.how, ending.winner)


def record_of(game: Game, site: str, sign: Sign | None = None) -> record.Record:
    """The game as a record, signed if `sign` is given. Comments have mail addresses masked."""
    plies = tuple(record.Ply(ply.seat, ply.move, _comment(game, ply)) for ply in game.state.plies)
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
        "Seed": str(game.seed),
        "First": game.seats[0].name,
        "Second": game.seats[1].name,
        "Start": iso(game.started_at),
    }
    if ending is None:
        tags["Result"] = result(None)
    else:
        tags |= {"End": iso(ending.at), "Result": result(ending), "Ended": ending.how}
    tags["Fingerprint"] = fingerprint(game, game.state.plies, site)
    if sign:
        tags["Signature"] = sign(signed_bytes(tags))
    return tags


def _ending(game: Game) -> record.Ending | None:
    ending = game.state.ending
    if ending is None or ending.how not in SERVER_ENDINGS:
        return None
    loser: Seat | None = None if ending.winner is None else other(ending.winner)
    words = _last_words(game)
    return record.Ending(SERVER_ENDINGS[ending.how], loser, mask_hosts(words) or None)


def _last_words(game: Game) -> str:
    end = next(entry for entry in reversed(game.journal) if entry.kind in ENDING_KINDS)
    found = (said for said in game.state.said if said.entry in (end.n, end.n + 1))
    return next((said.words for said in found if (said.seat, said.at) == (end.seat, end.at)), "")


def game_data(game: Game, site: str) -> dict[str, Any]:
    state, ending = game.state, game.state.ending
    seat, outcome = state.to_play, None
    if ending is not None:
        winner = None if ending.winner is None else SEAT_NAMES[ending.winner]
        outcome = {"winner": winner, "side": ending.side, "how": ending.how, "reason": ending.reason}
    return {
        "id": game.id,
        **setup_data(game),
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
        "plies": [ply_data(ply) for ply in state.plies],
        "said": [
            {"after": s.after, "seat": SEAT_NAMES[s.seat], "words": mask_hosts(s.words), "at": iso(s.at)}
            for s in state.said
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


def _ruling_data(ruling: Ruling) -> dict[str, Any]:
    what = {name: value for name, value in ruling.data.items() if name not in ("reason", "turn", "entry")}
    reason = mask_hosts(ruling.reason)
    return {"after": ruling.after, "kind": ruling.kind, "at": iso(ruling.at), **what, "reason": reason}
