"""All stored data of a player as one zip file. Mails are in original form, as far as they are stored."""

import json
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from pbem.app import App
from pbem.core.game.fingerprint import iso
from pbem.core.game.preferences import preference_values
from pbem.core.players import Player
from pbem.core.records.files import archive_files
from pbem.keys.record_keys import record_signer
from pbem.resources import find_template
from pbem.store import (
    challenges,
    games,
    inbox,
    limits,
    moderation,
    notes,
    players,
    sessions,
    vacations,
    watches,
)
from pbem.store.engine import Connection

README = "web/takeout.txt"
MAX_BYTES = 30_000_000
"""Maximum bytes of mails, newest first: a limit for browsers."""
MAX_ACTS = 1000
"""Maximum moderation acts about the player, and reports by them, newest first."""


def account_zip(app: App, db: Connection, player: Player) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as zip:
        zip.writestr("README.txt", find_template(README, app.config.templates).read_text(encoding="utf-8"))
        account = json.dumps(_account(app, db, player), ensure_ascii=False, indent=2)
        zip.writestr("account.json", account + "\n")
        sign = record_signer(app.config).sign
        for number in games.list_game_ids(db, player)[::-1]:
            if game := games.load_game(db, app.games_by_key, number):
                own = notes.notes_of_player(db, player, [number])
                for name, text in archive_files(game, player, own, app.config.host, sign):
                    zip.writestr(name, text)
        room = MAX_BYTES
        for mail in inbox.whole_mails_of(db, player):
            room -= len(mail.raw)
            if room < 0:
                break
            zip.writestr(f"mails/{iso(mail.received_at)[:10]}-m{mail.id}.eml", mail.raw)
    return packed.getvalue()


def _account(app: App, db: Connection, player: Player) -> dict[str, Any]:
    now, own = app.now(), limits.limits_of_player(db, player)
    return {
        "name": player.name,
        "number": player.id,
        "registered": iso(player.created_at),
        "letters_go_to": player.address,
        "addresses": players.addresses_of(db, player),
        "settings": dict(preference_values(player)),
        "remind": player.preferences.remind,
        "digest": player.preferences.digest,
        "stopped": sorted(player.stopped),
        "limits": dict(own.limits),
        "blocked": list(own.names),
        "vacations": [
            {"from": iso(each.begins), "to": iso(each.ends), "automatic": each.automatic}
            for each in vacations.vacations_of_players(db, [player.id])[player.id]
        ],
        "seeks": [
            {"number": seek.id, "game": seek.rules.key, "until": iso(seek.expires_at)}
            for seek in challenges.own_seeks(db, app.games_by_key, player, now)
        ],
        "watched": watches.watched_by_player(db, player),
        "barred": player.barred,
        "moderation": [
            {"what": act.kind, "at": iso(act.at), "game": act.game_id, "entry": act.entry, "why": act.reason}
            for act in moderation.latest_acts(db, MAX_ACTS, player)
        ],
        "signed_in_since": [iso(each) for each in sessions.session_starts(db, player, now)],
        "made": iso(now),
    }
