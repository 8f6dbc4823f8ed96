"""The command `address`, and its answers.

Every change needs a confirmation by the current address. Only after that a new address gets a letter, with
nothing of the player's in it. No answer reveals if an address belongs to somebody else.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pbem.actions import context, stranger_limits
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.lobby.addresses import address_after_drop, check_can_add_address, check_can_drop_address
from pbem.core.players import Player, same_address
from pbem.mail.inbound.headers import UnsafeSender, plain_address
from pbem.store import engine, locks, players
from pbem.store.players import Confirmation


def _address(request: context.Request) -> list[Letter]:
    ctx, player, change = request.ctx, request.player, request.args["change"]
    if change == "list":
        return [_addresses_letter(ctx, player)]
    address = _parse_address(request.args["address"]) if change != "renew" else ""
    if change == "add":
        check_can_add_address(player, address, ctx.site)
    if change == "drop":
        check_can_drop_address(player, address)
    question = ctx.ask("address", same_address(player.address), {"change": change, "address": address})
    facts = {"change": change, "address": address, "known": address in player.addresses}
    return [Letter("address", player.address, player, question, facts=facts)]


def _parse_address(text: str) -> str:
    try:
        return same_address(plain_address(text))
    except UnsafeSender:
        raise Refusal(f"{text} is no mail address that we could write to.") from None


def _addresses_letter(ctx: context.Context, player: Player, done: str = "", address: str = "") -> Letter:
    now = players.player_by_id(ctx.db, player.id) or player
    return addresses_letter_from(now, players.addresses_of(ctx.db, now), done, address)


def addresses_letter_from(player: Player, addresses: Sequence[str], done: str, address: str = "") -> Letter:
    here = same_address(player.address)
    others = [one for one in addresses if one != here]
    return to_player("addresses", player, here=here, others=others, done=done, changed=address)


def apply_address_change(ctx: context.Context, question: Confirmation, owner: Player) -> list[Letter]:
    change, address = question.data["change"], question.data["address"]
    locks.advisory_lock(ctx.db, f"addresses of {owner.id}")
    owner = players.player_by_id(ctx.db, owner.id) or owner
    if change == "renew":
        players.revoke_addresses(ctx.db, owner)
        return [_addresses_letter(ctx, owner, "renewed")]
    if change == "drop":
        return _drop_address(ctx, owner, address)
    check_can_add_address(owner, address, ctx.site)
    if address in owner.addresses:
        return _move_letters(ctx, owner, address, "moved")
    return [_addresses_letter(ctx, owner, "asked", address), *_ask_new_address(ctx, owner, address)]


def _drop_address(ctx: context.Context, owner: Player, address: str) -> list[Letter]:
    """Drop an address and tell both mailboxes. So nobody loses an address unnoticed."""
    check_can_drop_address(owner, address)
    remaining = address_after_drop(owner, players.addresses_of(ctx.db, owner), address)
    players.set_letter_address(ctx.db, owner, remaining)
    players.drop_address(ctx.db, owner, address)
    told = _addresses_letter(ctx, owner, "dropped", address)
    # the reader of the dropped mailbox must not learn the others, nor get a secret
    facts = {**told.facts, "here": "", "others": []}
    return [told, replace(told, address=address, reply=ReplyTo(), facts=facts)]


def _move_letters(ctx: context.Context, owner: Player, address: str, done: str) -> list[Letter]:
    players.set_letter_address(ctx.db, owner, address)
    told = _addresses_letter(ctx, owner, done, address)
    # the previous mailbox gets no secret
    return [told, replace(told, address=owner.address, reply=ReplyTo())]


def _ask_new_address(ctx: context.Context, owner: Player, address: str) -> list[Letter]:
    locks.advisory_lock(ctx.db, address)
    silent = (
        players.player_by_address(ctx.db, address) is not None
        or ctx.count_letters(address, "newaddress") > 0
        or ctx.count_letters(address) >= ctx.app.config.unproven_per_day
        or not stranger_limits.count_new_address(ctx, owner)
    )
    if silent:
        return []
    question = ctx.ask("newaddress", address, {"player": owner.id, "epoch": owner.epoch})
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
    except (Refusal, engine.Conflict):
        return player, []
    return player, _move_letters(ctx, player, question.address, "added")


def readdress(db: engine.Connection, player: Player, text: str, host: str, now: datetime) -> None:
    """Send the player's letters to an address that the operator vouches for. Raises Refusal."""
    address = _parse_address(text)
    check_can_add_address(player, address, host)
    if address not in player.addresses:
        owner = players.player_by_address(db, address)
        if owner is not None:
            raise Refusal(f"{address} is an address of {owner.name}.")
        players.add_address(db, player, address, now)
    players.set_letter_address(db, player, address)


COMMANDS: context.Handlers = {"address": _address}
