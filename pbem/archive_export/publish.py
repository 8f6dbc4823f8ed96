"""The finished archive as static files: records, boards, collections, lists. One batch is in memory."""

import csv
import io
import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from pbem import __version__, resources
from pbem.app import App
from pbem.archive_export.folder import FileEntry, Folder, open_export_folder
from pbem.core.game.fingerprint import iso
from pbem.core.game.game import Game
from pbem.core.players import NAME
from pbem.core.records.gamerecord import gamerecord
from pbem.core.records.record import record_of
from pbem.keys.record_keys import RecordSigner, public_keys, record_signer
from pbem.store import game_lists
from pbem.store.game_lists import ListedGame
from rules import record
from rules.svg import svg

GAMES_PER_FOLDER = 1000
"""Games in one folder."""
BATCH = 200
NEWEST = 20
"""Games linked on the folder's index page."""
FORMS = {"game": ("games", b"", b"\n", b""), "json": ("json", b"[", b",\n", b"]\n")}
"""The forms with collections: extension, beginning, separator, end. The key is the extension of one game."""


def publish(app: App, place: Path) -> "ExportRun":
    """Update the archive in a folder. Raises NotOurs, OSError."""
    signer = record_signer(app.config)
    head = {"pbem": __version__, "site": app.config.host, "key": signer.public.id}
    with open_export_folder(place, head) as folder:
        run = ExportRun(app, folder, signer)
        run.write_games()
        run.write_collections()
        run.write_lists()
    return run


