"""Sample letters about players' clubs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pbem.commands import own_clubs
from pbem.core.clock.time_control import USUAL, read_pace
from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.core.events.league import Settings
from pbem.core.events.match import MATCH
from pbem.core.events.season_facts import SeasonFacts
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.lobby.clubs import Club
from pbem.duties.clubs import told_letter
from pbem.duties.leagues import SEASON, season_letter
from pbem.duties.new_games import GameTerms
from rules import RULES
from tests.mail.sample_values import a_challenge, a_seek
from tests.people import BILL, JOAO, NOON

CLUB = Club(3, "Tuesday Evening", "tuesday-evening", "Lisbon", "asking", 1, NOON)
LONG = Club(4, "The Very Old Friends of Abstract Games 2", "the-very-old", "", "open", 1, NOON)

STARTS = NOON + timedelta(days=7)
SETTINGS = Settings(size=10, club="Tuesday Evening", double=True)
EVENT = Event(7, "bipod", 1, SETTINGS, None, league.OPEN, STARTS, club_id=3)
TERMS: dict[str, Any] = {
    "terms": GameTerms(RULES["bipod"], RULES["bipod"].complete_for("bipod", {}), True, read_pace(USUAL)),
    "options": "",
}


def letters_of_clubs() -> Iterator[tuple[str, Letter]]:
    """Bill organises one club, and is in another."""
    yield "club-list", _shown("list", rows=[(CLUB, 8, True), (LONG, 1, False)], club=None)
    yield "club-none", _shown("list", rows=[], club=None)
    yield "club-made", _shown("made")
    yield "club-joined", _shown("joined", club=LONG)
    yield "club-asked", _shown("asked", others=["Anna", "Joao"])
    yield "club-invited", _shown("invited", others=["Anna", "Joao"])
    yield "club-admitted", _shown("admitted", others=["Anna"])
    yield "club-organiser", _shown("organiser", others=["Anna"])
    yield "club-changed", _shown("changed", club=LONG)
    yield "club-said", _shown("said", number=7, words="We meet at eight.\n\nBring a pen.")
    yield "club-left", _shown("left")
    yield "clubleague-made", _league("made", EVENT, ["Anna", "Joao", "Chris"])
    yield "clubleague-again", _league("made", replace(EVENT, season=2), ["x"] * 12)
    yield "clubleague-started", _league("started", EVENT, [])
    asks = {"event": EVENT, "title": EVENT.title, **TERMS}
    question = to_player("seasonask", BILL, stage=SEASON, **asks)
    yield "seasonask-club", replace(question, reply=ReplyTo("confirm", 7))
    joined = {"event": EVENT, "title": EVENT.title, "until": None, "again": False, **TERMS}
    yield "joined-club", to_player("joined", BILL, state=league.CONFIRMED, **joined)
    yield "season-club-few", season_letter(BILL, SeasonFacts("few", EVENT, number=3))
    yield "clubask-invited", _asked(own_clubs.INVITED, "Anna")
    yield "clubask-game", _asked(own_clubs.INVITED, "Anna").telling(seek=a_seek())
    yield "clubask-admit", _asked(own_clubs.ADMITTED, "Anna")
    yield "clubask-leave", _asked(own_clubs.LEAVING)
    yield "clubask-last", _asked(own_clubs.LEAVING, last=True)
    yield "clubask-remove", _asked(own_clubs.REMOVING, "Anna")
    yield "club-removed", _shown("removed", others=["Anna"])
    yield "clubtold-organiser", told_letter(BILL, "organiser", CLUB)
    yield "clubtold-named", told_letter(BILL, "named", CLUB, other="Anna")
    yield "clubtold-joined", told_letter(BILL, "joined", LONG, other="Anna")
    yield "clubtold-words", told_letter(BILL, "joined", LONG, other="Anna", words="Thanks for asking!")
    yield "clubtold-admitted", told_letter(BILL, "admitted", CLUB, other="Anna")
    yield "clubtold-removed", told_letter(BILL, "removed", CLUB, other="Anna")
    yield "clubtold-out", told_letter(BILL, "removed", replace(CLUB, entry="closed"), other="Anna")
    yield from _of_a_simul()
    yield from _of_a_match()
    words = "We meet at eight.\n\nBring a pen."
    yield "clubsay", to_player("clubsay", BILL, club=CLUB, other="Anna", words=words)


def _of_a_match() -> Iterator[tuple[str, Letter]]:
    yield "club-matched", _shown("matched", others=["Anna"], rival=LONG)
    yield "clubask-match", _asked(own_clubs.MATCHED, "Anna").telling(own=LONG, **TERMS)
    other = replace(LONG, name="Monday Club")
    event = replace(EVENT, kind=MATCH, settings=Settings(clubs=(CLUB.name, other.name)), rival_id=4)
    facts = {"event": event, "title": event.title, "club": CLUB, "other": other, **TERMS}
    yield "clubmatch", to_player("clubmatch", BILL, **facts, directs=False)
    yield "clubmatch-directs", to_player("clubmatch", BILL, **facts, directs=True)


def _of_a_simul() -> Iterator[tuple[str, Letter]]:
    offers = [a_challenge(), replace(a_challenge(), id=7, rated=False, challenged=JOAO)]
    yield "simul", to_player("simul", BILL, offers=[(each, not each.rated) for each in offers])


def _shown(stage: str, club: Club | None = CLUB, **facts: object) -> Letter:
    return to_player("club", BILL, stage=stage, club=club, **{"rows": (), "others": (), **facts})


def _league(stage: str, event: Event, asked: list[str]) -> Letter:
    facts = {"event": event, "title": event.title, "asked": asked, **TERMS}
    return to_player("clubleague", BILL, stage=stage, **facts)


def _asked(stage: str, other: str = "", *, last: bool = False) -> Letter:
    letter = to_player("clubask", BILL, stage=stage, club=CLUB, other=other, last=last, seek=None)
    return replace(letter, reply=ReplyTo("confirm", 7))
