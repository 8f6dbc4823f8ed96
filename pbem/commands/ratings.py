"""The commands `rating` and `standings`."""

from pbem.commands import context
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter
from pbem.core.lobby.challenges import find_rules, unknown_player_sentence
from pbem.core.ratings.results import rating_text
from pbem.store import players, rating_queries

PLACES_SHOWN = 20


@context.handles("rating")
def _rating(request: context.Request) -> list[Letter]:
    ctx, name, known = request.ctx, request.args["name"], request.ctx.app.games_by_key
    player = players.player_by_name(ctx.db, name) if name else request.player
    if player is None:
        raise Refusal(unknown_player_sentence(name, players.names_like(ctx.db, name)))
    found = rating_queries.careers(ctx.db, [player.id])[player.id]
    careers = [(known[c.rules].name, c, _career_rating_text(ctx, c)) for c in found if c.rules in known]
    return request.answer(
        "rating",
        name=player.name,
        bot=player.bot,
        mine=player.id == request.player.id,
        since=player.created_at,
        provisional=any(rating.endswith("?") for _, _, rating in careers),
        careers=careers,
        in_time=rating_queries.share_in_time(found),
    )


@context.handles("standings")
def _standings(request: context.Request) -> list[Letter]:
    ctx, offered = request.ctx, request.ctx.app.offered
    if not request.args["game"]:
        return _standings_of_all(request)
    rules = find_rules(request.args["game"], offered)
    best = rating_queries.best_rated(ctx.db, rules.key, ctx.now, PLACES_SHOWN)
    careers = rating_queries.careers(ctx.db, [request.player.id])[request.player.id]
    mine = next((career for career in careers if career.rules == rules.key and career.rated), None)
    figures = rating_queries.game_statistics(ctx.db, rules.key)
    return request.answer(
        "standings",
        rules=rules,
        best=[(place, career, _career_rating_text(ctx, career)) for place, career in enumerate(best, 1)],
        mine=_career_rating_text(ctx, mine) if mine else "",
        place=rating_queries.rank(ctx.db, mine, ctx.now) if mine else None,
        games=figures.games,
        first=figures.first,
    )


def _standings_of_all(request: context.Request) -> list[Letter]:
    """Return each game with its best player and the reader's rating. A best player needs a sure rating."""
    ctx = request.ctx
    careers = {
        each.rules: each for each in rating_queries.careers(ctx.db, [request.player.id])[request.player.id]
    }
    rows = []
    for rules in ctx.app.offered.values():
        best = rating_queries.best_rated(ctx.db, rules.key, ctx.now, 1)
        texts = [_career_rating_text(ctx, career) for career in best]
        mine = careers.get(rules.key)
        own = _career_rating_text(ctx, mine) if mine and mine.rated else ""
        rows.append((rules, best[0].name if best else "", "".join(texts), own))
    return request.answer("standings", rules=None, rows=rows)


def _career_rating_text(ctx: context.Context, career: rating_queries.Career) -> str:
    return rating_text(career.standing, ctx.now) if career.rated else "none"
