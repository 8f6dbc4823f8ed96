"""The player's own words, apart from markers, quotes and signatures."""

from __future__ import annotations

import pytest

from pbem.core.parsing.normalise import normalise
from pbem.core.parsing.reply_text import (
    BELOW,
    INTRODUCES,
    MARKER,
    OWN,
    QUOTED,
    SIGNS,
    classify_lines,
    first_lines,
    marker_below,
    split_words,
)
from pbem.core.redact import without_secrets

WROTE = "On Tue, Jan 2, 2024 at 10:00 AM Bipod #42 <play@games.example.org> wrote:"


def own_words(text: str) -> tuple[str, bool]:
    words, _unsent, marked = split_words(text)
    return words, marked


def words(text: str) -> str:
    return own_words(text)[0]


# ------------------------------------------------------------------------------------------ marker


def test_words_above_an_unquoted_marker_are_kept_and_all_below_it_goes():
    assert own_words(f"f2 f4\n\n{MARKER}\n\nadopt\n") == ("f2 f4", True)


def test_words_on_the_marker_line_itself_are_kept():
    assert own_words(f"f2 f4 {MARKER}\nadopt") == ("f2 f4", True)


def test_words_below_a_quoted_marker_are_kept():
    text = f"{WROTE}\n> It is your turn.\n> {MARKER}\n> adopt\n\nf2 f4\n"
    assert own_words(text) == ("f2 f4", True)


def test_words_between_the_marker_and_the_rest_of_a_quote_are_kept():
    assert own_words(f"> {MARKER}\nf2 f4\n> adopt\n") == ("f2 f4", True)


@pytest.mark.parametrize(
    "marker",
    [
        f"   \t{MARKER}",
        f"> > {MARKER}",
        f"| {MARKER}",
        f"{MARKER[:20]}\n{MARKER[20:]}",
        f"> {MARKER[:20]}\n> {MARKER[20:]}",
        f"> {MARKER[:33]}\n{MARKER[33:].strip()}",
        f"*{MARKER}*",
        MARKER.replace(" ", "\u00a0"),
        MARKER.replace("-", "\u2013"),
        MARKER.upper(),
    ],
    ids=[
        "indented",
        "twice quoted",
        "bar",
        "wrapped",
        "wrapped and quoted",
        "wrapped, half quoted",
        "bold",
        "no-break spaces",
        "dashes",
        "capitals",
    ],
)
def test_a_marker_is_known_however_a_mail_program_has_set_it(marker: str):
    assert own_words(normalise(f"f2 f4\n\n{marker}\n")) == ("f2 f4", True)


def test_a_sentence_about_moves_is_no_marker():
    assert own_words("I write your move above this line of yours") == (
        "I write your move above this line of yours",
        False,
    )


SENTENCE = "Your move, Joao: Bill played F2, 9 days left."


@pytest.mark.parametrize(
    "sentence",
    [
        SENTENCE,
        SENTENCE.replace("Bill", "Bill\n"),
        f"*{SENTENCE}*",
        SENTENCE.replace(": ", ":\u00a0\n"),
        SENTENCE.upper(),
    ],
    ids=["as it is", "wrapped", "bold", "no-break spaces", "capitals"],
)
def test_our_sentence_above_the_marker_is_left_out_where_nothing_marks_the_quote(sentence: str):
    letter = normalise(f"{sentence}\n\n{marker_below(SENTENCE)}\n\nMove 6.\n\nadopt\n")
    assert own_words(f"k3\nGood luck!\n\n{letter}") == ("k3\nGood luck!", True)
    assert own_words(letter) == ("", True)


def test_words_between_our_sentence_and_the_marker_are_kept():
    text = f"{SENTENCE}\n\nk3\nGood luck!\n\n{marker_below(SENTENCE)}\nadopt"
    assert own_words(text) == ("k3\nGood luck!", True)
    assert own_words(f"{SENTENCE}\nk3\n{marker_below(SENTENCE)}\nadopt") == ("k3", True)


