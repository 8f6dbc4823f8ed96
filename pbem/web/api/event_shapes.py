"""The JSON of events and papers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.core.events.ladder import Ladder, LadderLine, LadderResult, Pairing
from pbem.core.events.league import EventGame, Settings, division_results, division_table
from pbem.core.events.match import Match, MatchBoard
from pbem.core.events.table import HALVES, Standing
from pbem.core.paper import Mover, ShownLead, ShownLeaders, ShownNewcomer, ShownPaper, ShownUpset, Week
from pbem.core.players import Player
from pbem.web.api.schema import (
    Data,
    array,
    boolean,
    list_page,
    number,
    obj,
    or_null,
    ref,
    shape,
    text,
    words,
)
from pbem.web.api.shapes import GAME, ID, INTEGER, MOMENT, OPTIONS, URL, links, page, player_link, puzzle, url

NUMBER = {"type": "number", "minimum": 0}
STATES = {league.OPEN: "open", league.STARTING: "running", league.RUNNING: "running", league.OVER: "over"}

LISTED: dict[str, Any] = {
    "id": (ID, lambda event: event.id),
    "kind": (words("league"), lambda event: "league"),
    "game": (GAME, lambda event: event.rules),
    "season": (number(least=1), lambda event: event.season),
    "title": (text(), lambda event: event.title),
    "state": (words("open", "running", "over"), lambda event: STATES[event.state]),
    "starts": (MOMENT, lambda event: event.starts),
    "ends": (or_null(MOMENT), lambda event: event.ends_at),
    "divisions": (number("0 before the start."), lambda event: event.divisions),
    **links(lambda event: f"events/{event.id}"),
}
listed_event: Callable[[Event], Data] = shape("ListedEvent", "A season of a league.", **LISTED)
shape("Events", **list_page("events", "ListedEvent"))
terms: Callable[[Settings], Data] = shape(
    "Terms",
    options=(OPTIONS, lambda terms: dict(terms.options)),
    pace=(text("The clock."), lambda terms: terms.pace),
    days=(number("How long a season lasts."), lambda terms: terms.days),
    size=(number("Players of a division, at most."), lambda terms: terms.size),
    at_once=(number("Games of a player at a time, at most."), lambda terms: terms.at_once),
    rated=(boolean(), lambda terms: terms.rated),
    bots=(number("The strongest bot that may take an empty seat, 0 for none."), lambda terms: terms.bots),
)
table_row: Callable[[tuple[str, Standing[int]]], Data] = shape(
    "TableRow",
    "As `pbem standings --json` prints it.",
    player=(text("A player's name."), lambda named: named[0]),
    points=(NUMBER, lambda named: named[1].points),
    sonneborn_berger=(NUMBER, lambda named: named[1].sonneborn_berger),
    direct=(NUMBER, lambda named: named[1].direct),
    wins_second=(number(), lambda named: named[1].wins_second),
)
PAIRING = obj(
    {
        "first": text(),
        "second": text(),
        "score": or_null(words(*HALVES, league.NO_RESULT)),
        "game": or_null(URL),
    },
    help="A score of `void` counts for nobody; null is still to come.",
)
shape(
    "Table",
    "`players` and `results` are what `pbem standings` reads, and `rows` what it then prints.",
    division=number(least=1),
    players=array(text(), "Names, in the order of the start."),
    results=array(array(text()), "First seat, second seat, and 1-0, 0-1, 1/2, + or - (forfeits)."),
    rows=array(ref("TableRow")),
    left=array(text(), "Those who have left the season."),
    games=array(PAIRING),
)
whole_event: Callable[[Event], Data] = shape(
    "Event",
    "",
    **LISTED,
    terms=(ref("Terms"), lambda event: terms(event.settings)),
    entered=number("Players who have joined, before the start."),
    tables=array(ref("Table")),
    records_url=(URL, lambda event: page(f"events/{event.id}/games.games")),
    next=or_null(ref("Url")),
)


def table(
    division: int,
    seats: Sequence[int],
    games: Sequence[EventGame],
    names: Mapping[int, str],
    left: Iterable[int],
) -> Data:
    """Return a division's table with its results. `seats` are in the order of the start."""
    results = [[names[each.first], names[each.second], each.score] for each in division_results(games)]
    return {
        "division": division,
        "players": [names[seat] for seat in seats],
        "results": results,
        "rows": [table_row((names[row.player], row)) for row in division_table(seats, games)],
        "left": [names[each] for each in left],
        "games": [_pairing(game, names) for game in games],
    }


