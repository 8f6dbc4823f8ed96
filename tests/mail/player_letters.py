"""Sample letters to players, newcomers and operators, about all but one game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pbem.core.clock.clock import ClockStops
from pbem.core.clock.intervals import FOREVER
from pbem.core.clock.time_control import read_pace
from pbem.core.clock.vacation import Vacation
from pbem.core.game.examples import USUAL
from pbem.core.game.journal import Entry
from pbem.core.game.view import view, view_for_reader
from pbem.core.letters.facts import RefusalFacts, TurnFacts
from pbem.core.letters.letter import Letter, ReplyTo, about_game, to_player
from pbem.core.letters.start import start_letters
from pbem.core.lobby.challenges import Seek
from pbem.core.lobby.newcomers import read_kept
from pbem.core.lobby.partners import Partner
from pbem.core.parsing.reply_text import first_lines
from pbem.core.play.notes import Note, notes_by_game
from pbem.core.players import Player, Preferences
from pbem.core.preferences.preferences import PREFERENCES
from pbem.core.records.files import export_files
from pbem.inbox.confirmations import NO_ANSWER
from pbem.mail.doctor.dns import Finding
from pbem.resources import rules_in_words
from pbem.store.games import RunningGame
from pbem.store.moderation import ModerationAct
from rules import RULES
from rules.contract import Position
from tests.mail.finding_letters import letters_of_watched_players
from tests.mail.rating_letters import letters_of_ratings
from tests.mail.sample_values import (
    ASKED,
    BEGIRD_GAME,
    BIPOD,
    LONG_WORDS,
    OFFERED,
    ONLOOKER,
    RUNNING,
    SMALL,
    TOKEN,
    a_challenge,
    a_seek,
    a_settings_letter,
)
from tests.people import BILL, HOST, JOAO, NOON, SEED_GAME, a_game, asks


def letters_of_the_web() -> Iterator[tuple[str, Letter]]:
    """Letters about signing in, and about being erased."""
    link = f"https://{HOST}/settings/in/mzxw6ytboi2gk3tfmzxw6ytboi2gk3tf"
    yield "signin", to_player("signin", BILL, link=link, minutes=15)
    yield "token", to_player("token", BILL, token="token_1_mzxw6ytboi2gk3tfmzxw6ytboi2gk3tf")
    pairs = ((42, "Joao"), (57, "Anna"))
    plays = [RunningGame(number, BIPOD, name, 7, True, NOON) for number, name in pairs]
    for kept in (plays, []):
        asks_to = Letter("forget", BILL.address, BILL, ASKED, facts={"running": kept, "played": 3})
        yield "forget" if kept else "forget-idle", asks_to
    yield "forgotten", Letter("forgotten", BILL.address, None, facts={"name": "Bill"})


def letters_of_the_operator() -> Iterator[tuple[str, Letter]]:
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
    left_out: bool = False,
    begins: bool = True,
) -> Letter:
    facts = {
        "problem": problem,
        "refusal": "",
        "name": name,
        "asked": asked,
        "first_board": first_board,
        "seen_move": "f2",
    }
    facts |= {"orders": list(read_kept(orders)), "waiting": list(waiting), "guessed": guessed}
    facts |= {"left_out": left_out, "offered": OFFERED, "begins": begins}
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
    yield "confirm-yes", _asks_for_a_name("Anna", first_board=board, begins=False)
    yield "confirm-seen", _asks_for_a_name("Anna", "seen", orders=("play bipod",), first_board=board)
    for problem in ("words", "long", "short", "signs", "late", "unclear"):
        yield f"confirm-{problem}", _asks_for_a_name("AnaMaria", problem)
    yield "confirm-problem", _asks_for_a_name("Anna2", "taken", asked="Anna")
    yield "confirm-reserved", _asks_for_a_name("", "reserved", asked="Botticelli", orders=orders[:1])
    yield "confirm-left-out", _asks_for_a_name("Anna", orders=("play bipod",), left_out=True)
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
    yield "turn-bot", about_game("turn", view(against_bot, 0, HOST), TurnFacts(1, 1))
    rated = replace(against_bot, rated=True, time_control=read_pace("3d/move"))
    stands = ClockStops(vacation=((), ((NOON, FOREVER),)))
    yield "receipt-bot", asks(replace(rated, stops=stands), 0, SEED_GAME[2]).letters[0]
    yield "result-bot", asks(against_bot, 0, "resign yes").letters[0]


def letters_of_the_lobby() -> Iterator[tuple[str, Letter]]:
    yield from _of_newcomers()
    yield from _of_the_player()
    yield from _of_challenges()
    yield from _of_vacations()
    yield from _of_seeks()
    yield from _of_lists()
    yield from letters_of_ratings()
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
        facts = {"name": "Bill", "again": again, "offered": OFFERED, "bot": not again, "more": not again}
        yield "welcome-again" if again else "welcome", to_player("welcome", BILL, **facts)
    found = first_lines("game 1\nf2 f4 g3\n\nHello Joao, your move.")
    facts = {"words": found, "answers": False, "often": False}
    yield "proof", Letter("proof", BILL.address, BILL, ASKED, facts=facts)
    facts = {"words": ["vacation 5 days"], "answers": True, "often": True}
    yield "proof-often", Letter("proof", BILL.address, BILL, ASKED, facts=facts)
    yield "proof-nothing", to_player("proof", BILL, words=[], answers=False, often=False)
    resume = f"https://{HOST}/unsubscribe/{TOKEN}"
    yield "stopped", to_player("stopped", BILL, category="turns", resume=resume)
    yield "stopped-chat", to_player("stopped", BILL, category="chat", resume=resume)
    yield "stopped-receipts", to_player("stopped", BILL, category="receipts", resume=resume)
    yield "settings", a_settings_letter(BILL)
    yield "settings-all", a_settings_letter(BILL, shown=list(PREFERENCES))
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
    several = {"challenge": unrated, "comment": "", "often": False, "at_once": 8}
    yield "challenge-simul", to_player("challenge", JOAO, about=7, **several)
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
        ("vacation-another", now, [block], 1),
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
    near = [Partner(JOAO, BIPOD, 12.0, NOON, "1512?"), Partner(ONLOOKER, RULES["hexthing"], 40.0, NOON)]
    facts = {"example": BIPOD, "bot": True}
    yield "suggested", to_player("suggested", BILL, partners=near, asked=None, **facts)
    yield "suggested-one", to_player("suggested", BILL, partners=near[:1], asked=BIPOD, **facts)
    yield "suggested-none", to_player("suggested", BILL, partners=[], asked=BIPOD, **facts)
    yield "suggested-nobody", to_player("suggested", BILL, partners=[], asked=None, **{**facts, "bot": False})
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
    refusal = RefusalFacts(["Nobody here is called Jaoo. Did you mean Joao?"], ["challenge Jaoo bipod"])
    yield "refused-lobby", to_player("refused", BILL, refusal)
    again = to_player("refused", BILL, RefusalFacts([NO_ANSWER], found=["I am not sure."]))
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
    for topic in ("", "all", "challenge", "boards", "try", "direct", "cheese"):
        yield (
            f"help-{topic}".rstrip("-"),
            to_player("help", BILL, topic=topic, offered=OFFERED, examples=USUAL),
        )


def _of_addresses() -> Iterator[tuple[str, Letter]]:
    for change in ("add", "spare", "drop", "renew"):
        facts = {"change": change, "address": "bill@work.example", "known": False}
        yield f"address-{change}", Letter("address", BILL.address, BILL, ASKED, facts=facts)
    known = {"change": "add", "address": "bill@work.example", "known": True}
    yield "address-known", Letter("address", BILL.address, BILL, ASKED, facts=known)
    yield "newaddress", Letter("newaddress", "bill@work.example", None, ASKED)
    facts = {"here": BILL.address, "spare": "bill@spare.example", "others": ["b.taylor@example.com"]}
    for done in ("added", "moved", "spare", "fallback", "dropped", "renewed", "asked", "askedspare", ""):
        changed = BILL.address if done in ("added", "moved") else "bill@work.example" if done else ""
        told = to_player("addresses", BILL, **facts, done=done, changed=changed)
        yield f"addresses-{done}".rstrip("-"), told
    gone = {"here": "", "spare": "", "others": [], "done": "dropped", "changed": "bill@work.example"}
    yield "addresses-gone", Letter("addresses", "bill@work.example", BILL, facts=gone)
    one = {"here": BILL.address, "spare": "", "others": [], "done": "", "changed": ""}
    yield "addresses-one", to_player("addresses", BILL, **one)


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
    mute = {"game": seen.game, "on": True, "own": False, "muted": [seen.game]}
    yield "muted-watched", to_player("muted", ONLOOKER, **mute)
    yield "muted", to_player("muted", BILL, **mute | {"own": True})
    yield "muted-ended", to_player("muted", BILL, **mute | {"on": False, "own": True, "muted": []})
    yield "muted-list", to_player("muted", BILL, **mute | {"game": None, "on": False})


def _of_reachability() -> Iterator[tuple[str, Letter]]:
    yield "unreachable", to_player("unreachable", JOAO, name="Bill", running=RUNNING)
    yield "unheard", to_player("unheard", JOAO, name="Bill", running=RUNNING[:1])
    since = NOON - timedelta(days=9)
    yield "reachable", to_player("reachable", BILL, since=since, to_you=[])
    back = a_challenge(seeker=JOAO, challenged=BILL)
    yield "reachable-challenged", to_player("reachable", BILL, since=since, to_you=[back])


def _to_the_operator() -> Iterator[tuple[str, Letter]]:
    """Mails put aside, and mails to the operator's mailboxes."""
    error = "sqlalchemy.exc.OperationalError: no such table: games"
    yield "shunted", Letter("shunted", "ops@example.org", None, facts={"key": "m17", "error": error})
    facts = {"mailbox": "abuse", "sender": "ann@example.com", "about": "Spam", "key": "m18", "held": {}}
    words = ["Your server writes to me.", "resign"]
    yield "forwarded", Letter("forwarded", "ops@example.org", None, facts={**facts, "words": words})
    held = {"abuse": 1, "postmaster": 12}
    more = {**facts, "words": words, "held": held}
    yield "forwarded-held", Letter("forwarded", "ops@example.org", None, facts=more)
    why = "550 5.1.1 <bill@example.org> unknown user"
    gone = "abort: command: FETCH => socket error: EOF"
    yield (
        "shunted-imap",
        Letter("shunted", "ops@example.org", None, facts={"key": "imap.17.9", "error": gone}),
    )
    yield "shunted-letter", Letter("shunted", "ops@example.org", None, facts={"key": "o12", "error": why})
    yield from _months()
    yield "trial", Letter("trial", BILL.address, None, ReplyTo("confirm", 3))
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
