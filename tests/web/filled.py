"""A server with games in every state, and examples of every page.

It has seeks, letters and mail too. It runs in development mode with a mailroom, so a browser can open every
page; `in_public` gives the same as a public server.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import sin
from pathlib import Path
from urllib.parse import urlencode

from flask import Flask
from flask.testing import FlaskClient

from pbem.app import App
from pbem.commands.directing import Decide
from pbem.core.clock.time_control import read_pace
from pbem.core.clock.vacation import Vacation
from pbem.core.exercises.analysis import ANALYSIS, analysis_key
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import (
    ASK_PAUSE,
    FLAG,
    GIVE,
    OFFER,
    PAUSE,
    PLY,
    PROVED,
    SAY,
    TAKEBACK,
    TAKEBACK_OFFER,
    TIMEOUT,
    Entry,
)
from pbem.core.game.state import board_states
from pbem.core.lobby.challenges import Seek, opening_entry
from pbem.core.lobby.invitations import Invitation
from pbem.core.paper import last_week
from pbem.core.play import director
from pbem.core.players import Player
from pbem.core.records.proof_walk import walk_proof
from pbem.core.records.study import open_study, pack, say_of_move, study_path, try_move
from pbem.duties.paper import make_issue
from pbem.duties.reminders import feed_address
from pbem.duties.signin import send_links
from pbem.inbox.director import decide_as_director
from pbem.inbox.process import work_through
from pbem.mail.addresses import Token
from pbem.mail.person.mailbox import new_mail
from pbem.store import (
    bot_jobs,
    challenges,
    clubs,
    games,
    guesses,
    invitations,
    moments,
    players,
    puzzles,
    vacations,
)
from pbem.web import create_app
from rules import RULES
from rules.search.proof import write_proof
from rules.search.prove import prove_win
from tests.apps import JOAO, add_game, last_letter, mail, player, register
from tests.people import NOON
from tests.web.events import fill_events
from tests.web.gallery import example, stored
from tests.web.library import PUBLIC, a_short_game, add, open_again, open_library, play, the_seeds_game
from tests.web.puzzle_boards import add_puzzle_game, stored_puzzles
from tests.web.signing_in import LINK, mark

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
NOW = NOON + 30 * DAY
"""The server's time."""

TALK = {
    1: "Good luck!\n\nI have played this once before, and lost.",
    4: "Quick & bold! Compare https://example.org/bipod.",
    7: "Enough.",
}
WHY = "A mail was lost on our side; nobody is to blame."
MIDDLES = {"bagel": 12, "begird": 21, "bipod": 9, "bounders": 33, "hexthing": 40}
"""Plies played in games 8 to 12, one of each kind that has a number here. Other kinds come last."""

REFUSED = {
    "/nowhere": 404,
    "/games/999": 404,
    "/games/1/999": 404,
    "/players/Nobody": 404,
    "/games/8/guess": 404,
    "/games/8/compose": 403,
    "/games/8/compose/not-a-link": 404,
    "/settings/in/no-such-link": 410,
    "/unsubscribe/not-a-link": 404,
    "/join/not-a-link": 404,
    "/mailroom/letters/999": 404,
}
"""Pages that refuse, with their status."""

KINDS = tuple(RULES)


@dataclass(frozen=True)
class House:
    """The app context, its pages, a signed-in client, and all addresses."""

    app: App
    flask_app: Flask
    examples: Mapping[str, Sequence[str]]
    """Addresses by route, spelled as in the app's URL map."""

    @property
    def paths(self) -> list[str]:
        """Every address that can be opened, each once."""
        return list(dict.fromkeys(path for paths in self.examples.values() for path in paths))

    def client(self) -> FlaskClient:
        """A signed-in client."""
        client = self.flask_app.test_client()
        sign_in(self.app, client)
        return client


def fill(folder: Path, url: str) -> House:
    app = open_library(folder, url, PBEM_OPERATOR="postmaster@localhost")
    _finished(app)
    _judged(app)
    _running(app)
    _in_trouble(app)
    proved = proved_game(app)
    _people(app)
    _guessed(app)
    fill_events(app, (player(app, "Bill").id, player(app, "Joao").id), tuple(range(1, 16)))
    puzzles_of_game = _puzzle_game(app)
    paper_pages = _paper(app)
    flask_app = create_app(app)
    _by_mail(app)
    examples = _examples(app, flask_app) | _of_proofs(proved) | puzzles_of_game | paper_pages
    return House(app, flask_app, examples)


