"""Puzzles on the web: listed without answers, tried by anybody, counted once a player."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient
from sqlalchemy import event

from pbem.app import App
from pbem.core.exercises.puzzle import Puzzle
from pbem.store import puzzles
from pbem.web import create_app
from tests.amount import amount
from tests.apps import load
from tests.web.library import add, the_seeds_game
from tests.web.markup import read
from tests.web.puzzle_boards import add_puzzle_game, stored_puzzles
from tests.web.signing_in import SITE, get, send, sign_in

ATOM = "{http://www.w3.org/2005/Atom}"
FROM_HERE = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def puzzle(app: App) -> Puzzle:
    """The newest puzzle of game 1."""
    add_puzzle_game(app)
    return stored_puzzles(app)[0]


@pytest.fixture
def visitor(app: App, puzzle: Puzzle) -> FlaskClient:
    return create_app(app).test_client()


@pytest.fixture
def bill(app: App, puzzle: Puzzle) -> FlaskClient:
    client = create_app(app).test_client()
    sign_in(app, client, "Bill")
    return client


def visit(client: FlaskClient, puzzle: Puzzle, **form: str) -> str:
    """Send a visitor's form, which has no mark; returns the page that it leads to."""
    answer = client.post(f"/puzzles/{puzzle.id}", base_url=SITE, data=form, headers=FROM_HERE)
    assert 303 == answer.status_code
    return get(client, answer.headers["Location"]).text


def numbers(app: App, puzzle: Puzzle) -> tuple[int, int]:
    (now,) = [each for each in stored_puzzles(app) if each.id == puzzle.id]
    return now.tried, now.solved