def _pairing(game: EventGame, names: Mapping[int, str]) -> Data:
    place = url(f"games/{game.game}") if game.game else None
    return {"first": names[game.first], "second": names[game.second], "score": game.score, "game": place}


# Ladders and matches.

ladder_place: Callable[[LadderLine], Data] = shape(
    "LadderPlace",
    place=(number(least=1), lambda line: line.place),
    player=(ref("Player"), lambda line: player_link((line.player, line.name))),
)
challenge: Callable[[Pairing[str]], Data] = shape(
    "Challenge",
    "A challenge on a ladder that is not played to its end.",
    challenger=(text("A player's name."), lambda pairing: pairing.lower),
    challenged=(text("A player's name; they have the first seat."), lambda pairing: pairing.upper),
    at=(MOMENT, lambda pairing: pairing.at),
    until=(MOMENT, lambda pairing: pairing.until),
    game=(or_null(URL), lambda pairing: url(f"games/{pairing.game}") if pairing.game else None),
)
ladder_result: Callable[[LadderResult[str]], Data] = shape(
    "LadderResult",
    at=(MOMENT, lambda result: result.at),
    first=(text(), lambda result: result.upper),
    second=(text(), lambda result: result.lower),
    score=(words(*HALVES), lambda result: result.score),
    game=(or_null(URL), lambda result: url(f"games/{result.game}") if result.game else None),
)
whole_ladder: Callable[[Ladder], Data] = shape(
    "Ladder",
    "",
    game=(GAME, lambda ladder: ladder.rules),
    title=(text(), lambda ladder: ladder.title),
    places=(array(ref("LadderPlace")), lambda ladder: [ladder_place(line) for line in ladder.lines]),
    challenges=(array(ref("Challenge")), lambda ladder: [challenge(each) for each in ladder.waiting]),
    results=(
        array(ref("LadderResult"), "The last ones, the newest first."),
        lambda ladder: [ladder_result(each) for each in ladder.results],
    ),
    url=(URL, lambda ladder: url(f"ladders/{ladder.rules}")),
    page=(URL, lambda ladder: page(f"events/{ladder.event}")),
)
MATCH: dict[str, Any] = {
    "id": (ID, lambda event: event.id),
    "game": (GAME, lambda event: event.rules),
    "title": (text(), lambda event: event.title),
    "clubs": (array(text(), "The names of both."), lambda event: [*event.settings.clubs]),
    "state": (words("open", "running", "over"), lambda event: STATES[event.state]),
    "starts": (MOMENT, lambda event: event.starts),
    "url": (URL, lambda event: url(f"matches/{event.id}")),
    "page": (URL, lambda event: page(f"events/{event.id}")),
}
listed_match: Callable[[Event], Data] = shape("ListedMatch", "A match of two clubs.", **MATCH)
shape("Matches", matches=array(ref("ListedMatch"), "The newest first."))
board: Callable[[MatchBoard], Data] = shape(
    "MatchBoard",
    board=(number(least=1), lambda shown: shown.number),
    players=(array(text(), "The players of both clubs, by name."), lambda shown: [*shown.players]),
    points=(array(NUMBER, "Those of both clubs."), lambda shown: [half / 2 for half in shown.halves]),
    games=(
        array(or_null(URL), "First that in which the first club's player has the first seat."),
        lambda shown: [url(f"games/{cell.game}") if cell.game else None for cell in shown.cells],
    ),
    left=(array(text(), "Those who have left the match."), lambda shown: [*shown.left]),
)
_whole_match: Callable[[Event], Data] = shape(
    "Match",
    "",
    **MATCH,
    terms=(ref("Terms"), lambda event: terms(event.settings)),
    members=array(array(text()), "The names in both clubs."),
    points=array(NUMBER, "Those of both clubs."),
    games_left=number("Games without a result."),
    boards=array(ref("MatchBoard")),
    records_url=(URL, lambda event: page(f"events/{event.id}/games.games")),
)


