"""The command line `pbem`.

Commands load when called, so `--help` is fast. Exit codes: 0 done; 1 the answer is no (an illegal move, a
check that found something); 2 wrong usage, a missing or wrong setting, a file that is no record. `receive`
uses the codes of sysexits.h, as mail servers expect.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import click

COMMANDS: Mapping[str, tuple[str, str]] = {
    "serve": ("serve", "Run everything in one place: mail, web pages, worker."),
    "web": ("serve", "Run the web pages alone."),
    "mail": ("serve", "Run the mail listener alone."),
    "work": ("serve", "Run the worker alone: handle mail, send letters."),
    "bots": ("bots", "Run the bots alone: think about their games and move."),
    "receive": ("mail", "Take one mail from standard input."),
    "migrate": ("migrate", "Bring the database to the newest shape."),
    "backup": ("backup", "Copy the database, keys, settings and files of your own to one file."),
    "restore": ("backup", "Bring all that back from such a file."),
    "restored": ("migrate", "Say that the database was brought back by another program."),
    "replay": ("records", "Show the board that a game's record leads to."),
    "verify": ("records", "Check a record: plies, fingerprint, end, signature."),
    "think": ("think", "Find a move for the last position of a record."),
    "lab": ("lab", "Let bots play a game many times, and report what comes of it."),
    "game": ("game", "Try a game that a designer tells in a file, and install it."),
    "puzzles": ("lab_puzzles", "Let bots play a game, and keep the puzzles in their games."),
    "standings": ("standings", "Print the table that results give, as events compute it."),
    "try": ("try_mail", "Show what a mail would be taken for."),
    "check": ("check", "Look for anything wrong: games, mail, letters, DNS, the relay."),
    "retry": ("mail", "Handle a mail, or send a letter, once more."),
    "dkim": ("settings", "Make the key that signs our letters, and show its DNS record."),
    "lift": ("credentials", "Write again to players whose mail came back."),
    "readdress": ("credentials", "Have a player's letters go elsewhere, where the mailbox is lost."),
    "revoke": ("credentials", "Make every reply address of a player void."),
    "rotate": ("credentials", "Make a new secret for reply addresses."),
    "games": ("show", "List games: who plays, whose turn, until when."),
    "players": ("show", "List players."),
    "show": ("show", "Show a game: board, clocks, decisions, plies."),
    "extend": ("director", "Director: give time to players."),
    "pause": ("director", "Director: stop the clocks of a game."),
    "resume": ("director", "Director: start them again."),
    "rollback": ("director", "Director: take a game back to an earlier ply."),
    "adjudicate": ("director", "Director: end a game by decision."),
    "replace": ("director", "Director: have somebody else go on in a game."),
    "message": ("director", "Director: write to the players of a game, or to all."),
    "director": ("directors", "Operator: name players who decide about games by mail."),
    "event": ("event", "Director: open, close and correct leagues, ladders and matches."),
    "hide": ("moderation", "Operator: hide what somebody said in a game, everywhere."),
    "bar": ("moderation", "Operator: let a player say nothing and begin no game."),
    "rename": ("moderation", "Operator: call a player otherwise."),
    "moderation": ("moderation", "List what was hidden, barred, renamed and reported."),
    "rebuild-ratings": ("migrate", "Make all ratings again, of the games there were."),
    "export": ("records", "Write all finished games to a folder as static files."),
    "import": ("records", "Make a record a page that anyone can play through."),
    "settings": ("settings", "List every setting with its value."),
    "demo": ("demo", "Play a whole game through the real listener and show the letters."),
}

GONE: Mapping[str, str] = {"own-blobs": "all mail stays in the database, which needs no command."}
"""Commands that went, with what to do instead."""


class Commands(click.Group):
    """A group that imports a command's module only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in GONE:
            click.echo(f"`pbem {name}` is gone: {GONE[name]}", err=True)
            ctx.exit(2)
        if name not in COMMANDS:
            return None
        module = import_module(f"pbem.cli.{COMMANDS[name][0]}")
        command = getattr(module, f"{name.replace('-', '_')}_command")
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_module, about) in COMMANDS.items()])


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pbem", message="%(package)s %(version)s")
@click.option(
    "--env-file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file of settings; by default .env in this folder, else /etc/pbem/pbem.env.",
)
def main(env_file: Path | None) -> None:
    """Abstract board games by mail.

    `pbem COMMAND --help` explains a command and gives an example.
    """
    if env_file:
        from pbem.config.load import use_env_file  # not at the top: it loads the games

        use_env_file(env_file)


if __name__ == "__main__":
    main()