def in_public(folder: Path, url: str) -> App:
    """The same as a public server, with an undo window."""
    return open_again(folder, url, **(PUBLIC | {"PBEM_UNDO_MINUTES": "5"}))


# Games.


def _finished(app: App) -> None:
    """Games 1 to 7: each kind, and two Bipods, one timed out."""
    the_seeds_game(app, TALK, said="Are you sure?\n\nThink twice.")
    for key in MIDDLES:
        if key != "bipod":
            stored(app, key)
    a_short_game(app)
    late = play(app, begun(app, "bipod", pace="1d/move"), ["f2", "g3"])
    add(app, late, TIMEOUT, 0, {"flag": (NOON + 2 * DAY).isoformat()})


def _judged(app: App) -> None:
    """The evaluation of game 1, and three moments of it for Joao, the first of them answered."""
    with app.store.write() as db:
        game = games.load_game(db, app.games_by_key, 1)
        assert game is not None
        states, joao = board_states(game.state), player(app, "Joao")
        values = [round(0.5 + 0.4 * sin(n / 2.5), 3) for n in range(len(states))]
        bot_jobs.add_job(db, ANALYSIS, analysis_key(game), {}, NOW)
        job = bot_jobs.claim_job(db, NOW, NOW + HOUR, [ANALYSIS])
        assert job and bot_jobs.finish_job(db, job, {"values": values})
        own = [ply for ply in game.state.plies if game.seats[ply.seat] == joao][:3]
        chances = ({"value": 0.61, "after": 0.24, "proved": False, "expected": ""} for _ in own)
        best = (states[ply.n - 1].position.examples()[0] for ply in own)
        kept = [
            {"ply": ply.n, "played": ply.move, "best": move, **judged}
            for ply, move, judged in zip(own, best, chances, strict=True)
        ]
        number = moments.add_moments(db, joao, 1, kept, NOW)
        moments.store_answers(db, number, {"1": own[0].move})


def _running(app: App) -> None:
    """Games 8 to 13: each kind in the middle, one without plies."""
    for key, plies in MIDDLES.items():
        write(app, begun(app, key), example(key).moves[:plies], NOW - 2 * DAY)
    begun(app, "bipod", first="Anna", pace="7d+12h<=10d")


def proved_game(app: App) -> Game:
    """A small Begird, ended by a proof."""
    rules, at = RULES["begird"], NOW - 6 * DAY
    options = rules.complete({"islands": "3", "side": "4"})
    with app.store.write() as db:
        seats = player(app, "Bill"), player(app, "Joao")
        game = add_game(db, rules, options, 0, seats, False, at)
        game = game.with_entries([opening_entry(game)])
        games.append_entries(db, game, fold(game), [opening_entry(game)])
    game = write(app, game, ["c2", "a1"], NOW - 4 * DAY)
    proof = prove_win(game.state.position, 0, 200_000)
    assert proof is not None
    return add_at(app, game, PROVED, 0, {"proof": write_proof(proof)}, NOW - 3 * DAY)


