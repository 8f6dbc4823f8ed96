"""Public data of games, players, seeks and rules, for JSON.

Pure functions of what the pages show; nothing else is public. `site` is the beginning of absolute links. The
schemas are in `shapes`.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from pbem.core.clock.vacation import Vacation
from pbem.core.game.clock_display import ClockDisplay, PlayerClock
from pbem.core.game.fingerprint import iso
from pbem.core.game.game import Game
from pbem.core.game.state import result_word
from pbem.core.lobby.challenges import Seek
from pbem.core.ratings.results import MAX_SURE_DEVIATION
from pbem.core.ratings.statistics import median
from pbem.core.records.record import game_data
from pbem.store.game_lists import Counts, ListedGame
from pbem.store.rating_queries import Career, GameStatistics, NamedPlayer, Point, share_in_time
from pbem.web.replay import Replay
from rules.contract import SEAT_NAMES, Option, Rules, Seat
from rules.picture import text

Data = dict[str, Any]
SEATS: tuple[tuple[Seat, str], ...] = ((0, SEAT_NAMES[0]), (1, SEAT_NAMES[1]))


def iso_or_none(at: datetime | None) -> str | None:
    return None if at is None else iso(at)


def seat_name(seat: int | None) -> str | None:
    return None if seat is None else SEAT_NAMES[seat]


# Games.


def listed_game(game: ListedGame, site: str) -> Data:
    """A game in a list, without its plies."""
    return {
        "id": game.id,
        "game": game.rules.key,
        "players": {
            seat: {"id": game.ids[n], "name": game.names[n], "url": _player_url(site, game.ids[n])}
            for n, seat in SEATS
        },
        "plies": game.plies,
        "to_play": seat_name(game.to_play),
        "deadline": iso_or_none(game.deadline) if game.ended_at is None else None,
        "started": iso(game.started_at),
        "changed": iso(game.changed_at),
        "ended": iso_or_none(game.ended_at),
        "ended_by": game.ended_by,
        "result": _result(game),
        "reason": game.reason,
        **_links(site, f"games/{game.id}"),
    }


def _result(game: ListedGame) -> str:
    """As records spell it: `pbem.core.records.record.result`."""
    return result_word(game.ended_by or "", game.winner) if game.ended_at else "*"


def _links(site: str, path: str) -> Data:
    """Its addresses as data and as a page."""
    return {"url": f"{site}/api/{path}", "page": f"{site}/{path}"}


def _player_url(site: str, id: int) -> str:
    return f"{site}/api/players/{id}"


def counted(counts: Counts) -> Data:
    return {"every": counts.every, "running": counts.running, "exact": counts.exact}


def whole_game(game: Game, display: ClockDisplay | None, host: str, site: str) -> Data:
    """Public data of a game, with players' numbers and clocks.

    The rest is the same data as in the download.
    """
    players = {
        seat: {
            "id": player.id,
            "name": player.name,
            "side": game.state.position.side(n),
            "url": _player_url(site, player.id),
        }
        for (n, seat), player in zip(SEATS, game.seats, strict=True)
    }
    clock = {
        "pace": str(game.time_control),
        "soft": game.soft,
        "running": _dial(display) if display else None,
    }
    return {
        **game_data(game, host),
        "players": players,
        "clock": clock,
        "plies_url": f"{site}/api/games/{game.id}/plies",
        "position_url": f"{site}/api/games/{game.id}/positions/{len(game.state.plies)}",
        **_links(site, f"games/{game.id}"),
    }


def _dial(display: ClockDisplay) -> Data:
    hands = {seat: _hand(display.player_clocks[n]) for n, seat in SEATS}
    return {"at": iso(display.at), "deadline": iso_or_none(display.deadline), **hands}


def _hand(hand: PlayerClock) -> Data:
    """A player's clock. `stands_until` is null if nobody knows the end, as with a director's pause."""
    until = hand.stopped_until
    known = until is not None and until.year < 9000
    return {
        "left_s": int(hand.left.total_seconds()),
        "runs": hand.runs,
        "stands": until is not None,
        "stands_until": iso_or_none(until) if known else None,
    }


def position(shown: Replay, site: str, pin: str = "") -> Data:
    """The board after a ply; the last one also tells the outcome.

    `pin` is the query of file addresses that browsers keep for good.
    """
    at, game = shown.position, shown.game
    over = shown.at_end and shown.ending is not None
    path = f"games/{game.id}/{shown.n}"
    return {
        "game": game.id,
        "n": shown.n,
        "last": shown.last,
        "move": shown.ply.move if shown.ply else None,
        "by": seat_name(shown.ply.seat) if shown.ply else None,
        "to_play": None if over else seat_name(at.to_play),
        "sides": {seat: at.side(n) for n, seat in SEATS},
        "board": text(shown.picture),
        "stones": _label_lists(at.stones()),
        "beside": _label_lists(at.beside()),
        "notes": at.notes(),
        "scores": at.scores(),
        "playable": [] if over else at.playable(),
        "state": at.data(),
        "svg": f"{site}/{path}.svg{pin}",
        "url": f"{site}/api/games/{game.id}/positions/{shown.n}",
        "page": f"{site}/{path}",
    }


def _label_lists(lists: Iterable[tuple[str, list[str]]]) -> list[Data]:
    return [{"label": label, "items": items} for label, items in lists]


# Players and standings.


def player(
    who: NamedPlayer, careers: Iterable[Career], away: Vacation | None, now: datetime, site: str
) -> Data:
    """A player's data; `away` is the current or the next vacation."""
    careers = list(careers)
    turns = share_in_time(careers)
    return {
        **player_link(who.id, who.name, site),
        "since": iso(who.since),
        "vacation": {"begins": iso(away.begins), "ends": iso(away.ends)} if away else None,
        "turns": {"with_clock": turns.whole, "in_time": turns.part},
        "results": [{"game": career.rules, **_career(career, now)} for career in careers],
        "games_url": f"{site}/api/games?player={who.name}",
        "page": f"{site}/players/{who.name}",
    }


