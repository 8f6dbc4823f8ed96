"""The command `suggest`: people about a player's strength who would play."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import islice

from pbem.commands.challenges import could_challenge
from pbem.commands.context import Context, Request, handles
from pbem.core.clock.vacation import vacation_at
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter
from pbem.core.lobby import challenges as lobby_challenges
from pbem.core.lobby.partners import PARTNERS, Partner, nearest_first
from pbem.core.players import Player
from pbem.core.preferences.letter_kinds import CHALLENGES
from pbem.core.ratings.glicko import is_near
from pbem.core.ratings.results import rating_text
from pbem.duties.permissions import check_not_barred, check_own_limits, count_games
from pbem.duties.strength import UNRATED
from pbem.store import challenges, limits, partners, players, rating_queries, vacations
from rules.contract import Rules

LATELY = timedelta(days=14)
"""The time since a player's last move in which they count as active."""


@handles("suggest")
def _suggest(request: Request) -> list[Letter]:
    ctx, player, word = request.ctx, request.player, request.args["game"]
    asked = lobby_challenges.find_rules(word, ctx.app.offered) if word else None
    check_not_barred(player)
    if (room := count_games(ctx.app, ctx.db, player)).full:
        raise Refusal(lobby_challenges.too_many_games_sentence(room))
    if asked is not None:
        check_own_limits(ctx.db, player, asked)
    wanted = [asked] if asked is not None else list(ctx.app.offered.values())
    found = list(islice(_can_be_asked(ctx, player, _near(ctx, player, wanted)), PARTNERS))
    example = asked or next(iter(wanted))
    return request.answer(
        "suggested", partners=found, asked=asked, example=example, bot=bool(ctx.app.config.bots)
    )


def _near(ctx: Context, player: Player, wanted: Sequence[Rules]) -> list[Partner]:
    """Return the people who have moved lately in these games and are near, the nearest first."""
    by_key = {rules.key: rules for rules in wanted}
    moved = partners.last_moves(ctx.db, by_key, ctx.now - LATELY)
    people = players.players_by_ids(ctx.db, {id for id, _ in moved} - {player.id})
    standings = rating_queries.standings_of_players(ctx.db, {player.id, *people})
    found = []
    for (id, key), last in moved.items():
        mine, theirs = (standings.get((who, key), UNRATED) for who in (player.id, id))
        one, other = mine.on(ctx.now), theirs.on(ctx.now)
        if id in people and is_near(one, other):
            rating = rating_text(theirs, ctx.now) if theirs is not UNRATED else ""
            found.append(Partner(people[id], by_key[key], abs(one.value - other.value), last, rating))
    return nearest_first(found)


def _can_be_asked(ctx: Context, player: Player, near: Sequence[Partner]) -> Iterable[Partner]:
    """Yield those who want challenges, are here, and whom the player can challenge now."""
    away = vacations.vacations_of_players(ctx.db, [each.player.id for each in near])
    apart = limits.blocked_player_ids(ctx.db, player)
    waiting = challenges.open_challenges(ctx.db, ctx.app.games_by_key, player, ctx.now)
    asked = {each.id for wish in waiting for each in wish.pair}
    for each in near:
        other = each.player
        if not _wants_challenges(other) or other.id in apart | asked or vacation_at(away[other.id], ctx.now):
            continue
        if not count_games(ctx.app, ctx.db, other).full and could_challenge(ctx, player, other, each.rules):
            yield each


def _wants_challenges(player: Player) -> bool:
    """True for a person whom challenges reach. Who has stopped such letters is not named."""
    absent = player.gone or player.bot or player.program or player.barred or not player.reachable
    return not absent and CHALLENGES.name not in player.stopped