def _in_trouble(app: App) -> None:
    """Games 14 to 20, each in a special state.

    In order: soft flag, pause, takeback, rollback, director's pause, draw offer, takeback offer.
    """
    soft = write(app, begun(app, "bipod", pace="3d/move", soft=True), ["f2 f4", "g3"], NOW - 5 * DAY)
    add_at(app, soft, FLAG, 0, {"flag": (NOW - DAY).isoformat()}, NOW - DAY)
    still = write(app, begun(app, "begird"), ["q14"], NOW - 2 * DAY)
    still = add_at(app, still, ASK_PAUSE, 0, {"days": 10}, NOW - DAY)
    add_at(app, still, PAUSE, 1, {"until": (NOW + 9 * DAY).isoformat()}, NOW - DAY)
    back = write(app, begun(app, "bipod"), ["f2 f4", "g3", "k3"], NOW - 2 * DAY)
    back = add_at(app, back, TAKEBACK_OFFER, 0, {"to": 4}, NOW - DAY)
    add_at(app, back, TAKEBACK, 1, {"to": 4}, NOW - DAY)
    rolled = write(app, begun(app, "bounders"), example("bounders").moves[:6], NOW - 2 * DAY)
    decide(app, rolled, lambda game, now: director.rollback(game, 4, WHY, now))
    halted = write(app, begun(app, "hexthing"), example("hexthing").moves[:9], NOW - 2 * DAY)
    decide(app, halted, lambda game, now: director.extend(game, 36 * HOUR, None, WHY, now))
    decide(app, halted, lambda game, now: director.stop_clocks(game, None, WHY, now))
    drawish = write(app, begun(app, "bagel", first="Anna"), example("bagel").moves[:5], NOW - 2 * DAY)
    drawish = add_at(app, drawish, GIVE, 0, {"seconds": 86400}, NOW - DAY)
    add_at(app, drawish, OFFER, 0, {}, NOW - DAY)
    asked = write(app, begun(app, "bipod", first="Anna"), ["f2 f4", "g3"], NOW - 2 * DAY)
    asked = add_at(app, asked, SAY, 0, {"words": "I meant f6, sorry."}, NOW - DAY)
    add_at(app, asked, TAKEBACK_OFFER, 0, {"to": 2}, NOW - DAY)


def begun(
    app: App,
    key: str,
    first: str = "Bill",
    second: str = "Joao",
    pace: str = "7d+1d<=14d",
    soft: bool = False,
) -> Game:
    """A game with the example's options, without a ply."""
    rules, at = RULES[key], NOW - 6 * DAY
    options = rules.complete(example(key).position.options)
    seats = player(app, first), player(app, second)
    with app.store.write() as db:
        game = add_game(db, rules, options, 0, seats, True, at, read_pace(pace), soft)
        game = game.with_entries([opening_entry(game)])
        games.append_entries(db, game, fold(game), [opening_entry(game)])
    return game


def write(app: App, game: Game, moves: Sequence[str], last: object) -> Game:
    """Play the plies, one an hour until `last`."""
    for left, text in zip(range(len(moves), 0, -1), moves, strict=True):
        position = game.state.position
        game = add_at(app, game, PLY, position.to_play, {"move": text}, last - left * HOUR)  # type: ignore[operator]
    return game


def add_at(app: App, game: Game, kind: str, seat: int | None, data: dict[str, object], at: object) -> Game:
    entry = Entry(len(game.journal) + 1, at, kind, seat, data)  # type: ignore[arg-type]
    after = game.with_entries([entry])
    with app.store.write() as db:
        games.append_entries(db, game, fold(after), [entry])
    return after


def decide(app: App, game: Game, decider: Decide) -> None:
    decide_as_director(app, game.id, decider)


def _puzzle_game(app: App) -> dict[str, list[str]]:
    """A game with puzzles, one of them tried by Joao; returns addresses of its pages, by route."""
    add_puzzle_game(app)
    tried, fresh = stored_puzzles(app)
    wrong = next(iter(tried.replies))
    with app.store.write() as db:
        puzzles.store_answer(db, tried.id, player(app, "Joao"), wrong, NOW, right=False)
    queries = ("", "?move=c1", "?move=zz9", f"?tried={wrong}", f"?tried={tried.answer}", "?answer=shown")
    return {
        "/puzzles": ["/puzzles", "/puzzles?game=begird", "/puzzles?game=bipod"],
        "/puzzles/<int(max=999999999999):id>": [
            *(f"/puzzles/{tried.id}{each}" for each in queries),
            f"/puzzles/{fresh.id}",
        ],
        "/puzzles/feed": ["/puzzles/feed"],
        "/api/puzzles": ["/api/puzzles"],
        "/api/puzzles/<puzzle>": [f"/api/puzzles/{tried.id}", f"/api/puzzles/{tried.id}?move={wrong}"],
    }


def _paper(app: App) -> dict[str, list[str]]:
    """The Saturday paper of the week of the games; returns addresses of its pages, by route."""
    week = last_week(NOON + timedelta(weeks=1))
    make_issue(app, week)
    route = "/paper/<int(fixed_digits=4):year>-<int(max=53):number>"
    return {"/paper": ["/paper"], route: [f"/paper/{week}"], "/paper/feed": ["/paper/feed"]}


