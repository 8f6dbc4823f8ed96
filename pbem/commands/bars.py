"""Bars of addresses, which outlive `forget me`. Only digests are kept, keyed with the server's secret."""

import hmac
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from pbem.app import App
from pbem.core.players import Player, same_address
from pbem.store import bars, moderation
from pbem.store.engine import Connection

KEPT = "This address was barred before"
"""The reason for a bar whose own reason was forgotten with its player."""


def _digests(app: App, address: str) -> list[str]:
    """The digests of an address, the one of the newest secret first."""
    words = b"bar: " + same_address(address).encode("utf-8", "replace")
    return [hmac.new(key, words, sha256).hexdigest() for key in app.addressing.keys]


def keep_bar(app: App, db: Connection, player: Player, now: datetime) -> None:
    """Keep the bar of all addresses of a barred player."""
    for address in player.addresses:
        bars.keep_bar(db, _digests(app, address)[0], now)


def bar_again(app: App, db: Connection, player: Player, address: str, now: datetime) -> Player:
    """Bar a player whose newly proven address was barred; returns the player."""
    player = replace(player, addresses=player.addresses | {same_address(address)})
    if not player.barred and bars.is_kept(db, _digests(app, address)):
        moderation.bar_player(db, player, KEPT)
        player = replace(player, barred=KEPT)
    if player.barred:
        keep_bar(app, db, player, now)
    return player


def lift_bar(app: App, db: Connection, player: Player) -> None:
    """Forget the bar of all addresses of a player."""
    bars.drop_bars(db, [digest for each in player.addresses for digest in _digests(app, each)])
