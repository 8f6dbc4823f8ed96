"""The command line `pbem`.

Commands load when called, so `--help` is fast. Exit codes: 0 done; 1 the answer is no (an illegal move, a
check that found something); 2 wrong usage, a missing or wrong setting, a file that is no record. `receive`
uses the codes of sysexits.h, as mail servers expect.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click

COMMANDS: Mapping[str, tuple[str, str]] = {
    "serve": ("serving", "Run everything in one place: mail, web pages, worker."),
    "web": ("serving", "Run the web pages alone."),
    "mail": ("serving", "Run the mail listener alone."),
    "work": ("serving", "Run the worker alone: handle mail, send letters."),
    "receive": ("mailing", "Take one mail from standard input."),
    "migrate": ("keeping", "Bring the database to the newest shape."),
    "restored": ("keeping", "Say that the database was brought back from a backup."),
    "replay": ("replaying", "Show the board that a game's record leads to."),
    "verify": ("verifying", "Check a record: plies, fingerprint, end, signature."),
    "try": ("trying", "Show what a mail would be taken for."),
    "check": ("checking", "Look for anything wrong: games, mail, letters, DNS, the relay."),
    "retry": ("mailing", "Handle a mail, or send a letter, once more."),
    "dkim": ("dkim", "Make the key that signs our letters, and show its DNS record."),
    "lift": ("lifting", "Write again to players whose mail came back."),
    "readdress": ("credentials", "Have a player's letters go elsewhere, where the mailbox is lost."),
    "revoke": ("credentials", "Make every reply address of a player void."),
    "rotate": ("credentials", "Make a new secret for reply addresses."),
    "games": ("showing", "List games: who plays, whose turn, until when."),
    "players": ("showing", "List players."),
    "show": ("showing", "Show a game: board, clocks, decisions, plies."),
    "extend": ("directing", "Director: give time to players."),
    "pause": ("directing", "Director: stop the clocks of a game."),
    "resume": ("directing", "Director: start them again."),
    "rollback": ("directing", "Director: take a game back to an earlier ply."),
    "adjudicate": ("directing", "Director: end a game by decision."),
    "replace": ("directing", "Director: have somebody else go on in a game."),
    "message": ("directing", "Director: write to the players of a game, or to all."),
    "hide": ("moderating", "Operator: hide what somebody said in a game, everywhere."),
    "bar": ("moderating", "Operator: let a player say nothing and begin no game."),
    "rename": ("moderating", "Operator: call a player otherwise."),
    "moderation": ("moderating", "List what was hidden, barred, renamed and reported."),
    "rebuild-ratings": ("rating", "Make all ratings again, of the games there were."),
    "export": ("publishing", "Write all finished games to a folder as static files."),
    "import": ("importing", "Make a record a page that anyone can play through."),
    "settings": ("listing", "List every setting with its value."),
    "demo": ("demo", "Play a whole game through the real listener and show the letters."),
}


class Commands(click.Group):
    """A group that imports a command's module only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = import_module(f"pbem.commands.{COMMANDS[name][0]}")
        command = getattr(module, f"{name.replace('-', '_')}_command")
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_module, about) in COMMANDS.items()])


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pbem", message="%(package)s %(version)s")
def main() -> None:
    """Abstract board games by mail.

    `pbem COMMAND --help` explains a command and gives an example.
    """


if __name__ == "__main__":
    main()