class TestList:
    def test_it_has_every_puzzle_and_no_answer(self, app: App, visitor: FlaskClient, puzzle: Puzzle) -> None:
        page = get(visitor, "/puzzles").text
        for each in stored_puzzles(app):
            assert f'href="/puzzles/{each.id}"' in page
        assert "Begird" in page and "not tried yet" in page
        assert [] == re.findall(rf"<code>{puzzle.answer}</code>", page)
        assert [] == read(page).all_problems()

    def test_it_goes_on_page_by_page(
        self, app: App, visitor: FlaskClient, puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        add_puzzle_game(app)
        ids = {each.id for each in stored_puzzles(app)}
        assert len(ids) >= 2
        monkeypatch.setattr("pbem.web.pages.puzzles.PAGE_SIZE", 1)
        seen, path = list[int](), "/puzzles?game=begird"
        while path:
            page = get(visitor, path).text
            seen += map(int, re.findall(r'href="/puzzles/(\d+)"', page))
            older = re.search(r'rel="next" href="([^"]+)"', page)
            path = older[1].replace("&amp;", "&") if older else ""
        assert sorted(ids, reverse=True) == seen

    def test_a_game_without_puzzles_says_so(self, visitor: FlaskClient) -> None:
        assert "There are none of that game yet" in get(visitor, "/puzzles?game=bipod").text
        assert 404 == get(visitor, "/puzzles?game=chess").status_code

    def test_its_queries_do_not_grow_with_the_puzzles(
        self, app: App, visitor: FlaskClient, puzzle: Puzzle
    ) -> None:
        few = self._count_queries(app, visitor)
        for _ in range(5):
            add_puzzle_game(app)
        assert few == self._count_queries(app, visitor) <= 4

    def _count_queries(self, app: App, client: FlaskClient) -> int:
        said = list[str]()
        with app.store.read() as db:
            engine = db.engine

        def hear(_db: object, _cursor: object, statement: str, *_: object) -> None:
            said.append(statement)

        event.listen(engine, "before_cursor_execute", hear)
        get(client, "/puzzles")
        event.remove(engine, "before_cursor_execute", hear)
        return sum(each.startswith(("SELECT", "WITH")) for each in said)

    def test_players_see_what_they_found(self, app: App, bill: FlaskClient, puzzle: Puzzle) -> None:
        here = f"/puzzles/{puzzle.id}"
        send(bill, here, page=here, do="send", move=puzzle.answer)
        assert "You found it" in get(bill, "/puzzles").text


class TestVisitor:
    def test_the_page_asks_and_does_not_tell(self, visitor: FlaskClient, puzzle: Puzzle) -> None:
        page = get(visitor, f"/puzzles/{puzzle.id}")
        assert "Which move wins?" in page.text
        assert " ".join(puzzle.line) not in page.text
        assert [] == read(page.text).all_problems()
        assert "Set-Cookie" not in page.headers
        assert page.headers["Cache-Control"].startswith("public")

    def test_every_cell_is_a_link_that_makes_the_move(self, visitor: FlaskClient, puzzle: Puzzle) -> None:
        here = f"/puzzles/{puzzle.id}"
        page = get(visitor, here).text
        moves = set(re.findall(r'href="\?move=([^"&]+)"', page))
        assert {puzzle.answer, *puzzle.replies} <= {each.replace("%20", " ") for each in moves}
        chosen = get(visitor, f"{here}?move={puzzle.answer}").text
        assert f'value="{puzzle.answer}"' in chosen and "data-ready" in chosen

    def test_the_right_move_is_told_with_its_line(
        self, app: App, visitor: FlaskClient, puzzle: Puzzle
    ) -> None:
        page = visit(visitor, puzzle, do="send", move=puzzle.answer)
        assert f"Right: {puzzle.answer} wins" in page
        assert f"<code>{' '.join(puzzle.line)}</code>" in page
        assert [] == read(page).all_problems()

    def test_a_wrong_move_is_told_with_its_reason_and_without_the_answer(
        self, visitor: FlaskClient, puzzle: Puzzle
    ) -> None:
        for move, reply in puzzle.replies.items():
            page = visit(visitor, puzzle, do="send", move=move)
            assert f"Not right: {move} does not win" in page
            if reply:
                assert f"answers <code>{reply}</code>" in page
            assert " ".join(puzzle.line) not in page
            assert f'href="/puzzles/{puzzle.id}">Try again' in page
            assert [] == read(page).all_problems()

    def test_the_answer_is_shown_to_who_asks(self, visitor: FlaskClient, puzzle: Puzzle) -> None:
        page = visit(visitor, puzzle, do="answer")
        assert f"The answer is {puzzle.answer}" in page
        assert "noindex" in page
        assert [] == read(page).all_problems()

    def test_nothing_is_stored_of_visitors(self, app: App, visitor: FlaskClient, puzzle: Puzzle) -> None:
        for form in ({"do": "send", "move": puzzle.answer}, {"do": "answer"}):
            visit(visitor, puzzle, **form)
        assert (0, 0) == numbers(app, puzzle)

    @pytest.mark.parametrize("move", ["zz99", "hello", "swap", "d1", "x" * 3000])
    def test_what_is_no_legal_move_is_refused_with_a_reason(
        self, visitor: FlaskClient, puzzle: Puzzle, move: str
    ) -> None:
        here = f"/puzzles/{puzzle.id}"
        answer = visitor.post(here, base_url=SITE, data={"do": "send", "move": move}, headers=FROM_HERE)
        assert 422 == answer.status_code
        assert 'role="alert"' in answer.text
        assert 404 == get(visitor, f"{here}?tried={move}").status_code

    def test_an_open_move_is_shown_and_not_judged(self, visitor: FlaskClient, puzzle: Puzzle) -> None:
        here = f"/puzzles/{puzzle.id}"
        for form in ({"do": "send", "move": ""}, {"do": "show", "move": puzzle.answer}):
            answer = visitor.post(here, base_url=SITE, data=form, headers=FROM_HERE)
            assert 200 == answer.status_code
            assert "Which move wins?" in answer.text

    def test_there_is_no_puzzle_of_another_number(self, visitor: FlaskClient) -> None:
        assert 404 == get(visitor, "/puzzles/999").status_code

    def test_a_puzzle_whose_game_is_open_again_is_not_shown(
        self, app: App, visitor: FlaskClient, puzzle: Puzzle
    ) -> None:
        add(app, load(app), "rollback", None, {"ply": 3, "entry": 4, "reason": "A mistake."})
        assert 404 == get(visitor, f"/puzzles/{puzzle.id}").status_code
        assert "Puzzle 1" not in get(visitor, "/puzzles").text

    def test_who_has_the_page_gets_a_few_bytes(self, visitor: FlaskClient, puzzle: Puzzle) -> None:
        for path in ("/puzzles", f"/puzzles/{puzzle.id}", f"/puzzles/{puzzle.id}?tried={puzzle.answer}"):
            first = get(visitor, path)
            seen = {"If-None-Match": first.headers["ETag"]}
            assert 304 == visitor.get(path, base_url=SITE, headers=seen).status_code


class TestPlayer:
    def test_the_first_answer_counts_and_no_other(self, app: App, bill: FlaskClient, puzzle: Puzzle) -> None:
        here, wrong = f"/puzzles/{puzzle.id}", next(iter(puzzle.replies))
        for move in (wrong, puzzle.answer, wrong):
            answer = send(bill, here, page=here, do="send", move=move)
            assert {"tried": [move]} == parse_qs(urlsplit(answer.headers["Location"]).query)
        assert (1, 0) == numbers(app, puzzle)
        assert f"Your first answer was <code>{wrong}</code>" in get(bill, here).text

    def test_who_looks_at_the_answer_first_has_tried(
        self, app: App, bill: FlaskClient, puzzle: Puzzle
    ) -> None:
        here = f"/puzzles/{puzzle.id}"
        assert 303 == send(bill, here, page=here, do="answer").status_code
        send(bill, here, page=here, do="send", move=puzzle.answer)
        assert (1, 0) == numbers(app, puzzle)
        assert "You have seen the answer." in get(bill, here).text

    @pytest.mark.parametrize("query", ["answer=shown", "tried={answer}"])
    def test_no_address_tells_before_the_first_answer(
        self, bill: FlaskClient, puzzle: Puzzle, query: str
    ) -> None:
        page = get(bill, f"/puzzles/{puzzle.id}?{query.format(answer=puzzle.answer)}")
        assert "Which move wins?" in page.text
        assert "no-store" in page.headers["Cache-Control"]
        assert [] == read(page.text).all_problems()

    def test_a_form_without_its_mark_stores_nothing(
        self, app: App, bill: FlaskClient, puzzle: Puzzle
    ) -> None:
        form = {"do": "send", "move": puzzle.answer}
        answer = bill.post(f"/puzzles/{puzzle.id}", base_url=SITE, data=form, headers=FROM_HERE)
        assert 400 == answer.status_code
        assert (0, 0) == numbers(app, puzzle)

    def test_the_mail_and_the_web_count_together(self, app: App, bill: FlaskClient, puzzle: Puzzle) -> None:
        joao = create_app(app).test_client()
        sign_in(app, joao, "Joao")
        for client, move in ((bill, puzzle.answer), (joao, next(iter(puzzle.replies)))):
            send(client, f"/puzzles/{puzzle.id}", page=f"/puzzles/{puzzle.id}", do="send", move=move)
        assert (2, 1) == numbers(app, puzzle)


class TestLinks:
    def test_the_game_and_the_rules_lead_to_it(self, visitor: FlaskClient, puzzle: Puzzle) -> None:
        assert f'href="/puzzles/{puzzle.id}"' in get(visitor, "/games/1").text
        assert 'href="/puzzles?game=begird"' in get(visitor, "/rules/begird").text
        assert 'href="/puzzles"' in get(visitor, "/").text

    def test_a_game_s_page_changes_when_its_puzzles_are_found(self, app: App) -> None:
        the_seeds_game(app)
        client = create_app(app).test_client()
        before = get(client, "/games/1")
        with app.store.write() as db:
            puzzles.add_puzzle(db, Puzzle(0, 1, 9, "bipod", "h2", ("h2",), {}), app.now())
        seen = {"If-None-Match": before.headers["ETag"]}
        assert 200 == client.get("/games/1", base_url=SITE, headers=seen).status_code

    def test_the_feed_has_them_newest_first(self, app: App, visitor: FlaskClient, puzzle: Puzzle) -> None:
        feed = ElementTree.fromstring(get(visitor, "/puzzles/feed").get_data())
        links = [
            entry.find(f"{ATOM}link").get("href")  # type: ignore[union-attr]
            for entry in feed.iterfind(f"{ATOM}entry")
        ]
        assert [f"{SITE}/puzzles/{each.id}" for each in stored_puzzles(app)] == links

    def test_the_api_judges_a_move(self, visitor: FlaskClient, puzzle: Puzzle) -> None:
        here = f"/api/puzzles/{puzzle.id}"
        assert None is get(visitor, here).json["verdict"]  # type: ignore[index]
        right = get(visitor, f"{here}?move={puzzle.answer}").json["verdict"]  # type: ignore[index]
        assert {"move": puzzle.answer, "right": True, "reply": None, "line": list(puzzle.line)} == right
        for move, reply in list(puzzle.replies.items())[: amount(3, 30)]:
            told = get(visitor, f"{here}?move={move}").json["verdict"]  # type: ignore[index]
            assert {"move": move, "right": False, "reply": reply or None, "line": None} == told
        assert 404 == get(visitor, f"{here}?move=zz9").status_code
        assert 404 == get(visitor, "/api/puzzles/999").status_code
