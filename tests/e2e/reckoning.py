"""The values that clocks must show, calculated from play.md alone: an oracle without any line of the server.

Times are whole seconds since the year began. Events happen one after the other, and every flag at the moment
when it falls. The server may check a game at any time; this checks everything at its own moment.
"""

from __future__ import annotations

from dataclasses import replace

from tests.e2e.clockwork import Clockwork
from tests.e2e.match import DAY, HOUR, MINUTE, NEVER, Match, Span, Time, Waiting


class Reckoning(Clockwork):
    """The same games, with all commands of players and directors."""

    # What it is told, in order of time.

    def begins(self, match: Match) -> None:
        self._until(match.since)
        self.matches[match.number] = match
        self._watch(match)

    def ply(self, number: int, player: int, seat: int, nth: int, shown: int, at: int) -> bool:
        """The nth ply, accepted `at`, of a player who had seen so many events; True if it counts.

        Nobody sees it, and no turn begins, before its mail is `handled`.
        """
        self._until(at)
        match = self.matches[number]
        gone_back = any(kind in ("undo", "rollback") for kind, *_ in match.told[shown:])
        if match.over or gone_back or match.players[seat] != player:
            return False
        if match.turn != seat or len(match.plies) != nth or match.waiting:
            return False
        if any(ply.seat == seat and ply.number > shown for ply in match.plies):  # it is for an older board
            return False
        match.waiting = Waiting(seat, at)
        self.changed.add(number)
        return True

    def handled(self, number: int, at: int) -> int:
        """The moment when a waiting ply will be made; its mail was handled `at`."""
        match = self.matches[number]
        assert match.waiting is not None
        until = at + self.windows.get(match.players[match.waiting.seat], 0)
        if until == at:
            self._lets_go(match, at)
        else:
            match.waiting = replace(match.waiting, until=until)
            self._watch(match)
        return until

    def answers(self, number: int, at: int) -> None:
        """Make a conditional move: at once, so it costs no time and brings none."""
        self._plays(self.matches[number], self.matches[number].turn, at, free=True)

    def ends(self, number: int, winner: int | None, at: int) -> None:
        """End the game by its own rules with the newest ply."""
        self.matches[number].over = ("rules", winner, at)
        self.changed.add(number)

    def leaves(self, player: int, begin: int, end: int, at: int) -> bool:
        """Ask for a vacation `at`; True if it is given."""
        self._until(at)
        taken = self.taken[player]
        shorter = [(a, begin if auto and a <= begin < b else b, auto) for a, b, auto in taken]
        if any(first < end and begin < last for first, last, _ in shorter):
            return False
        back = sum(b for _, b, _ in taken) - sum(b for _, b, _ in shorter)
        if min(30 * DAY, self.saved(player, begin) + back) < end - begin - HOUR:
            return False
        if back:  # a day that the clock took ends where days begin that were asked for
            left, since = self._saved[player]
            self._saved[player] = (left + back, since)
            self.taken[player] = shorter
            self.away[player] = [(a, b) for a, b, _ in shorter if a < b]
        self._take(player, begin, end, automatic=False)
        return True

    def returns(self, player: int, at: int) -> bool:
        """The command `back`, written `at`; True if there was a vacation to end."""
        self._until(at)
        for n, (first, last, automatic) in enumerate(self.taken[player]):
            if first <= at < last:
                self.taken[player][n] = (first, at, automatic)
                self.away[player] = [(a, b) for a, b, _ in self.taken[player] if a < b]
                left, since = self._saved[player]
                self._saved[player] = (left + last - at, since)
                self._rewatch(player)
                return True
        return False

    # What two settle, and what a director decides: each says whether it is done.

    def gives(self, number: int, seat: int, seconds: int, at: int) -> bool:
        self._until(at)
        match = self.matches[number]
        if match.over or not self._lets_go(match, at):
            return False
        match.tell("give", at, seat)
        match.gifts.append((len(match.told), 1 - seat, seconds))
        match.banks[1 - seat] += seconds
        self._watch(match)
        return True

    def asks_back(self, number: int, seat: int, shown: int, at: int) -> str:
        """The command `undo` for the newest own ply: "unseen" if it waits and goes at once, else "asked"."""
        self._until(at)
        match = self.matches[number]
        if match.waiting and match.waiting.seat == seat:
            match.waiting = None
            match.unseen[seat] = at
            self._watch(match)
            return "unseen"
        if not self._may_ask(match, seat, shown, at):
            return ""
        if match.waiting and not (self._lets_go(match, at) and self._may_ask(match, seat, shown, at)):
            return ""
        match.tell("ask", at, seat)
        match.undoing = (seat, self._newest(match, seat))
        return "asked"

    def _may_ask(self, match: Match, seat: int, shown: int, at: int) -> bool:
        if [kind for kind, _, whose in match.told[shown:] if whose == seat].count("ply") > 1:
            return False  # which of them is meant is not sure
        newest = self._newest(match, seat)
        if match.over or match.undoing or newest < 0 or match.plies[newest].number in match.kept:
            return False
        if at - match.unseen.get(seat, -HOUR) < 10 * MINUTE and match.plies[newest].at < match.unseen[seat]:
            return False
        return not any(kind == "rollback" for kind, *_ in match.told[match.plies[newest].number :])

    def _newest(self, match: Match, seat: int) -> int:
        return max((n for n, ply in enumerate(match.plies) if ply.seat == seat), default=-1)

    def lets_back(self, number: int, seat: int, at: int, *, yes: bool) -> bool:
        """Take a ply back with all later ones; its player has the time that was left, a day at least.

        The other player has the time from before. Time given since stays given, and a player who took a seat
        since has no less than at the start.
        """
        self._until(at)
        match = self.matches[number]
        if match.over or match.undoing is None or match.undoing[0] == seat:
            return False
        if match.waiting and match.waiting.seat == seat:  # to whoever has played on nothing is on offer
            return False
        if yes and not (self._lets_go(match, at) and match.undoing):
            return False
        asker, nth = match.undoing
        gone, match.undoing = match.plies[nth], None
        if not yes:
            match.tell("stand", at, seat)
            match.kept.add(gone.number)
            return True
        match.tell("undo", at, seat)
        left = gone.banks[asker] + gone.grace - self._used(match, asker, gone.since, gone.at)
        match.banks = list(gone.banks)
        match.banks[asker] = max(left, min(DAY, gone.banks[asker]))
        for told, to, seconds in match.gifts:
            if told > gone.number:
                more = max(0, match.time.bank - match.banks[to]) if seconds is None else seconds
                match.banks[to] += more
        del match.plies[nth:]
        match.turns(asker, at)
        self._watch(match)
        return True

    def asks_pause(self, number: int, seat: int, days: int, at: int) -> bool:
        self._until(at)
        match = self.matches[number]
        if match.over or match.pausing or any(begin <= at < end for begin, end in match.agreed):
            return False
        if not self._lets_go(match, at):
            return False
        match.tell("ask-pause", at, seat)
        match.pausing = (seat, days)
        return True

    def lets_pause(self, number: int, seat: int, at: int) -> bool:
        self._until(at)
        match = self.matches[number]
        if match.over or match.pausing is None or match.pausing[0] == seat or not self._lets_go(match, at):
            return False
        match.tell("pause", at, seat)
        match.agreed.append((at, at + match.pausing[1] * DAY))
        match.pauses.append(match.agreed[-1])
        match.pausing = None
        self._watch(match)
        return True

    def extends(self, number: int, seat: int | None, seconds: int, at: int) -> bool:
        self._until(at)
        match = self.matches[number]
        if not self._lets_go(match, at):
            return False
        match.tell("extend", at, seat)
        for each in (0, 1) if seat is None else (seat,):
            match.gifts.append((len(match.told), each, seconds))
            match.banks[each] += seconds
        self._watch(match)
        return True

    def halts(self, number: int, until: int, at: int) -> bool:
        self._until(at)
        match = self.matches[number]
        if not self._lets_go(match, at) or self._halted(match, at):
            return False
        match.tell("halt", at)
        match.pauses.append((at, until))
        self._watch(match)
        return True

    def _halted(self, match: Match, at: int) -> set[Span]:
        """The director's pause at a moment."""
        return {(begin, end) for begin, end in match.pauses if begin <= at < end} - set(match.agreed)

    def resumes(self, number: int, at: int) -> bool:
        """End the director's pause."""
        self._until(at)
        match = self.matches[number]
        if not self._lets_go(match, at) or not (halted := self._halted(match, at)):
            return False
        match.tell("go", at)
        match.pauses = [
            (begin, at) if (begin, end) in halted else (begin, end) for begin, end in match.pauses
        ]
        self._watch(match)
        return True

    def adjudges(self, number: int, winner: int, at: int) -> bool:
        self._until(at)
        match = self.matches[number]
        if not self._lets_go(match, at):
            return False
        match.tell("adjudicate", at)
        match.over = ("director", winner, at)
        self.changed.add(number)
        return True

    def goes_back(self, number: int, nth: int, at: int) -> bool:
        """Return to the state after `nth` plies, with its clocks, even if the game is over."""
        self._until(at)
        match = self.matches[number]
        self._lets_go(match, at)
        if nth >= len(match.plies):
            return False
        gone = match.plies[nth]
        match.tell("rollback", at)
        fresh = (match.time.bank, match.time.bank)
        match.banks = list(match.after[match.plies[nth - 1].number] if nth else fresh)
        del match.plies[nth:]
        match.over = match.undoing = match.pausing = None
        match.turns(gone.seat, at)
        self._watch(match)
        return True

    def seats(self, number: int, seat: int, player: int, at: int) -> bool:
        """Give a seat to another player, with no less time than at the start."""
        self._until(at)
        match = self.matches[number]
        if not self._lets_go(match, at) or player in match.players:
            return False
        match.tell("replace", at, seat)
        first, second = match.players
        match.players = (player, second) if seat == 0 else (first, player)
        match.gifts.append((len(match.told), seat, None))
        match.banks[seat] = max(match.banks[seat], match.time.bank)
        match.undoing = match.pausing = None
        if match.turn == seat:
            match.turns(seat, at)
        self._watch(match)
        return True


__all__ = ["DAY", "HOUR", "MINUTE", "NEVER", "Match", "Reckoning", "Time"]
