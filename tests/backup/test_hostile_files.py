"""Files that somebody made or edited: one sentence each, and nothing is written outside the folder."""

from __future__ import annotations

import gzip
import io
import json
import os
import resource
import tarfile
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.app import App
from pbem.backup import archive
from pbem.cli import backup as commands
from pbem.resources import BadName, inside
from tests.apps import begin
from tests.backup.servers import save

Members = dict[str, bytes]
OUTSIDE = "OUTSIDE"
"""Stands for a file outside the folder in which a restore may write."""


@pytest.fixture
def members(app: App, environ: dict[str, str], tmp_path: Path) -> Members:
    """The members of a good backup by name, the manifest last."""
    begin(app, plies=2)
    with tarfile.open(save(app, environ, tmp_path / "good.tar.gz").path) as tar:
        return {each.name: tar.extractfile(each).read() for each in tar}  # type: ignore[union-attr]


def with_sums(members: Mapping[str, bytes], **values: object) -> Members:
    """These members with a manifest that has their sums, and other values."""
    told = json.loads(members[archive.MANIFEST]) | values
    rest = {name: content for name, content in members.items() if name != archive.MANIFEST}
    told["members"] = {name: sha256(content).hexdigest() for name, content in rest.items()}
    return {**rest, archive.MANIFEST: json.dumps(told).encode()}


