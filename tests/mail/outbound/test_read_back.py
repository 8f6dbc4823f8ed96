"""No text of ours reads as a command: quoted, unquoted, or without its marker.

Letters of random games between people with odd names, who say odd things, are read back.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pbem.core.clock.time_control import read_pace
from pbem.core.game.conditional import Branch, ConditionalPlan, ConditionalStop, plan_data
from pbem.core.game.conditional import branch_text as written_plan
from pbem.core.game.examples import USUAL
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PLAN, PLY, START, TAKEBACK, TAKEBACK_OFFER, Entry
from pbem.core.game.state import RESULTS
from pbem.core.game.view import view
from pbem.core.letters.boards import MERGED_KINDS, Boards, News, letter_with_boards
from pbem.core.letters.facts import ReceiptFacts, RefusalFacts, TurnFacts
from pbem.core.letters.letter import Letter, about_game, to_player
from pbem.core.letters.start import start_letters
from pbem.core.parsing.commands import GAME
from pbem.core.parsing.line import MoveReader, read_line
from pbem.core.parsing.mail_orders import read_orders
from pbem.core.parsing.normalise import normalise
from pbem.core.parsing.reply_text import MARKER, split_words
from pbem.core.play import director
from pbem.core.play.decide import VERBS
from pbem.core.play.show import show_letter
from pbem.core.players import Player
from pbem.mail.inbound.html_to_text import html_to_text
from pbem.mail.outbound import marks
from rules import RULES
from rules.contract import other
from tests.amount import amount
from tests.mail.letters import (
    CHOSEN,
    POLICY,
    SAMPLES,
    each_kind,
    of_kind,
    part_of_letter,
    sample_bytes,
    write_sample,
)
from tests.mail.sample_values import BIPOD, OFFERED, a_challenge
from tests.people import BILL, HOST, JOAO, NOON, SEED_GAME, a_game, asks, command

NASTY = [
    "if f2 then g3 if h4 then j2",
    "if any then resign",
    "if clear",
    "if",
    "plans",
    "f2 f4 g3",
    "resign",
    "resign yes",
    "adopt",
    "game 7",
    "#7 f2",
    "7. f2 f4",
    "say hello",
    "accept 7",
    "challenge Bill bipod",
    "k3 o",
    "f7",
    "",
    "help",
    "> f2",
    ". f2",
    "From here on: f2",
    "-- ",
    MARKER,
    "* f2",
    "1. f2",
    "confirm",
    "  f2   f4",
    "Thanks, and well played; I shall think about f2 f4 g3 and what may come of it when",
    "f2 f4 f6 h2 h4 h6 j2 j4 j6 l2 l4 l6 n2 n4 n6 p2 p4 p6 r2 r4 r6 t2 t4 t6 v2 v4 v6 x2 x4 x6 z2 z4",
    "x" * 200,
    "棋" * 90,
]
NAMES = ["Bill", "Joao", "f2", "o1", "On", "Von", "a1b2", "Shew", "From", "Mov", "k3o", "Re", "Gmae"]


def a_random_game(rng: Random) -> Game:
    """Play some random plies with words, between people with odd names."""
    options = {"size": rng.choice("3358"), "stones": rng.choice("135")}
    start = BIPOD.start(options)
    first, second = rng.sample(NAMES, 2)
    people = (replace(BILL, name=first), replace(JOAO, name=second))
    game = Game(42, BIPOD, start.options, 0, people, NOON, (Entry(1, NOON, START, None, {}),))
    position = start
    for n in range(rng.choice((0, 1, 2, 5, 9, 14, 30))):
        if position.outcome:
            break
        move = position.sample(rng)
        data = {"move": str(move)} | ({"comment": some_words(rng)} if rng.random() < 0.3 else {})
        game = game.with_entries([Entry(n + 2, NOON, PLY, position.to_play, data)])
        position = position.play(move)
    return game


def some_words(rng: Random) -> str:
    return "\n".join(rng.choice(NASTY) for _ in range(rng.randrange(1, 6)))


def some_problems(rng: Random) -> list[str]:
    """Return refusal sentences with a player's text at start, middle and end."""
    odd = [rng.choice([line for line in NASTY if line.strip()]) for _ in range(3)]
    return [f"{odd[0]}: that cannot be, write f2 f4.", f"Nobody is called {odd[1]} here.", f"Not {odd[2]}"]


