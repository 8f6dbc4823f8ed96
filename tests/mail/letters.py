"""Sample letters of every kind, for golden files, properties, and inspection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import lru_cache
from typing import Any

import pytest

from pbem.core.clock.clock import ClockStops
from pbem.core.clock.time_control import read_pace
from pbem.core.clock.vacation import Vacation
from pbem.core.game.analysis import moments_of
from pbem.core.game.examples import USUAL
from pbem.core.game.game import Game
from pbem.core.game.journal import Entry
from pbem.core.game.letter_kinds import KINDS
from pbem.core.game.preferences import preference_values
from pbem.core.game.view import view, view_for_reader
from pbem.core.letters.boards import Boards, News, letter_with_boards
from pbem.core.letters.letter import Letter, ReplyTo, about_game, to_player
from pbem.core.lobby.challenges import Challenge, Seek
from pbem.core.lobby.newcomers import read_kept
from pbem.core.parsing.mail_orders import NO_ORDERS, TOO_LATE
from pbem.core.parsing.reply_text import first_lines
from pbem.core.play import director
from pbem.core.play.clock_events import (
    WaitingTurn,
    letters_for_clock_events,
    next_flag_event,
)
from pbem.core.play.decide import start_letters
from pbem.core.play.notes import Note, notes_by_game
from pbem.core.play.show import show_letter
from pbem.core.players import Player, Preferences
from pbem.core.ratings.glicko import Rating
from pbem.core.ratings.results import GameRating, RatingChange
from pbem.core.ratings.statistics import Share
from pbem.core.records.files import export_files
from pbem.inbox.confirmations import NO_ANSWER
from pbem.mail.doctor.dns import Finding
from pbem.mail.inbound.html_to_text import html_to_text
from pbem.mail.outbound.message import LetterHeaders, Site, write
from pbem.mail.person.mailbox import POLICY as READ_POLICY
from pbem.resources import rules_in_words
from pbem.store.events import Place
from pbem.store.games import RunningGame
from pbem.store.moderation import ModerationAct
from pbem.store.rating_queries import Career
from rules import RULES
from rules.contract import Position
from tests.amount import some
from tests.mail.director_letters import letters_of_directors
from tests.mail.event_letters import RUNNING as a_season
from tests.mail.event_letters import letters_of_leagues
from tests.mail.finding_letters import letters_of_finding, letters_of_watched_players
from tests.mail.guess_letters import letters_of_guesses
from tests.mail.ladder_letters import letters_of_ladders
from tests.mail.lesson_letters import letters_of_lessons
from tests.mail.match_letters import EVENT as MATCH
from tests.mail.match_letters import MIDDLE, letters_of_matches
from tests.mail.paper_letters import letters_of_papers
from tests.mail.puzzle_letters import a_puzzle, letters_of_proofs, letters_of_puzzles
from tests.people import BILL, HOST, JOAO, NOON, SEED_GAME, a_game, asks, command

HOUSE = Site(HOST, f"https://{HOST}")
BIPOD = RULES["bipod"]
OFFERED = [BIPOD]
TOKEN = "aeaqbf2lk3jq7wzr4m2vbc6dxy5npt3hgs2a"

ONLOOKER = replace(BILL, id=31, name="Anna", address="anna@example.com")

BEGIRD_GAME = ("q14", "i9", "h12")

LONG_WORDS = """\
Dear Bill, I have thought about this for two days and still do not know
whether you want to run or to block; so I shall put off the question.

Shall we meet in Coimbra, in August? The cafés are open till late, and
> quoted things
f2 f4 g3
resign
From here I can see: https://example.com/a/very/long/link/that/goes/on/and/on/and/never/stops/until/it/does
"""


PREFERENCE_SAMPLES = {
    "text": Preferences(format="text"),
    "html": Preferences(format="html"),
    "signs": Preferences(board="text"),
    "bare": Preferences(coordinates=False, stones=False),
}
"""Combinations of preferences; each has a letter in the golden files."""


def _written_at(letter: Letter) -> datetime:
    """The next day, or when what the letter tells of happened, if that is later."""
    usual = NOON + timedelta(days=1)
    if letter.view is None:
        return usual
    days_off = letter.facts.get("days") if letter.kind == "flag" else 0
    fell = letter.facts["until"] - timedelta(days=days_off) if days_off else usual
    return max(usual, letter.view.game.journal[-1].at, fell)


def sample_headers(letter: Letter, number: int = 1) -> LetterHeaders:
    """Return a sample's letter headers, with everything fixed."""
    game = letter.view
    place = f"g{game.game.id}.e{game.entry}.s{game.seat or 0}" if game else "m17"
    stops = bool(KINDS[letter.kind].stop)
    return LetterHeaders(
        message_id=f"<{place}.{letter.kind}.{number}@{HOST}>",
        references=(f"<g42.e1.s0.start.1@{HOST}>", "<answer.7@mail.example.org>") if game else (),
        in_reply_to="<answer.7@mail.example.org>" if KINDS[letter.kind].answers else "",
        reply_to=f"play+{TOKEN}@{HOST}" if letter.reply.use else f"play@{HOST}",
        unsubscribe_mail=f"play+{TOKEN[::-1]}@{HOST}" if stops else "",
        unsubscribe_web=f"https://{HOST}/unsubscribe/{TOKEN[::-1]}" if stops else "",
        date=_written_at(letter),
        outages_to_tell=OUTAGES if game and game.game.stops.both else (),
    )


OUTAGES = ((NOON + timedelta(hours=7), NOON + timedelta(hours=16)),)


WEEK = NOON + timedelta(days=7)


def _moments(over: Game) -> Iterator[tuple[str, Letter]]:
    """Moments of the first player of a finished game, and what the bot says of three answers."""
    plies = [ply for ply in over.state.plies if ply.seat == 0]
    kept = [
        {"ply": ply.n, "played": ply.move, "best": best, "value": value, "after": after} | told
        for ply, best, value, after, told in (
            (plies[1], "e3", 0.61, 0.24, {"proved": False, "expected": "k3"}),
            (plies[3], plies[3].move, 0.55, 0.55, {"proved": False, "expected": ""}),
            (plies[4], "e4", 1.0, 0.0, {"proved": True, "expected": ""}),
        )
    ]
    seen, reply = view(over, 0, HOST), ReplyTo("confirm", 5)
    asked = to_player("moments", BILL, seen=seen, items=moments_of(seen, kept, {}))
    yield "moments", replace(asked, reply=reply)
    said = moments_of(seen, kept, {"1": "e3", "2": "e4", "3": plies[4].move})
    facts = {"seen": seen, "problems": []}
    yield "judged", replace(to_player("judged", BILL, **facts, items=said, left=[]), reply=reply)
    facts = {"seen": seen, "problems": ["Number 2: zz9 is not on this board."]}
    yield "judged-refused", replace(to_player("judged", BILL, **facts, items=[], left=[1, 2]), reply=reply)


def a_challenge(**changes: object) -> Challenge:
    challenge = Challenge(
        7,
        BILL,
        BIPOD,
        BIPOD.complete({}),
        "random",
        True,
        NOON,
        WEEK,
        read_pace("normal"),
        challenged=JOAO,
    )
    return replace(challenge, **changes)  # type: ignore[arg-type]


def a_settings_letter(player: Player, *changed: str) -> Letter:
    facts = {
        "settings": preference_values(player),
        "stopped": sorted(player.stopped),
        "changed": list(changed),
    }
    facts["calendar"] = f"https://{HOST}/calendar/{TOKEN}.ics"
    return to_player("settings", player, **facts, now=NOON)


