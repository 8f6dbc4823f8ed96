"""Plans grown on the board of a game's page: who may, what is kept, and what says why it is not."""

from __future__ import annotations

import re
from random import Random
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pbem.app import App
from pbem.core.game.conditional import branch_rows
from pbem.core.records.study import pack
from pbem.store import inbox
from pbem.web import create_app
from tests.web.library import begin, play
from tests.web.markup import read
from tests.web.pages.test_compose import game_of, page_of
from tests.web.pages.test_compose import send as compose
from tests.web.pages.test_orders import hidden, order
from tests.web.signing_in import get, send, sign_in

PLAN = "/games/1/plan"


@pytest.fixture
def bill(app: App, client: FlaskClient) -> FlaskClient:
    """Bill, who waits for Joao in a game of Begird."""
    play(app, begin(app, key="begird"), ["a1"])
    sign_in(app, client, "Bill")
    return client


def follow(client: FlaskClient, path: str) -> TestResponse:
    answer = get(client, path)
    return get(client, answer.headers["Location"]) if answer.status_code == 303 else answer


def click(client: FlaskClient, page: TestResponse, ply: str) -> TestResponse:
    """Click a cell of the page, as a link of its board leads."""
    link = f"?move={quote(ply, safe='')}&amp;go=1"
    assert link in page.text
    return follow(client, page.request.path + link.replace("&amp;", "&"))


def step(client: FlaskClient, page: TestResponse, ply: str) -> TestResponse:
    """Click a ply in the tree, or a word beside it."""
    found = re.search(rf'<a[^>]*href="([^"]+)"[^>]*>{re.escape(ply)}</a>', page.text)
    assert found is not None, page.text
    return get(client, found[1])


def tree(page: TestResponse) -> list[str]:
    """The rows of the tree in words, with what is said of them."""
    rows = re.findall(r"<li data-depth.*?</li>", page.text, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", row).replace("Remove", "").split()) for row in rows]


def keep(client: FlaskClient, page: TestResponse, **fields: str) -> TestResponse:
    form = {"link": hidden(page.text, "link"), "number": hidden(page.text, "number"), **fields}
    action = re.search(rf'<form method="post" action="({PLAN}[^"]*)"', page.text)
    assert action is not None, page.text
    answer = send(client, action[1], page=action[1], **form)
    return get(client, answer.headers["Location"]) if answer.status_code == 303 else answer


def planned(app: App, seat: int = 0) -> list[str]:
    found = game_of(app).state.conditional_moves[seat]
    return [f"{label} {branch.text}" for label, branch in branch_rows(found.plan)] if found else []


def mails(app: App) -> list[str]:
    with app.store.read() as db:
        found = inbox.mails_from_address(db, "bill@example.org")
    texts = [mail.raw.decode().replace("\r\n", "\n") for mail in reversed(found)]
    return [text.partition("\n\n")[2].strip() for text in texts]


def two_branches(bill: FlaskClient) -> TestResponse:
    """If b2 then c3, and after it d4 then e5 or f6 then g7."""
    page = get(bill, PLAN)
    for ply in ("b2", "c3", "d4", "e5"):
        page = click(bill, page, ply)
    page = step(bill, page, "c3")
    for ply in ("f6", "g7"):
        page = click(bill, page, ply)
    return page


# Growing.


def test_each_click_plays_one_ply_on_the_board_for_whom_it_is(bill: FlaskClient) -> None:
    page = get(bill, PLAN)
    assert "What may Joao play?" in page.text
    page = click(bill, page, "b2")
    assert "what do you answer?" in page.text
    assert ["1 if b2 Your answer is still to be chosen."] == tree(page)
    page = click(bill, page, "c3")
    assert "what may Joao play?" in page.text
    assert ["1 if b2 then c3"] == tree(page)
    assert "?move=b2&amp;go=1" not in page.text


def test_branches_are_grown_from_any_board_of_the_tree_and_removed(bill: FlaskClient) -> None:
    page = two_branches(bill)
    assert ["1 if b2 then c3", "1.1 if d4 then e5", "1.2 if f6 then g7"] == tree(page)
    gone = re.search(r'href="([^"]+)" data-go aria-label="Remove 1.1"', page.text)
    assert gone is not None
    assert ["1 if b2 then c3", "1.1 if f6 then g7"] == tree(get(bill, gone[1]))


def test_a_ply_of_several_cells_waits_until_it_is_said_to_be_whole(app: App, client: FlaskClient) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    sign_in(app, client, "Bill")
    page = click(client, get(client, PLAN), "h4")
    assert [] == tree(page)
    page = click(client, page, "h4 j4")
    page = follow(client, f"{page.request.path}?move=h4%20j4&do=send")
    assert ["1 if h4 j4 Your answer is still to be chosen."] == tree(page)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("move=a1&do=send", "a1 is taken"),
        ("move=&do=send", "The move is not finished yet."),
        ("move=nonsense", "That is no move of Begird"),
    ],
)
def test_what_cannot_be_played_says_why_and_the_tree_stays(bill: FlaskClient, query: str, told: str) -> None:
    page = click(bill, click(bill, get(bill, PLAN), "b2"), "c3")
    refused = follow(bill, f"{page.request.path}?{query}")
    assert told in read(refused.text).text
    assert ["1 if b2 then c3"] == tree(refused)


