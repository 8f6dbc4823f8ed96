"""`pbem rebuild-ratings`: results, statistics and ratings, computed again."""

import click

from pbem.cli.common import open_or_exit
from pbem.store import ratings


@click.command("rebuild-ratings")
def rebuild_ratings_command() -> None:
    """Make all ratings and figures again, of the games and their journals alone.

    They are kept up to date as games end, so this changes nothing but after rows were mended by hand, or
    where another version rates otherwise. It is one transaction: until it is done the old numbers are
    seen, and on SQLite no mail is handled meanwhile.

    Example:  pbem rebuild-ratings
    """
    with open_or_exit() as app, app.store.write() as db:
        ended, rated = ratings.rebuild_ratings(db)
    click.echo(f"Ratings are made again. Games that have ended: {ended:,}; rated: {rated:,}.")
