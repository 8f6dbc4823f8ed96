"""`pbem game`: a designer's file, tried in a process of its own, and installed."""

import resource
import subprocess
import sys
from pathlib import Path

import click

from pbem.cli.common import USAGE, command, fail, printable_text
from pbem.config.designs import ENDING, designs_folder
from pbem.config.load import load
from pbem.core.parsing.commands import WORDS
from rules import add, names
from rules.contract import Rules
from rules.designed.made import rules_from
from rules.designed.reading import MAX_BYTES, Faulty

SECONDS = 60
"""The longest time that a trial takes; it ends by itself before."""
CPU_SECONDS = 75
MEMORY = 2 * 1024**3


@command("game")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE")
@click.option("--install", is_flag=True, help="Offer the game on this server, from its next start on.")
@click.option("--read", "only_read", is_flag=True, help="Read the file alone, and play nothing.")
def game_command(file: Path, install: bool, only_read: bool) -> None:
    """Try the game that a designer tells in FILE, a text of at most 30 lines and no code.

    You see the rules in words, whether all laws of games hold, what random games show, a game between bots
    with three boards, and the first figures of the laboratory, within a minute. docs/build/game-file.md has
    all words of such a file.

    Exit code 0; 1 where a law is broken or the game cannot be installed; 2 where FILE cannot be read, with
    the line of each error.

    Example:  pbem game mygame.txt
    """
    text = _text(file)
    rules = _rules(text)
    if not only_read:
        _try_apart(file)
    if install:
        _install(rules, text)
    elif only_read:
        click.echo(f"{rules.name} can be read.")


def _text(file: Path) -> str:
    with file.open("rb") as stream:
        raw = stream.read(MAX_BYTES + 1)
    try:
        return raw.decode()
    except UnicodeError:
        if len(raw) > MAX_BYTES:
            fail(f"{file}: the file has more than {MAX_BYTES} bytes; a game needs fewer.", USAGE)
        return fail(f"{file}: save this file as UTF-8; it has other signs.", USAGE)


def _rules(text: str) -> Rules:
    """Return the rules in a text, or end with the errors in it."""
    try:
        return rules_from(text, frozenset(WORDS) | names())
    except Faulty as error:
        fail("\n".join(error.faults), USAGE)


def _try_apart(file: Path) -> None:
    """Try the game in a process with limits, which prints what it finds."""
    words = [sys.executable, "-m", "pbem.cli.game_trial", str(file)]
    sys.stdout.flush()
    try:
        done = subprocess.run(words, preexec_fn=_limit, timeout=SECONDS, capture_output=True, text=True)
    except subprocess.TimeoutExpired as late:
        said = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else late.stdout or ""
        click.echo(printable_text(said), nl=False)
        fail(f"The trial was stopped after {SECONDS} seconds; a smaller usual board may help.")
    click.echo(printable_text(done.stdout), nl=False)
    if done.returncode not in (0, 1):
        fail(f"The trial ended before its time: {printable_text(done.stderr).strip()[-200:] or 'no memory'}")
    if done.returncode:
        sys.exit(1)


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _install(rules: Rules, text: str) -> None:
    folder = designs_folder(load().var)
    path = folder / f"{rules.key}{ENDING}"
    if path.exists():
        if path.read_text() == text:
            click.echo(f"{rules.name} is installed already, in {path}.")
            return
        fail(
            f"Another version of {rules.name} is installed in {path}. Games that run keep their rules: give "
            "the new version another name."
        )
    if fault := add(rules):
        fail(f"{rules.name} cannot be installed: {fault}.")
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    click.echo(f"{rules.name} is in {path}. It is on offer from the next start of the server on.")