def _of_every_game() -> Iterator[tuple[str, Letter]]:
    """A due move in each game, the receipt of a swap, and a move that came with an offer."""
    for key, moves in (
        ("bagel", ("d3", "c6", "g7")),
        ("begird", BEGIRD_GAME),
        ("bounders", ("f3", "swap", "d2")),
        ("hexthing", ()),
    ):
        game = a_game(moves, key=key)
        turn = about_game("turn", view(game, game.state.to_play, HOST), since=0, heard=0)
        yield f"turn-{key}", turn
    swapped = asks(a_game(BEGIRD_GAME[:1], key="begird"), 1, "swap")
    yield "receipt-swap", only_letter(swapped.letters, "receipt")
    offered = asks(a_game(SEED_GAME[:4]), 0, "F2\ndraw")
    yield "turn-draw", only_letter(offered.letters, "turn")


def only_letter(letters: Sequence[Letter], kind: str) -> Letter:
    """Return the only letter of its kind."""
    (letter,) = (letter for letter in letters if letter.kind == kind)
    return letter


def samples() -> dict[str, Letter]:
    """Return sample letters by file name: every kind in all its variants."""
    return dict(
        [
            *_of_the_game(),
            *_of_the_director(),
            *letters_of_directors(),
            *_of_the_lobby(),
            *_of_the_operator(),
            *_of_the_web(),
            *_of_several_games(),
            *_of_undoing(),
            *_of_every_game(),
        ]
    )


def several_games() -> list[Game]:
    """Return three running games of Bill's; in the first and last Bill moves."""
    begird = a_game(BEGIRD_GAME, key="begird")
    against_anna = replace(begird, id=57, seats=(ONLOOKER, BILL))
    return [a_game(SEED_GAME[:4]), replace(a_game(SEED_GAME[:5]), id=43), against_anna]


def boards_of(games: Sequence[Game], player: Player = BILL, **more: Any) -> Boards:
    return Boards([view_for_reader(game, player, HOST) for game in games], bundle=5, **more)


def _of_several_games() -> Iterator[tuple[str, Letter]]:
    mine, theirs, annas = several_games()
    spoken = asks(annas, 0, "say A nice corner you have there.")
    annas = annas.with_entries(spoken.entries)
    more = [RunningGame(60, BIPOD, "Joao", 2, True, NOON)]
    yield "bundle", letter_with_boards("bundle", BILL, boards_of([mine, annas], rest=more), every=False)
    yield "bundle-one", letter_with_boards("bundle", BILL, boards_of([mine]), every=False)
    yield "bundle-all", letter_with_boards("bundle", BILL, boards_of([mine, theirs]), every=True)
    urgent = [replace(game, time_control=read_pace("3d/move")) for game in (annas, mine)]
    urgent.append(replace(urgent[1], id=58, time_control=read_pace("7d+1d<=14d")))
    yield "reminders", letter_with_boards("reminders", BILL, boards_of(urgent), turns=())
    yield "bundle-none", letter_with_boards("bundle", BILL, Boards(), every=False)
    played = asks(mine, 0, "F2\n\nHave a look at that.")
    wrong = asks(annas, 1, "zz9")
    items = [only_letter(played.letters, "receipt"), only_letter(wrong.letters, "refused")]
    yield "receipts", letter_with_boards("receipts", BILL, boards_of([annas]), items=items)
    lost = replace(asks(replace(theirs, id=44), 0, "resign yes").letters[0])
    yield "receipts-done", letter_with_boards("receipts", BILL, Boards(), items=[items[0], lost])
    over = theirs.with_entries(asks(theirs, 1, "resign yes\n\nToo strong for me.").entries)
    news = [
        News(view_for_reader(replace(over, id=44), BILL, HOST), 5),
        News(view_for_reader(theirs, BILL, HOST), 0),
    ]
    back = a_challenge(seeker=JOAO, challenged=BILL)
    facts = {"now": NOON + timedelta(days=1), "seeks": []}
    told = letter_with_boards("digest", BILL, boards_of([mine, annas]), news=news, to_you=[back], **facts)
    yield "digest", told
    yield "digest-challenge", letter_with_boards("digest", BILL, Boards(), news=[], to_you=[back], **facts)
    due = NOON + timedelta(hours=18)
    yield "daily", to_player("daily", BILL, hour=7, due=due, zone="Europe/Berlin", stopped=False)
    yield "daily-stopped", to_player("daily", BILL, hour=7, due=due, zone="UTC", stopped=True)
    yield from letters_of_finding(ONLOOKER)
    yield "daily-off", to_player("daily", BILL, hour=None, due=None, zone="UTC", stopped=True)


def _silent(game: Game) -> Iterator[tuple[str, Letter]]:
    """Nothing has happened in a game without a clock; Bill, seat 0, moves."""
    warned = next_flag_event(game, NOON + timedelta(days=60), [])
    assert warned is not None and warned.entry is not None
    after = game.with_entries([warned.entry])
    yield "silent", letters_for_clock_events(game, after, [warned], HOST)[0]
    yield "silent-theirs", letters_for_clock_events(game, after, [warned], HOST)[1]
    closed = next_flag_event(after, NOON + timedelta(days=70), [])
    assert closed is not None and closed.entry is not None
    yield (
        "result-silent",
        letters_for_clock_events(after, after.with_entries([closed.entry]), [closed], HOST)[1],
    )


def _of_moves(middle: Game) -> Iterator[tuple[str, Letter]]:
    """The start of a game, moves, offers, words, and the end."""
    for letter, name in zip(
        start_letters(a_game(), HOST, a_challenge(), 1, "With pleasure!"),
        ("challenger", "accepter"),
        strict=True,
    ):
        yield f"start-{name}", letter
    hasty = start_letters(a_game(), HOST, a_challenge(), 1, "f2 f4\nHave fun!")
    yield "start-hasty", hasty[1]
    played = asks(middle, 0, "F2\n\nYour turn. I wonder\nwhat you will do?")
    yield "turn", only_letter(played.letters, "turn")
    yield "receipt", only_letter(played.letters, "receipt")
    gone = replace(middle, seats=(middle.seats[0], replace(JOAO, suspended=JOAO.addresses)))
    yield "receipt-unreachable", only_letter(asks(gone, 0, "F2").letters, "receipt")
    yield "receipt-above", only_letter(asks(middle, 0, "I was away.\n\nF2\n\nNow you.").letters, "receipt")
    yield "turn-runner", only_letter(asks(a_game(SEED_GAME[:6]), 0, "adopt").letters, "turn")
    yield "turn-blocker", only_letter(asks(a_game(SEED_GAME[:9]), 1, f"y3 O\n\n{LONG_WORDS}").letters, "turn")
    yield "receipt-again", only_letter(asks(a_game(SEED_GAME[:5]), 0, "F2", since=5).letters, "receipt")
    yield "receipt-capital", only_letter(asks(middle, 0, "D2").letters, "receipt")
    offered = asks(middle, 1, "draw\n\nIt looks even to me.")
    yield "draw", only_letter(offered.letters, "draw")
    yield "receipt-draw", only_letter(offered.letters, "receipt")
    waiting = middle.with_entries(offered.entries)
    yield "draw-declined", only_letter(asks(waiting, 0, "decline draw").letters, "draw")
    said = asks(middle, 1, "say Take your time.")
    yield "receipt-said", only_letter(said.letters, "receipt")
    yield "chat", only_letter(said.letters, "chat")
    resigned = asks(a_game(SEED_GAME), 1, "resign\n\nWell run, Bill. Another one?")
    yield "result-won", next(x for x in resigned.letters if x.player == BILL)
    yield "result-lost", next(x for x in resigned.letters if x.player == JOAO)
    yield "result-draw", asks(waiting, 0, "accept draw").letters[1]