# People, their preferences and their mail.


def _people(app: App) -> None:
    with app.store.write() as db:
        players.add_player(db, "Wolfeschlegelstein-1", "long@example.org", NOW - 3 * DAY)
        vacations.store_vacation(db, player(app, "Anna").id, Vacation(NOW - DAY, NOW + 6 * DAY))
    for name, key in (("Anna", "begird"), ("Bill", "bipod"), ("Joao", "hexthing")):
        rules = RULES[key]
        wish = Seek(
            0,
            player(app, name),
            rules,
            rules.complete({}),
            "first",
            key == "bipod",
            NOW - 3 * DAY,
            NOW + 11 * DAY,
            read_pace("3d/move"),
        )
        with app.store.write() as db:
            challenges.add_challenge(db, wish)


def _guessed(app: App) -> None:
    """Game 22, at whose moves Joao guesses: one was right, one is sealed."""
    game, joao = begun(app, "bipod", second="Anna", pace="none"), player(app, "Joao")
    with app.store.write() as db:
        guesses.store_guess(db, joao, game, 1, "f2", NOW - DAY)
    game = play(app, game, ["f2"])
    with app.store.write() as db:
        guesses.store_guess(db, joao, game, 2, "g3", NOW - DAY)


def _by_mail(app: App) -> None:
    """Send mails of a newcomer, a stranger and a typing error."""
    register(app, "carl@example.org", "Carl")
    for sender, words in (
        ("eve@example.org", "<script>alert(1)</script> Buy now!"),
        ("bill@example.org", "help"),
    ):
        mail(app, sender, new_mail(sender, "play@localhost", words))


def sign_in(app: App, client: FlaskClient) -> None:
    """Sign Bill in by the link of a letter."""
    link = settings_link(app, client)
    assert 303 == client.post(link, data={"mark": mark(client.get(link).text)}).status_code


def settings_link(app: App, client: FlaskClient) -> str:
    form = {"mark": mark(client.get("/settings").text), "who": "Joao"}
    assert 200 == client.post("/settings", data=form).status_code
    send_links(app)
    found = LINK.search(last_letter(app, JOAO).text)
    assert found is not None
    return found[0]


# Addresses of every page.

GAME = "/games/<int(max=999999999999):id>"
PLY_N = f"{GAME}/<int(max=99999):n>"
COMPOSE = f"{GAME}/compose"
EVENT = "/events/<int(max=999999999999):id>"
SINCE = "since/<int(max=999999999999):entries>"
LETTER = "/mailroom/letters/<int(max=999999999999):id>"
MAIL = "/mailroom/mails/<int(max=999999999999):id>"
FORM = "<any(games, json):form>"


def _examples(app: App, flask_app: Flask) -> dict[str, list[str]]:
    """Example addresses for every route, with typical queries."""
    return _archive() | _to_take_away() | _for_programs() | _for_one_reader(app, flask_app) | _mailroom(app)