def test_another_sentence_above_the_marker_is_the_players():
    text = f"k3\n\nYour move, Bill: I played k3.\n\n{marker_below(SENTENCE)}\nadopt"
    assert own_words(text) == ("k3\n\nYour move, Bill: I played k3.", True)


def test_our_sentence_is_left_out_where_the_marker_is_on_its_line_or_wrapped():
    assert own_words(f"k3\n\n{SENTENCE} {marker_below(SENTENCE)}\nadopt") == ("k3", True)
    marker = marker_below(SENTENCE).replace(" above", "\nabove")
    assert own_words(f"k3\n\n{SENTENCE}\n\n{marker}\nadopt") == ("k3", True)


def test_our_quoted_sentence_is_no_word_of_the_player():
    quote = f"> {SENTENCE}\n>\n> {marker_below(SENTENCE)}\n> adopt\n"
    assert own_words(f"k3\n\n{WROTE}\n{quote}") == ("k3", True)
    assert own_words(f"{WROTE}\n{quote}\nk3") == ("k3", True)


# ------------------------------------------------------------------------------------------ quotes


def test_quoted_lines_go_and_answers_between_them_stay():
    assert words("> Your turn.\nf2 f4\n> Sent by\n\nThanks\n> adopt\n") == "f2 f4\n\nThanks"


@pytest.mark.parametrize("mark", [">", ">>", "> > ", " > ", "|", "| "])
def test_every_usual_quote_mark_is_known(mark: str):
    assert words(f"f2\n{mark}adopt") == "f2"


def test_the_end_of_a_quoted_line_that_was_wrapped_without_its_mark_goes():
    wrapped = "> You may answer with any of these moves, as you like: k3, k3 r2 or f2"
    assert words(f"{wrapped}\ng3\n> and so on.\n\nadopt") == "adopt"


NARROW = """\
> To play, answer this letter with your
move at the top, on a line of its own,
> for example one of these moves: k3, or
k3 w3
> What you write below the move goes to
Bill.
> Blocks (x): g1 i1 E1 f2 h2 F2 g3 e5 f6
> Cut off (:): a1 c1 e1 G1 b2 d2 c3 e3
d4
> The word resign gives the game up.
"""


def test_in_a_quote_narrower_than_our_letters_every_line_that_ran_on_goes():
    assert own_words(f"{NARROW}\nj2 j4\n")[0] == "j2 j4"
    assert own_words(f"j2 j4\n\n{NARROW}")[0] == "j2 j4"


def test_an_answer_between_narrow_quoted_lines_is_kept_where_blank_lines_stand_round_it():
    first, _, rest = NARROW.partition("> The word")
    assert own_words(f"{first}\nj2 j4\n\n> The word{rest}")[0] == "j2 j4"


@pytest.mark.parametrize("mark", ["B> ", "Bipod> ", "  JT> ", "bill.t> ", "B>"])
def test_lines_quoted_with_a_name_are_known_by_the_marker_line(mark: str):
    quote = f"{mark}{MARKER}\n{mark}Your turn\n{mark}\n{mark}f2 f4\n"
    assert own_words(f"j2 j4\n\n{quote}\nThanks\n") == ("j2 j4\n\nThanks", True)


def test_without_a_marker_line_a_name_before_a_line_is_no_quote_mark():
    assert own_words("B> f2 f4\n") == ("B> f2 f4", False)


def test_an_address_alone_above_header_lines_introduces_them():
    heads = "From: Bipod\nDate: 2026-03-02 12:00\nTo: joao@example.net\nSubject: Bipod\n"
    assert own_words(f"f2\n\njoao@example.net\n \n{heads}\nf2 f4\n")[0] == "f2"
    assert own_words("f2\n\njoao@example.net\n\nis my new address\n")[0].endswith("is my new address")


def test_every_line_is_told_what_it_was_taken_for():
    text = "f2\n\nOn 2 Jan 2024 Bill <b@x> wrote:\n> f4\nThanks\n-- \nBill"
    assert [why for _line, why in classify_lines(text)[0]] == [
        OWN, OWN, INTRODUCES, QUOTED, OWN, SIGNS, BELOW,
    ]  # fmt: skip