def _of_refused_words(middle: Game) -> Iterator[tuple[str, Letter]]:
    """Moves that cannot be made, words that are no move, and questions about a move."""
    yield "refused", only_letter(asks(middle, 0, "f7").letters, "refused")
    yield "refused-not-your-turn", only_letter(asks(middle, 1, "j4").letters, "refused")
    words = first_lines("I shall think about it.\nPerhaps tomorrow, perhaps f2 f4.\nf2 is good")
    facts = {"problems": [TOO_LATE], "read": [], "found": words}
    yield "refused-no-orders", about_game("refused", view(middle, 0, HOST), **facts)
    seen = {"problems": [NO_ORDERS], "read": [], "found": ["Here is my move: F2."], "seen_move": "F2"}
    yield "refused-seen-move", about_game("refused", view(middle, 0, HOST), **seen)
    asked = about_game("refused", view(middle, 0, HOST), **seen)
    yield "refused-seen-asked", replace(asked, reply=ReplyTo("confirm", 5))
    words = {"problems": [], "read": [], "found": ["Thanks for the game, and", "good luck!"], "to_send": True}
    alone = about_game("refused", view(middle, 0, HOST), **words)
    yield "refused-words", replace(alone, reply=ReplyTo("confirm", 5))
    for name, preferences in PREFERENCE_SAMPLES.items():
        seats = (BILL, replace(JOAO, preferences=preferences))
        yield f"turn-{name}", only_letter(asks(replace(middle, seats=seats), 0, "F2").letters, "turn")
    new = replace(a_game(), time_control=read_pace("3d/move"))
    unclear = asks(new, 0, "F2 f4\n\nHello Joao!", as_written=False).letters
    which = replace(only_letter(unclear, "which"), reply=ReplyTo("confirm", 5))
    yield "which", which
    yield "which-again", replace(which, facts={**which.facts, "again": True})
    elsewhere = about_game("elsewhere", view(middle, 0, HOST), other=7, words=["f6", "Good luck!"])
    yield "elsewhere", replace(elsewhere, reply=ReplyTo("confirm", 5))
    yield "elsewhere-much", replace(elsewhere, facts={"other": 7, "words": []})
    yield (
        "resign",
        replace(only_letter(asks(middle, 0, "resign").letters, "resign"), reply=ReplyTo("confirm", 5)),
    )
    stayed = asks(a_game(key="hexthing"), 0, "stay").letters
    yield "resign-stay", replace(only_letter(stayed, "resign"), reply=ReplyTo("confirm", 5))


def _of_looking(middle: Game) -> Iterator[tuple[str, Letter]]:
    """A game shown, tried, watched, noted and hinted at."""
    seen = view(a_game(SEED_GAME), 1, HOST)
    yield "show", show_letter(seen, command("show", "show", ply=None))
    yield "show-earlier", show_letter(seen, command("show", "show #9", ply=9))
    yield (
        "show-onlooker",
        show_letter(view_for_reader(middle, ONLOOKER, HOST), command("show", "show", ply=None)),
    )
    for name, words in (
        ("tried", "try F2"),
        ("tried-several", "try F2 then k3 w3 then e3"),
        ("tried-stopped", "try F2 then k3 then zz9"),
        ("tried-none", "try f7"),
    ):
        yield name, only_letter(asks(middle, 0, words).letters, "tried")
    ended = a_game(SEED_GAME)
    lost = ended.with_entries(asks(ended, 1, "resign").entries)
    (move, *_) = lost.state.position.examples()
    onlooker = view_for_reader(lost, ONLOOKER, HOST)
    yield (
        "watched",
        about_game(
            "watched",
            view_for_reader(middle, ONLOOKER, HOST),
            new=middle.state.plies[2:],
            guesses={},
            invites=True,
        ),
    )
    yield "watched-over", about_game("watched", onlooker, new=(), guesses={}, invites=False)
    yield from letters_of_guesses(middle, ONLOOKER)
    yield "tried-onlooker", show_letter(onlooker, command("try", f"try {move}", moves=[move]))
    plan = "note If he blocks at h4 I go round by k3.\nHe seems to like the left."
    words_of_hint = "`F2` looks best: expect `k3` in answer, and your chances to win are about 61 in 100."
    yield "hint", about_game("hint", view(middle, 0, HOST), words=words_of_hint)
    yield from _moments(lost)
    yield "noted", only_letter(asks(middle, 0, plan).letters, "noted")
    yield "noted-inside", only_letter(asks(middle, 0, "note This looks good:\nF2\nresign").letters, "noted")
    words = {"problems": [NO_ORDERS], "read": [], "found": ["Thank you for the game!"]}
    yield "refused-over", about_game("refused", view(lost, 0, HOST), **words)
    yield "receipt-said-over", only_letter(asks(lost, 0, "say Well fought.").letters, "receipt")
    yield "noted-over", only_letter(asks(lost, 0, "note: A good game to show.").letters, "noted")
    yield "moves", show_letter(seen, command("moves", "moves"))
    yield "moves-none", show_letter(view(a_game(), 0, HOST), command("moves", "moves"))


def _of_flags(middle: Game) -> Iterator[tuple[str, Letter]]:
    """The ends of a player's time, and what is agreed about time."""
    timed = replace(middle, time_control=read_pace("3d/move"))
    late, none = NOON + timedelta(days=60), [Vacation(NOON - timedelta(days=30), NOON)]
    day_off, grace = next_flag_event(timed, late, []), next_flag_event(timed, late, none)
    assert day_off is not None and grace is not None and grace.entry is not None
    begins = timed.deadline
    assert begins is not None
    away = replace(timed, stops=ClockStops(vacation=(((begins, begins + timedelta(days=1)),), ())))
    yield "flag-vacation", letters_for_clock_events(timed, away, [day_off], HOST, more=True)[0]
    yield "flag-vacation-last", letters_for_clock_events(timed, away, [day_off], HOST)[0]
    yield from _silent(middle)
    yield "flag-grace", letters_for_clock_events(timed, timed.with_entries([grace.entry]), [grace], HOST)[0]
    yield (
        "flag-grace-theirs",
        letters_for_clock_events(timed, timed.with_entries([grace.entry]), [grace], HOST)[1],
    )
    early = replace(a_game(SEED_GAME[:2]), time_control=read_pace("3d/move"))
    void = next_flag_event(early, late, [])
    assert void is not None and void.entry is not None
    told = letters_for_clock_events(early, early.with_entries([void.entry]), [void], HOST)
    yield "flag-grace-void", told[0]
    for name, letter in zip(("flag-grace-league", "flag-grace-league-theirs"), told, strict=True):
        yield name, replace(letter, facts={**letter.facts, "place_in_event": Place(a_season, 2)})
    yield from _of_agreements(timed, none)
    brisk = replace(middle, time_control=read_pace("1d/move"))
    lost = next_flag_event(brisk, late, none)
    assert lost is not None and lost.entry is not None
    yield "result-timeout", letters_for_clock_events(brisk, brisk.with_entries([lost.entry]), [lost], HOST)[0]
    started = replace(a_game(), time_control=read_pace("1d/move"))
    void = next_flag_event(started, late, none)
    assert void is not None and void.entry is not None
    told = letters_for_clock_events(started, started.with_entries([void.entry]), [void], HOST)
    yield "result-void", told[1]
    for name, letter, sign in zip(("result-void-lost", "result-void-won"), told, "-+", strict=True):
        yield name, replace(letter, facts={**letter.facts, "table": _placed(sign)})


def _of_the_game() -> Iterator[tuple[str, Letter]]:
    middle = a_game(SEED_GAME[:4])
    yield from _of_moves(middle)
    yield from _of_refused_words(middle)
    yield from _of_looking(middle)
    yield from _of_flags(middle)
    yield from _on_the_clock(middle)
    yield from _of_plans(middle)
    yield from letters_of_proofs(middle)
    yield from letters_of_puzzles()
    yield from letters_of_papers(a_puzzle())
    yield from letters_of_lessons()
    yield from letters_of_leagues(middle)
    yield from letters_of_ladders(middle)
    yield from letters_of_matches()
    yield "mismatch", about_game("mismatch", view(middle, 0, HOST))
    yield "expired", about_game("expired", view(middle, 0, HOST))