def _archive() -> dict[str, list[str]]:
    return {
        "/": ["/"],
        "/games": [
            "/games",
            "/games?state=finished&order=ended",
            "/games?player=Bill&game=bipod",
            "/games?player=Nobody",
            "/games?from=yesterday",
        ],
        GAME: [f"/games/{n}" for n in (1, *range(14, 21), *range(8, 14), *range(2, 8))],
        f"{GAME}/{SINCE}": ["/games/1/since/3"],
        f"{GAME}/{SINCE}/<status>": ["/games/1/since/3/here"],
        f"{EVENT}/{SINCE}": ["/events/1/since/1"],
        "/since/<tag>": ["/since/1"],
        f"{GAME}/card": ["/games/1/card", "/games/2/card"],
        f"{GAME}/words": ["/games/1/words", "/games/13/words", "/games/1/words?from=9"],
        f"{GAME}/moments": ["/games/1/moments"],
        f"{GAME}/moments/<int(max=9):n>": ["/games/1/moments/1", "/games/1/moments/2"],
        PLY_N: ["/games/1/0", "/games/1/7", "/games/2/5", "/games/5/12", "/games/13/0"],
        "/players": ["/players", "/players?name=bi", "/players?name=zz"],
        "/players/<name>": ["/players/Bill", "/players/Anna", "/players/Wolfeschlegelstein-1"],
        "/standings": ["/standings"],
        "/standings/<key>": [f"/standings/{key}" for key in KINDS],
        f"{GAME}/guess": ["/games/22/guess", "/games/22/guess?move=g3"],
        "/rules": ["/rules"],
        "/rules/<key>": [f"/rules/{key}" for key in KINDS],
        "/rules/<key>/learn": [f"/rules/{key}/learn" for key in KINDS],
        "/rules/<key>/learn/<int(max=99):n>": [
            *(f"/rules/{key}/learn/1" for key in KINDS if RULES[key].lessons),
            "/rules/bipod/learn/2?do=hint",
            "/rules/bipod/learn/2?move=z9",
            "/rules/bipod/learn/2?move=k1",
            "/rules/bipod/learn/3?move=m3+O&do=send",
            "/rules/begird/learn/5?move=d4&do=send",
        ],
        "/seeks": ["/seeks", "/seeks?game=begird", "/seeks?game=bounders"],
        "/records/key": ["/records/key"],
        "/events": ["/events"],
        EVENT: [f"/events/{number}" for number in range(1, 8)],
        "/clubs": ["/clubs", "/clubs?after=z"],
        "/clubs/<key>": ["/clubs/tuesday-evening"],
        "/study": ["/study"],
    }


def _of_proofs(proved: Game) -> dict[str, list[str]]:
    walk = walk_proof(proved, [])
    assert walk is not None
    tried, line = walk.choices[0], walk.longest[::2]
    lines = ["", f"?m={tried}", f"?{urlencode([('m', each) for each in line])}"]
    return {f"{GAME}/proof": [f"/games/{proved.id}/proof{each}" for each in lines]}


def _to_take_away() -> dict[str, list[str]]:
    return {
        f"{GAME}/study": ["/games/1/study"],
        f"{PLY_N}/study": ["/games/1/3/study"],
        f"{GAME}.game": ["/games/1.game"],
        f"{GAME}.json": ["/games/1.json"],
        f"{GAME}.record.json": ["/games/1.record.json"],
        f"{GAME}.svg": ["/games/1.svg", "/games/13.svg"],
        f"{PLY_N}.svg": ["/games/1/3.svg"],
        f"{PLY_N}-small.svg": ["/games/1/3-small.svg"],
        f"{PLY_N}.txt": ["/games/1/3.txt"],
        f"{GAME}/postcard.svg": ["/games/1/postcard.svg"],
        f"{GAME}/postcard.png": ["/games/1/postcard.png"],
        "/rules/<key>.png": ["/rules/bipod.png"],
        "/records/key.json": ["/records/key.json"],
        f"/records/all.{FORM}": ["/records/all.games", "/records/all.json"],
        f"/records/<key>.{FORM}": ["/records/bipod.games", "/records/begird.json"],
        f"/players/<name>.{FORM}": ["/players/Bill.games", "/players/Bill.json"],
        "/feeds/games.atom": ["/feeds/games.atom", "/feeds/games.atom?player=Bill"],
        "/feeds/results.atom": ["/feeds/results.atom"],
        "/feeds/games/<int(max=999999999999):id>.atom": ["/feeds/games/1.atom"],
        f"{EVENT}.ics": ["/events/1.ics", "/events/2.ics", "/events/3.ics"],
        f"{EVENT}/games.{FORM}": ["/events/1/games.games", "/events/1/games.json"],
        f"{EVENT}/postcard.svg": ["/events/3/postcard.svg"],
        f"{EVENT}/postcard.png": ["/events/3/postcard.png"],
        "/feeds/events/<int(max=999999999999):id>.atom": ["/feeds/events/1.atom"],
        "/feeds/rules/<key>.atom": ["/feeds/rules/bipod.atom"],
        "/feeds/players/<name>.atom": ["/feeds/players/Bill.atom"],
        "/now": ["/now"],
        "/robots.txt": ["/robots.txt"],
        "/sitemap.xml": ["/sitemap.xml"],
        "/sitemap/pages.xml": ["/sitemap/pages.xml"],
        "/sitemap/games-<int(max=99999999):part>.xml": ["/sitemap/games-0.xml"],
        "/static/<name>": [],  # found by following links
    }


