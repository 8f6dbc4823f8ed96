"""Every example that a letter prints works for its reader, where and when the letter came."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from urllib.parse import unquote

import pytest
from sqlalchemy import select

from pbem.app import App
from pbem.core.clock.time_control import read_pace
from pbem.core.game.examples import examples_of_game
from pbem.core.parsing.commands import EXAMPLES, ROWS
from pbem.core.preferences.letter_kinds import KINDS
from pbem.duties import live
from pbem.duties.digest import send_digests
from pbem.duties.game_clock import check_due_games
from pbem.duties.seek_letters import send_seek_letters
from pbem.duties.watch import send_watched
from pbem.inbox.confirmations import ANSWERED_NO
from pbem.inbox.process import rehearse
from pbem.mail.person.mailbox import ReceivedLetter, new_mail, reply_mail
from pbem.store.tables import games
from tests.amount import amount, some
from tests.apps import ANNA, BILL, JOAO, PLAY, Clock, Town, a_game, flat, letters, mail, player, reply
from tests.inbox.ladders import a_ladder
from tests.inbox.matches import a_match
from tests.inbox.seasons import a_league, address_of, enter
from tests.inbox.seasons import begun as a_season

_CODE = re.compile(r"<code[^>]*>(.*?)</code>", re.DOTALL)
_BODY = re.compile(r"mailto:([^?\"]+)\?[^\"]*?body=([^\"&]+)")


def examples(letter: ReceivedLetter) -> list[str]:
    """What the letter says may be written: marked in both parts, not a move that is only told."""
    text = flat(letter.text)
    codes = [flat(unescape(re.sub("<[^>]*>", "", code))) for code in _CODE.findall(letter.html)]
    bodies = [unquote(body) for to, body in _BODY.findall(letter.html)]
    return list(dict.fromkeys([*(code for code in codes if f'"{code}"' in text), *bodies]))


def faults(app: App, who: str, letter: ReceivedLetter) -> Iterator[str]:
    """The examples of a letter that are refused when they are sent in answer to it."""
    for text in map(completed, examples(letter)):
        outcome = rehearse(app, reply_mail(letter, who, text), who, letter.header("Reply-To") or PLAY)
        refusals = [
            each
            for each in outcome.letters
            if each.kind == "refused" and each.address == who and each.told["problems"] != [ANSWERED_NO]
        ]
        if refusals or outcome.state not in ("done", "refused"):
            yield f"{text!r} is {outcome.state}: {[each.told['problems'] for each in refusals]}"


def completed(text: str) -> str:
    """An example with what stands for itself, where the letter says it in words: `take` and its number."""
    return re.sub(r"\A(game \d+)\s*\Z", r"\1\nshow", COMPLETED.get(text, text))


COMPLETED = {
    "say": "say Hello!",
    "note": "note This is mine.",
    "try": "games",
    "start": "start all",
    "unblock": "block",
    "unwatch": "watch",
    "unmute": "mute",
    "take": "seeks",
    "challenge": "games",
    "seek": "seeks",
    "play": "seeks",
    "rating": "rating Joao",
    "game": "games",
    "stop": "stop all",
    "block": "block",
    "report": "report\nThat was rude.",
    "address drop": "address",
    "puzzle": "games",
    "guess": "games",
    "set zone": "set",
}
"""Words that the letter completes in prose. What they need is a number or a name that the reader knows."""


TALK = [
    (BILL, "register Bill"),
    (BILL, "yes"),
    (JOAO, "register Joao"),
    (JOAO, "yes"),
    (BILL, "games"),
    (BILL, "seeks"),
    (BILL, "seek bipod"),
    (BILL, "seeks"),
    (JOAO, "seeks"),
    (JOAO, "play bipod"),
    (BILL, "withdraw"),
    (BILL, "challenge Joao bipod 7d+1d<=14d first"),
    (BILL, "games"),
    (JOAO, "games"),
    (JOAO, "accept"),
    (BILL, "F2"),
    (BILL, "small"),
    (BILL, "undo"),
    (BILL, "f2 f4"),
    ("wait", ""),
    (JOAO, "here is my move: e5"),
    (JOAO, "f2"),
    (JOAO, "say hello"),
    (JOAO, "e5\ndraw"),
    ("wait", ""),
    (BILL, "show"),
    (BILL, "decline"),
    (BILL, "resign"),
    (BILL, "pause 10 days"),
    (JOAO, "decline"),
    (JOAO, "undo"),
    (BILL, "f6\nif any then g1"),
    ("wait", ""),
    (BILL, "plans"),
    (BILL, "if clear"),
    (BILL, "moves"),
    (BILL, "try g3 then h4"),
    (JOAO, "show #2"),
    (BILL, "note hm"),
    (BILL, "notes"),
    (BILL, "claim win proved"),
    (BILL, "export"),
    (BILL, "rating"),
    (BILL, "rating Joao"),
    (BILL, "standings"),
    (BILL, "standings bipod"),
    (BILL, "rules"),
    (BILL, "rules bagel"),
    (BILL, "boards"),
    (JOAO, "boards"),
    (BILL, "boards all"),
    (BILL, "digest 7"),
    (BILL, "remind"),
    (BILL, "vacation"),
    (BILL, "vacation 7 days"),
    (BILL, "back"),
    (BILL, "set"),
    (BILL, "set zone Berlin"),
    (BILL, "set token"),
    (BILL, "stop turns"),
    (BILL, "limit bipod 3"),
    (BILL, "block Joao"),
    (BILL, "block"),
    (BILL, "unblock Joao"),
    (BILL, "start turns"),
    (BILL, "address"),
    (BILL, "address add bill@work.example"),
    (BILL, "forget me"),
    (BILL, "watch"),
    (BILL, "give 2d"),
    (JOAO, "report\nrude"),
    (JOAO, "draw"),
    (BILL, "accept"),
    (BILL, "rematch"),
    (BILL, "games"),
    (BILL, "learn"),
    (BILL, "learn bipod"),
    (BILL, "o3 O"),
    (ANNA, "register Anna"),
    (ANNA, "yes"),
    (ANNA, "watch {0}"),
    (ANNA, "guess {0} k3"),
    (ANNA, "mute {0}"),
    (ANNA, "unmute {0}"),
    (ANNA, "watch Joao"),
    (ANNA, "unwatch Joao"),
    (ANNA, "set seeks on"),
    (BILL, "seek bounders up to 2"),
    ("wait", ""),
    (BILL, "withdraw"),
    (BILL, "suggest"),
    (BILL, "challenge Anna bagel"),
    (ANNA, "decline"),
    (BILL, "challenge Anna bipod 3d/move second"),
    (ANNA, "accept"),
    (BILL, "digest 7"),
    (BILL, "boards all"),
    (BILL, "game {0}\nsay Hello\ngame {1}\nsay Hello"),
    ("days", ""),
    ("days", ""),
    ("days", ""),
    (JOAO, "resign yes"),
    (BILL, "rematch"),
    (JOAO, "yes"),
    (BILL, "events"),
    (BILL, "join bipod league"),
    (BILL, "table bipod"),
    (BILL, "watch bipod league"),
    (BILL, "ladder bipod"),
    (JOAO, "join Lisbon"),
    (JOAO, "ladder bipod"),
    (BILL, "events"),
    (JOAO, "ladder bipod"),
    (BILL, "yes"),
    (JOAO, "table bipod ladder"),
    (ANNA, "table bipod ladder"),
    (ANNA, "ladder bipod"),
    (ANNA, "ladder bipod Joao"),
    (JOAO, "leave bipod ladder"),
    (BILL, "club"),
    (BILL, "club new Tuesday Evening"),
    (BILL, "club invite Joao"),
    (JOAO, "yes"),
    (BILL, "club say\nWe meet at eight."),
    (ANNA, "club join Tuesday Evening"),
    (BILL, "yes"),
    (JOAO, "leave club"),
    (JOAO, "yes"),
    (BILL, "club invite friend@example.com"),
    (BILL, "club remove Anna"),
    (BILL, "yes"),
]
UNMET = {"director", "meant", "expired", "forgotten", "forwarded", "help", "mismatch", "moderated"}
UNMET |= {
    "botwaits",
    "clubleague",
    "clubmatch",
    "simul",
    "directask",
    "directed",
    "flag",
    "hint",
    "judged",
    "leagueweek",
    "live",
    "laddertold",
    "matchtold",
    "moments",
    "month",
    "paper",
    "puzzle",
    "reminder",
    "reminders",
    "season",
    "seasonask",
    "seasonstart",
    "trial",
    "watched",
    "newaddress",
    "newcomer",
    "invite",
    "invitation",
    "invited",
    "proof",
    "reachable",
    "report",
    "shunted",
    "signin",
    "silent",
    "solved",
    "trouble",
    "unheard",
    "unreachable",
}
"""Kinds of letters that this conversation does not bring: for the operator, directors, of faults."""
WAITS = {"wait": 10, "days": 2 * 24 * 60}
"""In minutes."""


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_LETTERS_PER_HOUR": "1000", "PBEM_OPERATOR": "boss@example.org"}


def begun(app: App) -> list[int]:
    """The numbers of the games; PostgreSQL leaves out those of mails that were only tried."""
    with app.store.read() as db:
        return list(db.scalars(select(games.c.id).order_by(games.c.id)))


def converse(app: App, clock: Clock) -> Iterator[tuple[str, ReceivedLetter]]:
    known: dict[str, int] = {}
    for who, words in TALK:
        clock.pass_by(minutes=1)
        if who in WAITS:
            clock.pass_by(minutes=WAITS[who])
            check_due_games(app)
            send_digests(app)
            send_watched(app)
            send_seek_letters(app)
        elif before := letters(app, who):
            reply(app, who, before[-1], words.format(*begun(app)))
        else:
            mail(app, who, new_mail(who, PLAY, words))
        for person in (BILL, JOAO, ANNA):
            now = letters(app, person)
            for letter in now[known.get(person, 0) :]:
                yield person, letter
            known[person] = len(now)


EXAMINED = some(sorted(KINDS), 30)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_every_example_of_a_letter_works(app: App, clock: Clock) -> None:
    found, kinds, tried = list[str](), set[str](), Counter[object]()
    a_league(app, clock, 0)
    a_match(app, 0, 0)
    for who, letter in converse(app, clock):
        kind = letter.header("Message-ID").split(".")[-2]
        kinds.add(kind)
        tried[kind] += 1
        if kind not in EXAMINED or tried[kind] > amount(1, 1000):
            continue
        found += [f"{letter.header('Message-ID')}: {fault}" for fault in faults(app, who, letter)]
    missed = sorted((set(KINDS) ^ kinds) - UNMET)
    assert [] == missed, "have `converse` here bring these letters, or add them to UNMET"
    assert not found, "\n".join(["", *found])


def test_every_example_of_the_letters_after_live_play_works(app: App) -> None:
    bills, _ = a_game(app)
    for name in ("Bill", "Joao"):
        live.play_on(app, 1, player(app, name))
    assert "done" == reply(app, BILL, bills, "f2")
    live.stop(app, 1, player(app, "Bill"))
    newest = {who: letters(app, who)[-1] for who in (BILL, JOAO)}
    assert {"live"} == {each.header("Message-ID").split(".")[-2] for each in newest.values()}
    found = [fault for who, letter in newest.items() for fault in faults(app, who, letter)]
    assert not found, "\n".join(["", *found])


def test_every_example_of_the_letter_of_a_season_s_start_works(app: App, clock: Clock) -> None:
    a_season(app, clock, 4)
    newest = {who: letters(app, who)[-1] for who in map(address_of, range(1, 5))}
    asked = {who: each for who, each in newest.items() if "it is your turn in one of them" in flat(each.text)}
    assert 2 == len(asked)
    found = [fault for who, letter in asked.items() for fault in faults(app, who, letter)]
    assert not found, "\n".join(["", *found])


# ------------------------------------------------------------------------------------------ help and hints

WITH_OFFERS = {"accept", "decline", "accept draw", "accept undo", "accept pause", "decline draw"}
WITH_OFFERS |= {"accept annul", "decline annul"}
LATER = {"back", "vacation cancel", "undo", "claim win", "claim draw", "claim void", "bid", "max", "yes"}
LATER |= {"swap", "pass", "unwatch", "withdraw", "unblock", "if", "move", "no", "rematch", "send"}
LATER |= {"leave club", "double", "for", "unmute 1", "address drop spare"}
LATER |= {
    "hint",
    "unmute",
    "black",
    "puzzle",
    "puzzle bipod",
    "puzzle 7",
    "ladder bipod Joao yes",
    "ladder bipod Bill yes",
}
"""Words that the help explains for times to come: what they are about must be there first."""
OF_A_MATCH = ("match ", "join match")
TERMS = {"size=4", "first", "second", "unrated", "3d/move", "7d+1d<=14d", "brisk", "normal", "leisure"}
TERMS |= {"postal", "none", "unrated soft", "weekends"}


def said_in_help(text: str, due: str) -> str:
    """An example of the help as a mail in answer to a letter of the game."""
    if text in TERMS:
        return f"challenge Anna bipod {text if text != 'none' else 'unrated none'}"
    return f"{due}\n{text}" if due and text.startswith("if ") else completed(text)


READERS = [
    ("sqlite", BILL, "1 Mar"),
    ("postgresql", JOAO, "20 Dec"),
    ("sqlite", BILL, "20 Dec"),
    ("sqlite", JOAO, "1 Mar"),
]
"""The database is no matter of words, so one reader tries the other kind."""


@pytest.mark.parametrize(("database_url", "who", "day"), READERS[: amount(1, 4)], indirect=["database_url"])
def test_every_example_of_the_help_works(town: Town, who: str, day: str) -> None:
    town.now = datetime.strptime(f"{day} 2028", "%d %b %Y").replace(tzinfo=UTC)
    game = town.game(BILL, JOAO, plies=2, time_control=read_pace("7d+1d<=14d"))
    to = town.lobby(who)
    a_league(town.app, town.clock, 0)
    enter(town.app, town.players[who].id)
    a_ladder(town.app, 0, *sorted({1, 2, 3} - {town.players[who].id}), town.players[who].id)
    (shown,) = town.mail(who, new_mail(who, to, f"game {game.id}\nshow"), to)
    due = game.state.position.examples()[0] if who == BILL else ""
    plies = examples_of_game(game, 1)
    their_turn = {"adopt", plies["move"], f"#{plies['number_of_move']} {plies['move']}"}
    found = set()
    for word in some(ROWS, len(ROWS) // 4):
        (told,) = town.reply(who, shown, f"help {word}")
        for text in {*examples(told)} - WITH_OFFERS - LATER - (set() if due else their_turn):
            if text.startswith(("direct ", "club ", "league ", "ladder new", "simul ", *OF_A_MATCH)):
                continue  # tests of directing and of clubs try them
            words = said_in_help(text, due)
            outcome = rehearse(town.app, reply_mail(shown, who, words), who, shown.header("Reply-To"))
            problems = [each.told["problems"] for each in outcome.letters if each.kind == "refused"]
            if problems:
                found.add(f"{words!r}: {problems}")
    assert not found, "\n".join(["", *sorted(found)])


@pytest.mark.parametrize("playing", [False, True])
def test_every_example_of_a_hint_works(town: Town, playing: bool) -> None:
    if playing:
        town.game(BILL, JOAO, plies=2)
    to, found = town.lobby(BILL), set()
    for word in [*EXAMPLES][playing :: amount(4, 1)]:
        told = town.mail(BILL, new_mail(BILL, to, f"{word} zzz zzz"), to)[-1]
        found |= {*faults(town.app, BILL, told)}
    assert not found, "\n".join(["", *sorted(found)])
