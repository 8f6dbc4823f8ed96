"""A player's own data as files. The command `export` sends games; the page gives a zip file with all."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from pbem.app import App
from pbem.commands import context, which_game
from pbem.core.errors import Refusal
from pbem.core.game.fingerprint import iso
from pbem.core.game.game import Game
from pbem.core.letters.letter import Letter
from pbem.core.players import Player
from pbem.core.preferences.preferences import preference_values
from pbem.core.records.files import MAX_GAMES, archive_files, export_files
from pbem.keys.record_keys import record_signer
from pbem.resources import find_template
from pbem.store import (
    challenges,
    clubs,
    games,
    guesses,
    inbox,
    limits,
    moderation,
    notes,
    players,
    remarks,
    sessions,
    vacations,
    watched_leagues,
    watches,
    zones,
)
from pbem.store.engine import Connection

README = "web/takeout.txt"
MAX_BYTES = 30_000_000
"""Maximum bytes of mails, newest first: a limit for browsers."""
SLICE = 50
"""Mails read at a time."""
MAX_NUMBER = 2**62
"""Above the number of any mail."""
MAX_ACTS = 1000
"""Maximum moderation acts about the player, and reports by them, newest first."""


@context.handles("export")
def _export(request: context.Request) -> list[Letter]:
    ctx, format = request.ctx, request.args["format"]
    number = None if request.args["every"] else which_game.number_to_look_at(request)
    found, count_all = _newest_games(request) if number is None else (_single_game(request, number), 1)
    own = notes.notes_of_player(ctx.db, request.player, [game.id for game in found])
    attached, count = export_files(found, own, ctx.site, format, record_signer(ctx.app.config).sign)
    shown = [(game.id, game.title) for game in found[:count]]
    noted = sum(note.game in dict(shown) for note in own)
    letters = request.answer("export", shown=shown, noted=noted, left_out=count_all - count, format=format)
    return [replace(letter, attached=attached) for letter in letters]


def _single_game(request: context.Request, number: int) -> Sequence[Game]:
    game = request.ctx.existing_game(number)
    if game.seat_of(request.player) is None:
        site = request.ctx.app.config.site
        raise Refusal(
            f"You do not play in game {number}, and an export is of your own games; anybody finds its record "
            f"at {site}/games/{number}.game"
        )
    return [game]


def _newest_games(request: context.Request) -> tuple[Sequence[Game], int]:
    """Return the newest games and the count of all. Games without installed rules are left out."""
    ctx = request.ctx
    numbers = games.list_game_ids(ctx.db, request.player)[::-1]
    newest = numbers[:MAX_GAMES]
    loaded = (ctx.games.get(id) or games.load_game(ctx.db, ctx.app.games_by_key, id) for id in newest)
    found = [game for game in loaded if game is not None]
    return found, len(numbers) - len(newest) + len(found)


def account_zip(app: App, player: Player) -> bytes:
    """All stored data of a player as a zip file. Mails are in original form, as far as they are stored."""
    packed, room = BytesIO(), MAX_BYTES
    with ZipFile(packed, "w", ZIP_DEFLATED) as zip:
        with app.store.read() as db:
            _write_account(zip, app, db, player)
        for mail in _mails_of(app, player):
            room -= len(mail.raw)
            if room < 0:
                break
            zip.writestr(f"mails/{iso(mail.received_at)[:10]}-m{mail.id}.eml", mail.raw)
    return packed.getvalue()


def _mails_of(app: App, player: Player) -> Iterator[inbox.StoredMail]:
    """Yield the player's mails, newest first, with a transaction for each slice."""
    before = MAX_NUMBER
    while True:
        with app.store.read() as db:
            mails = inbox.kept_mails_of(db, player, before, SLICE)
        if not mails:
            return
        yield from mails
        before = mails[-1].id


def _write_account(zip: ZipFile, app: App, db: Connection, player: Player) -> None:
    """Write all but the mails."""
    zip.writestr("README.txt", find_template(README, app.config.templates).read_text(encoding="utf-8"))
    account = json.dumps(_account(app, db, player), ensure_ascii=False, indent=2)
    zip.writestr("account.json", account + "\n")
    sign = record_signer(app.config).sign
    for number in games.list_game_ids(db, player)[::-1]:
        if game := games.load_game(db, app.games_by_key, number):
            own = notes.notes_of_player(db, player, [number])
            for name, text in archive_files(game, player, own, app.config.host, sign):
                zip.writestr(name, text)


def _account(app: App, db: Connection, player: Player) -> dict[str, Any]:
    now, own = app.now(), limits.limits_of_player(db, player)
    return {
        "name": player.name,
        "number": player.id,
        "registered": iso(player.created_at),
        "letters_go_to": player.address,
        "spare_address": player.spare,
        "addresses": players.addresses_of(db, player),
        "settings": dict(preference_values(player)),
        "remind": player.preferences.remind,
        "digest": player.preferences.digest,
        "stopped": sorted(player.stopped),
        "limits": dict(own.limits),
        "blocked": list(own.blocked_names),
        "vacations": [
            {"from": iso(each.begins), "to": iso(each.ends), "automatic": each.automatic}
            for each in vacations.vacations_of_players(db, [player.id])[player.id]
        ],
        "zones_before": [
            {"zone": zone, "until": iso(until)}
            for until, zone in zones.zones_of_players(db, [player.id])[player.id][:-1]
        ],
        "seeks": [
            {"number": seek.id, "game": seek.rules.key, "until": iso(seek.expires_at)}
            for seek in challenges.own_seeks(db, app.games_by_key, player, now)
        ],
        "watched": watches.watched_by_player(db, player),
        "guesses": [
            {"game": each.game_id, "ply": each.ply, "move": each.move, "right": each.right, "at": iso(at)}
            for each, at in guesses.all_guesses_of(db, player)
        ],
        "comments": [
            {"game": game, "ply": each.data["ply"], "words": each.data["words"], "at": iso(each.at)}
            for game, each in remarks.comments_of_player(db, player)
        ],
        "watched_leagues": watched_leagues.leagues_watched_by(db, player),
        "watched_players": [other.name for other in watches.players_watched_by(db, player)],
        "clubs": [each.name for each in clubs.clubs_of_player(db, player.id)],
        "barred": player.barred,
        "moderation": [
            {"what": act.kind, "at": iso(act.at), "game": act.game_id, "entry": act.entry, "why": act.reason}
            for act in moderation.latest_acts(db, MAX_ACTS, player)
        ],
        "signed_in_since": [iso(each) for each in sessions.session_starts(db, player, now)],
        "made": iso(now),
    }
