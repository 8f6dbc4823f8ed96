"""The command `address` and its answers; limits on letters to unproven addresses.

Every change needs a confirmation by the current address. Only after that a new address gets a letter, with
nothing of the player's in it. No answer reveals if an address belongs to somebody else. The limits are by
the hour: forged mail from one place shuts out nobody from elsewhere.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from math import ceil

from pbem.commands import bars, context
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.lobby.addresses import address_after_drop, check_can_add_address, check_can_drop_address
from pbem.core.players import SPARE, Player, same_address
from pbem.mail.authentication.results import domain_of, organisational_domain
from pbem.mail.inbound.envelope import client_network
from pbem.mail.inbound.headers import UnsafeSender, plain_address
from pbem.store import engine, limits, locks, players
from pbem.store.players import Confirmation

OF_A_NETWORK, OF_A_DOMAIN, OF_A_PLAYER, OF_PROSE = 1 / 6, 1 / 2, 1 / 6, 1 / 2
"""Shares of the limit for unconfirmed addresses."""
AUTHENTICATED_FACTOR = 10
"""The total limit for authenticated senders, in multiples of one domain's limit."""


@context.handles("address")
def _address(request: context.Request) -> list[Letter]:
    ctx, player, change = request.ctx, request.player, request.args["change"]
    if change == "list":
        return [addresses_letter(ctx.db, player)]
    address = _address_meant(player, request.args["address"]) if change != "renew" else ""
    if change in ("add", "spare"):
        check_can_add_address(player, address, ctx.site)
    if change == "drop":
        check_can_drop_address(player, address)
    question = ctx.ask("address", same_address(player.address), {"change": change, "address": address})
    facts = {"change": change, "address": address, "known": address in player.addresses}
    return [Letter("address", player.address, player, question, facts=facts)]


def _address_meant(player: Player, text: str) -> str:
    if text != SPARE:
        return parse_address(text)
    if not player.spare:
        raise Refusal("You have no spare address. `address` shows your addresses.")
    return player.spare


def parse_address(text: str) -> str:
    """Return a typed address for comparison. Raises Refusal where we could not write to it."""
    try:
        return same_address(plain_address(text))
    except UnsafeSender:
        raise Refusal(f"{text} is no mail address that we could write to.") from None


def addresses_letter(db: engine.Connection, player: Player, done: str = "", address: str = "") -> Letter:
    now = players.player_by_id(db, player.id) or player
    here = same_address(now.address)
    others = [one for one in players.addresses_of(db, now) if one not in (here, now.spare)]
    return to_player("addresses", now, here=here, spare=now.spare, others=others, done=done, changed=address)


def apply_address_change(ctx: context.Context, question: Confirmation, owner: Player) -> list[Letter]:
    change, address = question.data["change"], question.data["address"]
    locks.advisory_lock(ctx.db, f"addresses of {owner.id}")
    owner = players.player_by_id(ctx.db, owner.id) or owner
    if change == "renew":
        players.revoke_addresses(ctx.db, owner)
        return [addresses_letter(ctx.db, owner, "renewed")]
    if change == "drop":
        return _drop_address(ctx, owner, address)
    check_can_add_address(owner, address, ctx.site)
    if address in owner.addresses:
        return _use_address(ctx, owner, address, change, "moved")
    done = "askedspare" if change == SPARE else "asked"
    return [addresses_letter(ctx.db, owner, done, address), *_ask_new_address(ctx, owner, address, change)]


def _drop_address(ctx: context.Context, owner: Player, address: str) -> list[Letter]:
    """Drop an address and tell both mailboxes. So nobody loses an address unnoticed."""
    check_can_drop_address(owner, address)
    remaining = address_after_drop(owner, players.addresses_of(ctx.db, owner), address)
    players.set_letter_address(ctx.db, owner, remaining)
    players.drop_address(ctx.db, owner, address)
    told = addresses_letter(ctx.db, owner, "dropped", address)
    # the reader of the dropped mailbox must not learn the others, nor get a secret
    return [told, replace(told.telling(here="", spare="", others=[]), address=address, reply=ReplyTo())]


