"""A player's own games as files: records, or JSON data. Notes are comments above the first ply."""

import json
from collections.abc import Sequence
from typing import Any

from pbem.core.game.fingerprint import iso
from pbem.core.game.game import Game
from pbem.core.game.journal import PRIVATE_KINDS, REPLACE
from pbem.core.letters.letter import Attachment
from pbem.core.play.notes import Note
from pbem.core.players import Player
from pbem.core.records.record import Sign, game_data, record_of
from rules import record

MAX_GAMES = 100
MAX_CHARACTERS = 1_000_000
"""Limits for one letter; mail hosts refuse larger ones."""


def export_files(
    games: Sequence[Game], notes: Sequence[Note], site: str, form: str, sign: Sign | None = None
) -> tuple[tuple[Attachment, ...], int]:
    kept: list[str] = []
    room = MAX_CHARACTERS
    for game in games[:MAX_GAMES]:
        own = [note for note in notes if note.game == game.id]
        text = _text(game, own, site, sign) if form == "text" else _data(game, own, site)
        room -= len(text)
        if room < 0:
            break
        kept.append(text)
    if form == "json":
        return _one_file(games, kept), len(kept)
    named = zip(games, kept, strict=False)
    return tuple(Attachment(f"{g.rules.key}-{g.id}.txt", "text/plain", text) for g, text in named), len(kept)


def archive_files(
    game: Game, player: Player, notes: Sequence[Note], site: str, sign: Sign | None = None
) -> list[tuple[str, str]]:
    """Return one game as record and data, with private parts. Names are paths in the archive."""
    name = f"games/{game.rules.key}-{game.id}"
    data = json.loads(_data(game, notes, site)) | {"planned": _private_entries(game, player)}
    return [
        (f"{name}.txt", _text(game, notes, site, sign)),
        (f"{name}.json", json.dumps(data, ensure_ascii=False, indent=1)),
    ]


def _private_entries(game: Game, player: Player) -> list[dict[str, Any]]:
    """The player's own hidden entries and pending moves. A previous player of the seat keeps theirs."""
    seat = game.seat_of(player)
    own = [entry for entry in game.journal if entry.seat == seat]
    since = max((entry.n for entry in own if entry.kind == REPLACE), default=0)
    held = game.pending.entries if game.pending is not None and game.pending.seat == seat else ()
    alone = {"plan", "standing"}  # private parts of a ply's entry
    private = (entry for entry in own if entry.kind in PRIVATE_KINDS or alone & entry.data.keys())
    mine = [*(entry for entry in private if entry.n > since), *held]
    return [{"kind": entry.kind, "at": iso(entry.at), **entry.data} for entry in mine]


def _one_file(games: Sequence[Game], kept: Sequence[str]) -> tuple[Attachment, ...]:
    if not kept:
        return ()
    name = f"{games[0].rules.key}-{games[0].id}.json" if len(games) == 1 else "games.json"
    return (Attachment(name, "application/json", "[\n" + ",\n".join(kept) + "\n]\n"),)


def _data(game: Game, notes: Sequence[Note], site: str) -> str:
    own = [{"after": note.ply, "at": iso(note.at), "words": note.words} for note in notes]
    return json.dumps({**game_data(game, site), "notes": own}, ensure_ascii=False)


def _text(game: Game, notes: Sequence[Note], site: str, sign: Sign | None) -> str:
    tags, _, rest = record.write(record_of(game, site, sign)).partition("\n\n")
    written = [line for note in notes for line in _lines(note)]
    return "\n".join([tags, *(["", *written] if written else []), "", rest])


def _lines(note: Note) -> list[str]:
    """A note as comment lines with `;`. So no line of it reads as a ply."""
    head = f"; note after ply {note.ply}, {iso(note.at)}"
    return [head, *(f";   {line}".rstrip() for line in note.words.splitlines())]
