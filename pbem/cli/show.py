"""`pbem games`, `players`, `show`: read-only views for operator and director."""

from datetime import datetime, timedelta
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pbem.cli.common import (
    NUMBER,
    command,
    fail,
    json_option,
    open_or_exit,
    player_or_exit,
    print_json,
    printable_text,
)
from pbem.core.clock.intervals import FOREVER
from pbem.core.game import journal
from pbem.core.game.clock_display import describe_duration
from pbem.core.game.fingerprint import fingerprint, iso
from pbem.core.game.game import Game
from pbem.core.play.director import director_pause, words_said
from pbem.store import games, players
from rules import contract, picture

Row = dict[str, Any]


@command("games")
@click.option("--all", "every", is_flag=True, help="Those that have ended too.")
@click.option("--player", metavar="NAME", help="Those of one player.")
@json_option
def games_command(every: bool, player: str | None, as_json: bool) -> None:
    """List running games, those first that run out of time first.

    Exit code 1 where nobody is called NAME.

    Example:  pbem games --player Bill
    """
    with open_or_exit() as app, app.store.read() as db:
        who = player_or_exit(db, player) if player else None
        loaded = [
            games.load_game(db, app.games_by_key, id) for id in games.list_game_ids(db, who, every=every)
        ]
        rows = [_row(game, app.now()) for game in loaded if game is not None]
    rows.sort(key=lambda row: (row["deadline"] is None, row["deadline"] or "", row["id"]))
    columns = ("id", "game", "first", "second", "ply", "turn", "deadline", "state")
    _print(rows, as_json, columns, "There are no games." if every else "No game is running.")


@command("players")
@json_option
def players_command(as_json: bool) -> None:
    """List players: since when, games running and ended, whether letters arrive.

    Example:  pbem players --json
    """
    with open_or_exit() as app, app.store.read() as db:
        rows = []
        for player in players.list_players(db):
            running, ended = games.count_running(db, player)
            state = "forgotten" if player.gone else "" if player.reachable else "letters come back"
            row = {"id": player.id, "name": player.name, "address": player.address}
            since = iso(player.created_at)
            rows.append({**row, "since": since, "running": running, "ended": ended, "state": state})
    columns = ("id", "name", "address", "since", "running", "ended", "state")
    _print(rows, as_json, columns, "Nobody is registered.")


@command("show")
@click.argument("game", type=NUMBER)
@json_option
def show_command(game: int, as_json: bool) -> None:
    """Show GAME: board, clocks, pause, plies, words, and what a director decided.

    Words have the number of their entry, as `pbem hide` wants it.

    Exit code 1 where there is no such game.

    Example:  pbem show 42
    """
    with open_or_exit() as app:
        with app.store.read() as db:
            found = games.load_game(db, app.games_by_key, game) or fail(f"There is no game {game}.")
        data = _full_game_data(found, app.now(), app.config.host)
    if as_json:
        print_json(data)
    else:
        click.echo(_page(found, data))


def _row(game: Game, now: datetime) -> Row:
    state = game.state
    pause = director_pause(game, now)
    turn, ending = state.to_play, state.ending
    return {
        "id": game.id,
        "game": game.rules.key,
        "first": game.seats[0].name,
        "second": game.seats[1].name,
        "ply": len(state.plies),
        "turn": None if turn is None else game.seats[turn].name,
        "pace": str(game.time_control),
        "deadline": None if game.deadline is None else iso(game.deadline),
        "paused": pause is not None and ending is None,
        "paused_until": None if pause is None or pause[1] == FOREVER else iso(pause[1]),
        "ended": None if ending is None else iso(ending.at),
        "state": ending.reason if ending else "paused" if pause else "out of time" if state.flagged else "",
    }


def _decision_line(decision: Row) -> str:
    by = f" ({decision['by']})" if decision["by"] else ""
    return f"Director{by}, {_moment(decision['at'])}: {decision['what']}"


def _words_line(said: Row) -> str:
    text = " ".join(printable_text(said["words"]).split())
    return f"Entry {said['entry']}, {_moment(said['at'])}, {said['name']}: {text}"


def _full_game_data(game: Game, now: datetime, site: str) -> Row:
    return {
        **_row(game, now),
        "started": iso(game.started_at),
        "rated": game.rated,
        "entries": len(game.journal),
        "left": {contract.SEAT_NAMES[seat]: _seconds_left(game, seat, now) for seat in journal.SEATS},
        "board": picture.text(game.state.picture),
        "fingerprint": fingerprint(game, game.state.plies, site),
        "decisions": [
            {
                "entry": each.n,
                "at": iso(each.at),
                "what": journal.describe_ruling(each),
                "by": each.data.get("by", ""),
            }
            for each in game.state.rulings
        ],
        "words": [
            {
                "entry": entry.n,
                "at": iso(entry.at),
                "name": name,
                "words": text,
                "hidden": bool(entry.data.get("hidden")),
            }
            for entry, name, text in words_said(game)
        ],
        "plies": [
            {
                "n": ply.n,
                "seat": contract.SEAT_NAMES[ply.seat],
                "name": game.name_at(ply.seat, ply.entry),
                "move": ply.move,
                "at": iso(ply.at),
                "auto": ply.auto,
            }
            for ply in game.state.plies
        ],
    }


def _seconds_left(game: Game, seat: contract.Seat, now: datetime) -> int | None:
    if game.time_control.bank is None or game.state.ending is not None:
        return None
    return int(game.clock.left(seat, game.stops, now).total_seconds())


def _page(game: Game, data: Row) -> str:
    lines = [game.title, "", data["board"], ""]
    if data["turn"]:
        until = f", until {_moment(data['deadline'])}" if data["deadline"] else ""
        lines.append(f"Ply {data['ply'] + 1} is {data['turn']}'s{until}.")
    else:
        lines.append(f"Over since {_moment(data['ended'])}: {data['state']}.")
    if data["paused"]:
        end = data["paused_until"]
        lines.append(f"Paused {f'until {_moment(end)}' if end else 'until pbem resume'}.")
    if game.state.flagged:
        lines.append(f"{data['turn']} is out of time; the clock is soft, so the other may claim the game.")
    for seat in journal.SEATS:
        if (left := data["left"][contract.SEAT_NAMES[seat]]) is not None:
            lines.append(f"{game.seats[seat].name} has {describe_duration(timedelta(seconds=left))} left.")
    lines += [f"Pace {data['pace']}, fingerprint {data['fingerprint'][:8]}.", ""]
    for ply in data["plies"]:
        auto = " (auto)" if ply["auto"] else ""
        lines.append(f"{ply['n']:4}  {_moment(ply['at'])}  {ply['name']}: {ply['move']}{auto}")
    if data["words"]:
        lines += ["", *map(_words_line, data["words"])]
    if data["decisions"]:
        lines += ["", *map(_decision_line, data["decisions"])]
    return "\n".join(lines)


def _moment(stored: str) -> str:
    return f"{stored[:10]} {stored[11:16]} UTC"


def _print(rows: list[Row], as_json: bool, columns: tuple[str, ...], none: str) -> None:
    """Print JSON, a table on a terminal, or tab-separated lines. The lines are for `cut` and `awk`."""
    console = Console(highlight=False)
    cells = [["" if row[name] is None else str(row[name]) for name in columns] for row in rows]
    if as_json:
        print_json(rows)
    elif not console.is_terminal:
        for line in cells:
            click.echo("\t".join(line))
    elif rows:
        table = Table(*columns)
        for line in cells:
            table.add_row(*map(Text, line))
        console.print(table)
    else:
        console.print(none)