def _use_address(ctx: context.Context, owner: Player, address: str, change: str, done: str) -> list[Letter]:
    """Have letters go to a proven address, or make it the spare one. Both mailboxes are told."""
    if change == SPARE:
        players.set_preference(ctx.db, owner, SPARE, address)
        told, other = addresses_letter(ctx.db, owner, SPARE, address), address
    else:
        players.set_letter_address(ctx.db, owner, address)
        told, other = addresses_letter(ctx.db, owner, done, address), owner.address
    # the other mailbox gets no secret
    return [told, replace(told, address=other, reply=ReplyTo())]


def _ask_new_address(ctx: context.Context, owner: Player, address: str, change: str) -> list[Letter]:
    locks.advisory_lock(ctx.db, address)
    most = ctx.app.config.confirmations_per_hour
    silent = (
        players.player_by_address(ctx.db, address) is not None
        or ctx.count_letters(address, "newaddress") > 0
        or ctx.count_letters(address) >= ctx.app.config.unproven_per_day
        or not _count_all(ctx, [(f"player {owner.id}", ceil(most * OF_A_PLAYER)), ("addresses", most)])
    )
    if silent:
        return []
    asked = {"player": owner.id, "epoch": owner.epoch, "change": change}
    question = ctx.ask("newaddress", address, asked)
    return [Letter("newaddress", address, None, question)]


def add_confirmed_address(ctx: context.Context, question: Confirmation) -> tuple[Player | None, list[Letter]]:
    player = players.player_by_id(ctx.db, question.data["player"])
    if player is None or player.epoch != question.data["epoch"]:
        return player, []
    locks.advisory_lock(ctx.db, f"addresses of {player.id}")
    player = players.player_by_id(ctx.db, player.id) or player
    try:
        check_can_add_address(player, question.address, ctx.site)
        with ctx.db.begin_nested():
            players.add_address(ctx.db, player, question.address, ctx.now)
            player = bars.bar_again(ctx.app, ctx.db, player, question.address, ctx.now)
    except (Refusal, engine.Conflict):
        return player, []
    change = question.data.get("change", "add")
    return player, _use_address(ctx, player, question.address, change, "added")


def readdress(db: engine.Connection, player: Player, text: str, host: str, now: datetime) -> None:
    """Send the player's letters to an address that the operator vouches for. Raises Refusal."""
    address = parse_address(text)
    check_can_add_address(player, address, host)
    if address not in player.addresses:
        owner = players.player_by_address(db, address)
        if owner is not None:
            raise Refusal(f"{address} is an address of {owner.name}.")
        players.add_address(db, player, address, now)
    players.set_letter_address(db, player, address)


def count_stranger(ctx: context.Context, address: str, *, proven: bool, orders: bool) -> bool:
    """Count one more stranger; True if they may be written to. Mails without `orders` have a half of it."""
    most, domain = ctx.app.config.confirmations_per_hour, organisational_domain(domain_of(address))
    if proven:
        every, all_of_them = f"proven {domain}", most * AUTHENTICATED_FACTOR
        return _count_all(ctx, [(every, most), *_whole("proven", all_of_them, orders=orders)])
    network = client_network(ctx.inbound.received, ctx.app.config.authserv_hops)
    shares = [(f"network {network}", ceil(most * OF_A_NETWORK))] if network else []
    shares.append((f"domain {domain}", ceil(most * OF_A_DOMAIN)))
    return _count_all(ctx, [*shares, *_whole("all", most, orders=orders)])


def _whole(whose: str, most: int, *, orders: bool) -> list[tuple[str, int]]:
    """The ration of all strangers together. Advertisements cannot use up what newcomers need."""
    half = [] if orders else [(f"{whose} without orders", ceil(most * OF_PROSE))]
    return [*half, (whose, most)]


def _count_all(ctx: context.Context, rations: Sequence[tuple[str, int]]) -> bool:
    """Count one more of each, up to the first limit exceeded."""
    hashed = ((sha256(whose.encode("utf-8", "replace")).hexdigest(), most) for whose, most in rations)
    return all(
        limits.count_attempt(ctx.db, f"stranger:{key[:40]}", ctx.now, context.HOUR) <= most
        for key, most in hashed
    )
