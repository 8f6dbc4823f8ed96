"""`pbem check`: games, queues and mail set-up."""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial
from ipaddress import ip_address
from typing import Any, NoReturn
from urllib.parse import urlsplit

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from pbem.app import App
from pbem.cli.common import command, count_of, json_option, open_or_exit, print_json
from pbem.cli.locks import SERVE_LOCK, WORK_LOCK, is_running
from pbem.cli.migrate import check_game
from pbem.cli.trial import begin_trial, wait_for_answer
from pbem.commands.addresses import parse_address
from pbem.config.load import SettingsError
from pbem.config.parsers import Listen, Relay, is_local, leads_here, listen
from pbem.config.table import Config
from pbem.core.bounces import POLICY_WINDOW
from pbem.duties import health
from pbem.keys.address_keys import OLD_SECRETS, secret_file, secrets_of
from pbem.keys.record_keys import key_file, record_signer
from pbem.mail.addresses import BadAddress
from pbem.mail.doctor import dns, lookups
from pbem.mail.doctor.certificates import (
    judge_certificate,
    judge_mail_server,
    judge_own_names,
    mail_server_refusal,
    mail_server_validity,
    own_certificate_end,
    own_certificate_names,
    site_validity,
)
from pbem.mail.doctor.dns import Finding, MailHostSetup
from pbem.mail.outbound import dkim_sign, render
from pbem.mail.outbound.relay import RelaySender, RelayUnreachable
from pbem.outbox import warm_up
from pbem.store import (
    bot_jobs,
    bots,
    bounces,
    engine,
    event_entries,
    events,
    game_counts,
    games,
    inbox,
    outages,
    outbox,
    outbox_delivery,
    revisions,
)
from rules import RULES, left_out

RELAY_SECONDS = 10
BACKUP_DUE = timedelta(days=8)
"""Age of the last backup from which a public server wants another."""
COLOURS = {"ok": "green", "hint": "yellow", "wrong": "red"}


def _name_server(text: str) -> Listen:
    try:
        with suppress(ValueError):
            return Listen(str(ip_address(text)), 53)
        server = listen(text)
        ip_address(server.host)
    except ValueError:
        raise click.BadParameter("write an address such as 192.0.2.53 or 192.0.2.53:5353") from None
    return server


@command("check")
@json_option
@click.option("--to", metavar="ADDRESS", help="Only send a letter there, and wait for the answer.")
@click.option("--wait", type=click.FloatRange(0, 1440), default=10, help="Minutes to wait with --to.")
@click.option("--recount", is_flag=True, help="First count anew how many games there are, for the pages.")
@click.option("--offline", is_flag=True, help="Look at games and queues alone; ask nobody.")
@click.option(
    "--nameserver",
    type=_name_server,
    metavar="ADDRESS",
    help="The name server to ask, as ADDRESS[:PORT].",
)
def check_command(
    as_json: bool, recount: bool, offline: bool, nameserver: Listen | None, to: str | None, wait: float
) -> None:
    """Replay and compare every stored game; check queues and mail set-up.

    The set-up is what the world sees: MX, SPF, DKIM, DMARC, PTR, MTA-STS and TLS-RPT in DNS, certificates,
    and whether the relay takes us. Each line is ok, hint or wrong, and says what to publish. No letter is
    sent but by --to: whoever answers that letter there, best with the letter attached, shows what their
    provider found. Exit code 0 where nothing is wrong, hints or not; 1 where something is.

    Examples:  pbem check --json
               pbem check --to you@example.com
    """
    if to is not None:
        _try_letter(to, wait, as_json=as_json)
    with open_or_exit(migrated=False) as app:
        if recount and revisions.migration_problem(app.store) is None:
            with app.store.write() as db:
                game_counts.rebuild_tallies(db)
        found = _check(app, quiet=as_json)
        findings = [] if offline else list(_mail(app, nameserver))
        offer, backups = list(_withheld_games(app)), list(_backups(app))
        database = [*_secret(app), *_commits(app), *_processes(app), *_refused_by_policy(app), *_put_off(app)]
    wrong = bool(found["problems"]) or any(each.level == "wrong" for each in (*database, *findings))
    if as_json:
        groups = {"offer": offer, "backup": backups, "database": database, "mail": findings}
        print_json({**found, **{name: [each._asdict() for each in group] for name, group in groups.items()}})
    else:
        _print_report(found, [*offer, *backups, *database, *findings], wrong)
    sys.exit(1 if wrong else 0)