def _of_undoing() -> Iterator[tuple[str, Letter]]:
    """Bill wants ply 3 back, after Joao has played ply 4."""
    middle = a_game(SEED_GAME[:4])
    asked = asks(middle, 0, "undo\n\nI had the board upside down.")
    yield "undo-asked", only_letter(asked.letters, "undo")
    with_draw = asks(middle, 0, "undo\ndraw\nsay Either will do.")
    yield "undo-asked-draw", only_letter(with_draw.letters, "undo")
    yield "draw-undo-asked", only_letter(with_draw.letters, "draw")
    yield "receipt-undo-asked", only_letter(asked.letters, "receipt")
    game = middle.with_entries(asked.entries)
    yield "bundle-undo-asked", letter_with_boards("bundle", JOAO, boards_of([game], JOAO), every=True)
    agreed = asks(game, 1, "accept\n\nNo harm done.")
    yield "undo-taken", only_letter(agreed.letters, "undo")
    yield "receipt-undo-taken", only_letter(agreed.letters, "receipt")
    yield "moves-taken", only_letter(asks(game.with_entries(agreed.entries), 0, "moves").letters, "moves")
    waits = only_letter(asks(middle, 0, "D2").letters, "receipt")
    yield (
        "receipt-waiting",
        replace(waits, facts={**waits.facts, "until": NOON + timedelta(days=1, minutes=5)}),
    )
    gone = middle.state.plies[-1]
    facts = {"undo": "withdrawn", "ply": gone, "since": 0, "words": ""}
    yield "undo-withdrawn", about_game("undo", view(a_game(SEED_GAME[:3]), 1, HOST), **facts)
    declined = asks(game, 1, "decline")
    yield "undo-kept", only_letter(declined.letters, "undo")
    yield "receipt-undo-kept", only_letter(declined.letters, "receipt")
    items = [
        only_letter(asked.letters, "receipt"),
        only_letter(agreed.letters, "receipt"),
        only_letter(declined.letters, "receipt"),
    ]
    yield "receipts-undo", letter_with_boards("receipts", BILL, Boards(), items=items)
    timed = replace(a_game(SEED_GAME[:4]), time_control=read_pace("3d/move"))
    waits = only_letter(asks(timed, 0, "F2").letters, "receipt")
    played = timed.with_entries(asks(timed, 0, "F2").entries)
    over = timed.with_entries(asks(timed, 1, "resign yes").entries)
    settled = [
        only_letter(asks(timed, 0, "give 2d").letters, "receipt"),
        only_letter(asks(timed, 0, "pause 10 days").letters, "receipt"),
        only_letter(asks(played, 0, "if k3 then adopt").letters, "receipt"),
        replace(waits, facts={**waits.facts, "until": NOON + timedelta(days=1, minutes=5)}),
        only_letter(asks(over, 0, "say Well fought.").letters, "receipt"),
    ]
    yield "receipts-settled", letter_with_boards("receipts", BILL, Boards(), items=settled)


def _on_the_clock(middle: Game) -> Iterator[tuple[str, Letter]]:
    """Letters of a game with its clock running, on vacation, and paused."""
    berlin = replace(JOAO, preferences=Preferences(zone="Europe/Berlin"))
    timed = replace(middle, time_control=read_pace("normal"), seats=(BILL, berlin))
    at = NOON + timedelta(hours=20)
    yield "turn-timed", only_letter(asks(timed, 0, "F2", at=at).letters, "turn")
    yield "receipt-timed", only_letter(asks(timed, 0, "F2", at=at).letters, "receipt")
    yield "refused-timed", only_letter(asks(timed, 0, "f7", at=at).letters, "refused")
    urgent = replace(timed, time_control=read_pace("3d/move"))
    yield "reminder", about_game("reminder", view(urgent, 0, HOST), turns=())
    dated = replace(urgent, seats=(replace(BILL, preferences=Preferences(calendar=True)), berlin))
    turns = (WaitingTurn(dated, 1, NOON + timedelta(hours=4)),)
    yield "reminder-calendar", about_game("reminder", view(dated, 0, HOST), turns=turns)
    opened = replace(a_game(), time_control=read_pace("3d/move"))
    yield "start-timed", start_letters(opened, HOST, a_challenge(time_control=opened.time_control), 1, "")[0]
    away = (NOON + timedelta(hours=18), NOON + timedelta(days=9))
    yield (
        "show-away",
        show_letter(
            view(replace(timed, stops=ClockStops(vacation=((away,), ()))), 1, HOST),
            command("show", "show", ply=None),
        ),
    )
    stood = replace(timed, stops=ClockStops(both=OUTAGES))
    yield "turn-outage", only_letter(asks(stood, 0, "F2", at=at).letters, "turn")


PLAN = "F2\nif mo1 n2 then adopt if k3 o then x4 if y3 O then x2\nif any then resign\nif draw then decline"


def _of_plans(middle: Game) -> Iterator[tuple[str, Letter]]:
    """Bill plays ply 5 with conditional moves; letters for both."""
    planned = asks(middle, 0, PLAN)
    game = middle.with_entries(planned.entries)
    yield "receipt-planned", only_letter(planned.letters, "receipt")
    yield "receipt-plan-only", only_letter(asks(game, 0, "if k3 then adopt\n\nHush!").letters, "receipt")
    yield "receipt-plan-cleared", only_letter(asks(game, 0, "if clear").letters, "receipt")
    yield "plans", only_letter(asks(game, 0, "plans").letters, "plans")
    yield "plans-none", only_letter(asks(game, 1, "plans").letters, "plans")
    thing = a_game(key="hexthing")
    bid = asks(thing, 0, "play 3S bid 3 max 9 take e5")
    yield "receipt-ordered", only_letter(bid.letters, "receipt")
    yield "plans-ordered", only_letter(asks(thing.with_entries(bid.entries), 0, "plans").letters, "plans")
    yield (
        "receipt-auction",
        only_letter(asks(thing.with_entries(bid.entries), 1, "bid 4 max 12").letters, "receipt"),
    )
    yield "refused-plan", only_letter(asks(game, 0, "if k3 then adopt if k3 o then x4").letters, "refused")
    turned_down = asks(game, 1, "mo1 n2\ndraw").letters
    yield "receipt-cascade", only_letter(turned_down, "receipt")
    yield "draw-turned-down", only_letter(turned_down, "draw")
    yield "result-planned", next(x for x in asks(game, 1, "k3").letters if x.player == BILL)
    game = game.with_entries(asks(game, 1, "mo1 n2").entries)
    yield "turn-plan-ended", only_letter(asks(game, 1, "x4 o").letters, "turn")
    stopped = middle.with_entries(asks(middle, 0, "F2\nif any then k3").entries)
    yield "turn-plan-illegal", only_letter(asks(stopped, 1, "k3").letters, "turn")
    yield "turn-plan-pie", only_letter(asks(stopped, 1, "adopt").letters, "turn")
    yield "turn-plan-draw", only_letter(asks(stopped, 1, "m1\ndraw").letters, "turn")