def _for_programs() -> dict[str, list[str]]:
    return {
        "/api": ["/api"],
        "/api/openapi.json": ["/api/openapi.json"],
        "/api/games": ["/api/games", "/api/games?player=Bill&state=finished"],
        "/api/games/<id>": ["/api/games/1", "/api/games/18"],
        "/api/games/<id>/plies": ["/api/games/1/plies"],
        "/api/games/<id>/positions/<n>": ["/api/games/1/positions/7"],
        "/api/players": ["/api/players"],
        "/api/players/<player>": ["/api/players/Bill"],
        "/api/players/<player>/ratings/<game>": ["/api/players/Bill/ratings/bipod"],
        "/api/events": ["/api/events"],
        "/api/ladders/<ladder>": ["/api/ladders/bipod"],
        "/api/matches": ["/api/matches"],
        "/api/matches/<match>": ["/api/matches/5", "/api/matches/6"],
        "/api/events/<event>": ["/api/events/1", "/api/events/2", "/api/events/3"],
        "/api/papers": ["/api/papers"],
        "/api/papers/<week>": ["/api/papers/2026-10"],
        "/api/rules": ["/api/rules"],
        "/api/rules/<game>": ["/api/rules/bipod"],
        "/api/seeks": ["/api/seeks"],
        "/api/standings": ["/api/standings"],
        "/api/standings/<game>": ["/api/standings/bipod"],
        "/api/standings/<game>/figures": ["/api/standings/bipod/figures"],
        "/.well-known/security.txt": ["/.well-known/security.txt"],
        "/status": ["/status"],
        "/metrics": ["/metrics"],
        "/healthz": ["/healthz"],
        "/readyz": ["/readyz"],
    }


def _for_one_reader(app: App, flask_app: Flask) -> dict[str, list[str]]:
    """Addresses of pages that a link in a letter opens."""
    client = flask_app.test_client()
    bill, joao = player(app, "Bill"), player(app, "Joao")
    study = study_path(client.get("/games/1.game").text)
    stop = app.addressing.sign_token(Token("unsubscribe", (bill.id, 2, bill.epoch)))
    return {
        "/study/<code>": [study],
        "/study/<code>/<int(max=99999):n>": [_branched(study), f"{study}/0", f"{study}/7"],
        "/study/<code>/<int(max=99999):n>/move": [f"{study}/4/move", f"{study}/4/move?move=zz9"],
        "/study/<code>/<int(max=99999):n>.game": [f"{study}/7.game"],
        "/study/<code>.game": [f"{study}.game"],
        "/settings": ["/settings"],
        "/direct": ["/direct", "/direct?asked=1", "/direct?game=1"],
        "/settings/report/<int(max=999999999999):id>": ["/settings/report/1", "/settings/report/1?sent=1"],
        "/settings/in/<secret>": [settings_link(app, client)],
        "/unsubscribe/<token>": [f"/unsubscribe/{stop}", *_invitations(app, bill)[1:]],
        "/invite": ["/invite", "/invite?game=bagel"],
        "/join/<code>": [*_invitations(app, joao)[:1], _into_the_club(app, bill)],
        "/calendar/<token>.ics": [feed_address(app, joao).removeprefix(app.config.site)],
        **_moments_by_link(app, joao),
        **_composer(app, client),
    }


def _invitations(app: App, by: Player) -> list[str]:
    """The page of an invitation, and the one on which nothing more is asked for."""
    terms = {"game": "bipod", "options": {}, "pace": "", "rated": True, "seats": "second", "soft": False}
    new = Invitation(0, by, terms, 1, 1, NOW, NOW + 30 * DAY)
    with app.store.write() as db:
        code = Token("invite", (invitations.add_invitation(db, new),))
        never = Token("never", (invitations.add_address(db, f"digest of {by.name}", NOW),))
    return [
        f"/{page}/{app.addressing.sign_token(each)}"
        for page, each in (("join", code), ("unsubscribe", never))
    ]


