"""Sample letters about games: moves, boards, plans and directors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from pbem.core.clock.time_control import read_pace
from pbem.core.exercises.analysis import moments_of
from pbem.core.game.game import Game
from pbem.core.game.journal import Entry
from pbem.core.game.view import view, view_for_reader
from pbem.core.letters.boards import Boards, News, letter_with_boards
from pbem.core.letters.facts import RefusalFacts, TurnFacts
from pbem.core.letters.letter import Letter, ReplyTo, about_game, to_player
from pbem.core.letters.start import start_letters
from pbem.core.parsing.mail_orders import NO_ORDERS, TOO_LATE
from pbem.core.parsing.reply_text import first_lines
from pbem.core.play import director
from pbem.core.play.live import LivePlay, last_letters, with_all_since
from pbem.core.play.show import show_letter
from pbem.core.players import BOARD_WORDS, Preferences
from pbem.store.games import RunningGame
from tests.mail.clock_letters import letters_of_flags, letters_on_the_clock
from tests.mail.club_letters import letters_of_clubs
from tests.mail.event_letters import letters_of_leagues
from tests.mail.finding_letters import letters_of_finding
from tests.mail.guess_letters import letters_of_guesses
from tests.mail.ladder_letters import letters_of_ladders
from tests.mail.lesson_letters import letters_of_lessons
from tests.mail.match_letters import letters_of_matches
from tests.mail.paper_letters import letters_of_papers
from tests.mail.puzzle_letters import a_puzzle, letters_of_proofs, letters_of_puzzles
from tests.mail.sample_values import (
    BEGIRD_GAME,
    BIPOD,
    LONG_WORDS,
    ONLOOKER,
    PREFERENCE_SAMPLES,
    WEEK,
    a_challenge,
    boards_of,
    only_letter,
    several_games,
)
from tests.people import BILL, HOST, JOAO, NOON, SEED_GAME, a_game, asks, command


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


def letters_of_every_game() -> Iterator[tuple[str, Letter]]:
    """A due move in each game, the receipt of a swap, and a move that came with an offer."""
    for key, moves in (
        ("bagel", ("d3", "c6", "g7")),
        ("begird", BEGIRD_GAME),
        ("bounders", ("f3", "swap", "d2")),
        ("hexthing", ()),
    ):
        game = a_game(moves, key=key)
        turn = about_game("turn", view(game, game.state.to_play, HOST), TurnFacts(0, 0))
        yield f"turn-{key}", turn
    swapped = asks(a_game(BEGIRD_GAME[:1], key="begird"), 1, "swap")
    yield "receipt-swap", only_letter(swapped.letters, "receipt")
    offered = asks(a_game(SEED_GAME[:4]), 0, "F2\ndraw")
    yield "turn-draw", only_letter(offered.letters, "turn")


def letters_of_several_games() -> Iterator[tuple[str, Letter]]:
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
    yield "daily", to_player("daily", BILL, hour=7, due=due, zone="Europe/Berlin", stopped=False, too=False)
    yield "daily-stopped", to_player("daily", BILL, hour=7, due=due, zone="UTC", stopped=True, too=False)
    yield from letters_of_finding(ONLOOKER)
    yield "daily-off", to_player("daily", BILL, hour=None, due=None, zone="UTC", stopped=True, too=False)


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
    reads_words = replace(JOAO, preferences=Preferences(board=BOARD_WORDS))
    told = asks(replace(middle, seats=(middle.seats[0], reads_words)), 0, "F2")
    yield "turn-words", only_letter(told.letters, "turn")
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
    facts = RefusalFacts([TOO_LATE], found=words)
    yield "refused-no-orders", about_game("refused", view(middle, 0, HOST), facts)
    seen = RefusalFacts([NO_ORDERS], found=["Here is my move: F2."], seen_move="F2")
    yield "refused-seen-move", about_game("refused", view(middle, 0, HOST), seen)
    asked = about_game("refused", view(middle, 0, HOST), seen)
    yield "refused-seen-asked", replace(asked, reply=ReplyTo("confirm", 5))
    slip = RefusalFacts([], ["F2!?"], seen_move="f2", comment="Beautiful weather here")
    asked = about_game("refused", view(middle, 0, HOST), slip)
    yield "refused-seen-words", replace(asked, reply=ReplyTo("confirm", 5))
    words = RefusalFacts([], found=["Thanks for the game, and", "good luck!"], to_send=True)
    alone = about_game("refused", view(middle, 0, HOST), words)
    yield "refused-words", replace(alone, reply=ReplyTo("confirm", 5))
    for name, preferences in PREFERENCE_SAMPLES.items():
        seats = (BILL, replace(JOAO, preferences=preferences))
        yield f"turn-{name}", only_letter(asks(replace(middle, seats=seats), 0, "F2").letters, "turn")
    new = replace(a_game(), time_control=read_pace("3d/move"))
    unclear = asks(new, 0, "F2 f4\n\nHello Joao!", as_written=False).letters
    which = replace(only_letter(unclear, "which"), reply=ReplyTo("confirm", 5))
    yield "which", which
    yield "which-again", which.telling(again=True)
    doubted = {"orders": ["accept"], "words": "No, I want to play on.", "doubt": "back", "to_send": True}
    meant = about_game("meant", view(middle, 0, HOST), **doubted)
    yield "meant", replace(meant, reply=ReplyTo("confirm", 5))
    yield (
        "resign",
        replace(only_letter(asks(middle, 0, "resign").letters, "resign"), reply=ReplyTo("confirm", 5)),
    )
    late = only_letter(asks(a_game(SEED_GAME[:12]), 0, "resign", since=11).letters, "resign")
    yield "resign-late", replace(late, reply=ReplyTo("confirm", 5))
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
    words = RefusalFacts([NO_ORDERS], found=["Thank you for the game!"])
    yield "refused-over", about_game("refused", view(lost, 0, HOST), words)
    yield "receipt-said-over", only_letter(asks(lost, 0, "say Well fought.").letters, "receipt")
    yield "noted-over", only_letter(asks(lost, 0, "note: A good game to show.").letters, "noted")
    yield "moves", show_letter(seen, command("moves", "moves"))
    yield "moves-none", show_letter(view(a_game(), 0, HOST), command("moves", "moves"))


def letters_of_the_game() -> Iterator[tuple[str, Letter]]:
    middle = a_game(SEED_GAME[:4])
    yield from _of_moves(middle)
    yield from _of_refused_words(middle)
    yield from _of_looking(middle)
    yield from letters_of_flags(middle)
    yield from letters_on_the_clock(middle)
    yield from _of_plans(middle)
    yield from _of_live_play()
    yield from letters_of_proofs(middle)
    yield from letters_of_puzzles()
    yield from letters_of_papers(a_puzzle())
    yield from letters_of_lessons()
    yield from letters_of_leagues(middle)
    yield from letters_of_clubs()
    yield from letters_of_ladders(middle)
    yield from letters_of_matches()
    yield "mismatch", about_game("mismatch", view(middle, 0, HOST))
    yield "expired", about_game("expired", view(middle, 0, HOST))


def letters_of_undoing() -> Iterator[tuple[str, Letter]]:
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
        replace(waits, held_until=NOON + timedelta(days=1, minutes=5)),
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
        replace(waits, held_until=NOON + timedelta(days=1, minutes=5)),
        only_letter(asks(over, 0, "say Well fought.").letters, "receipt"),
    ]
    yield "receipts-settled", letter_with_boards("receipts", BILL, Boards(), items=settled)


def _of_live_play() -> Iterator[tuple[str, Letter]]:
    """Both have played plies 3 and 4 on the page; then Bill is to move. In another game Joao is."""
    play = LivePlay((NOON, NOON), agreed_at=NOON, entry=3)
    game = replace(a_game(SEED_GAME[:4]), time_control=read_pace("3d/move"))
    game = game.with_entries(asks(game, 1, "draw\nsay Shall we go on tomorrow?").entries)
    yield "live", last_letters(game, play, HOST)[0]
    yield "live-waits", last_letters(game, play, HOST)[1]
    declined = game.with_entries(asks(game, 0, "decline draw").entries)
    yield "live-declined", last_letters(declined, play, HOST)[1]
    asked = game.with_entries(asks(game, 0, "undo").entries)
    back = asked.with_entries(asks(asked, 1, "accept undo").entries)
    yield "live-taken", last_letters(back, play, HOST)[1]
    over = asks(game, 0, "resign yes\n\nToo strong for me.").letters
    yield "result-live", next(with_all_since(each, play) for each in over if each.player == JOAO)


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


def letters_of_decisions() -> Iterator[tuple[str, Letter]]:
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
    entered = director.enter(timed, "F2", "Your mail with F2 came from an address that we do not know.", at)
    yield "director-enter", told(timed, entered)[0]
    yield "director-enter-theirs", told(timed, entered)[1]
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