def test_the_board_shown_can_be_tried_by_mail(bill: FlaskClient) -> None:
    page = two_branches(bill)
    assert "<code>try b2 then c3 then f6 then g7</code>" in page.text


def test_the_page_is_valid_and_kept_by_nobody(bill: FlaskClient) -> None:
    for page in (get(bill, PLAN), two_branches(bill)):
        assert [] == read(page.text).all_problems()
        assert "no-store" == page.headers["Cache-Control"]


# Keeping.


def test_the_tree_is_kept_by_one_mail_of_its_lines(app: App, bill: FlaskClient) -> None:
    page = keep(bill, two_branches(bill))
    assert "Your plan is kept." in page.text
    assert ["1 if b2 then c3 ✓", "1.1 if d4 then e5 ✓"] == [
        row.replace("kept", "✓") for row in tree(page)[:2]
    ]
    assert ["1 if b2 then c3", "1.1 if d4 then e5", "1.2 if f6 then g7"] == planned(app)
    assert ["if b2 then c3 if d4 then e5\nif b2 then c3 if f6 then g7"] == mails(app)
    assert tree(page) == tree(get(bill, PLAN))


def test_what_cannot_be_kept_says_why_and_the_rest_is_kept(app: App, bill: FlaskClient) -> None:
    page = step(bill, two_branches(bill), "b2")
    page = click(bill, click(bill, page, "h8"), "i9")
    page = keep(bill, page)
    assert ["1 if b2 then c3", "1.1 if d4 then e5", "1.2 if f6 then g7"] == planned(app)
    assert "2 if b2 then h8 This has an answer already, “c3”, and one can be kept" in tree(page)[3]
    assert "2.1 if i9 Your answer is still to be chosen." == tree(page)[4]


def test_a_line_that_is_added_is_sent_alone_and_one_that_is_removed_replaces_all(
    app: App, bill: FlaskClient
) -> None:
    order(bill, "plan", plan="if any then resign")
    page = get(bill, PLAN)
    assert ["1 if any then resign kept"] == tree(page)
    page = keep(bill, click(bill, click(bill, page, "b2"), "c3"))
    assert ["1 if any then resign", "2 if b2 then c3"] == planned(app)
    gone = re.search(r'href="([^"]+)" data-go aria-label="Remove 1"', page.text)
    assert gone is not None
    keep(bill, get(bill, gone[1]))
    assert ["1 if b2 then c3"] == planned(app)
    assert ["if any then resign", "if b2 then c3", "if clear\nif b2 then c3"] == mails(app)
    page = get(bill, PLAN)
    gone = re.search(r'href="([^"]+)" data-go aria-label="Remove 1"', page.text)
    assert gone is not None
    assert "Your plan is forgotten." in keep(bill, get(bill, gone[1])).text
    assert [] == planned(app)


def test_on_the_own_turn_a_move_is_played_with_the_plan_below_it(app: App, client: FlaskClient) -> None:
    begin(app, key="begird")
    sign_in(app, client, "Bill")
    page = get(client, PLAN)
    assert "What would you play?" in page.text
    for ply in ("a1", "b2", "c3"):
        page = click(client, page, ply)
    page = click(client, step(client, page, "One move back"), "d4")
    assert ["1 a1", "1.1 if b2 then c3", "1.2 if b2 then d4"] == [
        row.partition(" This")[0] for row in tree(page)
    ]
    assert "Play a1 now, and keep its plan" in page.text
    assert "Move 1 is recorded" in keep(client, page, ply="a1").text
    assert ["a1"] == [ply.move for ply in game_of(app).state.plies]
    assert ["1 if b2 then c3"] == planned(app)


def test_a_standing_order_that_would_end_with_the_plan_is_named_before(app: App, client: FlaskClient) -> None:
    game = begin(app, key="hexthing")
    sign_in(app, client, "Bill")
    compose(client, page_of(app, game), "play 3S bid 3 max 6 take e5")
    order(client, "plan", plan="if bid 4 then bid 5")
    page = get(client, PLAN)
    ends = "With that ends what you set with your move: max 6 take e5"
    assert ends not in read(page.text).text
    gone = re.search(r'href="([^"]+)" data-go aria-label="Remove 1"', page.text)
    assert gone is not None
    assert ends in read(get(client, gone[1]).text).text


def test_nothing_is_sent_where_nothing_can_be_kept(app: App, bill: FlaskClient) -> None:
    page = keep(bill, click(bill, get(bill, PLAN), "b2"))
    assert 422 == page.status_code
    assert "There is nothing new to keep yet." in page.text
    assert ["1 if b2 Your answer is still to be chosen."] == tree(page)
    assert [] == mails(app)


def test_the_same_form_sent_twice_is_one_mail(app: App, bill: FlaskClient) -> None:
    page = two_branches(bill)
    keep(bill, page)
    keep(bill, page)
    assert 1 == len(mails(app))