def _of_the_director() -> Iterator[tuple[str, Letter]]:
    """Each decision on the game at noon of the next day."""
    at, clean = NOON + timedelta(days=1), "A mail was lost on our side."
    timed = replace(a_game(SEED_GAME[:4]), time_control=read_pace("normal"))

    def told(game: Game, entry: Entry) -> list[Letter]:
        return director.letters_for_decision(game, game.with_entries([entry]), HOST)

    extended = told(timed, director.extend(timed, timedelta(days=2), 0, clean, at))
    yield "director-extend", extended[0]
    yield "director-extend-theirs", extended[1]
    yield (
        "director-extend-both",
        told(timed, director.extend(timed, timedelta(hours=36), None, clean, at))[1],
    )
    stopped = director.stop_clocks(timed, None, clean, at)
    yield "director-halt", told(timed, stopped)[0]
    yield "director-halt-until", told(timed, director.stop_clocks(timed, WEEK, clean, at))[1]
    paused = timed.with_entries([stopped])
    yield "director-go", told(paused, director.start_clocks(paused, clean, at + timedelta(days=3)))[0]
    back = director.rollback(timed, 2, "Move 3 was sent by somebody else.", at)
    yield "director-rollback", told(timed, back)[0]
    whole = a_game(SEED_GAME)
    over = whole.with_entries(asks(whole, 1, "resign").entries)
    yield (
        "director-rollback-reopened",
        told(over, director.rollback(over, 18, "Joao never wrote that.", at))[1],
    )
    yield "director-rollback-start", told(paused, director.rollback(paused, 0, "Begin anew, please.", at))[1]
    entry = director.replace_seated(timed, 0, ONLOOKER, "Bill is in hospital.", at)
    after = replace(timed.with_entries([entry]), seats=(ONLOOKER, JOAO))
    newcomer, opponent, leaving = director.letters_for_decision(timed, after, HOST, BILL)
    yield "director-replace", newcomer
    yield "director-replace-opponent", opponent
    yield "director-replace-leaving", leaving
    yield (
        "director-notice",
        told(timed, director.notice(timed, "Please be kind to each other.\n\nf2 f4", at))[1],
    )
    yield (
        "director-everybody",
        to_player("director", BILL, ruling=None, words="The server moves on Sunday.\nresign"),
    )
    for result in ("second", "draw", "void"):
        decided = director.adjudicate(timed, result, "Bill has given up playing here", at)
        yield f"result-director-{result}", told(timed, decided)[0]


def _placed(forfeit: str = "") -> dict[str, Any]:
    """A place in the table of a season; `forfeit` is the sign of the game there."""
    table = {"event": a_season, "division": 2, "place": 1, "players": 6, "points": 2.5}
    return {**table, "forfeit": forfeit}


def _of_agreements(timed: Game, none_left: list[Vacation]) -> Iterator[tuple[str, Letter]]:
    """Extra time, a pause, and a soft clock's flag; Bill, seat 0, moves."""
    given = asks(timed, 1, "give 2d\n\nThere is no hurry.")
    yield "deal-given", only_letter(given.letters, "deal")
    yield "receipt-given", only_letter(given.letters, "receipt")
    asked = asks(timed, 1, "pause 10 days")
    yield "deal", only_letter(asked.letters, "deal")
    yield "receipt-pause", only_letter(asked.letters, "receipt")
    waiting = timed.with_entries(asked.entries)
    yield "deal-declined", only_letter(asks(waiting, 0, "decline").letters, "deal")
    agreed = asks(waiting, 0, "accept pause")
    yield "deal-agreed", only_letter(agreed.letters, "deal")
    yield "receipt-agreed", only_letter(agreed.letters, "receipt")
    yield "turn-paused", only_letter(asks(waiting.with_entries(agreed.entries), 0, "F2").letters, "turn")
    both = waiting.with_entries(asks(waiting, 1, "draw").entries)
    yield "draw-pause", only_letter(asks(waiting, 1, "draw").letters, "draw")
    yield "refused-several", only_letter(asks(both, 0, "accept").letters, "refused")
    soft = replace(timed, soft=True, rated=False, time_control=read_pace("2d/move"))
    fell = next_flag_event(soft, NOON + timedelta(days=60), none_left)
    assert fell is not None and fell.entry is not None
    over = soft.with_entries([fell.entry])
    yield "flag-soft", letters_for_clock_events(soft, over, [fell], HOST)[0]
    yield "flag-soft-theirs", letters_for_clock_events(soft, over, [fell], HOST)[1]
    yield "show-flagged", show_letter(view(over, 0, HOST), command("show", "show", ply=None))
    yield "show-flagged-theirs", show_letter(view(over, 1, HOST), command("show", "show", ply=None))
    yield "refused-flagged", only_letter(asks(over, 1, "draw\ndraw").letters, "refused")
    yield "result-claimed-draw", asks(over, 1, "claim draw").letters[1]
    slow = replace(soft, time_control=read_pace("3d/move"))
    kind = next_flag_event(slow, NOON + timedelta(days=60), none_left)
    assert kind is not None and kind.entry is not None
    graced = slow.with_entries([kind.entry])
    yield "flag-grace-soft", letters_for_clock_events(slow, graced, [kind], HOST)[0]
    gone = next_flag_event(graced, NOON + timedelta(days=60), none_left)
    assert gone is not None and gone.entry is not None
    yield (
        "flag-soft-late",
        letters_for_clock_events(graced, graced.with_entries([gone.entry]), [gone], HOST)[1],
    )
    closed = next_flag_event(over, NOON + timedelta(days=60), none_left)
    assert closed is not None and closed.entry is not None
    yield (
        "result-closed",
        letters_for_clock_events(over, over.with_entries([closed.entry]), [closed], HOST)[0],
    )


def _of_the_web() -> Iterator[tuple[str, Letter]]:
    """Letters about signing in, and about being erased."""
    link = f"https://{HOST}/settings/in/mzxw6ytboi2gk3tfmzxw6ytboi2gk3tf"
    yield "signin", to_player("signin", BILL, link=link, minutes=15)
    pairs = ((42, "Joao"), (57, "Anna"))
    plays = [RunningGame(number, BIPOD, name, 7, True, NOON) for number, name in pairs]
    for kept in (plays, []):
        asks_to = Letter("forget", BILL.address, BILL, ASKED, facts={"running": kept, "played": 3})
        yield "forget" if kept else "forget-idle", asks_to
    yield "forgotten", Letter("forgotten", BILL.address, None, facts={"name": "Bill"})


def _of_the_operator() -> Iterator[tuple[str, Letter]]:
    said = a_game(SEED_GAME[:4])
    said = said.with_entries([Entry(6, said.journal[-1].at, "say", 1, {"words": "You are a fool.\nresign"})])
    facts = {"reporter": "Bill", "game": said, "said": [(6, "Joao", "You are a fool.\nresign")]}
    for name, why in (("report", "He does so each time.\ndraw"), ("report-bare", "")):
        yield name, Letter("report", BILL.address, None, facts={**facts, "why": why})
    yield "reported", to_player("reported", BILL, game=said.title, why="He does so each time.")
    yield "reported-bare", to_player("reported", BILL, game=said.title, why="")
    for kind in ("hide", "show", "bar", "unbar", "rename", "direct", "undirect"):
        act = ModerationAct(kind, NOON, "root", "Such words have no place here.", JOAO.id)
        title, old = (said.title if kind in ("hide", "show") else ""), ("Rude" if kind == "rename" else "")
        name = "moderated" if kind == "hide" else f"moderated-{kind}"
        yield name, to_player("moderated", JOAO, act=act, game=title, old=old)


def _asks_for_a_name(
    name: str,
    problem: str = "",
    *,
    asked: str = "",
    orders: Sequence[str] = (),
    waiting: Sequence[Seek] = (),
    first_board: Position | None = None,
    guessed: bool = False,
) -> Letter:
    facts = {"problem": problem, "name": name, "asked": asked, "first_board": first_board, "seen_move": "f2"}
    facts |= {"orders": list(read_kept(orders)), "waiting": list(waiting), "guessed": guessed}
    greets = guessed and not first_board
    kind = "newcomer" if greets or not (name or problem == "reserved") else "confirm"
    return Letter(kind, BILL.address, None, ReplyTo("confirm", 3), facts=facts)