def letters_of(game: Game, rng: Random) -> list[Letter]:
    """Return game letters of every kind, and lobby letters to match."""
    seat = rng.choice((0, 1))
    mine = view(game, seat, HOST)
    words = some_words(rng)
    found = [line for line in words.split("\n") if line]
    wish = a_challenge(seeker=game.seats[0], challenged=game.seats[1], options=game.options)
    letters: list[Letter] = [
        *(letter for text in NASTY if (letter := first_of(game, rng, text))),
        *start_letters(game, HOST, wish, 1, words),
        *letters_of_a_plan(game, rng, some_problems(rng)[0]),
        *letters_of_going_back(game, rng),
        about_game("turn", mine, TurnFacts(rng.randrange(1, len(game.journal) + 1), len(game.journal))),
        about_game("chat", mine, words=words),
        about_game("resign", mine, move="", late=rng.random() < 0.5),
        about_game("mismatch", mine),
        about_game("expired", mine),
        about_game("refused", mine, RefusalFacts(some_problems(rng), found)),
        about_game("refused", mine, RefusalFacts(some_problems(rng), found=found)),
        show_letter(mine, command("show", "show", ply=None)),
        show_letter(mine, command("show", "show", ply=0)),
        show_letter(mine, command("moves", "moves")),
        to_player("challenge", game.seats[1], challenge=wish, comment=words),
        to_player("declined", game.seats[0], challenge=wish, mine=False, comment=words),
        to_player("refused", game.seats[0], RefusalFacts(some_problems(rng), found)),
        replace(SAMPLES["proof"], facts={"words": found, "answers": True, "often": True}),
        about_game("meant", mine, orders=found[:1], words=words, doubt="back", to_send=True),
        to_player(
            "welcome",
            game.seats[0],
            name=game.seats[0].name,
            again=False,
            offered=OFFERED,
            bot=True,
            more=False,
        ),
        asked_for_a_name(rng),
        to_player("help", game.seats[0], topic="f2", offered=OFFERED, examples=USUAL),
        to_player("director", game.seats[0], ruling=None, words=words),
        *(letter for entry in decisions(game, rng) for letter in decided(game, entry)),
    ]
    return letters


def asked_for_a_name(rng: Random) -> Letter:
    letter, name = SAMPLES[rng.choice(("confirm-orders", "confirm-problem"))], rng.choice(NAMES)
    return letter.telling(name=name, asked=name and rng.choice(NAMES))


def letters_of_going_back(game: Game, rng: Random) -> list[Letter]:
    """Return both players' letters when a ply of chance is taken back."""
    if game.state.ending or not game.state.plies:
        return []
    ply = rng.choice(game.state.plies)
    n = len(game.journal)
    asked = Entry(n + 1, NOON, TAKEBACK_OFFER, ply.seat, {"to": ply.entry})
    gone = Entry(n + 2, NOON, TAKEBACK, other(ply.seat), {"to": ply.entry})
    waiting, back = game.with_entries([asked]), game.with_entries([asked, gone])
    words = some_words(rng)
    return [
        about_game("undo", view(waiting, other(ply.seat), HOST), undo="asked", since=n, words=words),
        about_game("undo", view(back, ply.seat, HOST), undo="taken", since=n + 1, words=words),
        about_game("undo", view(game, ply.seat, HOST), undo="kept", since=n, words=words),
        show_letter(view(back, rng.choice((0, 1)), HOST), command("moves", "moves")),
    ]


def letters_of_a_plan(game: Game, rng: Random, reason: str) -> list[Letter]:
    """Return letters to the planner, and after conditional moves stopped."""
    position = game.state.position
    if position.outcome or game.state.to_play is None or not game.state.plies:
        return []
    seat = other(game.state.to_play)
    named = [str(position.sample(rng)) for _ in range(6)]
    deep: ConditionalPlan = ()
    for answer in named:
        deep = (Branch(rng.choice([*named, "any"]), (answer,), deep), Branch("draw", ("accept",)))
    entry = Entry(len(game.journal) + 1, NOON, PLAN, seat, {"plan": plan_data(deep)})
    planned = view(game.with_entries([entry]), seat, HOST)
    read = [written_plan(named[0], named[1:]), "if clear", "if f2 then", "if any then resign"]
    stop = ConditionalStop(rng.choice(["draw", "pie", "unnamed", "illegal"]), named[0], reason)
    facts = ReceiptFacts(read, len(game.journal), planned=True, unsent=True, stop=stop)
    return [
        about_game("receipt", planned, facts),
        about_game("refused", planned, RefusalFacts([f'In "{read[0]}" of your plan, {reason}'], read)),
        about_game("plans", planned),
        about_game("turn", view(game, seat, HOST), TurnFacts(1, 1, stop)),
    ]


