"""`/study`: records as pages to step through, stored nowhere, harmless."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from random import Random

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from werkzeug.test import TestResponse

from pbem.app import App
from pbem.core.records.study import open_study
from pbem.web import create_app
from rules import RULES, record
from tests.amount import amount
from tests.browser import DESKTOP, TELEPHONE
from tests.core.example_records import chance_game
from tests.people import SEED_PLIES
from tests.web.library import begin, play, the_seeds_game
from tests.web.markup import read
from tests.web.pages.test_orders import order
from tests.web.signing_in import get, sign_in

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


@pytest.mark.parametrize("word", ["Bill", "Bipod"])
def test_half_a_character_in_a_json_record_is_refused(app: App, client: FlaskClient, word: str) -> None:
    the_seeds_game(app)
    raw = client.get("/games/1.record.json").text.replace(word, r"\ud800")
    answer = study(client, raw)
    assert (422, True) == (answer.status_code, "it is no JSON either" in answer.text)


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
        record.Record({"Game": key}, tuple(record.RecordPly(None, p.move) for p in game.state.plies))
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


def test_a_comment_that_is_too_long_is_kept_in_its_field(client: FlaskClient) -> None:
    place = study(client, TEXT).headers["Location"]
    words = "Long <i>words</i>, " * 60
    answer = client.post(f"{place}/2/comment", data={"words": words})
    assert (422, "no-store") == (answer.status_code, answer.headers["Cache-Control"])
    assert "A comment has at most 1,000 characters, and this one has 1,140." in answer.text
    assert "Long &lt;i&gt;words&lt;/i&gt;, Long" in answer.text
    assert [] == read(answer.text).all_problems()


def test_a_move_that_is_too_long_is_refused_and_not_cut(client: FlaskClient) -> None:
    place = study(client, TEXT).headers["Location"]
    long = "e5" + " " * 198 + "g1"
    for answer in (
        client.post(f"{place}/1/move", data={"move": long, "do": "send"}),
        client.get(f"{place}/1/move", query_string={"move": long}),
    ):
        assert "A move has at most 200 characters." in answer.text
        assert "No move yet" in answer.text


ALL_BUT_THE_LAST = '[Game "Begird"]\n[Options "islands=3 side=4"]\n'


def a_game_to_its_end() -> list[str]:
    rules = RULES["begird"]
    position, rng, moves = rules.start({"islands": "3", "side": "4"}, 0), Random(1), list[str]()
    while position.outcome is None:
        move = position.sample(rng)
        position, moves = position.play(move), [*moves, str(move)]
    return moves


def test_a_move_that_ends_the_game_leads_to_the_study_and_none_follows_it(client: FlaskClient) -> None:
    *before, last = a_game_to_its_end()
    text = ALL_BUT_THE_LAST + "\n".join(f"{n} {move}" for n, move in enumerate(before, 1))
    place, n = study(client, text).headers["Location"], len(before)
    assert "This move ends the game." in client.get(f"{place}/{n}/move", query_string={"move": last}).text
    over = client.post(f"{place}/{n}/move", data={"move": last, "do": "send"}).headers["Location"]
    assert over.endswith(f"/{n + 1}")
    assert "Try a move here" not in client.get(over).text
    assert [(303, over)] * 2 == [
        (answer.status_code, answer.headers["Location"])
        for answer in (
            client.get(f"{over}/move"),
            client.post(f"{over}/move", data={"move": "", "do": "send"}),
        )
    ]


def test_a_variation_is_shown_with_where_it_begins_and_what_is_said_of_it(client: FlaskClient) -> None:
    place, n = read_place(tried(client, study(client, TEXT).headers["Location"], 1, "g1"))
    words = '<a href="https://evil.example">x</a> https://evil.example bill@example.org'
    said = client.post(f"{place}/{n}/comment", data={"words": words}).headers["Location"]
    for address in (said, f"{read_place(said)[0]}/2"):
        page = read(client.get(address).text)
        assert "After move 1, f2 f4 g3: 2. g1" in page.text
        assert "https://evil.example bill@…" in page.text
        assert not [link for link in page.links if "evil" in link]
        assert [] == page.all_problems()


def test_the_link_stands_on_the_page_with_what_it_has_room_for(app: App, client: FlaskClient) -> None:
    place = study(client, TEXT).headers["Location"]
    page = client.get(f"{place}/1").text
    assert f'readonly value="{app.config.site}{place}/1"' in page
    assert f"It takes {len(place) - len('/study/')} of the 3,500 letters" in page
    assert "This board comes from a record." in page


def test_a_board_without_players_is_an_open_one(client: FlaskClient) -> None:
    page = client.get(study(client, '[Game "Bipod"]').headers["Location"], follow_redirects=True)
    assert "An open board" in page.text
    assert "comes from a record" not in page.text


@pytest.mark.parametrize("options", ["", "size=4 rows=4", " SIZE=4 "])
def test_a_board_with_options_is_shown(client: FlaskClient, options: str) -> None:
    answer = client.post("/study", data={"game": "Bipod", "options": options})
    assert 303 == answer.status_code
    page = client.get(answer.headers["Location"])
    assert "Try move 1" in page.text
    assert ("size=4" in client.get(answer.headers["Location"].removesuffix("/move")).text) is bool(options)


def test_a_board_laid_out_by_chance_is_another_each_time(client: FlaskClient) -> None:
    form = {"game": "Bagel", "options": ""}
    assert 1 < len({client.post("/study", data=form).headers["Location"] for _ in range(5)})


@pytest.mark.parametrize(
    ("game", "options", "told"),
    [
        ("Bipod", "size=99", "size"),
        ("Bipod", '"] <b>', "&lt;b&gt;"),
        ("Bipod", "x" * 9000, "should be a name and a value"),
        ("Chess", "", "There is no game"),
    ],
)
def test_a_board_that_there_is_not_is_told_beside_what_was_written(
    client: FlaskClient, game: str, options: str, told: str
) -> None:
    answer = client.post("/study", data={"game": game, "options": options})
    assert (422, "no-store", 1) == (
        answer.status_code,
        answer.headers["Cache-Control"],
        answer.text.count('role="alert"'),
    )
    assert told in answer.text
    assert "<details open>" in answer.text
    assert [] == read(answer.text).all_problems()


@pytest.mark.parametrize("more", ["", "/0", "/0/move", "/0.game", ".game"])
def test_a_damaged_link_is_told_on_each_page(client: FlaskClient, more: str) -> None:
    place = study(client, TEXT).headers["Location"]
    answer = client.get(f"{place[:-5]}{more}")
    assert (404, True) == (answer.status_code, "This link holds no whole study." in answer.text)


@pytest.mark.parametrize("do", ["move", "comment", "out"])
def test_a_form_for_a_damaged_link_or_a_missing_move_leads_nowhere(client: FlaskClient, do: str) -> None:
    place = study(client, TEXT).headers["Location"]
    codes = [client.post(f"{each}/{do}").status_code for each in (f"{place[:-5]}/1", f"{place}/3")]
    assert [404, 404] == codes
    assert [405, 405] == [client.get(f"{place}/1/{each}").status_code for each in ("comment", "out")]


def test_a_study_of_a_running_game_has_no_plan_in_it_and_its_moves_stay_beside_it(
    app: App, client: FlaskClient
) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    before = client.get("/games/1/study").headers["Location"]
    bill = create_app(app).test_client()
    sign_in(app, bill, "Bill")
    assert "Your plan is kept" in order(bill, "plan", plan="if k3 then h4").text
    assert before == client.get("/games/1/study").headers["Location"]
    assert before == get(bill, "/games/1/study").headers["Location"]
    place, n = read_place(before)
    page = client.get(tried(client, place, n, "k3"))
    assert "Move 2 of 2 in a variation" in page.text
    assert "/games/1/1/study" in client.get("/games/1").text


@pytest.mark.parametrize("path", ["/games/1/study", "/games/1/7/study"])
def test_any_state_of_a_game_here_leads_to_its_study(app: App, client: FlaskClient, path: str) -> None:
    the_seeds_game(app)
    answer = client.get(path)
    assert (303, "no-store") == (answer.status_code, answer.headers["Cache-Control"])
    n = 7 if "/7/" in path else 19
    assert f"Move {n} of 19" in client.get(answer.headers["Location"]).text
    for missing in ("/games/1/99/study", "/games/9/study"):
        assert 404 == client.get(missing).status_code


def test_a_game_with_more_words_than_a_link_holds_is_studied_without_them(
    app: App, client: FlaskClient
) -> None:
    the_seeds_game(app, {n: "".join(map(chr, range(0x4E00 + n, 0x8E00 + n))) for n in range(1, 8)})
    assert 100_000 < len(client.get("/games/1.game").text)
    answer = client.get("/games/1/7/study")
    assert answer.headers["Location"].endswith("/7?comments=none")
    assert "The comments had no room in the address" in client.get(answer.headers["Location"]).text


def test_a_game_that_no_link_holds_says_so(
    app: App, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    the_seeds_game(app)
    monkeypatch.setattr("pbem.core.records.study.MAX_PLIES", 18)
    answer = client.get("/games/1/study")
    assert (404, True) == (
        answer.status_code,
        "This record has 19 moves; up to 18 can be shown." in answer.text,
    )


@pytest.mark.chromium
@pytest.mark.parametrize(
    ("viewport", "scripts"), [*amount([], [(TELEPHONE, True), (DESKTOP, True)]), (TELEPHONE, False)]
)
def test_moves_are_tried_by_clicks_and_typed_with_scripts_and_without(
    app: App,
    serve: Callable[[App], str],
    open_page: Callable[..., Page],
    viewport: dict[str, int],
    scripts: bool,
) -> None:
    page = open_page(viewport=viewport, java_script_enabled=scripts)
    page.goto(f"{serve(app)}/study")
    page.get_by_role("link", name="Begird", exact=True).first.click()
    page.locator("a[href*='move=']").first.click()
    page.get_by_role("button", name="Make this move").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Try move 2")
    page.get_by_role("link", name="All moves of this study").click()
    expect(page.locator("figcaption")).to_contain_text("Move 1 of 1")
    page.get_by_text("Comment on this move").click()
    page.get_by_label("Comment on move 1").fill("A corner.")
    page.get_by_role("button", name="Keep the comment").click()
    expect(page.locator("blockquote")).to_have_text("A corner.")
    beside(page)
    assert 0 == page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def beside(page: Page) -> None:
    """Type a move beside the first, follow the branches, and take one out."""
    page.get_by_role("link", name="Start", exact=True).click()
    expect(page.locator("figcaption")).to_contain_text("Before the first")
    page.get_by_role("link", name="Try a move here").click()
    page.get_by_label("The move as you would write it").fill("d5")
    page.get_by_role("button", name="Make this move").click()
    page.get_by_role("link", name="All moves of this study").click()
    expect(page.locator("figcaption")).to_contain_text("in a variation")
    page.get_by_role("link", name="Back to the main moves").click()
    expect(page.locator("blockquote")).to_have_text("A corner.")
    expect(page.get_by_label("The link of this study")).to_have_value(re.compile("/study/.*/1$"))
    page.locator(".variations a").click()
    page.get_by_text("Comment on this move").click()
    page.get_by_role("button", name="Remove this move").click()
    expect(page.locator(".variations")).to_have_count(0)


@pytest.mark.chromium
def test_the_link_is_copied_and_goes_along_with_the_move(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    page = open_page(viewport=TELEPHONE, permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{serve(app)}/study")
    page.get_by_label("The record, as text or JSON").fill('[Game "Bipod"]\n1 f2\n2 f4')
    page.get_by_role("button", name="Show the board").click()
    page.get_by_role("link", name="Previous").click()
    field = page.get_by_label("The link of this study")
    expect(field).to_have_value(re.compile("/1$"))
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("status")).to_have_text("The link is copied.")
    assert field.input_value() == page.evaluate("navigator.clipboard.readText()")