def whole_match(event: Event, shown: Match) -> Data:
    return {
        **_whole_match(event),
        "members": [[*names] for names in shown.members],
        "points": [half / 2 for half in shown.halves],
        "games_left": shown.games_left,
        "boards": [board(each) for each in shown.boards],
    }


# Papers.

PAPER: dict[str, Any] = {
    "week": (text("Its ISO week, as in 2026-47."), lambda week: str(week)),
    "begins": (MOMENT, lambda week: week.begins),
    "ends": (MOMENT, lambda week: week.ends),
    "url": (URL, lambda week: url(f"papers/{week}")),
    "page": (URL, lambda week: page(f"paper/{week}")),
}
listed_paper: Callable[[Week], Data] = shape("ListedPaper", **PAPER)
shape("Papers", **list_page("papers", "ListedPaper"))
CHANCE = or_null(number("In hundredths, as a bot gives them; null where nothing is evaluated.", most=100))
lead: Callable[[ShownLead], Data] = shape(
    "Lead",
    "The game of the week, and the move that changed its chances most.",
    game=(URL, lambda shown: url(f"games/{shown.game.id}")),
    ply=(number("0 before the first."), lambda shown: shown.ply),
    move=(text(), lambda shown: shown.move),
    before=(CHANCE, lambda shown: shown.lead.before if shown.mover else None),
    after=(CHANCE, lambda shown: shown.lead.after if shown.mover else None),
)
mover: Callable[[tuple[Mover, Player]], Data] = shape(
    "Mover",
    "A player whose rating rose.",
    game=(GAME, lambda row: row[0].rules),
    player=(ref("Player"), lambda row: player_link((row[1].id, row[1].name))),
    before=(INTEGER, lambda row: row[0].before),
    after=(INTEGER, lambda row: row[0].after),
    games=(number("Rated games in the week."), lambda row: row[0].games),
    provisional=(boolean(), lambda row: not row[0].sure),
)
upset: Callable[[ShownUpset], Data] = shape(
    "Upset",
    "A rated win against a higher rating.",
    game=(URL, lambda shown: url(f"games/{shown.game.id}")),
    winner=(ref("Player"), lambda shown: player_link((shown.winner.id, shown.winner.name))),
    loser=(ref("Player"), lambda shown: player_link((shown.loser.id, shown.loser.name))),
    winner_rating=(INTEGER, lambda shown: shown.upset.low),
    loser_rating=(INTEGER, lambda shown: shown.upset.high),
)
newcomer: Callable[[ShownNewcomer], Data] = shape(
    "Newcomer",
    player=(ref("Player"), lambda shown: player_link((shown.player.id, shown.player.name))),
    game=(URL, lambda shown: url(f"games/{shown.game}")),
)
leading: Callable[[ShownLeaders], Data] = shape(
    "Leaders",
    "Those who lead the first division of a league.",
    event=(URL, lambda shown: url(f"events/{shown.leaders.event}")),
    title=(text(), lambda shown: shown.title),
    players=(
        array(ref("Player")),
        lambda shown: [player_link((player.id, player.name)) for player in shown.players],
    ),
    points=(NUMBER, lambda shown: shown.leaders.points),
    games=(number("Games of the division."), lambda shown: shown.leaders.games),
    over=(number("Those of them that are over."), lambda shown: shown.leaders.over),
)
whole_paper: Callable[[ShownPaper], Data] = shape(
    "Paper",
    "What the Saturday paper of a week says, as far as it may be told now.",
    **{name: (schema, lambda shown, read=read: read(shown.week)) for name, (schema, read) in PAPER.items()},
    lead=(or_null(ref("Lead")), lambda shown: shown.lead and lead(shown.lead)),
    movers=(array(ref("Mover")), lambda shown: [mover(row) for _, rows in shown.movers for row in rows]),
    upset=(or_null(ref("Upset")), lambda shown: shown.upset and upset(shown.upset)),
    leagues=(array(ref("Leaders")), lambda shown: [leading(each) for each in shown.leagues]),
    puzzle=(or_null(ref("Puzzle")), lambda shown: shown.puzzle and puzzle(shown.puzzle.puzzle)),
    newcomers=(array(ref("Newcomer")), lambda shown: [newcomer(each) for each in shown.newcomers]),
    more_newcomers=(number("Newcomers who are not named."), lambda shown: shown.more),
)