def _try_letter(text: str, minutes: float, *, as_json: bool) -> NoReturn:
    """Send a letter and print each fact as it becomes known. Exits."""
    found = []
    with open_or_exit() as app:
        trial = begin_trial(app, parse_address(text))
        if not as_json:
            way = f"Answer it there, or forward it as an attachment to {trial.reply_to}"
            click.echo(f"o{trial.id} is on its way to {trial.address}. {way}")
            click.echo(f"This waits {minutes:g} minutes at most. Ctrl-C ends it.")
        for finding in wait_for_answer(trial, minutes):
            found.append(finding)
            if not as_json:
                _print_lines(Console(highlight=False, soft_wrap=True), [finding])
    if as_json:
        facts = [finding._asdict() for finding in found]
        print_json({"to": trial.address, "letter": f"o{trial.id}", "found": facts})
    sys.exit(1 if any(each.level == "wrong" for each in found) else 0)


def _check(app: App, *, quiet: bool) -> dict[str, Any]:
    problems = list(left_out().values())
    if problem := revisions.migration_problem(app.store):
        return {"games": 0, "queues": {}, "problems": [*problems, problem]}
    number, faults = check_stored(app, quiet=quiet)
    problems += faults
    problems += _file_problems(app)
    problems += render.faults_of_templates(app.config.templates).values()
    with app.store.read() as db:
        queues = inbox.count_by_state(db)
        problems += _queue_problems(app, db)
        problems += _failing_letters(db)
    return {"games": number, "queues": queues, "problems": problems}


def _file_problems(app: App) -> Iterator[str]:
    """Yield what is wrong with keys and the database's file, which may be copied from elsewhere."""
    files = {f"{app.store.file}*": app.store.file}
    files |= {str(path): path for path in (secret_file(app.config), key_file(app.config))}
    for name, file in files.items():
        if file is not None and file.exists() and file.stat().st_mode & 0o007:
            yield f"others on this machine can read {file}: chmod 600 {name}"
    try:
        if key_file(app.config).exists():
            record_signer(app.config)
    except SettingsError as error:
        yield from error.problems
    if (certificate := app.config.tls_cert) and app.config.tls_key:
        try:
            until = own_certificate_end(certificate, app.config.tls_key)
        except (OSError, ValueError) as wrong:
            why = getattr(wrong, "strerror", None) or wrong
            yield f"PBEM_TLS_CERT and PBEM_TLS_KEY cannot be used: {why}"
        else:
            if until < app.now():
                yield f"the certificate in {certificate} was good until {until:%Y-%m-%d}: get a new one"


def check_stored(app: App, *, quiet: bool) -> tuple[int, list[str]]:
    """Replay every game and compare what is stored. Returns the number of games and the faults."""
    problems = []
    with app.store.read() as db:
        ids = games.list_game_ids(db)
        for id in track(ids, "Games", disable=quiet or not sys.stdout.isatty()):
            game = games.load_game(db, app.games_by_key, id)
            if game is None:
                problems.append(f"game {id}: no rules called {games.rules_key_of(db, id)} are installed here")
            else:
                problems += check_game(game, games.stored_summary(db, id))
        problems += _wrong_events(db)
        if game_counts.count_by_outcome(db) != game_counts.count_every_game(db):
            problems.append("the pages count other games than there are: pbem check --recount")
    return len(ids), problems


def _queue_problems(app: App, db: engine.Connection) -> Iterator[str]:
    for kept in inbox.mails_in_state(db, "shunted"):
        yield f"{kept.key} is shunted: pbem retry {kept.key}"
    for id in bots.games_put_aside(db, app.clock()):
        yield f"g{id}: a bot cannot go on with this game: pbem retry g{id}"
    if failed := bot_jobs.count_failed(db, app.clock()):
        yield f"{count_of(failed, 'job')} of bots failed: pbem retry --bots"
    told = health.LATE | {health.WORKER, health.DISK, health.PROVIDER}
    # of the others every mail and letter is named
    yield from (trouble.words for trouble in health.find_troubles(app, db) if trouble.code in told)


def _wrong_events(db: engine.Connection) -> Iterator[str]:
    """Compare each event's rows with its journal."""
    for event in events.event_ids(db):
        if wrong := event_entries.wrong_rows(db, event):
            yield f"event {event}: its journal and games give other rows in {', '.join(wrong)}"


def _backups(app: App) -> Iterator[Finding]:
    """Judge the age of the last backup on a public server."""
    if not app.config.public or revisions.migration_problem(app.store):
        return
    with app.store.read() as db:
        last = outages.last_backup(db)
    if last is not None and app.clock() - last < BACKUP_DUE:
        yield Finding("ok", "backup", f"the last is of {last:%Y-%m-%d %H:%M} UTC")
        return
    found = f"the last is of {last:%Y-%m-%d}" if last else "none was made yet"
    yield Finding("hint", "backup", found, "pbem backup FOLDER --keep 14, every night: docs/run/backup.md")