def _of_newcomers() -> Iterator[tuple[str, Letter]]:
    yield "confirm", _asks_for_a_name("Anna")
    orders = ("take 11", "play bipod", "challenge Joao bipod size=4", "seek bipod unrated")
    seek = Seek(11, JOAO, BIPOD, BIPOD.complete({}), "random", True, NOON, NOON + timedelta(days=30))
    yield "confirm-orders", _asks_for_a_name("Anna", orders=orders, waiting=[seek])
    board = BIPOD.begin(BIPOD.complete({}), 1)
    yield "confirm-board", _asks_for_a_name("Anna", orders=("play bipod",), first_board=board)
    yield "confirm-seen", _asks_for_a_name("Anna", "seen", orders=("play bipod",), first_board=board)
    for problem in ("words", "long", "short", "signs", "late", "unclear"):
        yield f"confirm-{problem}", _asks_for_a_name("AnaMaria", problem)
    yield "confirm-problem", _asks_for_a_name("Anna2", "taken", asked="Anna")
    yield "confirm-reserved", _asks_for_a_name("", "reserved", asked="Botticelli", orders=orders[:1])
    yield "newcomer", _asks_for_a_name("")
    yield "newcomer-guessed", _asks_for_a_name("Anna", guessed=True)
    yield "newcomer-unclear", _asks_for_a_name("Anna", "unclear", guessed=True)
    yield (
        "confirm-guessed",
        _asks_for_a_name("Anna", orders=("play bipod",), first_board=board, guessed=True),
    )
    yield "newcomer-name", _asks_for_a_name("", "name")
    yield "newcomer-late", _asks_for_a_name("", "late")
    yield "newcomer-orders", _asks_for_a_name("", orders=orders, waiting=[seek])
    offer = replace(seek, id=12, seeker=BILL)
    for name, waiting, mine in (
        ("play", [seek], []),
        ("play-both", [seek], [offer]),
        ("play-mine", [], [offer]),
    ):
        yield name, to_player("play", BILL, rules=BIPOD, waiting=waiting, mine=mine, bot=True)
    yield (
        "play-bots",
        to_player("play", BILL, rules=BIPOD, waiting=[], mine=[replace(offer, bots=3)], bot=True),
    )
    yield "play-no-bots", to_player("play", BILL, rules=BIPOD, waiting=[], mine=[offer], bot=False)
    bot = Player(90, "bot3", "bot3@bots.invalid", frozenset({"bot3@bots.invalid"}), NOON)
    seen = view(replace(a_game(SEED_GAME[:1]), seats=(BILL, bot)), 0, HOST)
    yield "botwaits", about_game("botwaits", seen, failed=False)
    yield "botwaits-failed", about_game("botwaits", seen, failed=True)
    against_bot = replace(a_game(SEED_GAME[:2]), seats=(BILL, bot), rated=False)
    yield "turn-bot", about_game("turn", view(against_bot, 0, HOST), since=1)
    yield "result-bot", asks(against_bot, 0, "resign yes").letters[0]


ASKED = ReplyTo("confirm", 3)
SMALL = BIPOD.complete({"size": "4"})
RUNNING = [
    RunningGame(42, BIPOD, "Joao", 4, True, NOON, NOON + timedelta(days=7)),
    RunningGame(43, BIPOD, "Anna", 11, False, NOON + timedelta(hours=30)),
]


def a_seek(**changes: Any) -> Seek:
    """Return a seek of Bill's for Bipod, on the terms of `a_challenge`."""
    until, pace = NOON + timedelta(days=30), a_challenge().time_control
    return replace(Seek(9, BILL, BIPOD, BIPOD.complete({}), "random", True, NOON, until, pace), **changes)


def _of_the_lobby() -> Iterator[tuple[str, Letter]]:
    yield from _of_newcomers()
    yield from _of_the_player()
    yield from _of_challenges()
    yield from _of_vacations()
    yield from _of_seeks()
    yield from _of_lists()
    yield from _of_ratings()
    yield from _of_help()
    yield from _of_addresses()
    yield from _of_notes_and_files()
    yield from _of_watching()
    yield "mismatch-lobby", to_player("mismatch", BILL)
    yield "expired-lobby", to_player("expired", BILL)
    yield from _of_reachability()
    yield from _to_the_operator()


def _of_the_player() -> Iterator[tuple[str, Letter]]:
    """The welcome, and what letters a player gets."""
    for again in (False, True):
        facts = {"name": "Bill", "again": again, "offered": OFFERED, "bot": not again}
        yield "welcome-again" if again else "welcome", to_player("welcome", BILL, **facts)
    found = first_lines("game 1\nf2 f4 g3\n\nHello Joao, your move.")
    yield "proof", Letter("proof", BILL.address, BILL, ASKED, facts={"words": found})
    yield "proof-nothing", to_player("proof", BILL, words=[])
    resume = f"https://{HOST}/unsubscribe/{TOKEN}"
    yield "stopped", to_player("stopped", BILL, category="turns", resume=resume)
    yield "stopped-chat", to_player("stopped", BILL, category="chat", resume=resume)
    yield "stopped-receipts", to_player("stopped", BILL, category="receipts", resume=resume)
    yield "settings", a_settings_letter(BILL)
    here = replace(
        BILL, preferences=Preferences(zone="America/New_York", stones=False), stopped=frozenset({"chat"})
    )
    yield "settings-changed", a_settings_letter(here, "zone", "stones")


def _of_challenges() -> Iterator[tuple[str, Letter]]:
    wish = a_challenge()
    yield "challenge", to_player("challenge", JOAO, about=7, challenge=wish, comment="Shall we?")
    for zone in ("Europe/Berlin", "America/New_York"):
        there = replace(JOAO, preferences=Preferences(zone=zone))
        name = zone.rpartition("/")[2].lower()
        yield f"challenge-{name}", to_player("challenge", there, about=7, challenge=wish, comment="")
    slow = a_challenge(time_control=read_pace("3d/move"), soft=True, rated=False)
    for name, times, quiet, stopped in (
        ("remind", "usual", "22-7", False),
        ("remind-own", "48h 12h", "off", False),
        ("remind-off", "off", "22-7", False),
        ("remind-stopped", "usual", "22-7", True),
    ):
        yield name, to_player("remind", BILL, times=times, quiet=quiet, stopped=stopped)
    yield "challenge-slow", to_player("challenge", JOAO, about=7, challenge=slow, comment="")
    plain = a_challenge(options=SMALL, seats="second", rated=False)
    yield "challenge-options", to_player("challenge", JOAO, about=7, challenge=plain, comment="")
    unrated, small = (
        replace(wish, rated=False),
        replace(wish, options=BIPOD.complete({"size": "3"}), rated=False),
    )
    yield "challenge-often", to_player("challenge", JOAO, about=7, challenge=unrated, comment="", often=True)
    yield "challenge-small", to_player("challenge", JOAO, about=7, challenge=small, comment="")
    yield "offered", to_player("offered", BILL, challenge=wish)
    yield "declined", to_player("declined", BILL, challenge=wish, mine=False, comment="No time, alas.")
    yield "declined-mine", to_player("declined", JOAO, challenge=wish, mine=True, comment="")


def _of_vacations() -> Iterator[tuple[str, Letter]]:
    block = Vacation(NOON + timedelta(days=20), NOON + timedelta(days=30))
    now = replace(block, begins=NOON)
    for name, running, planned, left in (
        ("vacation", now, [], 4),
        ("vacation-planned", None, [block], 1),
        ("vacation-none", None, [], 14),
    ):
        possible = {"days": "10", "dates": "15 Mar to 24 Mar"} if left > 10 else {}
        facts = {"running": running, "planned": planned, "left": left, "change": ""}
        yield name, to_player("vacation", BILL, **facts, possible=possible)
    for change in ("back", "cancelled"):
        facts = {"running": None, "planned": [], "left": 9, "change": change, "possible": {"days": "9"}}
        yield f"vacation-{change}", to_player("vacation", BILL, **facts)