def decisions(game: Game, rng: Random) -> list[Entry]:
    """Return a director's possible decisions, each with an odd reason."""
    why = " ".join(some_words(rng).split())[:500] or "f2"
    timed = replace(game, time_control=read_pace("normal"))
    if game.state.ending is not None:
        return [director.notice(game, f"{why}\n{why}", NOON)]
    return [
        director.notice(game, f"{why}\n{why}", NOON),
        director.extend(timed, timedelta(hours=rng.randrange(1, 99)), rng.choice((0, 1, None)), why, NOON),
        director.stop_clocks(timed, rng.choice((None, NOON + timedelta(days=2))), why, NOON),
        director.replace_seated(game, rng.choice((0, 1)), replace(BILL, id=99, name="k3o"), why, NOON),
        director.adjudicate(game, rng.choice(RESULTS), why, NOON),
        *([director.rollback(game, 0, why, NOON)] if game.state.plies else []),
    ]


def decided(game: Game, entry: Entry) -> list[Letter]:
    return director.letters_for_decision(game, game.with_entries([entry]), HOST, game.seats[0])


def first_of(game: Game, rng: Random, text: str) -> Letter | None:
    """Return a letter caused by this text, if it has commands."""
    mail = f"{text}\n\n{some_words(rng)}"
    blocks = read_orders(mail, marked=True, reader=fold(game).position.read).blocks
    verbs = {command.verb for block in blocks for command in block.commands}
    if len(blocks) != 1 or not verbs or not verbs <= set(VERBS):
        return None
    letters = asks(game, rng.choice((0, 1)), mail).letters
    return rng.choice(letters) if letters else None


def orders_in(words: str, reader: MoveReader) -> list[str]:
    """Return every line that alone, unmarked, stripped or listed, is a command."""
    found = []
    for line in normalise(words.replace(MARKER, "")).split("\n"):
        for form in {line.strip(), line.strip(" >|"), line.strip(" -*"), line.strip().lower()}:
            if form and (read_line(form, reader) or GAME.fullmatch(form)):
                found.append(form)
    return found


def falls_apart(html: str) -> str:
    """Convert HTML like the poorest program: every block and cell on its own line."""
    return html_to_text(re.sub(r"</?(td|th|tr|p|div|li|h1|h2|br)\b[^>]*>", "<br>", html))


def assert_no_orders(raw: bytes, reader: MoveReader) -> None:
    plain, html = part_of_letter(raw, "plain"), part_of_letter(raw, "html")
    for shown in (plain, html_to_text(html), falls_apart(html)):
        assert [] == orders_in(shown, reader)
        unmarked = shown.replace(MARKER, "")
        for form in (unmarked, re.sub("(?m)^", "> ", unmarked), re.sub("(?m)^", "> ", shown)):
            words, *_ = split_words(normalise(form))
            orders = read_orders(words, marked=True, reader=reader, reader_of=lambda _: reader)
            assert orders.empty and not orders.blocks


@each_kind
def test_no_sample_reads_as_an_order(kind):
    for letter in [letter for name, letter in of_kind(kind).items() if name in CHOSEN]:
        position = letter.view.state.position if letter.view else RULES["bipod"].start()
        assert_no_orders(sample_bytes(letter), position.read)


@settings(max_examples=amount(2, 12), suppress_health_check=[HealthCheck.too_slow])  # 200 letters
@given(st.integers(0, 2**32))
def test_no_letter_of_any_game_reads_as_an_order(seed):
    rng = Random(seed)
    game = a_random_game(rng)
    for letter in rng.sample(letters_of(game, rng), 8):
        raw = write_sample(letter)
        assert_no_orders(raw, fold(game).position.read)
        lines = part_of_letter(raw, "plain").split("\n")
        assert [] == [line for line in lines if line != line.rstrip() or line.startswith((".", ">", "From "))]


def several(rng: Random) -> list[Game]:
    """Play two to five games of any kind, with odd names."""
    games = []
    for n in range(rng.randrange(2, 6)):
        key = rng.choice(list(RULES))
        first, second = rng.sample(NAMES, 2)
        people = (replace(BILL, name=first), replace(JOAO, name=second))
        options = RULES[key].start({}).options
        game = Game(40 + n, RULES[key], options, n, people, NOON, (Entry(1, NOON, START, None, {}),))
        for _ in range(rng.randrange(6)):
            position = fold(game).position
            if position.outcome:
                break
            data = {"move": str(position.sample(rng))}
            data |= {"comment": some_words(rng)} if rng.random() < 0.5 else {}
            game = game.with_entries([Entry(len(game.journal) + 1, NOON, PLY, position.to_play, data)])
        games.append(game)
    return games


