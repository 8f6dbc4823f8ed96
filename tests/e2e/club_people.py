"""Twenty people of a club with their habits: when they look, how their mail is written, what they do besides.

Each reads letters and answers them as people do. None knows the rules: a move is told by `Club.a_move`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from html import escape
from typing import TYPE_CHECKING

from pbem.mail.person.compose import quote
from pbem.mail.person.mailbox import ReceivedLetter
from tests.apps import proven

if TYPE_CHECKING:
    from tests.e2e.club import Club

ASKS = {"confirm", "clubask", "seasonask", "challenge", "invitation", "address", "newaddress"}
"""Kinds of letters that ask something; everybody says yes."""
GAME = re.compile(r"#(\d+)")
BOARD = re.compile(r"^GAME (\d+),", re.MULTILINE)
PHONE = "\n\nSent from my phone"
SIGNATURE = "\n\n-- \nSolveig Lund\nTel. 22 33 44 55\nsolveig@example.org"
WORKDAYS, WEEKEND = frozenset(range(5)), frozenset((5, 6))
EVERY_DAY = WORKDAYS | WEEKEND


@dataclass
class Person:
    """Somebody who answers each letter about a turn with a move, at their hours."""

    name: str
    hours: tuple[int, ...] = (8, 19)
    days: frozenset[int] = EVERY_DAY
    waiting: dict[int, ReceivedLetter] = field(default_factory=dict)
    """By number of game the newest letter that says it is their move."""
    read: list[ReceivedLetter] = field(default_factory=list)
    unread: list[ReceivedLetter] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"{self.name.lower()}@{self.name.lower()}.example"

    @property
    def addresses(self) -> tuple[str, ...]:
        return (self.address,)

    def looks(self, club: Club) -> bool:
        return club.now.hour in self.hours and club.now.weekday() in self.days

    def look(self, club: Club) -> None:
        """Read what came, answer questions and moves, and do what else is their habit."""
        for letter in self.unread:
            self.reads(club, letter)
        self.read += self.unread
        self.unread = []
        for number, letter in list(self.waiting.items()):
            del self.waiting[number]
            self.moves(club, letter, number)
        self.also(club)

    def reads(self, club: Club, letter: ReceivedLetter) -> None:
        kind, game = kind_of(letter), GAME.search(letter.header("Subject"))
        if kind in ASKS:
            self.answer(club, letter, "yes")
        elif kind == "offer" and game:
            self.answer(club, letter, "decline")
        elif kind == "seasonstart":
            self.waiting |= {int(number): letter for number in BOARD.findall(letter.text)}
        elif game and kind in ("turn", "start", "reminder", "result", "refused"):
            self.waiting[int(game[1])] = letter

    def moves(self, club: Club, letter: ReceivedLetter, number: int) -> None:
        if move := club.a_move(number, self.name):
            above = f"game {number}\n" if kind_of(letter) == "seasonstart" else ""
            self.answer(club, letter, above + self.words(club, move))

    def words(self, club: Club, move: str) -> str:
        return move

    def also(self, club: Club) -> None:
        """Habits beside moves."""

    def answer(self, club: Club, letter: ReceivedLetter, words: str) -> None:
        self.post(club, letter.header("Reply-To"), self.mail(club, letter, words))

    def post(self, club: Club, to: str, raw: bytes) -> None:
        """Send a mail with the proof of their provider that it is theirs."""
        club.deliver(self.address, to, proven(raw, self.address, club.now))

    def mail(self, club: Club, letter: ReceivedLetter, words: str) -> bytes:
        return written(club, self.address, letter, f"{words}\n\n{quoted(letter)}")

    def write(self, club: Club, words: str) -> None:
        """Answer the newest letter with a command that is about no game."""
        if letters := [each for each in self.read if not GAME.search(each.header("Subject"))]:
            self.answer(club, letters[-1], words)


def kind_of(letter: ReceivedLetter) -> str:
    return letter.header("Message-ID").split(".")[-2]


def quoted(letter: ReceivedLetter) -> str:
    return quote(letter.text, letter.header("From"), "Sunday")


def written(
    club: Club, sender: str, letter: ReceivedLetter, text: str, *, html: bool = False, subject: str = ""
) -> bytes:
    message = EmailMessage()
    message["From"], message["To"] = sender, letter.header("Reply-To")
    message["Subject"] = subject or f"Re: {letter.header('Subject')}"
    message["Date"], message["Message-ID"] = format_datetime(club.now), make_msgid(domain="people.example")
    message["In-Reply-To"] = letter.header("Message-ID")
    message.set_content(text, subtype="html" if html else "plain")
    return message.as_bytes()


class Phone(Person):
    def mail(self, club: Club, letter: ReceivedLetter, words: str) -> bytes:
        text = f"{words[:1].upper()}{words[1:]}{PHONE}\n\n{quoted(letter)}"
        return written(club, self.address, letter, text)


class Below(Person):
    def mail(self, club: Club, letter: ReceivedLetter, words: str) -> bytes:
        return written(club, self.address, letter, f"{quoted(letter)}\n\n{words}{SIGNATURE}\n")


class OfficeHtml(Person):
    def mail(self, club: Club, letter: ReceivedLetter, words: str) -> bytes:
        own = "".join(f"<p class=MsoNormal>{escape(line)}<o:p></o:p></p>" for line in words.split("\n"))
        head = f"<b>From:</b> {escape(letter.header('From'))}<br><b>Sent:</b> Sunday<br><b>To:</b> me"
        below = f"<div style='border:none;border-top:solid #E1E1E1 1.0pt'><p>{head}</p></div>{letter.html}"
        body = f"<html><body lang=EN-GB>{own}<p>&nbsp;</p>{below}</body></html>"
        return written(club, self.address, letter, body, html=True)


class SubjectAlone(Person):
    def mail(self, club: Club, letter: ReceivedLetter, words: str) -> bytes:
        line = " ".join(words.split())
        return written(club, self.address, letter, "", subject=line)


class Silent(Person):
    """They answer nothing more after the third week."""

    def looks(self, club: Club) -> bool:
        return super().looks(club) and club.day < 21


class Traveller(Person):
    """They announce a holiday of nine days, and read no mail in it."""

    gone: int = 0

    def looks(self, club: Club) -> bool:
        return super().looks(club) and not self.gone < club.day < self.gone + 9

    def also(self, club: Club) -> None:
        if not self.gone and club.day >= 16:
            self.gone = club.day
            self.write(club, "vacation 9 days")


class OtherAddress(Person):
    """Their mail is passed on to an office. They answer from there, and without a proof."""

    office = "otto@office.example"
    told: bool = False
    back: bool = False

    @property
    def addresses(self) -> tuple[str, ...]:
        return self.address, self.office

    def reads(self, club: Club, letter: ReceivedLetter) -> None:
        if kind_of(letter) == "mismatch" and not self.told:
            self.told = True
            words = f"address add {self.office}"
            own = written(club, self.address, letter, words)
            club.deliver(self.address, letter.header("Reply-To"), proven(own, self.address, club.now))
        if kind_of(letter) == "proof" and "club join" in letter.text:
            self.answer(club, letter, "yes")  # their own words; those of a forger stay unanswered
        super().reads(club, letter)

    def mail(self, club: Club, letter: ReceivedLetter, words: str) -> bytes:
        here = self.address in letter.header("To") and kind_of(letter) in ("confirm", "address")
        return written(club, self.address if here else self.office, letter, f"{words}\n\n{quoted(letter)}")

    def post(self, club: Club, to: str, raw: bytes) -> None:
        club.deliver(self.address, to, raw)

    def also(self, club: Club) -> None:
        if not self.back and any(kind_of(each) == "addresses" for each in self.read):
            self.back = True
            self.write(club, "club join Tuesday Evening")


class Chatty(Person):
    def words(self, club: Club, move: str) -> str:
        return f"{move}\n\nWhat a winter! I was at the lake, and thought about this for an hour.\nGreetings"


class Polite(Person):
    def words(self, club: Club, move: str) -> str:
        return f"Hallo!\n\nZug: {move}\n\nViele Grüße\n{self.name}"


class Hasty(Person):
    """Their first try is often no move at all."""

    def words(self, club: Club, move: str) -> str:
        return "q99" if club.rng.random() < 0.2 else move


class Twice(Person):
    """Their program sends each mail two times."""

    def answer(self, club: Club, letter: ReceivedLetter, words: str) -> None:
        raw = self.mail(club, letter, words)
        for _ in range(2):
            self.post(club, letter.header("Reply-To"), raw)


class LateThread(Person):
    """They answer the oldest letter of the game that they find, and what comes back after that."""

    def moves(self, club: Club, letter: ReceivedLetter, number: int) -> None:
        same = [each for each in self.read if f"#{number}" in each.header("Subject")]
        super().moves(club, letter if not same or kind_of(letter) == "refused" else same[0], number)


class WordsAlone(Person):
    """They have the letters without HTML."""

    told: bool = False

    def also(self, club: Club) -> None:
        if not self.told:
            self.told = True
            self.write(club, "set format text")


class DigestReader(Person):
    """They want one letter a day beside the turns."""

    told: bool = False

    def also(self, club: Club) -> None:
        if not self.told:
            self.told = True
            self.write(club, "digest 1 too")


class Offerer(Person):
    """They offer draws, which nobody takes, and take moves back."""

    def words(self, club: Club, move: str) -> str:
        return f"{move}\ndraw" if club.rng.random() < 0.1 else move

    def reads(self, club: Club, letter: ReceivedLetter) -> None:
        super().reads(club, letter)
        if kind_of(letter) == "receipt" and club.rng.random() < 0.1:
            self.answer(club, letter, "undo")


class Hostile(Person):
    """They play, and try to harm: forged mail in others' names, floods, other people's letters."""

    def also(self, club: Club) -> None:
        victim = club.rng.choice([each for each in club.people if each is not self])
        words = club.rng.choice(("resign yes", "leave club yes", "forget me", "accept draw", "stop all"))
        for to in ("play@localhost", *(each.header("Reply-To") for each in self.read[-1:])):
            letter = self.read[-1] if self.read else None
            if letter is not None:
                forged = written(club, victim.address, letter, words)
                club.deliver(victim.address, to, forged)
        if club.rng.random() < 0.1:
            self.write(club, f"club say\n\n{victim.name} is a cheat!")


class Organiser(Person):
    """They make the club and its league, and write to all once a week; no more is needed."""

    done: int = 0

    def also(self, club: Club) -> None:
        if self.done == 0 and self.read:
            self.write(club, "club new Tuesday Evening")
        elif self.done == 1:
            self.write(club, "club set open")
        elif self.done == 2 and club.day >= 5:
            self.write(club, f"league new {club.league}")
        elif self.done < 3:
            return
        elif club.day // 7 > self.done - 3:
            self.write(club, "club say\n\nWe meet at eight, with tea.")
        else:
            return
        self.done += 1


def everybody() -> Iterator[Person]:
    """The twenty, the organiser first."""
    yield Organiser("Agnes")
    yield Phone("Bruno", hours=(7, 12, 22))
    yield Below("Solveig", hours=(21,))
    yield OfficeHtml("Dieter", hours=(9, 16), days=WORKDAYS)
    yield SubjectAlone("Emma")
    yield Chatty("Frida", hours=(20,))
    yield Hostile("Gregor")
    yield Silent("Hanna")
    yield Traveller("Ivo")
    yield OtherAddress("Otto")
    yield Polite("Karin", hours=(6,))
    yield Hasty("Luis")
    yield Twice("Marta", hours=(18,))
    yield LateThread("Nils")
    yield WordsAlone("Pia")
    yield DigestReader("Quentin", hours=(8,))
    yield Offerer("Rosa")
    yield Person("Tomas", days=WORKDAYS)
    yield Person("Vera", hours=(10, 17), days=WEEKEND | frozenset({2}))
    yield Person("Wim", hours=(23,))