def test_an_answer_directly_below_a_quoted_sentence_is_read_unless_it_may_be_the_end_of_the_line():
    short = "> It is your turn in the game that is numbered 42, dear Bill."
    assert words(f"{short}\ng3\n> Good luck.\n") == "g3"
    full = "> It is your turn in the game of Bipod that is numbered 42, dear Bill."
    assert words(f"{full}\ng3\n> Good luck.\n") == ""


@pytest.mark.parametrize(
    "line",
    [
        WROTE,
        "Am 02.01.24 um 10:00 schrieb Bipod #42:",
        "Bipod #42 <play@games.example.org> schrieb am Di., 2. Jan. 2024, 10:00:",
        "2024/01/02 10:00、Bipodさんのメール:",
        "在 2024/1/2 10:00, Bipod 写道:",
        "Вторник, 2 января 2024, 10:00 +03:00 от Bipod <play@games.example.org>:",
        "Quoting Bipod #42 <play@games.example.org>:",
        "On Tue, Jan 2, 2024 at 10:00 AM Bipod #42 <\nplay@games.example.org> wrote:",
        "On Tue, Jan 2, 2024 at 10:00 AM\nBipod #42 <play@games.example.org>\nwrote:",
    ],
)
def test_what_introduces_a_quote_goes_with_it_and_words_below_stay(line: str):
    assert words(f"{line}\n> adopt\n\nf2 f4\n") == "f2 f4"


def test_a_letter_that_is_introduced_but_not_marked_as_quoted_ends_the_words():
    assert words(f"f2 f4\n\n{WROTE}\n\nadopt\n") == "f2 f4"


def test_a_move_right_above_the_introducing_line_is_not_taken_for_a_part_of_it():
    assert words(f"f2 f4 g3\n{WROTE}\n> adopt") == "f2 f4 g3"


def test_a_players_own_line_with_a_colon_is_no_introduction():
    assert words("My move is this:\nf2 f4") == "My move is this:\nf2 f4"


@pytest.mark.parametrize(
    "labels",
    [
        "From Sent To Subject",
        "Von Gesendet An Betreff",
        "De Envoyé À Objet",
        "Fra Sendt Til Emne",
        "Da Inviato A Oggetto",
        "Od Wysłano Do Temat",
        "发件人 发送时间 收件人 主题",
    ],
)
def test_a_block_of_header_lines_ends_the_words(labels: str):
    values = ("Bipod #42 <play@games.example.org>", "Tuesday, 2 January 2024 10:00", "Bill", "Bipod #42")
    block = "\n".join(f"{label}: {value}" for label, value in zip(labels.split(), values, strict=True))
    assert words(f"f2 f4\n\n{block}\n\nadopt\n") == "f2 f4"


def test_a_block_of_header_lines_in_an_unknown_language_ends_the_words():
    block = "Foo: Bipod <play@games.example.org>\nBar: Tuesday\nBaz: Bipod #42"
    assert words(f"f2 f4\n\n{block}\n\nadopt\n") == "f2 f4"


def test_words_below_a_letter_with_header_lines_and_quote_marks_stay():
    block = "----- Original Message -----\nFrom: Bipod <play@games.example.org>\nTo: Bill\nSent: Tuesday"
    assert words(f"{block}\n\n> adopt\n\nf2 f4\n") == "f2 f4"


@pytest.mark.parametrize(
    "line",
    [
        "-----Original Message-----",
        "----- Ursprüngliche Nachricht -----",
        "------------------ 原始邮件 ------------------",
        "---------- Forwarded message ---------",
        "_" * 32,
        "Begin forwarded message:",
        "---- On Tue, 02 Jan 2024 10:00:00 +0100 Bipod <play@games.example.org> wrote ----",
    ],
)
def test_a_rule_above_an_unmarked_letter_ends_the_words(line: str):
    assert words(f"f2 f4\n\n{line}\nadopt\n") == "f2 f4"