@dataclass
class ExportRun:
    app: App
    folder: Folder
    signer: RecordSigner
    games: int = 0
    changed_collections: set[str] = field(default_factory=set)
    """Collections to make again: `all`, a game's key, a player's number."""

    # Games.

    def write_games(self) -> None:
        for rows in self._batches():
            self.games += len(rows)
            old = {row.id: self._old_files(row.id) for row in rows}
            due = [row for row in rows if not self._stands(row, old[row.id])]
            with self.app.store.read() as db:
                made = {
                    game.id: self._files(game)
                    for game in game_lists.load_finished(db, self.app.games_by_key, due)
                }
            for row in rows:
                if row in due:
                    self._write(row, made.get(row.id, {}), old[row.id])
                else:
                    for kept in old[row.id]:
                        self.folder.keep(kept)
        self._remove(self.folder.old_files(lambda path: _number(path) >= 0))

    def _batches(self, **of: Any) -> Iterator[tuple[ListedGame, ...]]:
        after = 0
        while True:
            with self.app.store.read() as db:
                rows = game_lists.finished_rows(db, self.app.games_by_key, after=after, most=BATCH, **of)
            if not rows:
                return
            yield rows
            after = rows[-1].id

    def _old_files(self, id: int) -> list[FileEntry]:
        """Return the old files of game `id`. Removes those of missing games before it."""
        self._remove(self.folder.old_files(lambda path: 0 <= _number(path) < id))
        return list(self.folder.old_files(lambda path: _number(path) == id))

    def _stamp(self, row: ListedGame) -> str:
        """The version of a game's files. It changes with the program's version and the key."""
        return f"{row.stamp}.{__version__}.{self.signer.mark}"

    def _stands(self, row: ListedGame, kept: list[FileEntry]) -> bool:
        stamp = self._stamp(row)
        return len(kept) == 3 and all(each.stamp == stamp and self.folder.stands(each) for each in kept)

    def _files(self, game: Game) -> dict[str, bytes]:
        site, sign = self.app.config.host, self.signer.sign
        data = json.dumps(gamerecord(game, site, sign), ensure_ascii=False, separators=(",", ":"))
        return {
            "game": record.write(record_of(game, site, sign)).encode(),
            "json": data.encode() + b"\n",
            "svg": svg(game.state.picture, standalone=True).encode(),
        }

    def _write(self, row: ListedGame, made: Mapping[str, bytes], old: Iterable[FileEntry]) -> None:
        """Write a game's files, or remove them. Nothing was made if a director has just reopened the game."""
        for ending, content in made.items():
            self.folder.put(_path(row.id, ending), content, self._stamp(row))
        self._mark_changed(self._stamp(row))
        if made:
            for kept in old:
                self._mark_changed(kept.stamp)
        else:
            self._remove(old)

    def _remove(self, gone: Iterable[FileEntry]) -> None:
        for kept in gone:
            self._mark_changed(kept.stamp)
            self.folder.remove(kept)

    def _mark_changed(self, stamp: str) -> None:
        self.changed_collections.update(["all", *stamp.split(".")[:3]])

    # Collections.

    def write_collections(self) -> None:
        """Write the games of each player, each kind, and all, as collections."""
        old = {
            kept.path: kept
            for kept in self.folder.old_files(lambda path: path.startswith(("players/", "records/")))
        }
        for name, key, of in self._lists_wanted():
            for form, (ending, *_marks) in FORMS.items():
                kept = old.pop(f"{name}.{ending}", None)
                if kept and key not in self.changed_collections and self.folder.stands(kept):
                    self.folder.keep(kept)
                else:
                    self.folder.stream(f"{name}.{ending}", self._collection_parts(form, of))
        for kept in old.values():
            self.folder.remove(kept)

    def _lists_wanted(self) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
        """(path without extension, key of changes, filter of games)."""
        for id, name in self._players():
            yield _player_path(id, name), str(id), {"player": id}
        for key in self.app.games_by_key:
            yield f"records/{key}", key, {"rules": key}
        yield "records/all", "all", {}

    def _players(self) -> list[tuple[int, str]]:
        with self.app.store.read() as db:
            return game_lists.finished_players(db, self.app.games_by_key)

    def _collection_parts(self, form: str, of: Mapping[str, Any]) -> Iterator[bytes]:
        """The games' own files in sequence, read from the folder."""
        _, begin, separator, end = FORMS[form]
        between = begin
        for rows in self._batches(**of):
            for row in rows:
                with suppress(FileNotFoundError):  # the game ended or was reopened during this run
                    content = self.folder.read(_path(row.id, form))
                    yield between + (content if form == "game" else content.rstrip(b"\n"))
                    between = separator
        yield begin + end if between == begin and begin else end

    # Lists.

    def write_lists(self) -> None:
        newest: deque[ListedGame] = deque(maxlen=NEWEST)
        self.folder.stream("games.csv", _csv(_GAMES_HEAD, map(_games_row, self._every(newest))))
        players = [(id, name, f"{_player_path(id, name)}.games") for id, name in self._players()]
        self.folder.stream("players.csv", _csv(("id", "name", "file"), players))
        self.folder.put("key.pem", self.signer.public.pem.encode())
        keys = {"keys": [key.jwk for key in public_keys(self.app.config)]}
        self.folder.put("key.json", (json.dumps(keys, indent=1) + "\n").encode())
        self.folder.put("index.html", self._index(len(players), reversed(newest)).encode())

    def _every(self, newest: deque[ListedGame]) -> Iterator[ListedGame]:
        for rows in self._batches():
            newest.extend(rows)
            yield from rows

    def _index(self, players: int, newest: Iterable[ListedGame]) -> str:
        config = self.app.config
        text = resources.find_template("export/index.html", config.templates).read_text(encoding="utf-8")
        template = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True).from_string(text)
        kinds = [(rules.name, key) for key, rules in self.app.games_by_key.items()]
        shown = [(row, row.rules.name, _path(row.id, "")) for row in newest]
        facts = {"site": config.host, "address": config.site, "kinds": kinds, "newest": shown}
        return template.render(**facts, count=self.games, players=players) + "\n"


def _path(id: int, ending: str) -> str:
    return f"games/{id // GAMES_PER_FOLDER}/{id}.{ending}"


def _number(path: str) -> int:
    """Return a game's number by its file's path, else -1."""
    return int(path.rpartition("/")[2].partition(".")[0]) if path.startswith("games/") else -1


def _player_path(id: int, name: str) -> str:
    return f"players/{name.lower() if NAME.match(name) else f'player-{id}'}"


_GAMES_HEAD = ("id", "game", "first", "second", "result", "ended", "plies", "start", "end", "file")


def _games_row(row: ListedGame) -> tuple[Any, ...]:
    moments = (iso(moment) for moment in (row.started_at, row.ended_at) if moment)
    facts = (row.id, row.rules.key, *row.names, row.result, row.ended_by, row.plies, *moments)
    return (*facts, _path(row.id, "game"))


def _csv(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> Iterator[bytes]:
    for row in chain([head], rows):
        line = io.StringIO()
        csv.writer(line).writerow(row)
        yield line.getvalue().encode()
