"""Hourly limits on letters to strangers: forged mail from one place shuts out nobody from elsewhere."""

from collections.abc import Sequence
from hashlib import sha256
from math import ceil

from pbem.actions.context import HOUR, Context
from pbem.core.players import Player
from pbem.mail.authentication.results import domain_of, organisational_domain
from pbem.mail.inbound.envelope import client_network
from pbem.store import rate_limits

OF_A_NETWORK, OF_A_DOMAIN, OF_A_PLAYER = 1 / 6, 1 / 2, 1 / 6
"""Shares of the limit for unconfirmed addresses."""
AUTHENTICATED_FACTOR = 10
"""The total limit for authenticated senders, in multiples of one domain's limit."""


def count_stranger(ctx: Context, address: str, *, proven: bool) -> bool:
    """Count one more stranger; True if they may be written to."""
    most, domain = ctx.app.config.confirmations_per_hour, organisational_domain(domain_of(address))
    if proven:
        return _count_all(ctx, [(f"proven {domain}", most), ("proven", most * AUTHENTICATED_FACTOR)])
    network = client_network(ctx.inbound.received, ctx.app.config.authserv_hops)
    shares = [(f"network {network}", ceil(most * OF_A_NETWORK))] if network else []
    return _count_all(ctx, [*shares, (f"domain {domain}", ceil(most * OF_A_DOMAIN)), ("all", most)])


def count_new_address(ctx: Context, player: Player) -> bool:
    most = ctx.app.config.confirmations_per_hour
    return _count_all(ctx, [(f"player {player.id}", ceil(most * OF_A_PLAYER)), ("addresses", most)])


def _count_all(ctx: Context, rations: Sequence[tuple[str, int]]) -> bool:
    """Count one more of each, up to the first limit exceeded."""
    hashed = ((sha256(whose.encode("utf-8", "replace")).hexdigest(), most) for whose, most in rations)
    return all(
        rate_limits.count_attempt(ctx.db, f"stranger:{key[:40]}", ctx.now, HOUR) <= most
        for key, most in hashed
    )
