"""Configuration: valid settings, and messages about wrong ones."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import make_url
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from pbem.config import parsers
from pbem.config.gone import GONE
from pbem.config.load import (
    SettingsError,
    config_from,
    environment,
    load,
    read_settings,
    shown_values,
    written_settings,
)
from pbem.config.parsers import Listen, Relay
from pbem.config.table import SETTINGS
from pbem.keys.address_keys import secrets_of
from rules import RULES

PUBLIC = {
    "PBEM_HOST": "games.example.org",
    "PBEM_SITE": "https://games.example.org",
    "PBEM_RELAY": "smtp://localhost",
}


def problems(environ: dict[str, str]) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        config_from(environ)
    return caught.value.problems


def test_with_no_settings_at_all_everything_runs_on_this_machine_alone():
    config = config_from({})
    assert ("localhost", "http://127.0.0.1:8000") == (config.host, config.site)
    assert "sqlite:///var/pbem.sqlite" == config.database
    assert Listen("127.0.0.1", 2525) == config.smtp_listen
    assert tuple(RULES) == tuple(sorted(config.games))
    assert "bipod" == config.games[0]
    assert 1024 * 1024 == config.max_mail
    assert config.relay is None
    assert config.development


def test_a_hurried_clock_is_for_this_machine_alone():
    assert 600 == config_from({"PBEM_HURRY": "600"}).hurry
    (problem,) = problems({**PUBLIC, "PBEM_HURRY": "600"})
    assert problem.startswith("PBEM_HURRY=600: others play here")


def test_an_empty_setting_means_its_default():
    assert config_from({}) == config_from({"PBEM_HOST": "", "PBEM_RELAY": " ", "PBEM_GAMES": ""})


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("postgres://me:pw@db:5/pbem", "postgresql+psycopg://me:pw@db:5/pbem"),
        (
            "postgresql://me:x@one:5432,two/pbem",
            "postgresql+psycopg://me:x@/pbem?host=one,two&port=5432,5432",
        ),
        (
            "postgres://one,two/pbem?target_session_attrs=read-write",
            "postgresql+psycopg:///pbem?host=one,two&port=5432,5432&target_session_attrs=read-write",
        ),
        ("postgresql://me@db/pbem?sslmode=require", "postgresql+psycopg://me@db/pbem?sslmode=require"),
        (
            "postgresql://me@[::1]:5433,[2001:db8::2],two/pbem",
            "postgresql+psycopg://me@/pbem?host=::1,2001:db8::2,two&port=5433,5432,5432",
        ),
        ("postgresql+psycopg:///pbem", "postgresql+psycopg:///pbem"),
        ("sqlite:////srv/games.sqlite", "sqlite:////srv/games.sqlite"),
        ("games.sqlite", "sqlite:///games.sqlite"),
    ],
)
@pytest.mark.parametrize("name", ["PBEM_DATABASE", "DATABASE_URL"])
def test_a_database_is_written_as_hosts_and_people_write_it(name, written, meant):
    assert meant == config_from({name: written}).database


@pytest.mark.parametrize(
    ("written", "host", "port", "password"),
    [
        ("me:a%40b%3Ac%2Fd%25e@one,two/pbem", "one,two", "5432,5432", "a@b:c/d%e"),
        ("me:a%40b%3Ac%2Fd%25e@one:1/pbem", "one", 1, "a@b:c/d%e"),
        ("me:a:b/c#d?e@one/pbem", "one", None, "a:b/c#d?e"),
        ("me:pw@[::1]:1,[fe80::2]/pbem", "::1,fe80::2", "1,5432", "pw"),
        ("me:pw@[::1]/pbem", "::1", None, "pw"),
        ("me:pw@/pbem?host=/run/postgresql", "/run/postgresql", None, "pw"),
    ],
)
def test_hosts_and_passwords_come_to_the_driver_as_they_are(written, host, port, password):
    _, told = PGDialect_psycopg().create_connect_args(
        make_url(config_from({"PBEM_DATABASE": f"postgres://{written}"}).database)
    )
    assert ("me", "pbem", password) == (told["user"], told["dbname"], told["password"])
    assert (host, port) == (told["host"], told.get("port"))


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("me:hunter2@x@one/pbem", "%40 for @"),
        ("me:hunter2@x@one,two/pbem", "%40 for @"),
        ("me:hunter2%@one/pbem", "%25 for %"),
        ("me:hunter2@::1/pbem", "[::1]:PORT"),
        ("me:hunter2@one:x,two/pbem", "HOST:PORT"),
        ("me:hunter2@one,,two/pbem", "a host that cannot be read"),
        ("me:hunter2@one:70000/pbem", "a host that cannot be read"),
    ],
)
def test_a_database_that_is_written_wrongly_is_told_how_without_its_password(written, said):
    (problem,) = problems({"PBEM_DATABASE": f"postgresql://{written}"})
    assert said in problem
    assert "hunter2" not in problem


@pytest.mark.parametrize("written", ["sqlite://games.db", "sqlite://games.db?timeout=1"])
def test_a_file_of_sqlite_needs_three_slashes(written):
    (problem,) = problems({"PBEM_DATABASE": written})
    assert "needs three slashes before a file" in problem


def test_an_option_of_sqlite_stays_in_the_url():
    written = "sqlite:///games.db?timeout=2.5"
    assert written == config_from({"PBEM_DATABASE": written}).database


def test_our_own_name_for_the_database_wins_over_the_platforms():
    both = {"PBEM_DATABASE": "sqlite:///ours", "DATABASE_URL": "sqlite:///theirs"}
    assert "sqlite:///ours" == config_from(both).database


def test_the_sqlite_file_lies_in_the_var_folder():
    assert "sqlite:////srv/pbem/pbem.sqlite" == config_from({"PBEM_VAR": "/srv/pbem"}).database


def test_a_port_given_by_the_platform_is_opened_to_all():
    assert Listen("0.0.0.0", 5000) == config_from({**PUBLIC, "PORT": "5000"}).web_listen


def test_links_follow_the_web_listener():
    assert "http://127.0.0.1:8080" == config_from({"PBEM_WEB_LISTEN": "127.0.0.1:8080"}).site


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("smtp://mail.example.org", Relay("mail.example.org", 25, tls=False)),
        ("smtp://me:a%40b@mail.example.org", Relay("mail.example.org", 587, False, "me", "a@b")),
        ("smtps://me:pw@mail.example.org", Relay("mail.example.org", 465, True, "me", "pw")),
        ("smtp://127.0.0.1:2600/", Relay("127.0.0.1", 2600, tls=False)),
    ],
)
def test_a_relay_has_the_usual_port_of_its_kind(written, meant):
    assert meant == config_from({"PBEM_RELAY": written}).relay


@pytest.mark.parametrize(
    "environ",
    [
        {"PBEM_RELAY": "smtp://localhost"},
        {"PBEM_WEB_LISTEN": "0.0.0.0:8000", "PBEM_RELAY": "smtp://localhost"},
        PUBLIC,
    ],
)
def test_there_is_no_mailroom_where_mail_leaves(environ):
    assert not config_from(environ).development


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "games.localhost", "Games.Test"])
def test_names_that_mean_this_machine_allow_the_mailroom(host):
    assert config_from({"PBEM_HOST": host}).development


@pytest.mark.parametrize(
    "reachable",
    [
        {"PBEM_HOST": "games.example.org", "PBEM_SITE": "https://games.example.org"},
        {"PBEM_WEB_LISTEN": "0.0.0.0:8000"},
        {"PBEM_SMTP_LISTEN": "[::]:25"},
        {"PORT": "5000"},
        {"PBEM_SITE": "https://games.example.org"},
        {"PBEM_PROXIES": "1"},
    ],
)
def test_a_server_that_others_can_reach_needs_a_relay(reachable):
    assert ["PBEM_RELAY: missing"] == [problem.split(";")[0] for problem in problems(reachable)]


def test_a_public_host_needs_a_public_site():
    without = {name: text for name, text in PUBLIC.items() if name != "PBEM_SITE"}
    assert problems(without)[0].startswith("PBEM_SITE=http://127.0.0.1:8000: nobody else can open that")


@pytest.mark.parametrize("listen", ["0.0.0.0:8000", "[::]:8000", "127.0.0.2:80"])
def test_a_public_host_does_not_mail_links_to_a_listener(listen):
    found = problems({"PBEM_HOST": "games.example.org", "PBEM_RELAY": "smtp://x", "PBEM_WEB_LISTEN": listen})
    assert 1 == len(found)
    assert found[0].startswith(f"PBEM_SITE=http://{listen}: nobody else can open that")


def test_processes_on_a_shared_database_need_one_secret():
    shared = {**PUBLIC, "DATABASE_URL": "postgres://db/pbem"}
    assert problems(shared)[0].startswith("PBEM_SECRET: missing")
    assert config_from({**shared, "PBEM_SECRET": "s" * 32}).secret == "s" * 32


def test_everything_wrong_is_named_at_once():
    wrong = {
        "PBEM_HOST": "no host",
        "PBEM_SITE": "ftp://example.org",
        "PBEM_SMTP_LISTEN": "2525",
        "PBEM_RELAY": "mail.example.org:25",
        "PBEM_DELIMITER": "_",
        "PBEM_OPERATOR": "postmaster",
        "PBEM_MAX_MAIL": "1 byte",
        "PBEM_SECRET": "short",
        "PBEM_TEMPLATES": "nowhere",
        "PBEM_ATTEMPTS": "many",
        "PBEM_LOG_LEVEL": "loud",
        "DATABASE_URL": "mysql://db/pbem",
        "PORT": "http",
    }
    assert "PORT=http: no address to listen on; write it like 127.0.0.1:8000." in problems(wrong)
    assert set(wrong) == {problem.split("=")[0] for problem in problems(wrong)}


def test_a_game_that_does_not_exist_is_named_with_those_that_do():
    assert (
        f"PBEM_GAMES=bipod, chess: no game is called chess; write all, or some of {', '.join(RULES)}.",
    ) == (problems({"PBEM_GAMES": "bipod, chess"}))


def test_games_are_offered_in_one_order_however_they_are_written():
    assert ("bipod",) == config_from({"PBEM_GAMES": " Bipod,bipod ,"}).games


PUBLIC = {"PBEM_HOST": "play.example.org", "PBEM_SITE": "https://play.example.org", "PBEM_RELAY": "smtp://r"}
ASKED = tuple(key for key, rules in RULES.items() if rules.ask_first)


@pytest.mark.parametrize("written", [{}, {"PBEM_GAMES": ""}, {"PBEM_GAMES": "All"}])
def test_in_public_a_game_whose_author_wants_to_be_asked_is_not_offered_unless_it_is_named(written):
    config = config_from(PUBLIC | written)
    assert ("bagel",) == ASKED == config.withheld
    assert set(RULES) - set(ASKED) == set(config.games)
    named = config_from(PUBLIC | {"PBEM_GAMES": "bipod,bagel"})
    assert ({"bipod", "bagel"}, ()) == (set(named.games), named.withheld)


@pytest.mark.parametrize(
    ("host", "site", "offered"),
    [
        ("localhost", "http://127.0.0.1:8000", True),
        ("localhost", "http://192.168.1.7:8000", True),
        ("pbem.lan", "http://pbem.lan", True),
        ("mill", "http://mill:8000", True),
        ("localhost", "http://[::1]:8000", True),
        ("localhost", "https://play.example.org", False),
        ("play.example.org", "http://192.168.1.7", False),
        ("localhost", "http://93.184.215.14", False),
    ],
)
def test_on_a_machine_or_a_network_of_ones_own_every_game_is_there(host: str, site: str, offered: bool):
    config = config_from({"PBEM_HOST": host, "PBEM_SITE": site, "PBEM_RELAY": "smtp://r"})
    assert offered == ({*RULES} == {*config.games})


def test_a_name_that_is_no_setting_is_an_error_with_the_nearest_one():
    assert ("PBEM_DATBASE: there is no such setting; did you mean PBEM_DATABASE?",) == (
        problems({"PBEM_DATBASE": "sqlite:///x"})
    )


def test_a_name_like_no_setting_is_an_error_without_another_name():
    assert ("PBEM_FOO: there is no such setting.",) == problems({"PBEM_FOO": "1"})


@pytest.mark.parametrize("name", [*GONE, "PBEM_BLOBS_FILE"])
def test_a_setting_that_is_gone_is_an_error_with_what_to_do_instead(name):
    (problem,) = problems({name: "x"})
    assert problem.startswith(f"{name}: this setting is gone; {GONE[name.removesuffix('_FILE')]}")
    config_from({name: ""})


def test_lines_of_the_file_that_cannot_be_read_are_named(tmp_path, monkeypatch):
    (path := tmp_path / ".env").write_text("# mine\nPBEM_POLL=60\n\nPBEM_HOST\nPBEM_SITE='http://x\n")
    with pytest.raises(SettingsError) as caught:
        load([path])
    assert (
        f"{path}, line 4: write NAME=value; nothing was read of it.",
        f"{path}, line 5: write NAME=value; nothing was read of it.",
    ) == caught.value.problems


def test_one_message_holds_all_problems_a_line_each():
    with pytest.raises(SettingsError) as caught:
        config_from({"PBEM_ATTEMPTS": "0", "PBEM_DELIMITER": "x"})
    assert [
        "2 settings are wrong:",
        "  PBEM_DELIMITER=x: must be + or . or -.",
        "  PBEM_ATTEMPTS=0: must be a whole number from 1 to 20.",
    ] == str(caught.value).splitlines()


PASSWORDS = {
    "PBEM_RELAY": "smtp://me:hunter2@mail.example.org",
    "PBEM_DATABASE": "postgresql://me:hunter2@db/pbem",
    "PBEM_SECRET": "hunter2" * 5,
}


def test_no_password_is_shown():
    config = config_from(PASSWORDS)
    shown = shown_values(config)
    assert "smtp://me:***@mail.example.org:587" == shown["PBEM_RELAY"]
    assert "postgresql+psycopg://me:***@db/pbem" == shown["PBEM_DATABASE"]
    assert "***" == shown["PBEM_SECRET"]
    assert "hunter2" not in repr(config) + str(shown)


@pytest.mark.parametrize(
    "wrong",
    [
        {"PBEM_RELAY": "smtp://me:hunter2@mail.example.org/inbox"},
        {"PBEM_RELAY": "me:hunter2@mail.example.org"},
        {"PBEM_DATABASE": "mysql://me:hun@ter/hunter2@db/pbem"},
        {"DATABASE_URL": "oracle://db/pbem?password=hunter2"},
        {"PBEM_SECRET": "hunter2"},
    ],
)
def test_no_password_stands_in_an_error(wrong):
    assert "hunter2" not in "".join(problems(wrong))


def test_the_environment_wins_over_the_env_file(tmp_path, monkeypatch):
    file = tmp_path / ".env"
    file.write_text("PBEM_HOST=file.test\nPBEM_OPERATOR='me@file.test' # a note\nPBEM_VAR=${HOME}\n")
    monkeypatch.setenv("PBEM_HOST", "environment.test")
    config = load([file])
    assert "environment.test" == config.host
    assert "me@file.test" == config.operator
    assert Path("${HOME}") == config.var


@pytest.mark.parametrize(
    "text", ["plain", "it's", 'a "b"', "a\\b", "\\'", "$HOME", "x # y", " ä ", "a\nb", "'"]
)
def test_settings_that_are_written_are_read_again(text):
    written = {"PBEM_MAILGUN_KEY": text, "DATABASE_URL": "postgres://pbem:p'w@db/pbem"}
    assert written == read_settings(written_settings({**written, "PATH": "/bin", "PBEM_HOST": ""}))


def test_the_first_file_that_is_there_is_read_unless_another_is_named(tmp_path, monkeypatch):
    own, systems, named = (tmp_path / name for name in ("own", "systems", "named"))
    systems.write_text("PBEM_HOST=systems.test")
    assert "systems.test" == load([own, systems]).host
    own.write_text("PBEM_HOST=own.test")
    assert "own.test" == load([own, systems]).host
    named.write_text("PBEM_HOST=named.test")
    monkeypatch.setenv("PBEM_ENV_FILE", str(named))
    assert "named.test" == load([own, systems]).host


def test_every_secret_may_stand_in_a_file_of_its_own(tmp_path):
    file = tmp_path / "secret"
    file.write_text("smtp://me:pw@mail.example.org\n")
    assert "pw" == config_from({"PBEM_RELAY_FILE": str(file)}).relay.password
    file.write_text("x" * 40 + "\n")
    assert "x" * 40 == config_from({"PBEM_SECRET_FILE": str(file)}).secret


def test_a_file_of_a_secret_that_cannot_be_read_is_named(tmp_path):
    (file := tmp_path / "empty").touch()
    assert (f"PBEM_SECRET_FILE={file}: the file is empty.",) == problems({"PBEM_SECRET_FILE": str(file)})
    none = tmp_path / "none"
    assert f"{none}: cannot be read" in problems({"PBEM_RELAY_FILE": str(none)})[0]
    both = {"PBEM_SECRET": "s" * 32, "PBEM_SECRET_FILE": str(file)}
    assert ("PBEM_SECRET_FILE: PBEM_SECRET is set too; take one of them away.",) == problems(both)
    assert "no such setting" in problems({"PBEM_HOST_FILE": str(file)})[0]


def test_env_example_says_what_the_defaults_are():
    example = (Path(__file__).parents[2] / ".env.example").read_text()
    uncommented = dict(
        line.removeprefix("#").split("=", 1) for line in example.splitlines() if line.startswith("#PBEM_")
    )
    assert config_from({}) == config_from(uncommented)


def test_a_secret_is_made_once_and_read_by_its_owner_alone(tmp_path):
    config = config_from({"PBEM_VAR": str(tmp_path / "var")})
    first = secrets_of(config)
    assert 32 <= len(first[0])
    assert first == secrets_of(config)
    assert 0o600 == stat.S_IMODE((tmp_path / "var" / "secret").stat().st_mode)
    assert ["secret"] == os.listdir(tmp_path / "var")


@pytest.mark.each_database
def test_processes_that_start_together_agree_on_one_secret(tmp_path):
    config = config_from({"PBEM_VAR": str(tmp_path)})
    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(lambda _: secrets_of(config), range(32)))
    assert 1 == len(made)


def test_a_secret_that_is_set_is_the_one_used(tmp_path):
    config = config_from({"PBEM_SECRET": "s" * 40, "PBEM_VAR": str(tmp_path / "var")})
    assert ("s" * 40,) == secrets_of(config)
    assert not (tmp_path / "var").exists()


def test_a_damaged_secret_is_not_used(tmp_path):
    (tmp_path / "secret").write_text("cut")
    with pytest.raises(SettingsError, match="secret is damaged"):
        secrets_of(config_from({"PBEM_VAR": str(tmp_path)}))


@pytest.mark.parametrize(
    ("text", "listen"),
    [
        ("off", Listen()),
        ("OFF", Listen()),
        ("unix:/run/pbem/lmtp", Listen(path="/run/pbem/lmtp")),
        ("127.0.0.1:2526", Listen("127.0.0.1", 2526)),
    ],
)
def test_a_mail_listener_may_be_a_port_a_unix_socket_or_off(text: str, listen: Listen) -> None:
    config = config_from({"PBEM_SMTP_LISTEN": text, "PBEM_LMTP_LISTEN": text})
    assert (listen, listen) == (config.smtp_listen, config.lmtp_listen)
    assert text.lower() == str(listen)
    assert config.development


def test_an_lmtp_listener_that_others_can_reach_ends_development_mode() -> None:
    with pytest.raises(
        SettingsError, match=r"the mail listener on 0\.0\.0\.0:24 can be reached from outside"
    ):
        config_from({"PBEM_LMTP_LISTEN": "0.0.0.0:24"})


WRONG_WAYS_IN = {
    "PBEM_LMTP_LISTEN": "unix:run/lmtp",
    "PBEM_SMTP_LISTEN": "unix:/" + "x" * 200,
    "PBEM_WEB_LISTEN": "unix:/run/pbem/web",
    "PBEM_POSTMARK_LOGIN": "user:short",
    "PBEM_WEBHOOK_KEY": "xyzzy",
    "PBEM_IMAP": "imaps://user@mail.example.org/INBOX",
    "PBEM_MAILDIR": "/nowhere/at/all",
    "PBEM_TLS_CERT": "/nowhere/cert.pem",
    "PBEM_POLL": "0",
}


@pytest.mark.parametrize(("name", "text"), WRONG_WAYS_IN.items())
def test_a_way_in_that_is_spelled_wrong_is_named(name: str, text: str) -> None:
    with pytest.raises(SettingsError) as wrong:
        config_from({name: text})
    assert [name] == [problem.partition("=")[0] for problem in wrong.value.problems]


def test_a_certificate_without_its_key_is_named(tmp_path: Path) -> None:
    (tmp_path / "cert.pem").touch()
    with pytest.raises(SettingsError, match="PBEM_TLS_KEY: missing"):
        config_from({"PBEM_TLS_CERT": str(tmp_path / "cert.pem")})


def test_no_secret_of_a_way_in_is_shown() -> None:
    secrets = {
        "PBEM_MAILGUN_KEY": "xyzzy" * 4,
        "PBEM_POSTMARK_LOGIN": "bill:" + "xyzzy" * 4,
        "PBEM_WEBHOOK_KEY": "xyzzy" * 8,
        "PBEM_IMAP": "imaps://club%40example.org:xyzzy%2F@mail.example.org/Games%20in",
    }
    config = config_from(secrets)
    rows = shown_values(config)
    assert "imaps://club%40example.org:***@mail.example.org:993/Games%20in" == rows["PBEM_IMAP"]
    assert "xyzzy" not in repr(config) + repr(rows)
    assert config.imap is not None
    assert ("club@example.org", "xyzzy/", "Games in") == (
        config.imap.user,
        config.imap.password,
        config.imap.folder,
    )


def test_the_page_about_backups_names_every_setting_that_leads_to_a_file_of_ours() -> None:
    page = (Path(__file__).parents[2] / "docs/run/backup.md").read_text()
    section = page.partition("### What it holds")[2].partition("\n## ")[0]
    files = {each.name for each in SETTINGS if each.parse in (parsers.file, parsers.folder)}
    assert {"PBEM_RECORD_KEY", "PBEM_TEMPLATES"} <= files
    assert {"PBEM_MAILDIR"} == {name for name in files if name not in section}  # its mail is elsewhere
    others = (".env", "PBEM_DKIM_KEY", "var/pbem.sqlite", "var/secret", "var/record.key")
    assert [] == [name for name in others if name not in section]


def test_a_web_address_has_a_port_that_there_is():
    assert (
        "PBEM_SITE=http://127.0.0.1:99999: no web address; write it like https://games.example.org.",
    ) == (problems({"PBEM_SITE": "http://127.0.0.1:99999"}))


def test_a_file_of_settings_in_another_encoding_is_named(tmp_path):
    path = tmp_path / ".env"
    path.write_bytes("PBEM_HOST=clüb.example".encode("latin-1"))
    with pytest.raises(SettingsError, match="save this file as UTF-8"):
        environment([path])


def test_a_mark_before_the_first_line_of_the_settings_is_passed_over(tmp_path):
    path = tmp_path / ".env"
    path.write_bytes("PBEM_HOST=club.example\n".encode("utf-8-sig"))
    assert "club.example" == environment([path])["PBEM_HOST"]


def test_a_folder_in_the_place_of_the_file_is_not_passed_over(tmp_path):
    with pytest.raises(IsADirectoryError):
        environment([tmp_path])