# -------------------------------------------------------------------------------------- signatures


@pytest.mark.parametrize(
    "line",
    [
        "-- ",
        "--",
        "Sent from my iPhone",
        "Von meinem iPhone gesendet",
        "Envoyé de mon iPhone",
        "iPhoneから送信",
        "Get Outlook for Android",
        "Gesendet mit der GMX Mail App",
        "Отправлено с iPhone",
        "发自我的iPhone",
        "This e-mail and any attachments are confidential.",
        "Virus-free. www.avast.com",
    ],
)
def test_signatures_and_footers_end_the_words(line: str):
    assert words(f"f2 f4\n\n{line}\nadopt\n") == "f2 f4"


@pytest.mark.parametrize(
    "line",
    [
        "Sent from Lisbon with love. See you on Sunday",
        "Sent from my phone, resigning next week",
        "Sent by pigeon",
        "Written by hand, as you see",
        "Get the book, it is good",
        "Enviado de Lisboa com amor",
        "Gesendet aus dem Zug nach Wien",
        "This message contains two questions: how are you, and where?",
        "Before printing was known, people wrote",
    ],
)
def test_words_that_only_begin_like_a_machines_line_are_words(line: str):
    assert words(f"f2 f4\n\n{line}\nand more") == f"f2 f4\n\n{line}\nand more"


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my Samsung Galaxy smartphone.",
        "Sent from Yahoo Mail on Android",
        "Get Outlook for iOS<https://aka.ms/o0ukef>",
        "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
        "Yahoo Mail: Search, Organize, Conquer",
        "Poslano iz mojega iPhona",
        "Odesláno z iPhonu",
        "Sent via BlackBerry from T-Mobile",
        "Sent with [Proton Mail](https://proton.me/mail/home) secure email.",
    ],
)
def test_a_machines_line_goes_and_nothing_is_told_of_it(line: str):
    assert split_words(f"f2 f4\n\n{line}\n") == ("f2 f4", "", False)


OUTLOOK = (
    "Von: Bipod #1 <play@games.example.org>\nGesendet: Montag, 2. März 2026 09:14\nAn: Jürgen\nBetreff: x"
)


@pytest.mark.parametrize(
    "closing", ["Mit freundlichen Grüßen", "MfG", "Best regards,", "Cordialement", "LG Jürgen"]
)
def test_a_closing_above_a_telephone_number_is_a_signature(closing: str):
    said, unsent, _ = split_words(f"f2\n\n{closing}\n\nJürgen Groß\nTel. 0171 2345678\n\n{OUTLOOK}\n\nadopt")
    assert ("f2", f"{closing}\n\nJürgen Groß\nTel. 0171 2345678") == (said, unsent)


@pytest.mark.parametrize(
    "text",
    [
        "f2\n\nViele Grüße\nJürgen",
        "f2\n\nViele Grüße aus dem schönen Köln\nTel. 0171 2345678",
        "f2\n\nCheers\nsee https://example.org/games for more",
        f"f2\n\nMfG\nJürgen\n\n{OUTLOOK}\n\nTel. 0171 2345678",
    ],
)
def test_a_closing_alone_goes_to_the_other_player(text: str):
    said, unsent, _ = split_words(text)
    assert (text.partition("\n\nVon:")[0], "") == (said, unsent)


@pytest.mark.parametrize("line", ["Mein Zug: f2", "Zug 1: f2", "My move: f2"])
def test_a_label_above_a_blank_line_and_header_lines_is_no_part_of_them(line: str):
    assert words(f"{line}\n\n{OUTLOOK}\n\nadopt") == line


@pytest.mark.parametrize("mark", ["--", "Sent from my iPhone"])
def test_what_stands_below_a_signature_is_kept_to_be_told(mark: str):
    text = f"f2 f4\n{mark}\nSee you on Sunday\n\n{WROTE}\n> adopt\n"
    assert ("f2 f4", "See you on Sunday") == split_words(text)[:2]