def _of_seeks() -> Iterator[tuple[str, Letter]]:
    seek = a_seek()
    plainer = a_seek(id=12, options=SMALL, seats="first", rated=False, soft=True)
    yield "seek", to_player("seek", BILL, about=9, seek=seek)
    yield "seek-bots", to_player("seek", BILL, about=9, seek=replace(seek, bots=3))
    yield "seek-options", to_player("seek", BILL, about=12, seek=plainer)
    others = [replace(seek, id=5, seeker=JOAO), replace(plainer, id=6, seeker=ONLOOKER)]
    spoken = replace(seek, comment="I am new here.\nf2 f4 g3\nresign")
    yield "seek-words", to_player("seek", BILL, about=9, seek=spoken)
    yield "play-words", to_player("play", BILL, rules=BIPOD, waiting=[], mine=[spoken], bot=True)
    begun = a_challenge(**vars(replace(spoken, seeker=JOAO)), challenged=BILL, sought=True)
    yield "start-seek-words", start_letters(a_game(), HOST, begun, 0, "At last!")[0]
    yield "seeks", to_player("seeks", BILL, waiting=others, far=[], mine=[seek])
    yield "seeks-none", to_player("seeks", BILL, waiting=[], far=[], mine=[])
    taken = start_letters(
        a_game(), HOST, a_challenge(**vars(others[0]), challenged=BILL, sought=True), 0, "At last!"
    )
    yield "start-seek-taker", taken[0]
    yield "start-seek-seeker", taken[1]
    yield "withdrawn", to_player("withdrawn", BILL, wish=seek, mine=True)
    yield "withdrawn-challenge", to_player("withdrawn", BILL, wish=a_challenge(), mine=True)
    yield "withdrawn-theirs", to_player("withdrawn", JOAO, wish=a_challenge(), mine=False)


def _of_lists() -> Iterator[tuple[str, Letter]]:
    """Limits, refusals, and the list of games."""
    bounds = {"limits": [(BIPOD, 3, 1)], "blocked": ("Anna",), "changed": "bipod"}
    yield "bounds", to_player("bounds", BILL, **bounds)
    yield "bounds-none", to_player("bounds", BILL, limits=[], blocked=(), changed="")
    facts = {"problems": ["Nobody here is called Jaoo. Did you mean Joao?"], "read": ["challenge Jaoo bipod"]}
    yield "refused-lobby", to_player("refused", BILL, **facts, found=[])
    again = to_player("refused", BILL, problems=[NO_ANSWER], read=[], found=["I am not sure."])
    yield "refused-question", replace(again, reply=ASKED)
    back = a_challenge(seeker=JOAO, challenged=BILL)
    facts = {"running": RUNNING, "to_you": [back], "from_you": [a_challenge(id=8)], "sought": [a_seek()]}
    yield "games", to_player("games", BILL, **facts)
    yield "games-none", to_player("games", BILL, running=[], to_you=[], from_you=[], sought=[])


def _of_help() -> Iterator[tuple[str, Letter]]:
    """The rules and the help letters."""
    text = rules_in_words(RULES["bipod"])
    yield "rules", to_player("rules", BILL, rules=BIPOD, text=text, offered=OFFERED)
    yield "rules-list", to_player("rules", BILL, rules=None, text="", offered=OFFERED)
    for topic in ("", "all", "challenge", "boards", "try", "cheese"):
        yield (
            f"help-{topic}".rstrip("-"),
            to_player("help", BILL, topic=topic, offered=OFFERED, examples=USUAL),
        )


def _of_addresses() -> Iterator[tuple[str, Letter]]:
    for change in ("add", "drop", "renew"):
        facts = {"change": change, "address": "bill@work.example", "known": False}
        yield f"address-{change}", Letter("address", BILL.address, BILL, ASKED, facts=facts)
    known = {"change": "add", "address": "bill@work.example", "known": True}
    yield "address-known", Letter("address", BILL.address, BILL, ASKED, facts=known)
    yield "newaddress", Letter("newaddress", "bill@work.example", None, ASKED)
    facts = {"here": BILL.address, "others": ["b.taylor@example.com"]}
    for done in ("added", "moved", "dropped", "renewed", "asked", ""):
        changed = BILL.address if done in ("added", "moved") else "bill@work.example" if done else ""
        told = to_player("addresses", BILL, **facts, done=done, changed=changed)
        yield f"addresses-{done}".rstrip("-"), told
    gone = {"here": "", "others": [], "done": "dropped", "changed": "bill@work.example"}
    yield "addresses-gone", Letter("addresses", "bill@work.example", BILL, facts=gone)
    yield "addresses-one", to_player("addresses", BILL, here=BILL.address, others=[], done="", changed="")


def _of_notes_and_files() -> Iterator[tuple[str, Letter]]:
    own = [Note(42, 4, NOON, LONG_WORDS), Note(57, 0, NOON, "He opens thus."), Note(42, 6, NOON, "Hm.")]
    yield "notes", to_player("notes", BILL, game=None, noted=notes_by_game(own), more=3)
    yield "notes-game", to_player("notes", BILL, game=57, noted=notes_by_game(own[1:2]), more=0)
    yield "notes-none", to_player("notes", BILL, game=42, noted=[], more=0)
    for name, form in (("export", "text"), ("export-json", "json")):
        mine = [a_game(SEED_GAME[:4]), a_game(BEGIRD_GAME, key="begird")]
        attached, count = export_files(mine[: 1 if form == "json" else 2], own, HOST, form)
        titles = [(game.id, game.title) for game in mine[:count]]
        facts = {"shown": titles, "noted": 2, "left_out": 0, "format": form}
        yield name, replace(to_player("export", BILL, **facts), attached=attached)
    facts = {"shown": titles * 5, "noted": 0, "left_out": 3, "format": "text"}
    yield "export-rest", to_player("export", BILL, **facts)
    yield "export-none", to_player("export", BILL, **facts | {"shown": [], "left_out": 0})


def _of_watching() -> Iterator[tuple[str, Letter]]:
    seen = view_for_reader(a_game(SEED_GAME[:4]), ONLOOKER, HOST)
    facts = {
        "watched": [seen],
        "boards": [seen],
        "ended": None,
        "stopped": False,
        "whose": "",
        "names": [],
        "leagues": [],
        "weekly": False,
        "invites": True,
    }
    yield "watching", to_player("watching", ONLOOKER, **facts)
    yield "watching-stopped", to_player("watching", ONLOOKER, **facts | {"boards": [], "stopped": True})
    yield "watching-ended", to_player("watching", ONLOOKER, **facts | {"boards": [], "ended": 44})
    yield "watching-none", to_player("watching", ONLOOKER, **facts | {"watched": [], "boards": []})
    yield from letters_of_watched_players(ONLOOKER, **facts)


def _of_reachability() -> Iterator[tuple[str, Letter]]:
    yield "unreachable", to_player("unreachable", JOAO, name="Bill", running=RUNNING)
    since = NOON - timedelta(days=9)
    yield "reachable", to_player("reachable", BILL, since=since, to_you=[])
    back = a_challenge(seeker=JOAO, challenged=BILL)
    yield "reachable-challenged", to_player("reachable", BILL, since=since, to_you=[back])


def _to_the_operator() -> Iterator[tuple[str, Letter]]:
    """Mails put aside, and mails to the operator's mailboxes."""
    error = "sqlalchemy.exc.OperationalError: no such table: games"
    yield "shunted", Letter("shunted", "ops@example.org", None, facts={"key": "m17", "error": error})
    facts = {"mailbox": "abuse", "sender": "ann@example.com", "about": "Spam", "key": "m18"}
    words = ["Your server writes to me.", "resign"]
    yield "forwarded", Letter("forwarded", "ops@example.org", None, facts={**facts, "words": words})
    why = "550 5.1.1 <bill@example.org> unknown user"
    gone = "abort: command: FETCH => socket error: EOF"
    yield (
        "shunted-imap",
        Letter("shunted", "ops@example.org", None, facts={"key": "imap.17.9", "error": gone}),
    )
    yield "shunted-letter", Letter("shunted", "ops@example.org", None, facts={"key": "o12", "error": why})
    yield from _months()
    low = "the disk of /var/lib/pbem has only 100 MiB left"
    yield "trouble", Letter("trouble", "ops@example.org", None, facts={"troubles": [low]})
    both = {"troubles": [low, "2 jobs of bots that failed: pbem retry --bots"]}
    yield "trouble-several", Letter("trouble", "ops@example.org", None, facts=both)


