"""Letters of every kind, as the core makes them: for golden files, properties, and to be looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from pbem.core.game import Game
from pbem.core.letters import KINDS, Letter, ReplyTo, about_game, to_player
from pbem.core.lobby import Challenge
from pbem.core.orders import TOO_LATE
from pbem.core.play import look, start_letters
from pbem.core.view import look_on, view
from pbem.core.words import first_lines
from pbem.mail.writing import House, Postmark, write
from pbem.store.games import Running
from pbem.templates import rules_text
from rules import RULES
from tests.people import BILL, HOST, JOAO, NOON, SEED_GAME, a_game, asks, command

HOUSE = House(HOST, f"https://{HOST}")
BIPOD = RULES["bipod"]
OFFERED = [BIPOD]
TOKEN = "aeaqbf2lk3jq7wzr4m2vbc6dxy5npt3hgs2a"

ONLOOKER = replace(BILL, id=31, name="Anna", address="anna@example.com")

LONG_WORDS = """\
Dear Bill, I have thought about this for two days and still do not know
whether you want to run or to block; so I shall put off the question.

Shall we meet in Coimbra, in August? The cafés are open till late, and
> quoted things
f2 f4 g3
resign
From here I can see: https://example.com/a/very/long/link/that/goes/on/and/on/and/never/stops/until/it/does
"""


def mark(letter: Letter, number: int = 1) -> Postmark:
    """The postmark of a sample: everything fixed."""
    game = letter.view
    place = f"g{game.id}.e{game.entry}.s{game.seat or 0}" if game else "m17"
    stops = bool(KINDS[letter.kind].stop)
    return Postmark(
        message_id=f"<{place}.{letter.kind}.{number}@{HOST}>",
        references=(f"<g42.e1.s0.start.1@{HOST}>", "<answer.7@mail.example.org>") if game else (),
        in_reply_to="<answer.7@mail.example.org>" if KINDS[letter.kind].answers else "",
        reply_to=f"play+{TOKEN}@{HOST}" if letter.reply.use else f"play@{HOST}",
        unsubscribe_mail=f"play+{TOKEN[::-1]}@{HOST}" if stops else "",
        unsubscribe_web=f"https://{HOST}/unsubscribe/{TOKEN[::-1]}" if stops else "",
        date=NOON + timedelta(days=1),
    )


def a_challenge(**changes: object) -> Challenge:
    challenge = Challenge(
        7, BILL, JOAO, BIPOD, BIPOD.complete({}), "random", True, NOON, NOON + timedelta(days=7)
    )
    return replace(challenge, **changes)  # type: ignore[arg-type]


def only(letters: Sequence[Letter], kind: str) -> Letter:
    """The one letter of its kind."""
    (letter,) = (letter for letter in letters if letter.kind == kind)
    return letter


def samples() -> dict[str, Letter]:
    """A letter of every kind, and of the kinds with several faces all of them, by file name."""
    return dict([*_of_the_game(), *_of_the_lobby()])


def _of_the_game() -> Iterator[tuple[str, Letter]]:
    middle = a_game(SEED_GAME[:4])
    for letter, name in zip(
        start_letters(a_game(), HOST, a_challenge(), 1, "With pleasure!"),
        ("challenger", "accepter"),
        strict=True,
    ):
        yield f"start-{name}", letter
    hasty = start_letters(a_game(), HOST, a_challenge(), 1, "f2 f4\nHave fun!")
    yield "start-hasty", hasty[1]
    played = asks(middle, 0, "F2\n\nYour turn. I wonder\nwhat you will do?")
    yield "turn", only(played.letters, "turn")
    yield "receipt", only(played.letters, "receipt")
    yield "turn-runner", only(asks(a_game(SEED_GAME[:6]), 0, "adopt").letters, "turn")
    yield "turn-blocker", only(asks(a_game(SEED_GAME[:9]), 1, f"y3 O\n\n{LONG_WORDS}").letters, "turn")
    yield "receipt-again", only(asks(a_game(SEED_GAME[:5]), 0, "F2", since=5).letters, "receipt")
    yield "receipt-capital", only(asks(middle, 0, "D2").letters, "receipt")
    offered = asks(middle, 1, "draw\n\nIt looks even to me.")
    yield "draw", only(offered.letters, "draw")
    yield "receipt-draw", only(offered.letters, "receipt")
    waiting = middle.with_entries(offered.entries)
    yield "draw-declined", only(asks(waiting, 0, "decline draw").letters, "draw")
    said = asks(middle, 1, "say Take your time.")
    yield "receipt-said", only(said.letters, "receipt")
    yield "chat", only(said.letters, "chat")
    resigned = asks(a_game(SEED_GAME), 1, "resign\n\nWell run, Bill. Another one?")
    yield "result-won", next(x for x in resigned.letters if x.player == BILL)
    yield "result-lost", next(x for x in resigned.letters if x.player == JOAO)
    yield "result-draw", asks(waiting, 0, "accept draw").letters[1]
    yield "refused", only(asks(middle, 0, "f7").letters, "refused")
    yield "refused-not-your-turn", only(asks(middle, 1, "j4").letters, "refused")
    words = first_lines("I shall think about it.\nPerhaps tomorrow, perhaps f2 f4.\nf2 is good")
    facts = {"problems": [TOO_LATE], "read": [], "found": words}
    yield "refused-no-orders", about_game("refused", view(middle, 0, HOST), **facts)
    yield "resign", replace(only(asks(middle, 0, "resign").letters, "resign"), reply=ReplyTo("confirm", 5))
    seen = view(a_game(SEED_GAME), 1, HOST)
    yield "show", look(seen, command("show", "show", ply=None))
    yield "show-earlier", look(seen, command("show", "show #9", ply=9))
    yield "show-onlooker", look(look_on(middle, ONLOOKER, HOST), command("show", "show", ply=None))
    yield "moves", look(seen, command("moves", "moves"))
    yield "moves-none", look(view(a_game(), 0, HOST), command("moves", "moves"))
    yield from _of_plans(middle)
    yield "mismatch", about_game("mismatch", view(middle, 0, HOST))
    yield "expired", about_game("expired", view(middle, 0, HOST))


PLAN = "F2\nif mo1 n2 then adopt if k3 o then x4 if y3 O then x2\nif any then resign\nif draw then decline"


def _of_plans(middle: Game) -> Iterator[tuple[str, Letter]]:
    """Bill plays ply 5 and plans; what both get of it."""
    planned = asks(middle, 0, PLAN)
    game = middle.with_entries(planned.entries)
    yield "receipt-planned", only(planned.letters, "receipt")
    yield "receipt-plan-only", only(asks(game, 0, "if k3 then adopt\n\nHush!").letters, "receipt")
    yield "receipt-plan-cleared", only(asks(game, 0, "if clear").letters, "receipt")
    yield "plans", only(asks(game, 0, "plans").letters, "plans")
    yield "plans-none", only(asks(game, 1, "plans").letters, "plans")
    yield "refused-plan", only(asks(game, 0, "if k3 then adopt if k3 o then x4").letters, "refused")
    turned_down = asks(game, 1, "mo1 n2\ndraw").letters
    yield "receipt-cascade", only(turned_down, "receipt")
    yield "draw-turned-down", only(turned_down, "draw")
    yield "result-planned", next(x for x in asks(game, 1, "k3").letters if x.player == BILL)
    game = game.with_entries(asks(game, 1, "mo1 n2").entries)
    yield "turn-plan-ended", only(asks(game, 1, "x4 o").letters, "turn")
    stopped = middle.with_entries(asks(middle, 0, "F2\nif any then k3").entries)
    yield "turn-plan-illegal", only(asks(stopped, 1, "k3").letters, "turn")
    yield "turn-plan-pie", only(asks(stopped, 1, "adopt").letters, "turn")
    yield "turn-plan-draw", only(asks(stopped, 1, "m1\ndraw").letters, "turn")


def _of_the_lobby() -> Iterator[tuple[str, Letter]]:
    asked = ReplyTo("confirm", 3)
    yield "confirm", Letter("confirm", BILL.address, None, asked, facts={"problem": ""})
    taken = "The name that was asked for is taken, or cannot be a name here."
    yield "confirm-problem", Letter("confirm", BILL.address, None, asked, facts={"problem": taken})
    for again in (False, True):
        facts = {"name": "Bill", "again": again, "offered": OFFERED}
        yield "welcome-again" if again else "welcome", to_player("welcome", BILL, **facts)
    found = first_lines("game 1\nf2 f4 g3\n\nHello Joao, your move.")
    yield "proof", Letter("proof", BILL.address, BILL, asked, facts={"words": found})
    yield "proof-nothing", to_player("proof", BILL, words=[])
    resume = f"https://{HOST}/unsubscribe/{TOKEN}"
    yield "stopped", to_player("stopped", BILL, category="turns", resume=resume)
    yield "stopped-chat", to_player("stopped", BILL, category="chat", resume=resume)
    wish = a_challenge()
    yield "challenge", to_player("challenge", JOAO, about=7, challenge=wish, comment="Shall we?")
    plain = a_challenge(options=BIPOD.complete({"size": "4"}), seats="second", rated=False)
    yield "challenge-options", to_player("challenge", JOAO, about=7, challenge=plain, comment="")
    note = "Games here have no clock yet, so the time was left out: play when you like."
    yield "offered", to_player("offered", BILL, challenge=wish, note=note)
    yield "declined", to_player("declined", BILL, challenge=wish, mine=False, comment="No time, alas.")
    yield "declined-mine", to_player("declined", JOAO, challenge=wish, mine=True, comment="")
    facts = {"problems": ["Nobody here is called Jaoo. Did you mean Joao?"], "read": ["challenge Jaoo bipod"]}
    yield "refused-lobby", to_player("refused", BILL, **facts, found=[])
    facts = {"problems": ["There was no `confirm` in your answer, so nothing was done."], "read": []}
    again = to_player("refused", BILL, **facts, found=["I am not sure."])
    yield "refused-question", replace(again, reply=asked)
    running = [
        Running(42, BIPOD, "Joao", 4, True, NOON),
        Running(43, BIPOD, "Anna", 11, False, NOON + timedelta(hours=30)),
    ]
    back = a_challenge(challenger=JOAO, challenged=BILL)
    facts = {"running": running, "to_you": [back], "from_you": [a_challenge(id=8)]}
    yield "games", to_player("games", BILL, **facts)
    yield "games-none", to_player("games", BILL, running=[], to_you=[], from_you=[])
    text = rules_text("bipod")
    yield "rules", to_player("rules", BILL, rules=BIPOD, text=text, offered=OFFERED)
    yield "rules-list", to_player("rules", BILL, rules=None, text="", offered=OFFERED)
    for topic in ("", "challenge", "cheese"):
        yield f"help-{topic}".rstrip("-"), to_player("help", BILL, topic=topic, offered=OFFERED)
    yield "mismatch-lobby", to_player("mismatch", BILL)
    yield "expired-lobby", to_player("expired", BILL)
    error = "sqlalchemy.exc.OperationalError: no such table: games"
    yield "shunted", Letter("shunted", "ops@example.org", None, facts={"key": "m17", "error": error})
    why = "550 5.1.1 <bill@example.org> unknown user"
    yield "shunted-letter", Letter("shunted", "ops@example.org", None, facts={"key": "o12", "error": why})


SAMPLES = samples()
each_sample = pytest.mark.parametrize("sample", SAMPLES.items(), ids=SAMPLES)
"""Runs a test with every sample, as (name, letter)."""

POLICY = policy.SMTP.clone(max_line_length=998)
"""What the standard library would write letters under."""


def written(letter: Letter, house: House = HOUSE) -> bytes:
    return write(letter, mark(letter), house)


def opened(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def part(raw: bytes, subtype: str) -> str:
    """The `plain` or `html` part, decoded, lines ended by newlines."""
    body = opened(raw).get_body((subtype,))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def headers_of(raw: bytes) -> dict[str, str]:
    return {name: str(value) for name, value in opened(raw).items()}