def test_a_long_plan_is_read_as_it_was_grown(app: App, client: FlaskClient) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    sign_in(app, client, "Bill")
    lines = []
    for seed in range(4):
        position, rng, words = game_of(app).state.position, Random(seed), []
        for word in ["if", "then"] * 8:
            ply = max((position.sample(rng) for _ in range(9)), key=lambda each: len(str(each)))
            position = position.play(ply)
            words += [word, str(ply)]
        lines.append(" ".join(words))
    page = get(client, f"{PLAN}/{pack([1, lines, ''])}")
    assert "Your plan is kept." in keep(client, page).text
    assert 32 == len(planned(app))
    assert ["\n".join(lines)] == mails(app)


# A game that goes on meanwhile.


def test_after_a_move_of_the_other_what_follows_it_is_left(app: App, bill: FlaskClient) -> None:
    page = two_branches(bill)
    play(app, game_of(app), ["b2", "c3"])
    refused = keep(bill, page)
    assert 422 == refused.status_code
    assert ["1 if d4 then e5", "2 if f6 then g7"] == tree(refused)
    assert "Nothing was kept. The game has gone on since." in refused.text
    assert "Nothing was kept" not in get(bill, page.request.path).text
    assert "Your plan is kept." in keep(bill, refused).text
    assert ["1 if d4 then e5", "2 if f6 then g7"] == planned(app)


def test_a_plan_kept_meanwhile_is_not_lost_unseen(app: App, bill: FlaskClient) -> None:
    page = two_branches(bill)
    order(bill, "plan", plan="if j10 then k9")
    again = get(bill, page.request.path)
    assert "This removes from the plan that is kept: if j10 then k9" in read(again.text).text
    play(app, game_of(app), ["i9"])
    play(app, game_of(app), ["h8"])
    assert [] == tree(get(bill, page.request.path))


def test_after_a_move_is_taken_back_the_plan_that_is_kept_is_shown(app: App, bill: FlaskClient) -> None:
    order(bill, "plan", plan="if j10 then k9")
    ahead = pack([3, ["if b2 then c3"], ""])
    assert ["1 if j10 then k9 kept"] == tree(get(bill, f"{PLAN}/{ahead}"))


def test_after_the_end_there_is_nothing_to_plan(app: App, bill: FlaskClient) -> None:
    page = two_branches(bill)
    order(bill, "resign yes", sure="yes")
    assert "/games/1" == get(bill, page.request.path).headers["Location"]
    assert PLAN not in get(bill, "/games/1").text
    assert [] == planned(app)


# Who may.


def test_the_players_alone_plan(app: App, bill: FlaskClient) -> None:
    assert PLAN in get(bill, "/games/1").text
    for name in ("", "Anna"):
        stranger = create_app(app).test_client()
        if name:
            sign_in(app, stranger, name)
        assert PLAN not in get(stranger, "/games/1").text
        assert 404 == get(stranger, PLAN).status_code
        assert 404 == get(stranger, two_branches(bill).request.path).status_code


def test_nobody_keeps_a_plan_for_the_other_player(app: App, bill: FlaskClient) -> None:
    joao = create_app(app).test_client()
    sign_in(app, joao, "Joao")
    page = two_branches(bill)
    form = {"link": hidden(page.text, "link"), "number": "1"}
    assert 403 == send(joao, page.request.path, page="/games/1", **form).status_code
    assert [] == planned(app)


def test_a_form_with_a_link_of_another_kind_keeps_nothing(app: App, bill: FlaskClient) -> None:
    page = two_branches(bill)
    answer = send(bill, page.request.path, page=page.request.path, link="nonsense", number="1")
    assert 404 == answer.status_code
    assert "This link is not one of ours" in answer.text
    assert [] == planned(app)


def test_a_tree_that_is_too_large_for_an_address_says_so(app: App, bill: FlaskClient) -> None:
    cells = [name for name in game_of(app).state.position.picture().names if name not in ("a1", "a2")][:60]
    page = get(bill, f"{PLAN}/{pack([1, [f'if {cell}' for cell in cells], ''])}")
    told = follow(bill, f"{page.request.path}?move=a2&go=1")
    assert 60 == len(tree(told))
    assert "A plan on this page has at most 60 lines" in told.text


@pytest.mark.parametrize(
    "code",
    [
        "not-a-plan",
        pack(["x"]),
        pack([1, [["if b2"]], ""]),
        pack([1, ["if b2 then c3"] * 61, ""]),
        pack([1, ["if b2 then " + "x" * 999], ""]),
        pack([1, ["if b2"], 3]),
        pack([None, ["if b2"], ""]),
    ],
)
def test_a_damaged_address_says_so(bill: FlaskClient, code: str) -> None:
    answer = get(bill, f"{PLAN}/{code}")
    assert 404 == answer.status_code
    assert "This link holds no whole plan." in answer.text


def test_words_in_an_address_are_shown_as_words(bill: FlaskClient) -> None:
    page = get(bill, f"{PLAN}/{pack([1, ['if <b>x</b> then c3', 'nothing'], 'if <i>y</i>'])}")
    assert 200 == page.status_code
    assert "<b>x" not in page.text
    assert "<i>y" not in page.text