def player_link(id: int, name: str, site: str) -> Data:
    return {"id": id, "name": name, "url": _player_url(site, id)}


def _career(career: Career, now: datetime) -> Data:
    """Results of a player in one game; unrated players have no `rating`."""
    return {
        "rating": _rating(career, now) if career.rated else None,
        "rated": career.rated,
        "won": career.won,
        "drawn": career.drawn,
        "lost": career.lost,
        "last_rated": iso_or_none(career.standing.at),
    }


def _rating(career: Career, now: datetime) -> Data:
    deviation = career.standing.on(now).deviation
    return {
        "value": round(career.standing.rating.value),
        "deviation": round(deviation),
        "provisional": deviation > MAX_SURE_DEVIATION,
    }


def point(point: Point, site: str) -> Data:
    return {
        "game": point.game,
        "at": iso(point.at),
        "value": round(point.rating.value),
        "deviation": round(point.rating.deviation),
        "url": f"{site}/api/games/{point.game}",
    }


def ranked_players(careers: Iterable[Career], start: int | None, now: datetime, site: str) -> list[Data]:
    """Rows of a table with places from `start` on, None without places."""
    return [
        {
            "place": None if start is None else start + n,
            "player": player_link(career.player, career.name, site),
            **_career(career, now),
        }
        for n, career in enumerate(careers)
    ]


def figures(counted: GameStatistics) -> Data:
    """Statistics of finished games: `lengths` by plies, `months` by end."""
    return {
        "finished": counted.games,
        "results": {word: counted.results.get(word, 0) for word in (*SEAT_NAMES, "draw")},
        "first_seat": {"won": counted.first.part, "of": counted.first.whole},
        "median_plies": median(counted.lengths) if counted.games else None,
        "lengths": [{"plies": n, "games": games} for n, games in sorted(counted.lengths.items())],
        "months": [{"month": month, "games": games} for month, games in sorted(counted.months.items())],
        "openings": [{"move": move, "games": games} for move, games in counted.openings],
    }


# Seeks and rules.


def seek(seek: Seek, mailto: str, site: str) -> Data:
    """A seek; `mailto` is the mail that takes it."""
    return {
        "id": seek.id,
        "game": seek.rules.key,
        "options": dict(seek.options),
        "seeker": player_link(seek.seeker.id, seek.seeker.name, site),
        "seat": seek.seats,
        "rated": seek.rated,
        "pace": str(seek.time_control),
        "soft": seek.soft,
        "since": iso(seek.created_at),
        "until": iso(seek.expires_at),
        "take": mailto,
    }


def rules(rules: Rules, site: str) -> Data:
    """A game on offer with its options; a null `default` means none."""
    usual = rules.complete({})
    return {
        "key": rules.key,
        "name": rules.name,
        "designer": rules.designer,
        "year": rules.year,
        "terms": rules.terms,
        "summary": rules.summary,
        "turn": rules.turn,
        "version": rules.version,
        "swap": rules.pie,
        "options": [_option(option, usual) for option in rules.options],
        **_links(site, f"rules/{rules.key}"),
    }


def _option(option: Option, usual: Mapping[str, Any]) -> Data:
    return {
        "name": option.name,
        "help": option.help,
        "range": option.range,
        "default": usual.get(option.name),
        "depends": callable(option.default) or option.fits is not None,
    }
