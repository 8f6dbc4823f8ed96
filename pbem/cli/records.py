"""`pbem replay`, `import`, `export`, `verify`: records of games. `replay` and `verify` need no database."""

import re
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TextIO

import click

from pbem.cli.common import USAGE, command, count_of, fail, open_or_exit, print_json, printable_text
from pbem.config.load import SettingsError, load
from pbem.core.records.gamerecord import ContradictoryRecord, read_records
from pbem.core.records.record import examine_record
from pbem.core.records.study import TooLong, study_path
from pbem.keys.record_keys import BadRecordKey, PublicKey, key_file, public_keys, read_public_keys
from pbem.mail.transport.https import fetch_page
from rules import record, summary, svg

TEXT_FILE = click.File("r", encoding="utf-8", errors="replace")
KEY_PAGE = "/records/key.json"
HOST = re.compile(r"(?=.{1,253}\Z)[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?", re.IGNORECASE)
SECONDS = 10
MARKS = {True: "good", False: "WRONG", None: "none"}

Keys = tuple[PublicKey, ...]


@command("replay")
@click.argument("file", type=TEXT_FILE)
@click.option(
    "--ply", type=int, help="The board after this many plies, 0 for the start; the last by default."
)
@click.option("--json", "form", flag_value="json", help="Everything about the position, for programs.")
@click.option("--svg", "form", flag_value="svg", help="The board as a picture.")
def replay_command(file: TextIO, ply: int | None, form: str | None) -> None:
    """Show the board that the game in FILE leads to. FILE `-` is standard input.

    Exit code 0; 1 where a move is illegal, with its line and the reason; 2 where FILE is no record,
    or has no such ply.

    Example:  pbem replay bipod.game --ply 7
    """
    try:
        played = record.replay(record.read(file.read()), ply)
    except record.RecordError as error:
        fail(str(error), _code_of(error))
    if form == "json":
        print_json(summary.summary(played))
    elif form == "svg":
        click.echo(svg.svg(played.position.picture(), standalone=True))
    else:
        click.echo(summary.summary_text(played))


@command("import")
@click.argument("files", type=TEXT_FILE, nargs=-1, required=True, metavar="FILE...")
def import_command(files: tuple[TextIO, ...]) -> None:
    """Print a study's address, to play through the game in FILE.

    The record, as text or JSON (- for standard input), is checked ply by ply. The whole game goes into
    the address, so nothing is stored, and the page is there for good. Comments are left out where the
    address would be too long with them.

    Exit code 0; 1 where a move is illegal, with its line and the reason; 2 where FILE is no record or
    too long.

    Example:  pbem import bipod-42.game
    """
    site = load().site
    for file in files:
        try:
            click.echo(f"{site}{study_path(file.read())}")
        except (record.RecordError, TooLong) as error:
            fail(f"{file.name}: {error}", _code_of(error))


def _code_of(error: Exception) -> int:
    return 1 if isinstance(error, record.IllegalPly) else USAGE


@command("export")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
def export_command(folder: Path) -> None:
    """Write all finished games to DIR as static files.

    Records as text and JSON, the last board of each as SVG, files by player and by game, lists, and the
    key that checks the signatures. All files are written anew in DIR, and then take the place of an
    earlier export. Any web server can serve them.

    Exit code 0; 1 where a file cannot be written; 2 where DIR holds something else.

    Example:  pbem export /var/www/games
    """
    from pbem.archive_export.publish import NotOurs, publish  # not at the top: `replay` needs no database

    with open_or_exit() as app:
        try:
            done = publish(app, folder)
        except NotOurs as error:
            fail(str(error), USAGE)
        except OSError as error:
            fail(f"Cannot write {error.filename or folder}: {error.strerror or error}.")
    click.echo(f"{count_of(done.games, 'game')} in {count_of(done.files, 'file')} at {folder}.")


@command("verify")
@click.argument("files", type=TEXT_FILE, nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--key",
    metavar="KEY",
    help="The site's public key: a file, an address, or the key itself. "
    f"By default https://SITE{KEY_PAGE}, SITE as in the record.",
)
@click.option("--quiet", is_flag=True, help="Say only what is not good.")
def verify_command(files: tuple[TextIO, ...], key: str | None, quiet: bool) -> None:
    """Check that each record in FILE is unchanged (- for standard input).

    Looked at are the plies by the rules of the game, the fingerprint over setup and plies, that all
    tells of the same end, and the site's signature over fingerprint and end. Names and comments are
    not signed. With a KEY at hand nothing is asked of the network.

    Exit code 0 where all of it is good; 1 where something is wrong, or not there to check; 2 where
    FILE is no record or the key cannot be had.

    Example:  pbem verify bipod-42.game --key pbem.example.org.pem
    """
    known = (lambda _site: _key_of(key)) if key else _key_of_site
    sys.exit(max([_verify_file(file, known, quiet) for file in files]))


def _verify_file(file: TextIO, known: Callable[[str], Keys], quiet: bool) -> int:
    """Check one file and print the result; returns the exit code."""
    worst, name = 0, getattr(file, "name", "-")
    try:
        for found in read_records(file.read()):
            tags = {name: text.strip() for name, text in found.tags.items()}
            check = partial(_is_signed, known(tags.get("Site", ""))) if tags.get("Signature") else None
            number = f" #{tags['Id']}" if tags.get("Id") else ""
            findings = examine_record(found, check)
            shown = [finding for finding in findings if not quiet or finding.good is not True]
            lines = [f"  {finding.what:<12} {MARKS[finding.good]:<6} {finding.sentence}" for finding in shown]
            if lines:
                click.echo(printable_text("\n".join([f"{name}: {tags['Game']}{number}", *lines])))
            worst = max(worst, int(any(finding.good is not True for finding in findings)))
    except (record.RecordError, ContradictoryRecord, BadRecordKey) as error:
        click.echo(printable_text(f"{name}: {error}"), err=True)
        return 1 if isinstance(error, record.IllegalPly | ContradictoryRecord) else USAGE
    return worst


def _is_signed(keys: Keys, signed: bytes, signature: str) -> bool:
    return any(key.check(signed, signature) for key in keys)


@cache
def _key_of(given: str) -> Keys:
    """The key that the operator names: web address, file, or key text."""
    if given.startswith(("https://", "http://")):
        return _fetch_keys(given)
    path = Path(given)
    try:
        return read_public_keys(path.read_text() if path.is_file() else given)
    except (OSError, UnicodeDecodeError, BadRecordKey):
        fail(f"--key {given[:60]}: neither a file with an Ed25519 public key nor such a key.", USAGE)


@cache
def _key_of_site(site: str) -> Keys:
    """A site's key: ours from its file, another's from its page. Raises BadKey."""
    try:
        config = load()
        if config.host == site and (config.secret is not None or key_file(config).is_file()):
            return public_keys(config)
    except SettingsError:
        pass
    if not HOST.fullmatch(site):
        raise BadRecordKey("the record does not name its site, so name the key: --key FILE")
    return _fetch_keys(f"https://{site}{KEY_PAGE}")


def _fetch_keys(address: str) -> Keys:
    """Return the keys on a page. Redirects are not followed: a key is where its site says."""
    try:
        page = fetch_page(address, SECONDS).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise BadRecordKey(f"the key cannot be had from {address} ({reason}); name it: --key FILE") from None
    return read_public_keys(page)
