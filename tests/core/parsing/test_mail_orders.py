"""Mail commands: the lines that count, their meaning, and the comment."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.core.parsing.commands import IRREVERSIBLE, KEYWORDS, WORDS
from pbem.core.parsing.line import MAX_A_GAME, read_line
from pbem.core.parsing.mail_orders import GameBlock, MailCommands, read_orders
from pbem.core.parsing.misspelled import correct_word, irreversible_meant
from rules import RULES, find
from tests.quickness import quick

BIPOD = RULES["bipod"].start().read


def orders(words: str, *, marked: bool = False) -> MailCommands:
    return read_orders(words, marked=marked, reader=BIPOD, reader_of=lambda _game: BIPOD)


def only(words: str) -> GameBlock:
    found = orders(words)
    assert found.problem == ""
    (block,) = found.blocks
    return block


def asked(words: str) -> list[tuple[str, dict[str, object]]]:
    """The verb and arguments of every command."""
    return [(command.verb, dict(command.args)) for command in only(words).commands]


def moves(words: str, *, marked: bool = False) -> list[str]:
    return [c.args["move"] for block in orders(words, marked=marked).blocks for c in block.commands]


# ------------------------------------------------------------------------------------------- moves


def test_a_line_in_the_games_notation_is_a_move():
    assert asked("f2 f4 g3") == [("move", {"move": "f2 f4 g3", "guard": None})]


def test_move_text_reaches_the_game_as_it_was_typed():
    assert moves("  F2,  f4   g3 ") == ["F2,  f4   g3"]


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("#7 f2 f4", (7,)),
        ("move #7 f2 f4", (7,)),
        ("#7: f2 f4", (7,)),
        ("7. f2 f4", (7, 13, 14)),
        ("7.f2 f4", (7, 13, 14)),
        ("Move: 7. f2 f4", (7, 13, 14)),
        ("7... f2 f4", (7, 14)),
        ("7. ... f2 f4", (7, 14)),
        ("7… f2 f4", (7, 14)),
    ],
)
def test_a_number_before_a_move_guards_it(text: str, fits: tuple[int, ...]):
    assert asked(text) == [("move", {"move": "f2 f4", "guard": fits})]


@pytest.mark.parametrize("text", ["move f2 f4", "MOVE f2 f4", "mvoe f2 f4"])
def test_the_word_move_may_stand_before_one(text: str):
    assert asked(text) == [("move", {"move": "f2 f4", "guard": None, "sure": True})]


@pytest.mark.parametrize("text", ["- f2 f4", "* f2 f4", "\u2022 f2 f4"])
def test_a_bullet_before_a_move_is_passed_over(text: str):
    assert moves(text) == ["f2 f4"]


def test_a_line_meant_as_a_move_but_wrong_carries_the_games_sentence():
    (command,) = only("f7").commands
    assert (command.verb, command.text) == ("move", "f7")
    assert "there is no row 7" in str(command.error)


@pytest.mark.parametrize("text", ["adopt", "Adopt", "ADOPT."])
def test_a_ply_may_be_a_word_where_the_game_has_it(text: str):
    (command,) = only(text).commands
    assert (command.verb, command.error) == ("move", None)


def test_a_ply_that_the_game_does_not_have_is_prose():
    assert orders("swap").problem != ""


def test_without_a_game_no_line_is_a_move():
    assert read_orders("f2 f4 g3\nadopt", marked=False).blocks == ()


# ---------------------------------------------------------------------------------------- commands


@pytest.mark.parametrize(
    ("text", "verb", "args"),
    [
        ("resign", "resign", {"yes": ""}),
        ("Resign YES", "resign", {"yes": "YES"}),
        ("register Bill", "register", {"name": "Bill"}),
        ("REGISTER Bill Taylor", "register", {"name": "Bill Taylor"}),
        ("confirm", "confirm", {}),
        ("accept", "accept", {"number": None, "offer": ""}),
        ("accept 17", "accept", {"number": 17, "offer": ""}),
        ("decline draw", "decline", {"number": None, "offer": "draw"}),
        ("show", "show", {"ply": None}),
        ("show #12", "show", {"ply": 12}),
        ("moves", "moves", {}),
        ("games", "games", {}),
        ("rules", "rules", {"game": ""}),
        ("rules bipod", "rules", {"game": "bipod"}),
        ("help", "help", {"topic": ""}),
        ("Help moves", "help", {"topic": "moves"}),
        ("remind 48 hours", "remind", {"times": "48 hours"}),
        ("remind 2 days and 12 hours before", "remind", {"times": "2 days and 12 hours"}),
        ("vacation 2 weeks", "vacation", {"cancel": "", "days": 14, "from": "", "to": ""}),
        ("vacation for 10d", "vacation", {"cancel": "", "days": 10, "from": "", "to": ""}),
        ("pause 2 weeks", "pause", {"days": 14}),
    ],
)
def test_a_command_has_its_arguments(text: str, verb: str, args: dict[str, object]):
    assert asked(text) == [(verb, args)]


def test_a_challenge_names_player_game_options_time_rating_and_seat():
    args = {
        "player": "Joao",
        "game": "bipod",
        "options": {"size": "6", "stones": "2"},
        "pace": "7d+1d<=14d",
        "rated": False,
        "seats": "first",
    }
    assert asked("Challenge Joao bipod size=6 stones = 2 7d+1d<=14d unrated first") == [("challenge", args)]


@pytest.mark.parametrize(
    ("terms", "pace"),
    [
        ("7d+1d weekends", "7d+1d weekends"),
        ("weekends 7d+1d", "7d+1d weekends"),
        ("3d/move weekends off", "3d/move weekends"),
        ("brisk no weekends", "brisk weekends"),
        ("weekends", "weekends"),
    ],
)
def test_weekends_belong_to_the_time_of_a_challenge_and_a_seek(terms: str, pace: str):
    for words in (f"challenge Joao bipod {terms}", f"seek bipod {terms}", f"play bipod {terms} first"):
        ((_, args),) = asked(words)
        assert ("bipod", pace) == (args["game"], args["pace"])


@pytest.mark.parametrize("key", RULES)
def test_every_game_can_be_called_by_its_key_its_name_and_its_aliases(key):
    for word in (key, RULES[key].name, *RULES[key].aliases, *RULES[key].named):
        ((verb, args),) = asked(f"challenge Joao {word} none first")
        assert ("challenge", key) == (verb, find(args["game"]).key)


def test_a_challenge_without_more_is_rated_with_seats_by_chance():
    args = {"player": "Joao", "game": "bipod", "options": {}, "pace": "", "rated": True, "seats": "random"}
    assert asked("challenge Joao bipod") == [("challenge", args)]


@pytest.mark.parametrize(
    "text",
    [
        "try again tomorrow",
        "give it a go",
        "take care",
        "back in Paris",
        "set up nicely",
        "note that I am away",
        "stop worrying",
        "resign myself to it",
        "show me",
        "accept my thanks",
        "help is near here",
        "if only I knew",
        "moves are fun",
        "challenge accepted",
        "forget it",
        "confirm your plan",
        "move 7: f2 f4",
        "Resign.",
        "I resign",
        "f2 is a good move",
    ],
)
def test_prose_that_begins_with_a_command_word_stays_prose(text: str):
    assert orders(text).texts == []


def test_a_semicolon_parts_commands():
    assert [command.text for command in only("show; f2 f4 ;games").commands] == ["show", "f2 f4", "games"]


def test_one_part_that_is_prose_makes_the_whole_line_prose():
    assert orders("f2 f4; what a game").texts == []


# ------------------------------------------------------------------------------------- forgiveness


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("regsiter", "register"),
        ("registor", "register"),
        ("chalenge", "challenge"),
        ("shwo", "show"),
        ("GAMSE", "games"),
        ("rulez", "rules"),
        ("hepl", "help"),
    ],
)
def test_one_slip_in_a_word_is_forgiven(typed: str, meant: str):
    assert correct_word(typed) == meant


@pytest.mark.parametrize("word", sorted(IRREVERSIBLE))
def test_words_whose_effect_cannot_be_taken_back_are_never_forgiven_a_slip(word: str):
    swapped = word[0] + word[2] + word[1] + word[3:]
    assert correct_word(swapped) is None


@pytest.mark.parametrize("typed", ["gake", "syo", "hello", "shoow2", "say", "show", "xhaww"])
def test_two_slips_short_words_and_two_candidates_are_not_forgiven(typed: str):
    assert correct_word(typed) is None


@pytest.mark.parametrize("name", ["James", "Drew", "Beck", "drew"])
def test_a_name_below_a_move_is_not_mistaken_for_a_command(name: str):
    block = only(f"f2 f4\n{name}")
    assert ([c.text for c in block.commands], block.comment) == (["f2 f4"], name)


def test_a_name_below_the_move_that_is_almost_a_command_offers_no_draw() -> None:
    block = only("f2 f4\n\nDrew")
    assert ([c.text for c in block.commands], block.comment) == (["f2 f4"], "Drew")


@pytest.mark.parametrize(
    "slip", ["drat", "dwar", "adapt", "adpot", "unto", "lack", "pack", "accpet", "declyne"]
)
def test_a_slip_in_a_grave_word_below_a_move_is_words_and_is_asked_about(slip: str):
    block = only(f"f2 f4\n{slip}")
    assert ([c.text for c in block.commands], block.comment) == (["f2 f4"], slip)
    assert f'Did you mean "{irreversible_meant(slip)}"?' in block.remarks[0]


@pytest.mark.parametrize("slip", ["drat", "adapt", "unto", "lack", "Jack", "pack", "Snap"])
def test_a_slip_in_a_grave_word_above_a_move_is_no_order_either(slip: str):
    assert ["f2 f4"] == orders(f"{slip}\n\nf2 f4").texts
    assert [] == orders(slip).texts


@pytest.mark.parametrize("name", ["Drew", "Pat", "Jack", "Beck", "James", "Mark", "drew"])
def test_a_name_signed_below_a_move_is_a_name_and_nothing_is_asked(name: str):
    block = only(f"f2 f4\n\n{name}")
    assert ([c.text for c in block.commands], block.comment, block.remarks) == (["f2 f4"], name, ())


def test_a_slip_in_a_ply_that_the_game_does_not_have_is_not_asked_about():
    assert () == only("f2 f4\nsnap").remarks


def test_the_end_of_a_paragraph_above_the_orders_begins_no_note():
    words = "It was a long day here and the train was late, so please take good\nnote this"
    assert ["f2 f4"] == orders(f"{words}\n\nf2 f4", marked=True).texts


def test_every_word_of_the_table_is_a_keyword():
    assert set(WORDS) <= KEYWORDS


# ------------------------------------------------------------------------------- comment and place


def test_the_first_line_that_is_no_command_begins_the_comment():
    block = only("f2 f4\n\nshow\nThanks!\n\nresign\n")
    assert ([c.text for c in block.commands], block.comment, block.said) == (
        ["f2 f4", "show"],
        "Thanks!\n\nresign",
        False,
    )


def test_say_begins_the_comment_and_takes_the_rest_of_its_line():
    block = only("f2 f4; say hello; there\nand more\nadopt")
    assert ([c.text for c in block.commands], block.comment, block.said) == (
        ["f2 f4"],
        "hello; there\nand more\nadopt",
        True,
    )


def test_say_alone_is_an_order():
    block = only("say hello")
    assert (block.commands, block.comment, block.said) == ((), "hello", True)


def test_reply_addresses_in_a_comment_are_blanked():
    assert only("f2\nuse play+aeaqbf2lk3jq7wzr4m2v@h.example").comment == "use [address removed]"


@pytest.mark.parametrize("greeting", ["Hi Joao,", "Hello!", "Lieber Bill,", "Bonjour Bill!"])
def test_a_greeting_on_the_first_line_is_passed_over(greeting: str):
    assert moves(f"{greeting}\n\nHere I go:\nf2 f4") == ["f2 f4"]


@pytest.mark.parametrize("line", ["show!", "f2!"])
def test_a_command_with_a_greetings_ending_is_still_a_command(line: str):
    assert len(orders(line).texts) == 1


def test_one_line_of_prose_may_stand_before_the_orders():
    assert moves("This one hurts\nf2 f4") == ["f2 f4"]


def test_more_prose_before_the_orders_needs_the_marker():
    text = "I was away.\nIt rained.\n\nf2 f4"
    assert (moves(text, marked=True), moves(text)) == (["f2 f4"], [])
    assert "only below several lines of other words" in orders(text).problem


def test_a_game_line_begins_a_block_of_its_own():
    found = orders("f2\nfor you\ngame 42\nf4\nThanks\nGAME 43:\nk3 o\n")
    assert [(b.game, [c.text for c in b.commands], b.comment) for b in found.blocks] == [
        (None, ["f2"], "for you"),
        (42, ["f4"], "Thanks"),
        (43, ["k3 o"], ""),
    ]


def test_each_block_is_read_by_its_own_game():
    readers = {42: BIPOD, 43: None}
    found = read_orders("game 42\nf2\ngame 43\nf2\n", marked=True, reader_of=readers.get)
    assert [[c.text for c in block.commands] for block in found.blocks] == [["f2"], []]


@pytest.mark.parametrize(
    ("words", "part"), [("", "no text of yours"), ("Nice game!", "could not find a move")]
)
def test_a_mail_without_orders_says_so(words: str, part: str):
    assert part in orders(words).problem


def test_more_commands_than_allowed_are_none():
    assert "more than 10" in orders("show\n" * (MAX_A_GAME + 1)).problem
    assert len(orders("show\n" * MAX_A_GAME).texts) == MAX_A_GAME


def test_more_than_a_hundred_commands_in_one_mail_are_none():
    text = "".join(f"game {n}\n" + "show\n" * 10 for n in range(1, 12))
    assert "100" in orders(text).problem


@pytest.mark.parametrize("form", ["{} please", "{}, please!", "{} bitte", "{}, thanks."])
@pytest.mark.parametrize(
    "line", ["games", "learn bipod", "rules", "rating Joao", "rating Bruno", "vacation 10 days", "standings"]
)
def test_a_please_is_no_part_of_a_command(form: str, line: str):
    assert asked(line) == asked(form.format(line))


@pytest.mark.parametrize("line", ["games", "learn bipod", "rules", "help", "play bagel"])
def test_nor_is_one_before_a_word_alone_or_a_game(line: str):
    for form in ("please {}", "Please, {}.", "Bitte {}!"):
        assert asked(line) == asked(form.format(line))


@pytest.mark.parametrize(
    "line",
    [
        *("Please help me", "Please join us", "please rating Joao", "ladder bipod Joao no thanks"),
        *("leave bipod league yes please", "resign please"),
    ],
)
def test_with_please_these_are_prose(line: str):
    assert read_line(line, BIPOD) is None


@pytest.mark.parametrize("line", ["ladder bipod Merci", "watch Merci", "block Danke", "rating Bitteschoen"])
def test_a_name_is_no_please(line: str):
    (command,) = only(line).commands
    assert line.split()[-1] in command.text


@pytest.mark.parametrize("word", sorted(IRREVERSIBLE & WORDS.keys()))
def test_an_irreversible_word_with_please_is_prose(word: str):
    line = {"take": "take 3", "give": "give 2d", "claim": "claim win", "stop": "stop turns"}.get(word, word)
    for polite in (f"{line} please", f"please {line}", f"{line}, thanks"):
        assert read_line(polite, BIPOD) is None


def test_a_long_line_is_not_looked_through_for_a_please():
    line = "help" + " " * 300_000 + "please"
    quick(0.01, lambda: read_line(line, BIPOD))


@pytest.mark.parametrize("text", ["j10.", "j10!", "j10 !", "j10...", "- j10.", "j10,"])
def test_a_full_stop_behind_a_move_is_passed_over(text: str):
    read = RULES["begird"].start().read
    found = read_line(text, read)
    assert found is not None
    assert found.commands[0].error is None
    assert "j10" == str(read(found.commands[0].args["move"]))


def test_a_row_of_an_empty_board_is_no_move_with_full_stops_behind_it():
    begird = RULES["begird"].start().read
    assert read_line("9    O . . . . .", begird) is None
    assert read_line("1    O . . .", begird) is None


# ------------------------------------------------------------------- words that nobody gets


def above(text: str, *, marked: bool = True) -> list[str]:
    return [block.above for block in orders(text, marked=marked).blocks]


def test_words_above_the_orders_are_kept_apart_and_a_greeting_is_none():
    found = orders("Hi Joao,\n\nI was away.\nIt rained.\n\nf2 f4\nThanks", marked=True)
    assert ("Thanks", "I was away.\nIt rained.") == (found.comment, found.blocks[0].above)


def test_what_stands_between_the_orders_and_the_end_is_comment():
    assert [""] == above("f2 f4\nThanks\n\nf6")


def test_words_above_the_orders_of_each_game_are_kept_with_that_game():
    assert ["Well then", "Hm"] == above("Hello!\ngame 42\nWell then\nf2\nBye\ngame 43\nHm\nf4")


def test_words_above_the_first_game_line_are_kept_with_the_first_game():
    assert ["I was away.\nWell then", ""] == above("I was away.\ngame 42\nWell then\nf2\ngame 43\nf4")


def test_words_for_a_game_without_orders_are_its_comment():
    found = orders("f2 f4\ngame 43\nI am still thinking", marked=True)
    assert "I am still thinking" == found.comment
    assert ["", ""] == [block.above for block in found.blocks]


def test_words_above_hold_no_reply_address():
    address = "play+aeaqbf2lk3jq7wzr4m2vbc6dxy5npt3hgs2a@games.example.org"
    assert ["I wrote to [address removed] before"] == above(f"I wrote to {address} before\n\nf2 f4")


@given(st.lists(st.sampled_from(["prose", "f2 f4", "show", "", "game 3", "say so", "Hello!"]), max_size=14))
def test_no_line_is_lost_without_a_word(kinds: list[str]):
    lines = [f"{kind} of line {n}, it is" if kind == "prose" else kind for n, kind in enumerate(kinds)]
    found = orders("\n".join(lines), marked=True)
    if not found.problem:
        told = "\n".join((found.comment, *(block.above for block in found.blocks)))
        assert [] == [line for line in lines if line.startswith("prose") and told.count(line) != 1]


# -------------------------------------------------------------------------------------- whatever

LINES = st.lists(
    st.one_of(
        st.text(max_size=40),
        st.sampled_from(
            [*sorted(KEYWORDS), "f2 f4", "game 3", "say x", "f7", "#3 f2", "k3 o", ";", "try f2"]
        ),
    ),
    max_size=12,
)


@given(LINES, st.booleans())
@example(["game 0"], True)
@example([";;;", "; ;"], False)
def test_no_words_make_the_reader_raise_and_every_text_was_in_them(lines: list[str], marked: bool):
    text = "\n".join(lines)
    found = read_orders(text, marked=marked, reader=BIPOD, reader_of=lambda _game: BIPOD)
    assert bool(found.problem) == (found.blocks == ())
    assert all(order in text for order in found.texts)


@pytest.mark.parametrize(
    "text",
    [
        "address add Bill@Work.example",
        "ADDRESS ADD <Bill@Work.example>",
        "address add mailto:Bill@Work.example",
        "address add Bill@Work.example <mailto:Bill@Work.example>",
        "address  add Bill@Work.example.",
    ],
)
def test_an_address_is_read_however_mail_programs_dress_it_up(text: str):
    assert asked(text) == [("address", {"change": "add", "address": "Bill@Work.example"})]


@pytest.mark.parametrize(
    "text", ["adress add bill@example.org", "address change", "address add bill", "address is bill@x.org"]
)
def test_what_only_resembles_a_change_of_address_is_none(text: str):
    assert orders(text).blocks == ()


@pytest.mark.parametrize(("text", "change"), [("address", "list"), ("address renew", "renew")])
def test_addresses_are_listed_and_reply_addresses_renewed(text: str, change: str):
    assert asked(text) == [("address", {"change": change, "address": ""})]


@pytest.mark.parametrize(
    ("text", "verb", "args"),
    [
        ("rating", "rating", {"name": ""}),
        ("Rating Joao", "rating", {"name": "Joao"}),
        ("standings", "standings", {"game": ""}),
        ("standings hexagonal thing", "standings", {"game": "hexagonal thing"}),
    ],
)
def test_ratings_are_asked_for_by_player_and_standings_by_game(text: str, verb: str, args: dict[str, str]):
    assert asked(text) == [(verb, args)]


@pytest.mark.parametrize("text", ["rating systems are no joy", "rating for", "standings change every week"])
def test_prose_about_ratings_asks_for_none(text: str):
    assert orders(text).problem == "I could not find a move in your mail."


@pytest.mark.parametrize(
    ("line", "word"),
    [("Draw?", "draw"), ("vacation 3 days from Monday", "vacation"), ("Pause 7 days, please", "pause")],
)
def test_a_line_of_words_like_a_command_goes_along_and_is_remarked_on(line: str, word: str) -> None:
    (block,) = read_orders(f"f2\n\nHello!\n{line}", marked=True, reader=RULES["bipod"].start().read).blocks
    assert line in block.comment
    (remark,) = block.remarks
    assert (f'the line "{line}" as words' in remark, f"`help {word}`" in remark) == (True, True)


@pytest.mark.parametrize("line", ["Did you want a draw?", "Drawing is fun", "Pause", "resign yourself to it"])
def test_other_words_below_a_move_are_words(line: str) -> None:
    (block,) = read_orders(f"f2\n\nHello!\n{line}", marked=True, reader=RULES["bipod"].start().read).blocks
    assert () == block.remarks


@pytest.mark.parametrize("line", ["draw 1" + "!" * 970 + " a b c d e f g", "if a;" * 195, "if " * 330])
def test_hostile_lines_of_words_are_looked_through_fast(line: str) -> None:
    words = "k3\n\nHello\n" + f"{line}\n" * 390
    quick(0.15, lambda: orders(words))