def test_words_between_a_signature_and_the_quote_below_it_are_told():
    assert ("", "f2 f4") == split_words(f"Sent from my iPhone\nf2 f4\n\n{WROTE}\n> adopt\n")[:2]


def test_of_a_letter_below_a_signature_nothing_is_told():
    text = f"f2 f4\n-- \nBill\n{MARKER}\nIt is your turn\n\nadopt\n"
    assert ("f2 f4", "Bill") == split_words(text)[:2]


def test_a_signature_above_the_quote_does_not_hide_words_below_it():
    assert words(f"\nSent from my iPhone\n\n> {WROTE}\n> adopt\n\nf2 f4\n") == "f2 f4"


def test_a_banner_above_the_words_does_not_hide_them():
    assert words("This message has been scanned for viruses.\n\nf2 f4\n") == "f2 f4"


# ------------------------------------------------------------------------------------- plain signs


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("f2\u00a0f4", "f2 f4"),
        ("\ufefff2\u200b f4\u200f", "f2 f4"),
        ("“a” ‘b’ – c…", "\"a\" 'b' - c..."),
        ("ｆ２　Ｆ４", "f2 F4"),
        ("*f2 f4*", "f2 f4"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("f2\r\nf4\rg3\u2028h2", "f2\nf4\ng3\nh2"),
        ("f2\x00\x07 f4\t", "f2 f4"),
        ("f2\ufffe f4\uffff\u206a", "f2 f4"),
        ("7d+1d≤14d", "7d+1d<=14d"),
        ("F2  f4", "F2  f4"),
        ("—", "--"),
    ],
)
def test_signs_become_plain_and_case_and_spacing_stay(typed: str, plain: str):
    assert normalise(typed) == plain


def test_a_text_is_cut_to_400_lines_of_998_characters():
    lines = normalise("\n".join(["x" * 2000] * 500)).split("\n")
    assert (len(lines), max(map(len, lines))) == (400, 998)


def test_a_paragraph_that_is_longer_than_a_line_may_be_goes_on_in_the_next_one():
    words = " ".join(f"word{n}" for n in range(400))
    lines = normalise(words).split("\n")
    assert (words, True) == (" ".join(lines), max(map(len, lines)) <= 998)
    assert 998 == len(normalise("> " + "x" * 2000))


def test_normalising_twice_changes_nothing_more():
    once = normalise("“*a*” …  ｂ\u200b\n— \n")
    assert normalise(once) == once


# ----------------------------------------------------------------------------------------- secrets


@pytest.mark.parametrize(
    ("text", "blanked"),
    [
        ("write to play+aeaqbf2lk3jq7wzr4m2v@h.example now", "write to [address removed] now"),
        ("PLAY-AEAQBF2LK3JQ7WZR4M2V@H.EXAMPLE", "[address removed]"),
        ("bounce+22f2b7c4a7d2e56374@h.example", "[address removed]"),
        ("see https://h.example/c?t=aeaqbf2lk3jq7wzr4m2vbc6d.", "see [link removed]"),
        ("see https://h.example/games/42", "see https://h.example/games/42"),
        ("bill+games@example.org", "bill+games@example.org"),
    ],
)
def test_reply_addresses_and_secret_links_are_blanked(text: str, blanked: str):
    assert without_secrets(text) == blanked


def test_the_first_lines_show_what_was_found_without_secrets():
    text = f"\na\n\n{'b' * 90}\nplay+aeaqbf2lk3jq7wzr4m2v@h.example\nc\nd\ne"
    assert first_lines(text) == ["a", f"{'b' * 69}...", "[address removed]", "c", "d"]


@pytest.mark.parametrize("thanks", ["Thank you!", "Thanks", "Merci"])
def test_thanks_above_a_move_and_a_telephone_number_cut_nothing(thanks: str) -> None:
    words, _, _ = split_words(f"Hello Joao,\n{thanks}\nf2\nBill\n+1 555 123 4567")
    assert "f2" in words
