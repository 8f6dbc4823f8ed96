"""The JSON of all answers: each member's schema (draft 2020-12) and reader.

An object has no other members, unless it says so. Nothing is public but what the pages show.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from pbem.core.events.event import EventPlace
from pbem.core.exercises.puzzle import Puzzle, PuzzleVerdict
from pbem.core.game.clock_display import ClockDisplay, PlayerClock, clock_display
from pbem.core.game.fingerprint import iso
from pbem.core.game.game import Game
from pbem.core.game.journal import OFFER_LIFETIMES
from pbem.core.game.state import ENDINGS, RESULTS, Offer, result_word
from pbem.core.lobby.challenges import Seek
from pbem.core.players import Player, is_computer_name
from pbem.core.ratings.results import MAX_SURE_DEVIATION
from pbem.core.ratings.statistics import median
from pbem.store.game_lists import ListedGame
from pbem.store.rating_queries import Career, GameStatistics, Point
from pbem.web.api.schema import (
    SHAPES,
    Data,
    Read,
    Schema,
    array,
    boolean,
    by_seat,
    list_page,
    number,
    obj,
    or_null,
    ref,
    shape,
    text,
    words,
)
from pbem.web.filters import mailto
from pbem.web.replay import ReplayedGame
from pbem.web.responses import application
from rules.contract import SEAT_NAMES, Rules, Seat
from rules.option import Option
from rules.picture import text as text_board


def url(path: str) -> str:
    return f"{application().config.site}/api/{path}"


def page(path: str) -> str:
    return f"{application().config.site}/{path}"


def links(path: Callable[[Any], str]) -> dict[str, tuple[Schema, Read[Any]]]:
    return {"url": (URL, lambda thing: url(path(thing))), "page": (URL, lambda thing: page(path(thing)))}


def seat_name(seat: Seat | None) -> str | None:
    return None if seat is None else SEAT_NAMES[seat]


def labelled(lists: Iterable[tuple[str, list[str]]]) -> list[Data]:
    return [{"label": label, "items": items} for label, items in lists]


BOOLEAN, INTEGER, ANY = boolean(), {"type": "integer"}, {"type": "object"}
ID = number("A number for good: it is never given to anything else.", least=1)
MOMENT, URL, SEAT = ref("Moment"), ref("Url"), ref("Seat")
GAME = text("The key of the game that is played, as in /api/rules.")
OPTIONS = {"type": "object", "additionalProperties": {"type": ["string", "integer"]}}
RESULT = words(*RESULTS, "*")
LABELLED = array(obj({"label": text(), "items": array(text())}))
SCORES = {**ANY, "description": "By side, then by what is counted; empty where the game has none."}
PLAYED = {"n": number(least=1), "seat": SEAT, "move": text("Canonical spelling."), "at": MOMENT}
SAID = {"comment": text("Words that came with it."), "auto": BOOLEAN}

SHAPES["Moment"] = {"type": "string", "format": "date-time", "description": "UTC, whole seconds."}
SHAPES["Url"] = {"type": "string", "format": "uri"}
SHAPES["Seat"] = words(*SEAT_NAMES)

player_link: Callable[[tuple[int, str]], Data] = shape(
    "Player",
    "A player's name may go; the number stays.",
    id=(ID, lambda who: who[0]),
    name=(text(), lambda who: who[1]),
    computer=(BOOLEAN, lambda who: is_computer_name(who[1])),
    url=(URL, lambda who: url(f"players/{who[0]}")),
)
shape(
    "Problem",
    "An error, as RFC 9457 has it.",
    ["parameter"],
    type=text(),
    title=text("The name of the status."),
    status={**INTEGER, "minimum": 400, "maximum": 599},
    detail=text("A sentence for whoever asked."),
    parameter=text("Which parameter is wrong, if it is one."),
)

# Games.

listed_game: Callable[[ListedGame], Data] = shape(
    "ListedGame",
    id=(ID, lambda game: game.id),
    game=(GAME, lambda game: game.rules.key),
    players=by_seat(ref("Player"), lambda game, n: player_link((game.ids[n], game.names[n]))),
    plies=(number(), lambda game: game.plies),
    to_play=(or_null(SEAT), lambda game: seat_name(game.to_play)),
    deadline=(or_null(MOMENT), lambda game: game.deadline if game.ended_at is None else None),
    started=(MOMENT, lambda game: game.started_at),
    changed=(MOMENT, lambda game: game.changed_at),
    ended=(or_null(MOMENT), lambda game: game.ended_at),
    ended_by=(or_null(text()), lambda game: game.ended_by),
    result=(RESULT, lambda game: result_word(game.ended_by or "", game.winner) if game.ended_at else "*"),
    reason=(or_null(text("How it ended, in a sentence without its full stop.")), lambda game: game.reason),
    **links(lambda game: f"games/{game.id}"),
)
COUNT = obj({"every": number(), "running": number(), "exact": BOOLEAN}, help="Not exact: at least so many.")
shape("Games", **list_page("games", "ListedGame", count=COUNT, prev=or_null(URL)))
TIMED = {**SAID, "seconds": number("How long it took its player, without stops of the clock.")}
shape("Ply", "`auto`: the server made it, by orders left before.", TIMED, **PLAYED, **TIMED)
shape("TakenBack", "", SAID, **PLAYED, **SAID, taken_back=MOMENT)
shape("Comment", after=number("On which ply."), name=text(), words=text(), at=MOMENT)
shape("Words", after=number("After which ply."), seat=SEAT, words=text(), at=MOMENT)
SHAPES["Ruling"] = {
    **obj({"after": number(), "kind": text(), "at": MOMENT, "reason": text()}),
    "additionalProperties": True,
    "description": "A director's decision.",
}
open_offer: Callable[[tuple[str, Offer]], Data] = shape(
    "Offer",
    "What the seat `by` has offered or asked for, and the other can agree to until then.",
    what=(words(*OFFER_LIFETIMES), lambda each: each[0]),
    by=(SEAT, lambda each: seat_name(each[1].seat)),
    until=(MOMENT, lambda each: each[1].until),
    days=(or_null(number("Of a pause.", least=1)), lambda each: each[1].entry.data.get("days")),
)


def _stop_end(clock: PlayerClock) -> datetime | None:
    """Return a stop's end; None if unknown, as in a director's pause."""
    end = clock.stopped_until
    return end if end is not None and end.year < 9000 else None


player_clock: Callable[[PlayerClock], Data] = shape(
    "Hand",
    left_s=(number("Seconds left at the moment `at`."), lambda clock: int(clock.left.total_seconds())),
    runs=(BOOLEAN, lambda clock: clock.runs),
    stands=(BOOLEAN, lambda clock: clock.stopped_until is not None),
    stands_until=(or_null(MOMENT), _stop_end),
)
CLOCKS = obj({"at": MOMENT, "deadline": or_null(MOMENT), **dict.fromkeys(SEAT_NAMES, ref("Hand"))})


def _clocks(display: ClockDisplay) -> Data:
    deadline = display.deadline and iso(display.deadline)
    clocks = map(player_clock, display.player_clocks)
    return {"at": iso(display.at), "deadline": deadline, **dict(zip(SEAT_NAMES, clocks, strict=True))}


def _game_clock(game: Game) -> Data:
    display = clock_display(game, application().now())
    running = _clocks(display) if display else None
    return {"pace": str(game.time_control), "soft": game.soft, "running": running}


def _seat(game: Game, seat: Seat) -> Data:
    player = game.seats[seat]
    return {**player_link((player.id, player.name)), "side": game.state.position.side(seat)}


place_in_event: Callable[[EventPlace], Data] = shape(
    "PlaceInEvent",
    "The division of an event that a game belongs to.",
    event=(ID, lambda place: place.event.id),
    title=(text(), lambda place: place.title),
    division=(number(least=1), lambda place: place.division),
    url=(URL, lambda place: url(f"events/{place.event.id}")),
    page=(URL, lambda place: page(place.path.removeprefix("/"))),
)
whole_game: Callable[[Game], Data] = shape(
    "Game",
    id=ID,
    game=GAME,
    rules=text("The version of the rules it was begun under."),
    options=OPTIONS,
    seed=or_null(text("Told when the game is over.")),
    site=text("The host that keeps it."),
    players=by_seat(
        obj(
            {
                "id": ID,
                "name": text(),
                "computer": BOOLEAN,
                "side": or_null(text("What the seat plays now.")),
                "url": URL,
            }
        ),
        _seat,
    ),
    rated=BOOLEAN,
    started=MOMENT,
    ended=or_null(MOMENT),
    result=RESULT,
    outcome=or_null(
        obj({"winner": or_null(SEAT), "side": or_null(text()), "how": words(*ENDINGS), "reason": text()})
    ),
    ply=number("Plies made."),
    to_play=or_null(SEAT),
    side_to_play=or_null(text()),
    plies=array(ref("Ply")),
    said=array(ref("Words")),
    comments=array(ref("Comment"), "What anybody wrote on its plies after the end."),
    taken_back=array(ref("TakenBack")),
    director=array(ref("Ruling")),
    offers=(array(ref("Offer")), lambda game: list(map(open_offer, game.state.offers.items()))),
    board=text("The board now, in lines of 7-bit text."),
    playable=array(text(), "Cells that may be played now."),
    scores=SCORES,
    fingerprint={"type": "string", "pattern": "^[0-9a-f]{64}$"},
    clock=(
        obj(
            {
                "pace": text("As in 7d+1d<=14d, 7d+1d weekends, or none."),
                "soft": BOOLEAN,
                "running": or_null(CLOCKS),
            }
        ),
        _game_clock,
    ),
    evaluation=or_null(
        array(
            {"type": "number", "minimum": 0, "maximum": 1},
            "What a bot gave the first player before the first ply and after each, once a finished game is "
            "evaluated: 1 is won, 0 is lost.",
        )
    ),
    event=or_null(ref("PlaceInEvent")),
    plies_url=(URL, lambda game: url(f"games/{game.id}/plies")),
    position_url=(URL, lambda game: url(f"games/{game.id}/positions/{len(game.state.plies)}")),
    **links(lambda game: f"games/{game.id}"),
)
"""What a game's page shows beside its record's data."""
shape("Plies", **list_page("plies", "Ply", game=ID, last=number("Plies made.")))


def _is_over(shown: ReplayedGame) -> bool:
    return shown.at_end and shown.game.state.ending is not None


position: Callable[[ReplayedGame], Data] = shape(
    "Position",
    game=(ID, lambda shown: shown.game.id),
    n=(number("After which ply; 0 is before the first."), lambda shown: shown.n),
    last=(number("Plies made."), lambda shown: shown.last),
    move=(or_null(text()), lambda shown: shown.ply and shown.ply.move),
    by=(or_null(SEAT), lambda shown: shown.ply and SEAT_NAMES[shown.ply.seat]),
    to_play=(or_null(SEAT), lambda shown: None if _is_over(shown) else seat_name(shown.position.to_play)),
    sides=by_seat(or_null(text()), lambda shown, n: shown.position.side(n)),
    board=(text("In lines of 7-bit text."), lambda shown: text_board(shown.shown.picture)),
    stones=(LABELLED, lambda shown: labelled(shown.position.stones())),
    beside=(LABELLED, lambda shown: labelled(shown.position.beside())),
    notes=(array(text()), lambda shown: shown.position.notes()),
    scores=(SCORES, lambda shown: shown.position.scores()),
    playable=(array(text()), lambda shown: [] if _is_over(shown) else shown.position.playable()),
    state=({**ANY, "description": "The position as its game keeps it."}, lambda shown: shown.position.data()),
    svg=URL,
    url=(URL, lambda shown: url(f"games/{shown.game.id}/positions/{shown.n}")),
    page=(URL, lambda shown: page(f"games/{shown.game.id}/{shown.n}")),
)

# Players and standings.


def _deviation(career: Career) -> float:
    return career.standing.on(application().now()).deviation


rating: Callable[[Career], Data] = shape(
    "Rating",
    "Glicko-2; provisional where the deviation is above 110.",
    value=(INTEGER, lambda career: round(career.standing.rating.value)),
    deviation=(number(), lambda career: round(_deviation(career))),
    provisional=(BOOLEAN, lambda career: _deviation(career) > MAX_SURE_DEVIATION),
)
RATED: Mapping[str, tuple[Schema, Read[Career]]] = {
    "rating": (or_null(ref("Rating")), lambda career: rating(career) if career.rated else None),
    "rated": (number("Rated games."), lambda career: career.rated),
    "won": (number(), lambda career: career.won),
    "drawn": (number(), lambda career: career.drawn),
    "lost": (number(), lambda career: career.lost),
    "last_rated": (or_null(MOMENT), lambda career: career.standing.at),
}
result: Callable[[Career], Data] = shape("Result", game=(GAME, lambda career: career.rules), **RATED)
whole_player: Callable[[Player], Data] = shape(
    "WholePlayer",
    id=(ID, lambda who: who.id),
    name=(text(), lambda who: who.name),
    computer=(BOOLEAN, lambda who: bool(who.bot or who.program)),
    since=(MOMENT, lambda who: who.created_at),
    vacation=or_null(obj({"begins": MOMENT, "ends": MOMENT})),
    turns=obj({"with_clock": number(), "in_time": number()}),
    results=array(ref("Result")),
    games_url=(URL, lambda who: url(f"games?player={who.name}")),
    url=(URL, lambda who: url(f"players/{who.id}")),
    page=(URL, lambda who: page(f"players/{who.name}")),
)
shape("Players", **list_page("players", "WholePlayer"))
rating_point: Callable[[Point], Data] = shape(
    "RatingPoint",
    game=(ID, lambda point: point.game),
    at=(MOMENT, lambda point: point.at),
    value=(INTEGER, lambda point: round(point.rating.value)),
    deviation=(number(), lambda point: round(point.rating.deviation)),
    url=(URL, lambda point: url(f"games/{point.game}")),
)
POINTS = array(ref("RatingPoint"), "The newest 300, in order.")
shape("Ratings", player=ref("Player"), game=GAME, points=POINTS)
place: Callable[[Career], Data] = shape(
    "EventPlace",
    place=or_null(number(least=1)),
    player=(ref("Player"), lambda career: player_link((career.player, career.name))),
    **RATED,
)
UNSURE = array(ref("EventPlace"), "The best of those whose rating is not sure; on the first page alone.")
shape("Standings", **list_page("ranked", "EventPlace", game=GAME, provisional=UNSURE))
BEST = obj({"game": GAME, "finished": number(), "best": array(ref("EventPlace")), "url": URL})
shape("AllStandings", standings=array(BEST))


def _games_by(member: Schema, name: str, help: str = "") -> Schema:
    return array(obj({name: member, "games": number(least=1)}), help)


figures: Callable[[GameStatistics], Data] = shape(
    "Figures",
    game=GAME,
    finished=(number(), lambda found: found.games),
    results=(
        obj(dict.fromkeys((*SEAT_NAMES, "draw"), number())),
        lambda found: {word: found.results.get(word, 0) for word in (*SEAT_NAMES, "draw")},
    ),
    first_seat=(
        obj({"won": number(), "of": number("Games that somebody won.")}),
        lambda found: {"won": found.first.part, "of": found.first.whole},
    ),
    median_plies=(or_null(number()), lambda found: median(found.lengths) if found.games else None),
    lengths=(
        _games_by(number(), "plies"),
        lambda found: [{"plies": n, "games": games} for n, games in sorted(found.lengths.items())],
    ),
    months=(
        _games_by(text("As in 2026-03."), "month"),
        lambda found: [{"month": at, "games": games} for at, games in sorted(found.months.items())],
    ),
    openings=(
        _games_by(text(), "move", "First plies, the most played first."),
        lambda found: [{"move": move, "games": games} for move, games in found.openings],
    ),
)

# Seeks and rules.


def _mail_to_take(seek: Seek) -> str:
    return mailto(application().addressing.plain(), subject="Games", body=f"take {seek.id}")


seek: Callable[[Seek], Data] = shape(
    "Seek",
    id=(ID, lambda seek: seek.id),
    game=(GAME, lambda seek: seek.rules.key),
    options=(OPTIONS, lambda seek: dict(seek.options)),
    seeker=(ref("Player"), lambda seek: player_link((seek.seeker.id, seek.seeker.name))),
    seat=(words("first", "second", "random"), lambda seek: seek.seats),
    rated=(BOOLEAN, lambda seek: seek.rated),
    pace=(text(), lambda seek: str(seek.time_control)),
    soft=(BOOLEAN, lambda seek: seek.soft),
    about_strength=(
        boolean("Only players near to the seeker's rating may take it."),
        lambda s: s.near,
    ),
    up_to=(number("Games of it that may run at a time; 0 if it is taken once."), lambda seek: seek.up_to),
    since=(MOMENT, lambda seek: seek.created_at),
    until=(MOMENT, lambda seek: seek.expires_at),
    take=({**SHAPES["Url"], "description": "The mail that takes it (RFC 6068)."}, _mail_to_take),
)
shape("Seeks", **list_page("seeks", "Seek"))
PUZZLE = {
    "id": (ID, lambda puzzle: puzzle.id),
    "game": (GAME, lambda puzzle: puzzle.rules),
    "played_in": (
        or_null({**URL, "description": "Null where bots played the game to find puzzles."}),
        lambda puzzle: url(f"games/{puzzle.game_id}") if puzzle.game_id else None,
    ),
    "ply": (number("After which ply of that game."), lambda puzzle: puzzle.ply),
    "tried": (number("Players who answered; only first answers count."), lambda puzzle: puzzle.tried),
    "solved": (number("Players whose first answer was right."), lambda puzzle: puzzle.solved),
    "found": (MOMENT, lambda puzzle: puzzle.created_at),
    **links(lambda puzzle: f"puzzles/{puzzle.id}"),
}
puzzle: Callable[[Puzzle], Data] = shape("Puzzle", "A position with one winning move.", **PUZZLE)
shape("Puzzles", **list_page("puzzles", "Puzzle"))
verdict: Callable[[tuple[Puzzle, PuzzleVerdict]], Data] = shape(
    "PuzzleVerdict",
    "What is proved about one move.",
    move=(text("The move, in canonical spelling."), lambda told: told[1].move),
    right=(boolean("It wins."), lambda told: told[1].right),
    reply=(or_null(text("An answer after which it does not win.")), lambda told: told[1].reply or None),
    line=(
        or_null(array(text(), "With the right move: the line in which the other side holds out longest.")),
        lambda told: list(told[0].line) if told[1].right else None,
    ),
)
whole_puzzle: Callable[[Puzzle], Data] = shape(
    "WholePuzzle", **PUZZLE, position=ref("Position"), verdict=or_null(ref("PuzzleVerdict"))
)
option: Callable[[Option], Data] = shape(
    "Option",
    name=(text(), lambda option: option.name),
    help=(text(), lambda option: option.help),
    range=(text("What it may be, in words."), lambda option: option.range),
    default={"type": ["string", "integer", "null"]},
    depends=(
        boolean("Whether other options decide what it is or may be."),
        lambda option: callable(option.default) or option.fits is not None,
    ),
)


def _options(rules: Rules) -> list[Data]:
    """The options of a game; a null `default` means none."""
    usual = rules.complete({})
    return [{**option(each), "default": usual.get(each.name)} for each in rules.options]


rules: Callable[[Rules], Data] = shape(
    "Rules",
    "",
    ["text"],
    key=(text(), lambda rules: rules.key),
    name=(text(), lambda rules: rules.name),
    designer=(text(), lambda rules: rules.designer),
    year=(INTEGER, lambda rules: rules.year),
    terms=(text("The designer's terms of use."), lambda rules: rules.terms),
    summary=(text(), lambda rules: rules.summary),
    turn=(text("How a turn is written."), lambda rules: rules.turn),
    version=(text(), lambda rules: rules.version),
    swap=(boolean("Whether there is a swap (pie rule)."), lambda rules: rules.pie),
    options=(array(ref("Option")), _options),
    text=text("The rules in plain words; with one game alone."),
    **links(lambda rules: f"rules/{rules.key}"),
)
shape("AllRules", rules=array(ref("Rules")))
SHAPES["Description"] = {
    "type": "object",
    "description": "An OpenAPI description.",
    "required": ["openapi", "paths"],
}