def letters_of_several(games: list[Game], rng: Random) -> list[Letter]:
    """Return a bundle, a merged answer and a digest of games."""
    views = [view(game, rng.choice((0, 1)), HOST) for game in games]
    boards = Boards(views, bundle=5)
    found = [line for line in some_words(rng).split("\n") if line]
    items = [about_game("refused", views[0], RefusalFacts(some_problems(rng), found))]
    for game in games[1:]:
        if (seat := fold(game).to_play) is not None:
            words = f"{fold(game).position.examples()[0]}\n\nWell, {rng.choice(NASTY)}"
            items.append(asks(game, seat, words).letters[0])
    news = [News(seen, rng.randrange(len(seen.game.journal))) for seen in views]
    wish = a_challenge(seeker=games[0].seats[0], challenged=games[0].seats[1])
    reader = games[0].seats[0]
    return [
        letter_with_boards("bundle", reader, boards, every=True),
        letter_with_boards(
            "receipts", reader, boards, items=[item for item in items if item.kind in MERGED_KINDS]
        ),
        letter_with_boards("digest", reader, boards, news=news, to_you=[wish], seeks=[wish], now=NOON),
    ]


@settings(max_examples=amount(2, 12), suppress_health_check=[HealthCheck.too_slow])
@example(47500)  # a row of a board, its dots taken for full stops
@pytest.mark.slow
@given(st.integers(0, 2**32))
def test_no_letter_about_several_games_reads_as_an_order_in_any_of_them(seed):
    rng = Random(seed)
    games = several(rng)
    for letter in letters_of_several(games, rng):
        raw = write_sample(letter)
        for game in games:
            assert_no_orders(raw, fold(game).position.read)
        lines = part_of_letter(raw, "plain").split("\n")
        assert [] == [line for line in lines if line != line.rstrip() or line.startswith((".", ">", "From "))]


@settings(max_examples=amount(5, 60))
@given(st.text(max_size=400), st.sampled_from(NAMES))
def test_whatever_a_player_says_reaches_the_other_and_is_no_order(words, name):
    game = replace(a_game(SEED_GAME[:4]), seats=(BILL, Player(23, name, JOAO.address, JOAO.addresses, NOON)))
    raw = write_sample(about_game("chat", view(game, 0, HOST), words=words))
    assert raw == message_from_bytes(raw, policy=POLICY).as_bytes()
    assert [] == orders_in(part_of_letter(raw, "plain"), game.state.position.read)
    assert [] == orders_in(
        part_of_letter(raw, "html") and html_to_text(part_of_letter(raw, "html")), game.state.position.read
    )


LONG_PLAN = (
    "if f2 then g3 if h4 then j2 if k2 then l2 if m2 then n2 if o2 then p2 if q2 then r2 if s2 then t2"
)
PROSE = (
    "If you would like to play, answer this letter with your name, and then wait until somebody answers you."
)


@pytest.mark.parametrize("with_reader", [True, False], ids=["game", "no-game"])
@pytest.mark.parametrize("before", ["", "# ", "## ", "  * ", "  ", "  move 5: f2\n  "])
@pytest.mark.parametrize("words", [LONG_PLAN, LONG_PLAN[:27], "f2 f4 g3", "resign", "game 7"])
def test_no_line_of_html_that_begins_with_a_players_words_is_an_order(words, before, with_reader):
    read = BIPOD.start().read
    rendered = before.replace("## ", marks.PART).replace("# ", marks.TITLE) + words
    _, html, _ = marks.html_of(
        f"{marks.TITLE}A letter\n\n{rendered}", "A letter", read if with_reader else None
    )
    assert [] == orders_in(html_to_text(html), read)
    assert [] == orders_in(falls_apart(html), read)


@pytest.mark.parametrize("reader", [None, BIPOD.start().read])
def test_a_sentence_that_begins_with_if_has_no_label_before_it(reader):
    _, html, _ = marks.html_of(f"{marks.TITLE}A letter\n\n{PROSE}", "A letter", reader)
    assert ">If you would like to play, " in html


def test_a_refusal_in_html_that_begins_with_a_long_plan_is_no_order():
    letter = to_player("refused", JOAO, RefusalFacts([f"{LONG_PLAN}."]))
    assert_no_orders(write_sample(letter), BIPOD.start().read)
