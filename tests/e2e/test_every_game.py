"""A whole game of each kind by real mail: every ply answers the newest letter, up to the last board."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pbem.core.game.writing import to_write
from pbem.mail.outbound.boards import draw_in_text
from pbem.mail.outbound.text_layout import LAID_OUT
from pbem.mail.person.mailbox import MailUser, ReceivedLetter
from pbem.store import games
from rules import RULES
from tests.amount import amount, some
from tests.e2e.town import Town, running_town
from tests.inbox.test_journey import BILL, JOAO, register

SETTINGS = {
    "atoll": "size=7",
    "bagel": "",
    "begird": amount("islands=3 side=5", "islands=3 side=7"),
    "bipod": amount("size=3 middle=2 rows=3 stones=1", "size=3 stones=2"),
    "bounders": amount("size=3", "size=4"),
    "breakthrough": amount("size=5", "size=6"),
    "gomoku": "size=7",
    "havannah": "size=4",
    "hex": "size=4",
    "hexthing": "bids=3",
    "gonnect": amount("size=5", "size=7"),
    "hadron": amount("", "size=7"),
    "reversi": amount("size=4", "size=6"),
    "unlur": "size=4",
}
MAX_PLIES = amount(12, 40)
"""Hexagonal Thing need not end: then Joao resigns."""


@pytest.mark.parametrize("key", some(RULES, 2))
def test_a_whole_game_by_mail(key: str, tmp_path: Path, sqlite_url: str) -> None:
    with running_town(tmp_path, sqlite_url, PBEM_GAMES=",".join(RULES)) as town:
        bill, joao = town.resident(BILL), town.resident(JOAO)
        newest = begin(town, bill, joao, f"challenge Joao {key} {SETTINGS.get(key, '')} first")
        rng = Random(7)
        while (game := loaded(town)).state.ending is None and len(game.state.plies) < MAX_PLIES * 3:
            if len(game.state.plies) >= MAX_PLIES and not game.rules.ends:
                joao.reply(newest[JOAO], "resign")
            else:
                player = (bill, joao)[game.state.to_play or 0]
                move = game.state.position.sample(rng)
                sure = " yes" if game.state.position.gives_up(move) else ""
                player.reply(newest[player.address], f"{to_write(game.state.position, move)}{sure}")
            town.quiet()
            for resident in (bill, joao):
                for letter in resident.unread():
                    newest[resident.address] = letter
        ended = loaded(town)
        assert ended.state.ending is not None
        board = [f"  {line}".rstrip() for line in draw_in_text(ended.state.picture, LAID_OUT - 2)]
        for letter in newest.values():
            assert ended.title == letter.header("Subject")
            assert "\n".join(board) in letter.text
            assert f"after move {len(ended.state.plies)}" in letter.text


def loaded(town: Town) -> games.Game:
    with town.app.store.read() as db:
        game = games.load_game(db, town.app.games_by_key, 1)
    assert game is not None
    return game


def begin(town: Town, bill: MailUser, joao: MailUser, words: str) -> dict[str, ReceivedLetter]:
    welcome = register(town, bill, "Bill")
    register(town, joao, "Joao")
    bill.reply(welcome, words)
    town.next_letter(bill)
    joao.reply(town.next_letter(joao), "accept")
    return {BILL: town.next_letter(bill), JOAO: town.next_letter(joao)}