def _into_the_club(app: App, by: Player) -> str:
    """The page of an invitation into the club that Bill organises."""
    with app.store.write() as db:
        (club,) = clubs.clubs_of_player(db, by.id, organised=True)
        new = Invitation(0, by, {"game": "", "club": club.id}, 1, 5, NOW, NOW + 30 * DAY)
        code = Token("invite", (invitations.add_invitation(db, new),))
    return f"/join/{app.addressing.sign_token(code)}"


def _moments_by_link(app: App, joao: Player) -> dict[str, list[str]]:
    until = NOW + timedelta(days=9)
    with app.store.write() as db:
        stored = moments.moments_of_game(db, joao, 1)
        assert stored
        question = players.add_confirmation(db, "moments", joao.address, {"moments": stored.id}, NOW, until)
    path = f"/moments/{app.addressing.sign_token(Token('confirm', (question.id,)))}"
    return {"/moments/<sealed>": [path], "/moments/<sealed>/<int(max=9):n>": [f"{path}/1", f"{path}/2"]}


def _branched(study: str) -> str:
    """The address of a study with a variation, and words on it."""
    beside = try_move(open_study(study.removeprefix("/study/"), 3), "u5")
    code, n = beside.removeprefix("/study/").split("/")
    return say_of_move(open_study(code, int(n)), "Rather <b>here</b>?\n\nhttps://example.org")


def _composer(app: App, client: FlaskClient) -> dict[str, list[str]]:
    """Composer pages for every game: unfinished, finished, wrong, and sent."""
    blank = {key: _to_compose(app, 8 + n) for n, key in enumerate(MIDDLES)}
    begun = [f"{blank['bipod']}?move={text}" for text in ("k3", "k3%20o", "zz9")]
    begun += [f"{blank['begird']}?move=swap", f"{blank['hexthing']}?move=bid"]
    sent = _to_compose(app, 20)
    answer = client.post(sent, data={"move": "f6", "words": "", "do": "send", "number": "1" * 20})
    assert 303 == answer.status_code, answer.text
    became = answer.headers["Location"]
    work_through(app)
    return {
        COMPOSE: [],  # listed in REFUSED
        f"{GAME}/plan": ["/games/8/plan", "/games/9/plan?move=zz9"],
        f"{GAME}/plan/<code>": [_plan(app, 8), _plan(app, 12)],
        f"{COMPOSE}/<sealed>": [*blank.values(), *begun, sent],
        f"{COMPOSE}/<sealed>/<int(max=999999999999):number>": [became],
    }


def _plan(app: App, id: int) -> str:
    """A plan of one line, and of a ply without an answer, for game `id`."""
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, id)
    assert game is not None
    position = game.state.position
    ply, unanswered = position.examples()[:2]
    answer = position.play(position.read(ply)).examples()[0]
    lines = [f"if {ply} then {answer}", f"if {unanswered}"]
    return f"/games/{id}/plan/{pack([position.ply, lines, f'if {ply}'])}"


def _to_compose(app: App, id: int) -> str:
    """The composer link in the newest letter of game `id`."""
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, id)
    assert game is not None
    seat = game.state.to_play
    assert seat is not None
    numbers = (game.id, seat, len(game.open_entries), game.seats[seat].epoch)
    return f"/games/{id}/compose/{app.addressing.sign_token(Token('game', numbers))}"


def _mailroom(app: App) -> dict[str, list[str]]:
    boxes = [f"/mailroom/box/{who}@example.org" for who in ("bill", "carl", "eve")]
    return {
        "/mailroom": ["/mailroom"],
        "/mailroom/new": ["/mailroom/new", "/mailroom/new?words=take+1"],
        "/mailroom/box/<address>": boxes,
        LETTER: ["/mailroom/letters/1", "/mailroom/letters/1?view=html", "/mailroom/letters/2?words=confirm"],
        f"{LETTER}.html": ["/mailroom/letters/1.html"],
        f"{LETTER}.txt": ["/mailroom/letters/1.txt"],
        MAIL: ["/mailroom/mails/1"],
        f"{MAIL}.txt": ["/mailroom/mails/1.txt"],
    }