def _put_off(app: App) -> Iterator[Finding]:
    """Tell how many letters PBEM_WARM_UP lets go today, and how many wait."""
    if app.config.warm_up is None or revisions.migration_problem(app.store):
        return
    with app.store.read() as db:
        most, waiting = warm_up.ceiling(app, db), warm_up.count_waiting(app, db)
    found = f"{most} a day go to one provider now (PBEM_WARM_UP)"
    if waiting:
        said = ", ".join(f"{number} to {provider}" for provider, number in waiting.items())
        yield Finding("hint", "letters", f"{found}; others wait: {said}", "Each day twice as many go.")
    else:
        yield Finding("ok", "letters", found)


def _refused_by_policy(app: App) -> Iterator[Finding]:
    """Tell which letters to players the policies of providers have refused lately."""
    if revisions.migration_problem(app.store):
        return
    with app.store.read() as db:
        refused = bounces.policy_refusals(db, app.clock() - POLICY_WINDOW)
    if refused:
        said = sorted({f"{address.rpartition('@')[2]} {status}" for address, status in refused})
        found = f"{count_of(len(refused), 'letter')} refused by policy in {POLICY_WINDOW.days} days"
        mend = f"{', '.join(said)}: docs/run/letters-out.md"
        yield Finding("hint", "letters", found, mend)


def _secret(app: App) -> Iterator[Finding]:
    """Tell if the newest letter was signed by another secret."""
    if revisions.migration_problem(app.store):
        return
    with app.store.read() as db:
        sender = outbox.newest_envelope_from(db)
    local = re.fullmatch(r"bounce.([0-9a-f]+)@.*", sender)  # PBEM_HOST and PBEM_DELIMITER may be others now
    if local is None:
        return
    try:
        app.addressing.read(f"bounce{app.addressing.delimiter}{local[1]}@{app.addressing.host}")
    except BadAddress:
        file = secret_file(app.config)
        found = "the newest letter was signed with another secret, so no answer to it can be taken"
        if file is not None and len(secrets_of(app.config)) > OLD_SECRETS:
            yield Finding(
                "hint", "secret", found, "Three rotations do that; if there were none, bring it back."
            )
            return
        mend = (
            f"Bring {file} back from a backup."
            if file
            else "Set PBEM_SECRET as it was; settings.env in a backup has it."
        )
        yield Finding("wrong", "secret", found, mend)


def _commits(app: App) -> Iterator[Finding]:
    """Tell if PostgreSQL may lose what it committed, such as a mail that was answered with 250."""
    for name in app.store.careless_settings():
        found = f"{name} is off in PostgreSQL: a crash of it loses mail and moves that were acknowledged"
        yield Finding("hint", "commits", found, f"ALTER SYSTEM SET {name} TO on; SELECT pg_reload_conf();")


def _processes(app: App) -> Iterator[Finding]:
    """Tell if a worker runs beside the listener on SQLite."""
    if app.store.file is None:
        return
    if is_running(app.config, WORK_LOCK) and not is_running(app.config, SERVE_LOCK):
        found = "pbem work runs without pbem serve on SQLite: mail waits for its 250 while it writes"
        yield Finding("hint", "processes", found, "pbem serve, in the place of pbem mail, work, web and bots")


def _withheld_games(app: App) -> Iterator[Finding]:
    config = app.config
    for key in config.withheld:
        rules, named = RULES[key], ",".join((*config.games, key))
        found = f"{rules.name} is not offered to the public. {rules.terms}"
        yield Finding("hint", "games", found, f"Ask {rules.designer}; then set PBEM_GAMES={named}")


def _failing_letters(db: engine.Connection) -> Iterator[str]:
    found = outbox_delivery.letters_in_trouble(db)
    refused = [letter for letter in found if letter.state == "queued"]
    for letter in found:
        if letter.state == "failed" and letter.whole:
            mend = f"pbem retry {letter.key}, or pbem retry --drop {letter.key}"
            yield f"{letter.key} was given up ({letter.detail}): {mend}"
    if refused:
        waits = "waits" if len(refused) == 1 else "wait"
        waits = f"{count_of(len(refused), 'letter')} {waits}: {refused[-1].detail}"
        yield f"the relay refuses us, {waits}: mend PBEM_RELAY or the relay, then pbem retry --failed"