def packed(members: Mapping[str, bytes], *more: tarfile.TarInfo) -> bytes:
    """A backup of these members, with members of other kinds at its beginning."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as tar:
        for member in more:
            tar.addfile(member)
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return file.getvalue()


def named(name: str) -> Callable[[Members], bytes]:
    """A backup with one more file of this name."""
    return lambda members: packed(with_sums({name: b"evil", **members}))


def linked(kind: bytes, name: str = "templates/mail/turn.txt") -> Callable[[Members], bytes]:
    """A backup with a member of this kind."""
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, "/etc/passwd"
    return lambda members: packed(members, member)


def edited(name: str, content: bytes | None) -> Callable[[Members], bytes]:
    """A backup with other content of one member, or without it; the sums fit."""

    def change(members: Members) -> bytes:
        kept = {each: old for each, old in members.items() if each != name}
        return packed(with_sums({**({} if content is None else {name: content}), **kept}))

    return change


def first_row(change: Callable[[list[object]], object]) -> Callable[[Members], bytes]:
    """A backup with its first player changed; the sums fit."""

    def changed(members: Members) -> bytes:
        name = "rows/players/000000.jsonl"
        first, *others = members[name].splitlines(keepends=True)
        line = json.dumps(change(json.loads(first)), separators=(",", ":")).encode() + b"\n"
        return packed(with_sums({**members, name: b"".join([line, *others])}))

    return changed


def told(**values: object) -> Callable[[Members], bytes]:
    """A backup with other values in its manifest."""
    return lambda members: packed(with_sums(members, **values))


def claimed(size: int, kind: bytes = tarfile.REGTYPE) -> Callable[[Members], bytes]:
    """A file of a few bytes whose first member claims this size and has as many zeros."""

    def bomb(_: Members) -> bytes:
        member = tarfile.TarInfo("templates/a")
        member.size, member.type = size, kind
        file = io.BytesIO()
        with gzip.open(file, "wb") as zeros:
            zeros.write(member.tobuf())
            for _piece in range(size >> 20):
                zeros.write(bytes(1 << 20))
        return file.getvalue()

    return bomb


def many(_: Members) -> bytes:
    """A file of very many empty members."""
    file = io.BytesIO()
    with gzip.open(file, "wb") as headers:
        for start in range(0, 100_000, 100):
            names = (f"templates/{n}" for n in range(start, start + 100))
            headers.write(b"".join(tarfile.TarInfo(name).tobuf() for name in names))
    return file.getvalue()


def twice(members: Members) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as tar:
        for name, content in [("secret", members["secret"]), *members.items()]:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return file.getvalue()


def settings_elsewhere(members: Members, place: str) -> bytes:
    """A backup whose settings name a place for everything."""
    names = dict.fromkeys(("PBEM_TEMPLATES", "PBEM_DKIM_KEY", "PBEM_RECORD_KEY", "PBEM_VAR"), place)
    names |= {"PBEM_DATABASE": f"sqlite:///{place}", "PBEM_SECRET_FILE": "/etc/shadow"}
    text = "".join(f"{name}='{value}'\n" for name, value in names.items())
    own = {"settings.env": text.encode(), "dkim.pem": b"theirs", "templates/mail/turn.txt": b"theirs"}
    return packed(with_sums({**own, **{name: old for name, old in members.items() if name not in own}}))


NESTED = b"[" * 100_000
NAMES = {
    "absolute": f"templates/{OUTSIDE}",
    "upwards": "templates/mail/../../../outside",
    "upwards at once": "templates/..",
    "an empty part": "templates//mail/turn.txt",
    "an empty end": "templates/mail/",
    "a dot": "templates/./mail",
    "backslash": "templates\\..\\outside",
    "backslash inside": "templates/..\\..\\outside",
    "NUL": "templates/a\0b",
    "line feed": "templates/a\nb",
    "too long": f"templates/{'x' * 256}",
    "of no backup": "bin/sh",
    "absolute of no backup": OUTSIDE,
    "rows elsewhere": "rows/../players/000000.jsonl",
}
HOSTILE: dict[str, Callable[[Members], bytes]] = {
    **{f"name: {what}": named(name) for what, name in NAMES.items()},
    "file in a file": lambda members: packed(
        with_sums({"templates/a": b"", "templates/a/b": b"", **members})
    ),
    "file after rows": lambda members: packed(with_sums({**members, "templates/a": b""})),
    "symlink": linked(tarfile.SYMTYPE),
    "hard link": linked(tarfile.LNKTYPE),
    "device": linked(tarfile.CHRTYPE),
    "pipe": linked(tarfile.FIFOTYPE),
    "folder": linked(tarfile.DIRTYPE, "templates"),
    "sparse": linked(tarfile.GNUTYPE_SPARSE),
    "duplicate": twice,
    "no settings": edited("settings.env", None),
    "no secret": edited("secret", None),
    "no key": edited("record.key", None),
    "no rows of players": edited("rows/players/000000.jsonl", None),
    "settings of other bytes": edited("settings.env", b"\xff\xfe"),
    "short secret": edited("secret", b"abc\n"),
    "no PEM": edited("record.key", b"-----BEGIN"),
    "truncated": lambda members: packed(members)[:-200],
    "not gzip": lambda _: b"PK\x03\x04 and more",
    "not tar": lambda _: gzip.compress(b"no tar" * 1000),
    "more behind the end": lambda members: gzip.compress(gzip.decompress(packed(members)) + bytes(1 << 20)),
    "bomb of one member": claimed(200 << 20),
    "bomb of a long name": claimed(200 << 20, tarfile.GNUTYPE_LONGNAME),
    "bomb of an extended header": claimed(200 << 20, tarfile.XHDTYPE),
    "bomb of many members": many,
    "no JSON": edited("rows/players/000000.jsonl", b"{no json\n"),
    "deep JSON": edited("rows/players/000000.jsonl", NESTED),
    "nested rows": first_row(lambda row: [row]),
    "a row that is none": first_row(lambda _row: "row"),
    "too few columns": first_row(lambda row: row[:-1]),
    "wrong types": first_row(lambda row: [5 if isinstance(each, str) else "x" for each in row]),
    "a number too large": first_row(lambda row: [10**30, *row[1:]]),
    "other bytes": first_row(lambda row: ["text:\u00e9" if each is None else each for each in row]),
    "nothing where something must be": first_row(lambda row: [None for _ in row]),
    "unknown table": told(tables=[{"name": "strangers", "columns": ["id"], "rows": 0}]),
    "unknown table with rows": lambda members: packed(
        with_sums(
            {"rows/strangers/000000.jsonl": b"[1]\n", archive.MANIFEST: members[archive.MANIFEST]},
            tables=[{"name": "strangers", "columns": ["id"], "rows": 1}],
        )
    ),
    "tables of another type": told(tables={"name": "players"}),
    "columns of another type": told(tables=[{"name": "players", "columns": 3, "rows": 0}]),
    "fewer rows than none": told(tables=[{"name": "players", "columns": ["id"], "rows": -1}]),
    "numbers of another type": told(numbers=[1, 2]),
    "numbers too large": told(numbers={"players": 10**30}),
    "time of another type": told(made_at="yesterday"),
    "time without zone": told(made_at="2026-03-02T12:00:00"),
    "unknown revision": told(revision="9999"),
    "revision of another type": told(revision=36),
    "unknown format": told(format=99),
    "format of another type": told(format="new"),
    "manifest of another kind": lambda members: packed({**members, archive.MANIFEST: b"[]"}),
    "deep manifest": lambda members: packed({**members, archive.MANIFEST: NESTED}),
    "version with signs for a terminal": told(version="\x1b[2J"),
}


class Place:
    """A folder of its own where a file is restored; what stands outside it is watched."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "here"
        self.outside = folder / "outside"
        self.file = folder / "hostile.tar.gz"
        self.folder.mkdir()

    def restore(self, content: bytes, *words: str) -> Result:
        self.file.write_bytes(content)
        return CliRunner().invoke(commands.restore_command, [*words, str(self.file)])

    def there(self) -> set[str]:
        """The names of all files in the folder, but for locks."""
        found = {
            path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file()
        }
        return {name for name in found if not name.endswith(".lock")}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    found = Place(tmp_path)
    for name in [name for name in os.environ if name.startswith(("PBEM_", "DATABASE_URL"))]:
        monkeypatch.delenv(name)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    monkeypatch.chdir(found.folder)
    monkeypatch.setattr(commands, "set_up_logs", lambda _config: None)
    yield found
    assert [] == list(scratch.iterdir())


