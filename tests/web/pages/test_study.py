"""`/study`: records as pages to step through, stored nowhere, harmless."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from werkzeug.test import TestResponse

from pbem.app import App
from pbem.core.records.study import open_study
from rules import RULES, record
from tests.browser import TELEPHONE
from tests.core.example_records import chance_game
from tests.people import SEED_PLIES
from tests.web.library import the_seeds_game
from tests.web.markup import read

TEXT = """\
[Game "Bipod"]
[First "Bill <b>"]
[Second "joao@example.net"]

1 first f2 f4 g3 {<script>alert(1)</script> bill@example.org}
2 second e5 g1
second resign {Enough.}
"""


def study(client: FlaskClient, text: str) -> TestResponse:
    return client.post("/study", data={"record": text})


def test_a_record_pasted_leads_to_its_board(client: FlaskClient) -> None:
    answer = study(client, TEXT)
    assert 303 == answer.status_code
    page = client.get(answer.headers["Location"], follow_redirects=True)
    assert 200 == page.status_code
    assert [] == read(page.text).all_problems()
    assert "Move 2 of 2" in page.text
    assert "resigned" in page.text
    assert 'content="noindex"' in page.text


def test_the_score_of_a_newsgroup_post_leads_to_its_board(client: FlaskClient) -> None:
    answer = study(
        client, "BI-POD\r\n======    Bill    Joao\r\n1. f2 f4 g3  e5 g1\r\n2. f6 h2 i1  resign\r\n"
    )
    page = client.get(answer.headers["Location"], follow_redirects=True)
    assert "Move 3 of 3" in page.text
    assert "Joao" in page.text


def test_nothing_in_a_record_is_markup_or_a_mail_address(client: FlaskClient) -> None:
    page = client.get(study(client, TEXT).headers["Location"], follow_redirects=True)
    assert "&lt;script&gt;" in page.text
    assert [False] * 3 == [bad in page.text for bad in ("<script>alert", "example.org ", "joao@example.net")]


def test_every_ply_has_its_own_link_and_0_is_the_start(client: FlaskClient) -> None:
    place = study(client, TEXT).headers["Location"]
    for n, words in ((0, "Before the first of 2 moves"), (1, "Move 1 of 2"), (2, "Move 2 of 2")):
        page = client.get(f"{place}/{n}")
        assert (n, 200, True) == (n, page.status_code, words in page.text)
        assert [] == read(page.text).all_problems()
    assert 404 == client.get(f"{place}/3").status_code


def test_a_file_is_taken_as_well_as_text_and_json(app: App, client: FlaskClient) -> None:
    the_seeds_game(app, {3: "Ha!"})
    for form in ("game", "record.json"):
        raw = client.get(f"/games/1.{form}").data
        upload = {"file": (BytesIO(raw), f"1.{form}"), "record": ""}
        answer = client.post("/study", data=upload, content_type="multipart/form-data")
        page = client.get(answer.headers["Location"], follow_redirects=True)
        assert (form, True) == (form, "Move 19 of 19" in page.text)


def test_a_study_tells_moments_as_pages_do_and_any_other_tag_as_it_stands(
    app: App, client: FlaskClient
) -> None:
    the_seeds_game(app)
    raw = client.get("/games/1.game").text.replace(
        '[End "2026-03-02T09:00:00Z"]', '[End "some day, joao@a.example"]'
    )
    page = client.get(study(client, raw).headers["Location"], follow_redirects=True)
    assert "Began 1 March 2026, 12:00 Ended some day, joao@… Options" in read(page.text).text


def test_the_record_can_be_taken_from_a_study(client: FlaskClient) -> None:
    place = study(client, TEXT).headers["Location"]
    answer = client.get(f"{place}.game")
    assert ("text/plain", 'attachment; filename="study.game"') == (
        answer.mimetype,
        answer.headers["Content-Disposition"],
    )
    assert ["f2 f4 g3", "e5 g1"] == [ply.move for ply in record.read(answer.text).plies]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (TEXT.replace("e5 g1", "f2"), "line 6: move 2: f2 is taken (a block, move 1)."),
        ("", "it has no [Game &#34;...&#34;] tag"),
        ("\x00\ud7ff", "is neither a tag nor a move"),
        (TEXT + "x" * 100_000, "longer than the 100,000 characters"),
    ],
)
def test_a_bad_record_comes_back_with_the_line_and_the_text(
    client: FlaskClient, text: str, sentence: str
) -> None:
    answer = study(client, text)
    assert (422, True) == (answer.status_code, sentence in answer.text)
    assert "no-store" == answer.headers["Cache-Control"]
    if "Bill" in text and len(text) < 1000:
        assert "Bill &lt;b&gt;" in answer.text
        assert [] == read(answer.text).all_problems()


def test_the_form_stores_nothing_and_sets_no_cookie(app: App, client: FlaskClient) -> None:
    answer = study(client, TEXT)
    assert "Set-Cookie" not in answer.headers
    blank = client.get("/study")
    assert [] == read(blank.text).all_problems()
    assert 304 == client.get("/study", headers={"If-None-Match": blank.headers["ETag"]}).status_code


@pytest.mark.parametrize("code", ["x", "eNo", "..", "%00", "A" * 3600])
def test_an_address_that_holds_no_game_is_said_so(client: FlaskClient, code: str) -> None:
    answer = client.get(f"/study/{code}")
    assert 404 == answer.status_code
    assert (code, True) == (code, "No such page" in answer.text)


@pytest.mark.parametrize("more", ["%0D%0A", "%23", "%5C%5Cevil.example", "=", "%20"])
def test_an_address_with_more_in_it_than_a_game_leads_nowhere(client: FlaskClient, more: str) -> None:
    address = study(client, TEXT).headers["Location"]
    assert [404, 404] == [client.get(f"{address}{more}{end}").status_code for end in ("", "/1")]


@pytest.mark.parametrize("key", RULES)
def test_games_of_every_kind_can_be_studied_at_any_ply(client: FlaskClient, key: str) -> None:
    game = chance_game(key, 4, most=30)
    text = record.write(
        record.Record({"Game": key}, tuple(record.Ply(None, p.move) for p in game.state.plies))
    )
    place = study(client, text).headers["Location"]
    for n in (0, 1, len(game.state.plies) // 2, len(game.state.plies)):
        page = client.get(f"{place}/{n}")
        assert (key, n, []) == (key, n, read(page.text).all_problems())
        assert 60_000 > len(client.get(f"{place}/{n}", headers={"Accept-Encoding": "gzip"}).data)


@pytest.mark.chromium
def test_a_study_is_pasted_and_stepped_through_by_keys_and_links(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    page = open_page(viewport=TELEPHONE)
    page.goto(f"{serve(app)}/study")
    page.get_by_label("The record, as text or JSON").fill(
        '[Game "Bipod"]\n' + "\n".join(f"{n} {move}" for n, move in enumerate(SEED_PLIES, 1))
    )
    page.get_by_role("button", name="Show the board").click()
    caption = page.locator("figcaption")
    expect(caption).to_contain_text("Move 19 of 19")
    page.wait_for_load_state()  # earlier key presses are lost
    page.keyboard.press("ArrowLeft")
    expect(caption).to_contain_text("Move 18 of 19")
    page.get_by_role("link", name="Start", exact=True).click()
    expect(caption).to_contain_text("Before the first of 19 moves")
    expect(page).to_have_url(re.compile("/0$"))
    page.locator("a[data-ply='7']").click()
    expect(caption).to_contain_text("adopt")
    assert 0 == page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


# Moves that are tried.


def tried(client: FlaskClient, place: str, n: int, *moves: str) -> str:
    """The address after moves that are tried from move `n` on, with the number of the last."""
    for move in moves:
        answer = client.post(f"{place}/{n}/move", data={"move": move, "do": "send"})
        assert 303 == answer.status_code, read(answer.text).text
        assert "no-store" == answer.headers["Cache-Control"]
        place, n = read_place(answer.headers["Location"].removesuffix("/move"))
    return f"{place}/{n}"


def read_place(address: str) -> tuple[str, int]:
    place, _, n = address.rpartition("/")
    return place, int(n)


@pytest.mark.parametrize("key", RULES)
def test_an_empty_board_of_each_game_takes_moves(client: FlaskClient, key: str) -> None:
    place = study(client, f'[Game "{RULES[key].name}"]').headers["Location"]
    for n in range(4):
        answer = client.get(f"{place}/{n}/move")
        assert [] == read(answer.text).all_problems()
        move = open_study(place.removeprefix("/study/"), n).shown.examples()[0]
        place, at = read_place(tried(client, place, n, move))
        assert n + 1 == at
    assert "Move 4 of 4" in client.get(f"{place}/4").text


def test_the_empty_board_of_each_game_on_offer_is_one_click_away(app: App, client: FlaskClient) -> None:
    found = [link for link in read(client.get("/study").text).links if link.endswith("/0/move")]
    assert len(app.offered) == len(found)
    for link, rules in zip(found, app.offered.values(), strict=True):
        assert f"A study of {rules.name}" in read(client.get(link).text).text


def test_a_move_from_the_middle_of_a_game_is_a_variation_beside_it(client: FlaskClient) -> None:
    place = study(client, TEXT).headers["Location"]
    beside = tried(client, place, 1, "g1", "f6")
    page = client.get(beside)
    assert [] == read(page.text).all_problems()
    assert "Move 3 of 3 in a variation" in page.text
    place, number = read_place(beside)
    assert 3 != number
    assert ", move 3 " in page.text.partition("</title>")[0]
    hint = client.get(f"{place}/1/move?move=g1").text
    assert "Make it, or choose" in hint and "Send it" not in hint
    game = client.get(f"{place}/2")
    assert "Move 2 of 2" in game.text
    assert "e5 g1" in game.text
    assert "Variations" in read(game.text).text
    lines = client.get(f"{beside}.game").text, client.get(f"{place}/2.game").text
    assert [["f2 f4 g3", "g1", "f6"], ["f2 f4 g3", "e5 g1"]] == [
        [ply.move for ply in record.read(line).plies] for line in lines
    ]


def test_the_same_move_tried_again_is_the_one_that_is_there(client: FlaskClient) -> None:
    place = study(client, TEXT).headers["Location"]
    assert place + "/2" == tried(client, place, 1, "e5 g1")


@pytest.mark.parametrize(
    ("move", "told"),
    [
        ("f2", "f2 is taken"),
        ("zz9", "zz9"),
        ("", ""),
        ("resign", "resign"),
        ("e5 " * 60, ""),
        ("<b>", "&lt;b&gt;"),
    ],
)
def test_a_move_against_the_rules_comes_back_with_the_reason(
    client: FlaskClient, move: str, told: str
) -> None:
    place = study(client, TEXT).headers["Location"]
    answer = client.post(f"{place}/1/move", data={"move": move, "do": "send"})
    assert (422, True) == (answer.status_code, told in answer.text)
    assert 'class="problem"' in answer.text
    assert [] == read(answer.text).all_problems()


def test_comments_are_written_changed_and_removed(client: FlaskClient) -> None:
    place = study(client, TEXT).headers["Location"]
    answer = client.post(f"{place}/2/comment", data={"words": "Strong <i>here</i>."})
    page = client.get(answer.headers["Location"])
    assert "Strong &lt;i&gt;here&lt;/i&gt;." in page.text
    assert "{Strong <i>here</i>.}" in client.get(f"{answer.headers['Location']}.game").text
    changed, _ = read_place(answer.headers["Location"])
    without = client.post(f"{changed}/2/comment", data={"words": " "}).headers["Location"]
    assert f"{place}/2" == without
    assert f"{place}/0" == client.post(f"{place}/0/comment", data={"words": "Hm."}).headers["Location"]


def test_a_move_taken_out_takes_those_behind_it_along(client: FlaskClient) -> None:
    place = study(client, TEXT).headers["Location"]
    beside = tried(client, place, 1, "g1", "f6")
    shorter, n = read_place(beside)
    left = client.post(f"{shorter}/{n - 1}/out").headers["Location"]
    assert f"{place}/1" == left


def test_a_study_that_no_address_holds_says_so_and_stays(client: FlaskClient) -> None:
    place = study(client, TEXT).headers["Location"]
    for n in (1, 2):
        noise = "".join(chr(0x4E00 + each * (7919 + n) % 20000) for each in range(1000))
        answer = client.post(f"{place}/{n}/comment", data={"words": noise})
        if answer.status_code == 422:
            break
        place, _ = read_place(answer.headers["Location"])
    assert 422 == answer.status_code
    assert [] == read(answer.text).all_problems()
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize("path", ["/games/1/study", "/games/1/7/study"])
def test_any_state_of_a_game_here_leads_to_its_study(app: App, client: FlaskClient, path: str) -> None:
    the_seeds_game(app)
    answer = client.get(path)
    assert (303, "no-store") == (answer.status_code, answer.headers["Cache-Control"])
    n = 7 if "/7/" in path else 19
    assert f"Move {n} of 19" in client.get(answer.headers["Location"]).text
    for missing in ("/games/1/99/study", "/games/9/study"):
        assert 404 == client.get(missing).status_code


@pytest.mark.chromium
@pytest.mark.parametrize("scripts", [True, False])
def test_moves_are_tried_by_clicks_on_a_telephone_with_scripts_and_without(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page], scripts: bool
) -> None:
    page = open_page(viewport=TELEPHONE, java_script_enabled=scripts)
    page.goto(f"{serve(app)}/study")
    page.get_by_role("link", name="Begird", exact=True).click()
    page.locator("a[href*='move=']").first.click()
    page.get_by_role("button", name="Make this move").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Try move 2")
    page.get_by_role("link", name="All moves of this study").click()
    expect(page.locator("figcaption")).to_contain_text("Move 1 of 1")
    page.get_by_text("Comment on this move").click()
    page.get_by_label("Comment on move 1").fill("A corner.")
    page.get_by_role("button", name="Keep the comment").click()
    expect(page.locator("blockquote")).to_have_text("A corner.")
    assert 0 == page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