def _mail(app: App, nameserver: Listen | None) -> Iterator[Finding]:
    config = app.config
    if config.relay is not None:
        yield _relay(config.relay)
    if config.dkim_key is not None and config.dkim_key.stat().st_mode & 0o077:
        found = f"others on this machine can read {config.dkim_key}"
        yield Finding("wrong", "DKIM", found, f"chmod 600 {config.dkim_key}")
    if is_local(config.host):
        return
    yield _from_check(config)
    look = lookups.make_dns_lookup(nameserver)
    relay = config.relay.host if config.relay and leads_here(config.relay.host) else ""
    dkim = dkim_sign.dkim_record(app.signer.key) if app.signer else ""
    setup = MailHostSetup(config.host, relay, config.dkim_selector, dkim, config.operator or "")
    yield from dns.check_dns(setup, look, lookups.read_page)
    yield from _certificates(app, look)


def _from_check(config: Config) -> Finding:
    if config.authserv:
        return Finding("ok", "From", f"is checked by {config.authserv}, which PBEM_AUTHSERV names")
    if config.check_dkim:
        return Finding("ok", "From", "is checked here by DKIM and DMARC, not by SPF (PBEM_CHECK_DKIM)")
    found = "nothing of From is checked, so every order beyond the game of its letter is asked about"
    mend = (
        "PBEM_AUTHSERV=NAME where your mail server checks DMARC and writes Authentication-Results by that "
        "name; else PBEM_CHECK_DKIM=on"
    )
    return Finding("hint", "From", found, mend)


def _relay(relay: Relay) -> Finding:
    """Log in at the relay, without sending a letter."""
    try:
        encrypted = RelaySender(relay, RELAY_SECONDS).try_connection()
    except RelayUnreachable as trouble:
        mend = "Is PBEM_RELAY right, and does it let this machine in?"
        return Finding("wrong", "relay", f"{relay}: {trouble}", mend)
    said = f"{relay}: {'TLS' if encrypted else 'no TLS'}{', password taken' if relay.user else ''}"
    if not encrypted and leads_here(relay.host):
        return Finding("hint", "relay", said, "Letters cross the network in the clear; is there smtps:// ?")
    return Finding("ok", "relay", said)


def _certificates(app: App, look: lookups.DnsLookup) -> Iterator[Finding]:
    site, now = urlsplit(app.config.site), app.now()
    if site.scheme == "https" and site.hostname:
        ask = partial(site_validity, site.hostname, site.port or 443)
        yield judge_certificate("web site", site.hostname, ask, now)
    else:
        found = f"{app.config.site} is not https: its links can be read and changed on the way"
        yield Finding("hint", "web site", found, "A certificate, and PBEM_SITE=https://…")
    hosts = lookups.mail_hosts(look, app.config.host)
    for host in hosts:
        yield from judge_mail_server(host, f"play@{app.config.host}", mail_server_refusal)
        yield judge_certificate("STARTTLS", host, partial(mail_server_validity, host), now, worst="hint")
    if app.config.tls_cert and hosts:
        with suppress(OSError, ValueError):  # said above
            yield from judge_own_names(own_certificate_names(app.config.tls_cert), hosts)


def _print_report(found: dict[str, Any], findings: list[Finding], wrong: bool) -> None:
    on_terminal = sys.stdout.isatty()
    console = Console(highlight=False, soft_wrap=not on_terminal)
    console.print(f"{count_of(found['games'], 'game')} played through again.")
    for name, states in found["queues"].items():
        counts = ", ".join(f"{count} {state}" for state, count in states.items()) or "none"
        console.print(f"{name.capitalize()}: {counts}.")
    for problem in found["problems"]:
        console.print(problem, style="red", markup=False)
    if on_terminal and findings:
        _print_table(console, findings)
    else:
        _print_lines(console, findings)
    console.print("Something is wrong." if wrong else "All is well.", style="red" if wrong else "green")


def _print_lines(console: Console, findings: Iterable[Finding]) -> None:
    for finding in findings:
        console.print(f"{finding.level:5}  {finding.about:8}  {finding.found}", markup=False)
        if finding.mend:
            console.print(f"{'':17}{finding.mend}", markup=False)


def _print_table(console: Console, findings: list[Finding]) -> None:
    """Print the findings as a table. The remedies are below, unwrapped for copying."""
    table = Table("", "Mail", "Found")
    for finding in findings:
        level = Text(finding.level, style=COLOURS[finding.level])
        table.add_row(level, finding.about, Text(finding.found, overflow="fold"))
    console.print(table)
    for finding in findings:
        if finding.mend:
            console.print(f"{finding.about}:", style=COLOURS[finding.level])
            console.print(finding.mend, markup=False, soft_wrap=True)
