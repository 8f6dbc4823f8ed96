"""A player in forty lines: it makes a move in each game that waits for it, by the API alone."""

import json
import random
import sys
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen


def call(url, token="", **sent):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"} if sent else {}
    with urlopen(Request(url, json.dumps(sent).encode() if sent else None, headers)) as answer:  # noqa: S310
        return json.load(answer)


def move(site, game, token):
    """Try cells or cards, alone or with a colour behind, and other words; at last what loses."""
    cells = random.sample(game["playable"], len(game["playable"]))
    words = [cell + colour for colour in ("", " o", " O") for cell in cells] + ["adopt", "swap", "pass"]
    for sure, text in [(sure, text) for sure in (False, True) for text in words]:
        try:
            sent = {"move": text, "after": game["ply"], "sure": sure}
            call(f"{site}/api/games/{game['id']}/moves", token, **sent)
            break
        except HTTPError as refused:
            if refused.code != 422:
                raise


def play(site, name, token):
    found = call(f"{site}/api/games?player={quote(name)}&state=running&most=100")["games"]
    for each in found:
        if each["to_play"] and each["players"][each["to_play"]]["name"] == name:
            move(site, call(f"{site}/api/games/{each['id']}"), token)
    return bool(found)


if __name__ == "__main__":
    play(*sys.argv[1:])  # http://127.0.0.1:8000 Ada-bot TOKEN
