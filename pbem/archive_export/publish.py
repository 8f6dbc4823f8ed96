"""The finished archive as static files: records, boards, collections, lists.

All files are written anew beside the old ones, and renamed when all are there. One batch is in memory.
"""

import csv
import fcntl
import io
import json
import os
import shutil
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jinja2 import Environment, StrictUndefined

from pbem import resources
from pbem.app import App
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
DRAFT = ".pbem-export-"
"""How the name of the folder begins in which a run writes."""
MARK = "key.json"
"""The first file that is put in place. A folder with this file is an export."""
FOLDERS = ("games", "players", "records")
FILES = (MARK, "key.pem", "games.csv", "players.csv", "index.html")


class NotOurs(ValueError):
    """Raised for a folder in use, or with other contents. `str()` says which."""


def publish(app: App, place: Path) -> "ExportRun":
    """Write the archive anew, then replace the old one. Raises NotOurs, OSError."""
    place.mkdir(parents=True, exist_ok=True)
    with _locked(place):
        _remove_leftovers(place)
        if (there := os.listdir(place)) and MARK not in there:
            raise NotOurs(f"{place} is not empty and holds no export; give it a folder of its own.")
        with TemporaryDirectory(prefix=DRAFT, dir=place) as draft:
            run = ExportRun(app, Path(draft, "new"), record_signer(app.config))
            run.write_games()
            run.write_collections()
            run.write_lists()
            _replace(place, Path(draft))
    return run


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    """Let one export at a time write to the folder."""
    number = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise NotOurs(f"Another export is writing to {place}.") from None
    finally:
        os.close(number)


def _remove_leftovers(place: Path) -> None:
    """Remove what a killed run had begun. Links are not followed."""
    for name in os.listdir(place):
        if name.startswith(DRAFT):
            shutil.rmtree(place / name)


def _replace(place: Path, draft: Path) -> None:
    """Move new files and folders into place, and old folders out."""
    (draft / "old").mkdir()
    for name in FILES:
        (draft / "new" / name).replace(place / name)
    for name in FOLDERS:
        with suppress(FileNotFoundError):
            (place / name).rename(draft / "old" / name)
        (draft / "new" / name).rename(place / name)


@dataclass
class ExportRun:
    app: App
    place: Path
    signer: RecordSigner
    games: int = 0
    files: int = 0

    # Games.

    def write_games(self) -> None:
        for folder in FOLDERS:
            (self.place / folder).mkdir(parents=True)
        for rows in self._batches():
            self.games += len(rows)
            with self.app.store.read() as db:
                for game in game_lists.load_finished(db, self.app.games_by_key, rows):
                    for ending, content in self._files(game).items():
                        self._write(_path(game.id, ending), (content,))

    def _batches(self, **of: Any) -> Iterator[tuple[ListedGame, ...]]:
        after = 0
        while True:
            with self.app.store.read() as db:
                rows = game_lists.finished_rows(db, self.app.games_by_key, after=after, most=BATCH, **of)
            if not rows:
                return
            yield rows
            after = rows[-1].id

    def _files(self, game: Game) -> dict[str, bytes]:
        site, sign = self.app.config.host, self.signer.sign
        data = json.dumps(gamerecord(game, site, sign), ensure_ascii=False, separators=(",", ":"))
        return {
            "game": record.write(record_of(game, site, sign)).encode(),
            "json": data.encode() + b"\n",
            "svg": svg(game.state.picture, standalone=True).encode(),
        }

    def _write(self, path: str, parts: Iterable[bytes]) -> None:
        target = resources.inside(self.place, path)
        target.parent.mkdir(exist_ok=True)
        with target.open("wb") as file:
            file.writelines(parts)
        self.files += 1

    # Collections.

    def write_collections(self) -> None:
        """Write the games of each player, each kind, and all, as collections."""
        for name, of in self._lists_wanted():
            for form, (ending, *_marks) in FORMS.items():
                self._write(f"{name}.{ending}", self._collection_parts(form, of))

    def _lists_wanted(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """(path without extension, filter of games)."""
        for id, name in self._players():
            yield _player_path(id, name), {"player": id}
        for key in self.app.games_by_key:
            yield f"records/{key}", {"rules": key}
        yield "records/all", {}

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
                    content = (self.place / _path(row.id, form)).read_bytes()
                    yield between + (content if form == "game" else content.rstrip(b"\n"))
                    between = separator
        yield begin + end if between == begin and begin else end

    # Lists.

    def write_lists(self) -> None:
        newest: deque[ListedGame] = deque(maxlen=NEWEST)
        self._write("games.csv", _csv(_GAMES_HEAD, map(_games_row, self._every(newest))))
        players = [(id, name, f"{_player_path(id, name)}.games") for id, name in self._players()]
        self._write("players.csv", _csv(("id", "name", "file"), players))
        self._write("key.pem", (self.signer.public.pem.encode(),))
        keys = {"keys": [key.jwk for key in public_keys(self.app.config)]}
        self._write(MARK, ((json.dumps(keys, indent=1) + "\n").encode(),))
        self._write("index.html", (self._index(len(players), reversed(newest)).encode(),))

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
