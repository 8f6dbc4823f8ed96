"""The zone that the Date of a player's mails shows, and the signature that comes each time."""

from dataclasses import replace

from pbem.commands.context import Context, KnownPlayer
from pbem.core.parsing.mail_orders import GameBlock
from pbem.core.parsing.signature import split_signature
from pbem.core.players import Player
from pbem.core.preferences.preferences import BY_MAIL, zone_in_words, zone_of_mail
from pbem.store import locks, players
from pbem.store.zones import set_zone

ZONE = "Times are in {zone} from now on, as your mail says; `set zone` and a city changes that."


def learn_zone(ctx: Context, sender: KnownPlayer) -> str:
    """Keep the zone of a proven mail's Date; returns what to say of it, once."""
    offset = ctx.inbound.utc_offset
    if ctx.as_written or sender.games is not None or not zone_of_mail(sender.player, offset):
        return ""
    player = players.player_by_id(ctx.db, sender.player.id)  # the mail itself may have set a zone
    zone = zone_of_mail(player, offset) if player is not None else ""
    if player is None or not zone:
        return ""
    set_zone(ctx.db, player, zone, ctx.now)
    locks.wake_player_clocks(
        ctx.db, player.id, ctx.now
    )  # reminders, and the weekends of clocks, move with it
    players.set_preference(ctx.db, player, BY_MAIL, True)
    known = player.preferences.more.get(BY_MAIL)
    return "" if known else ZONE.format(zone=zone_in_words(zone))


def without_signature(
    ctx: Context, player: Player, blocks: tuple[GameBlock, ...]
) -> tuple[tuple[GameBlock, ...], str]:
    """Leave out the player's signature, and return it the first time, when it has come twice."""
    words, found = split_signature(blocks[-1].comment) if blocks else ("", "")
    known = player.preferences.more
    if not found or blocks[-1].said:
        return blocks, ""
    if found not in (known.get("signature"), known.get("last_lines")):
        players.set_preference(ctx.db, player, "last_lines", found)
        return blocks, ""
    told = found != known.get("signature")
    if told:
        players.set_preference(ctx.db, player, "signature", found)
    return (*blocks[:-1], replace(blocks[-1], comment=words)), found if told else ""
