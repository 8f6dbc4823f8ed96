"""Sample letters about ratings and places in tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.core.events.event import EventPlace
from pbem.core.letters.facts import LadderChange, MatchChange, TableChange
from pbem.core.letters.letter import Letter, to_player
from pbem.core.ratings.glicko import Rating
from pbem.core.ratings.results import GameRating, RatingChange
from pbem.core.ratings.statistics import Share
from pbem.store.rating_queries import Career
from rules import RULES
from tests.mail.event_letters import RUNNING as a_season
from tests.mail.match_letters import EVENT as MATCH
from tests.mail.match_letters import MIDDLE
from tests.mail.sample_values import (
    BIPOD,
    a_challenge,
    with_ratings,
)
from tests.people import BILL, JOAO, NOON, SEED_GAME, a_game, asks


def placed(forfeit: str = "") -> TableChange:
    """A place in the table of a season; `forfeit` is the sign of the game there."""
    return TableChange(EventPlace(a_season, 2).title, 1, 6, 2.5, forfeit)


def letters_of_ratings() -> Iterator[tuple[str, Letter]]:
    """Ratings on request, and letters of rated games with earlier ratings."""
    sure = GameRating(Rating(1694.4, 80.0), NOON)
    mine = Career("bipod", BILL.id, "Bill", sure, 38, 24, 5, 9, 211, 2)
    other = replace(
        mine, rules="begird", standing=GameRating(Rating(1523.0, 200.0), NOON), won=3, drawn=0, lost=1
    )
    careers = [("Bipod", mine, "1694"), ("Begird", other, "1523?"), ("Hexagonal Thing", other, "none")]
    facts = {"name": "Bill", "mine": True, "since": NOON, "careers": careers, "provisional": True, "bot": 0}
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
    yield "result-league", with_ratings(letter, ratings, rating_changes=changes, table=placed())
    place = LadderChange("Bipod ladder", place=2, was=5, number=11)
    yield "result-ladder", with_ratings(letter, ratings, rating_changes=changes, ladder=place)
    stayed = replace(place, place=5)
    yield "result-ladder-stays", with_ratings(letter, ratings, rating_changes=changes, ladder=stayed)
    gained = MatchChange(MATCH.title, "Lisbon", False, MIDDLE.score, MIDDLE.games_left)
    yield "result-match", with_ratings(letter, ratings, rating_changes=changes, match=gained)
    drawn = replace(gained, gain="", drawn=True, games_left=1)
    yield "result-match-drawn", with_ratings(letter, ratings, rating_changes=changes, match=drawn)
    nothing = replace(gained, gain="", games_left=0)
    yield "result-match-void", with_ratings(letter, ratings, rating_changes=changes, match=nothing)
    yield "result-rated", with_ratings(letter, ratings, rating_changes=changes)
    stays = {BILL.id: RatingChange(1694.4, 1694.4), JOAO.id: RatingChange(1338.0, 1338.1)}
    yield "result-rated-draw", with_ratings(letter, ratings, rating_changes=stays)