@pytest.mark.whole
def test_each_hostile_file_gets_one_sentence_and_writes_nothing(
    members: Members, place: Place, subtests: pytest.Subtests
) -> None:
    for what, make in HOSTILE.items():
        content = make(members)
        if OUTSIDE in NAMES.get(what.removeprefix("name: "), ""):
            name = NAMES[what.removeprefix("name: ")].replace(OUTSIDE, str(place.outside))
            content = named(name)(members)
        for words in ([], ["--drill"]):
            with subtests.test(what, words=words):
                done = place.restore(content, *words)
                assert (1, 1) == (done.exit_code, len(done.stderr.splitlines())), done.output
                assert isinstance(done.exception, SystemExit)
                assert "\x1b" not in done.output
                assert not place.outside.exists()
                assert set() == {name for name in place.there() if not name.startswith("var/pbem.sqlite")}


def test_a_bomb_takes_little_memory(members: Members, place: Place) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for size in (60 << 20, 200 << 20):
        assert 1 == place.restore(claimed(size)(members)).exit_code
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40_000  # KiB


def test_the_settings_in_a_backup_say_nothing_about_places(members: Members, place: Place) -> None:
    content = settings_elsewhere(members, str(place.outside))
    done = place.restore(content, "--drill")
    assert (0, set()) == (done.exit_code, place.there()), done.output
    done = place.restore(content)
    assert 0 == done.exit_code, done.output
    own = {"var/pbem.sqlite", "var/secret", "var/record.key", "var/dkim.pem", "var/templates/mail/turn.txt"}
    assert {".env", *own} == place.there()
    assert "PBEM_DKIM_KEY='var/dkim.pem'\nPBEM_TEMPLATES='var/templates'\n" == Path(".env").read_text()
    assert not place.outside.exists()


def test_a_good_backup_passes_both(members: Members, place: Place) -> None:
    assert 0 == place.restore(packed(members), "--drill").exit_code
    done = place.restore(packed(members))
    assert (0, True) == (done.exit_code, "rows are in sqlite:///var/pbem.sqlite" in done.stdout)
    again = place.restore(packed(members))
    assert (1, True) == (again.exit_code, again.stderr.startswith("sqlite:///var/pbem.sqlite has players"))
    assert "name another in PBEM_DATABASE" in again.stderr


def test_a_pipe_is_no_backup(place: Place) -> None:
    os.mkfifo(place.file)
    writer = os.open(place.file, os.O_RDWR)
    done = CliRunner().invoke(commands.restore_command, [str(place.file)])
    os.close(writer)
    assert (1, True) == (done.exit_code, "is no backup of pbem" in done.stderr)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    for each in (own, other):
        each.mkdir()
    (own / "mail").symlink_to(other)
    assert own / "web/a.html" == inside(own, "web/a.html")
    with pytest.raises(BadName, match="no name of a file inside"):
        inside(own, "mail/turn.txt")