def _months() -> Iterator[tuple[str, Letter]]:
    counted = ("players", "games_begun", "games_ended", "moves", "mails", "letters", "bounces", "reports")
    facts = {
        "begins": datetime(2026, 2, 1, tzinfo=UTC),
        "numbers": dict(zip(counted, (3, 20, 17, 412, 530, 960, 2, 1), strict=True)),
        "troubles": ["2 mails put aside: pbem retry --shunted"],
        "failing": [("Bill", "bill@example.org", NOON)],
        "outside": [
            Finding("ok", "relay", "smtp://localhost:25 takes our letters"),
            Finding("hint", "certificate", "games.example.org: good until 2026-03-09 only"),
        ],
        "disks": {"/var/lib/pbem": 8123},
        "backup_at": NOON,
        "version": "1.0.0",
        "is_new_version": True,
    }
    yield "month", Letter("month", "ops@example.org", None, facts=facts)
    quiet = {"troubles": [], "failing": [], "outside": [], "backup_at": None, "is_new_version": False}
    quiet["numbers"] = dict.fromkeys(counted, 0)
    yield "month-quiet", Letter("month", "ops@example.org", None, facts=facts | quiet)


def _of_ratings() -> Iterator[tuple[str, Letter]]:
    """Ratings on request, and letters of rated games with earlier ratings."""
    sure = GameRating(Rating(1694.4, 80.0), NOON)
    mine = Career("bipod", BILL.id, "Bill", sure, 38, 24, 5, 9, 211, 2)
    other = replace(
        mine, rules="begird", standing=GameRating(Rating(1523.0, 200.0), NOON), won=3, drawn=0, lost=1
    )
    careers = [("Bipod", mine, "1694"), ("Begird", other, "1523?"), ("Hexagonal Thing", other, "none")]
    facts = {"name": "Bill", "mine": True, "since": NOON, "careers": careers, "provisional": True}
    yield "rating", to_player("rating", BILL, **facts, in_time=Share(422, 426))
    facts |= {"name": "Joao", "mine": False, "careers": careers[:1], "provisional": False}
    yield "rating-theirs", to_player("rating", BILL, **facts, in_time=Share(1, 1))
    yield "rating-none", to_player("rating", BILL, **facts | {"careers": []}, in_time=Share(0, 0))
    best = [(1, mine, "1694"), (2, replace(mine, name="Joao", rated=112), "1523")]
    told = {"rules": BIPOD, "best": best, "mine": "1694", "place": 1, "games": 187, "first": Share(90, 175)}
    yield "standings", to_player("standings", BILL, **told)
    facts = told | {"best": [], "mine": "1662?", "place": None, "games": 1, "first": Share(1, 1)}
    yield "standings-provisional", to_player("standings", BILL, **facts)
    none = {"best": [], "mine": "", "place": None, "games": 0, "first": Share(0, 0)}
    yield "standings-none", to_player("standings", BILL, **told | none)
    rows = [(BIPOD, "Joao", "1694", "1662?"), (RULES["bagel"], "", "", "")]
    yield "standings-all", to_player("standings", BILL, rules=None, rows=rows)
    ratings = {BILL.id: "1694", JOAO.id: "1338?"}
    known = with_ratings(to_player("challenge", JOAO, about=7, challenge=a_challenge(), comment=""), ratings)
    yield "challenge-rated", known
    over = asks(a_game(SEED_GAME[:18]), 1, "resign yes", since=20)
    changes = {BILL.id: RatingChange(1687.6, 1694.4), JOAO.id: RatingChange(1345.3, 1338.1)}
    letter = next(letter for letter in over.letters if letter.player == BILL)
    yield "result-league", with_ratings(letter, ratings, rating_changes=changes, table=_placed())
    place = {"title": "Bipod ladder", "place": 2, "was": 5, "number": 11}
    yield "result-ladder", with_ratings(letter, ratings, rating_changes=changes, ladder=place)
    stayed = {**place, "place": 5}
    yield "result-ladder-stays", with_ratings(letter, ratings, rating_changes=changes, ladder=stayed)
    gained = {"title": MATCH.title, "gain": "Lisbon", "drawn": False, "shown": MIDDLE}
    yield "result-match", with_ratings(letter, ratings, rating_changes=changes, match=gained)
    drawn = {**gained, "gain": "", "drawn": True, "shown": replace(MIDDLE, games_left=1)}
    yield "result-match-drawn", with_ratings(letter, ratings, rating_changes=changes, match=drawn)
    nothing = {**gained, "gain": "", "shown": replace(MIDDLE, games_left=0)}
    yield "result-match-void", with_ratings(letter, ratings, rating_changes=changes, match=nothing)
    yield "result-rated", with_ratings(letter, ratings, rating_changes=changes)
    stays = {BILL.id: RatingChange(1694.4, 1694.4), JOAO.id: RatingChange(1338.0, 1338.1)}
    yield "result-rated-draw", with_ratings(letter, ratings, rating_changes=stays)


def with_ratings(letter: Letter, ratings: Mapping[int, str], **more: Any) -> Letter:
    """Add both players' ratings to the letter."""
    return replace(letter, facts={**letter.facts, "ratings": ratings, **more})


SAMPLES = samples()
CHOSEN = dict(some(SAMPLES.items(), 110, lambda sample: sample[1].kind))
"""Samples of each kind, in a short run a part of them."""
every_sample = pytest.mark.parametrize("sample", SAMPLES.items(), ids=SAMPLES)
each_sample = pytest.mark.parametrize("sample", CHOSEN.items(), ids=CHOSEN)
"""Runs a test with the samples chosen, as (name, letter)."""

PARTS = {
    f"{name}-{subtype}": (letter, subtype)
    for name, letter in CHOSEN.items()
    for subtype, other in (("plain", "html"), ("html", "text"))
    if letter.player is None or letter.player.preferences.format != other
}
each_part = pytest.mark.parametrize(("letter", "subtype"), PARTS.values(), ids=PARTS)
"""Runs a test with each part of the samples chosen, by preferences."""
each_html = pytest.mark.parametrize(
    "letter", [letter for letter, subtype in PARTS.values() if subtype == "html"]
)
each_text = pytest.mark.parametrize(
    "letter", [letter for letter, subtype in PARTS.values() if subtype == "plain"]
)

POLICY = policy.SMTP.clone(max_line_length=998)
"""The standard library's policy for letters."""


def write_sample(letter: Letter, site: Site = HOUSE) -> bytes:
    return write(letter, sample_headers(letter), site)


_IDS = {id(letter) for letter in SAMPLES.values()}
_written: dict[int, bytes] = {}


def sample_bytes(letter: Letter) -> bytes:
    """Return a sample as `write_sample` writes it, written once in a run."""
    if id(letter) not in _IDS:
        return write_sample(letter)
    if id(letter) not in _written:
        _written[id(letter)] = write_sample(letter)
    return _written[id(letter)]


def parse_sample(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=READ_POLICY)
    assert isinstance(message, EmailMessage)
    return message


@lru_cache(maxsize=1000)
def part_as_text(raw: bytes, subtype: str) -> str:
    """Return a part as text: HTML as the poorest mail program would convert it."""
    return part_of_letter(raw, subtype) if subtype == "plain" else html_to_text(part_of_letter(raw, subtype))


@lru_cache(maxsize=1000)
def part_of_letter(raw: bytes, subtype: str) -> str:
    """Return the decoded `plain` or `html` part, "" if missing. Lines end in newlines."""
    body = parse_sample(raw).get_body((subtype,))
    if body is None:
        return ""
    return str(body.get_content()).replace("\r\n", "\n")


def headers_of(raw: bytes) -> dict[str, str]:
    return {name: str(value) for name, value in parse_sample(raw).items()}
