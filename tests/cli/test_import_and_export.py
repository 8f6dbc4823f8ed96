"""`pbem import` and `pbem export`, as scripts rely on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules import RULES
from tests.apps import BILL, Clock, an_office, begin, writes
from tests.cli.test_serve import env, pbem
from tests.web.library import PUBLIC

__all__ = ["env"]

GAME = '[Game "Bipod"]\n\n1 first f2 f4 g3\n2 second e5 g1\n'


@pytest.fixture
def public(env: dict[str, str]) -> dict[str, str]:
    return {**env, **PUBLIC}


def test_import_prints_the_address_of_a_study_and_stores_nothing(
    public: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "my.game"
    file.write_text(GAME)
    done = pbem(public, "import", str(file))
    assert (0, "") == (done.returncode, done.stderr)
    assert done.stdout.startswith("https://pbem.example.org/study/")
    assert not (Path(public["PBEM_VAR"]) / "pbem.sqlite").exists()


def test_import_takes_the_score_of_a_newsgroup_post(public: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "post.txt"
    file.write_text("BI-POD\n======\n 1. f2 f4 g3  e5 g1\n 2. adopt     resign\n")
    assert pbem(public, "import", str(file)).stdout.startswith("https://pbem.example.org/study/")


@pytest.mark.parametrize(
    ("text", "code", "sentence"),
    [
        (GAME.replace("e5", "f2"), 1, "line 4: move 2: f2 is taken (a block, move 1)."),
        ("hello", 2, 'line 1: "hello" is neither a tag nor a move'),
        (f"{GAME}{'; x' * 50_000}", 2, "longer than the 100,000 characters"),
    ],
)
def test_import_refuses_what_is_no_game(
    public: dict[str, str], tmp_path: Path, text: str, code: int, sentence: str
) -> None:
    file = tmp_path / "my.game"
    file.write_text(text)
    done = pbem(public, "import", str(file))
    assert (code, "", True) == (
        done.returncode,
        done.stdout,
        f"{file}: " in done.stderr and sentence in done.stderr,
    )


def test_export_says_what_it_did_and_keeps_off_folders_of_others(env: dict[str, str], tmp_path: Path) -> None:
    assert 0 == pbem(env, "migrate").returncode
    place = tmp_path / "out"
    done = pbem(env, "export", str(place))
    files = 2 * len(("all", *RULES)) + len(("games.csv", "players.csv", "index.html", "key.pem", "key.json"))
    said = f"0 games in {files} files at {place}.\n"
    assert (0, said) == (done.returncode, done.stdout)
    assert said == pbem(env, "export", str(place)).stdout
    app = an_office({"PBEM_VAR": env["PBEM_VAR"]}, Clock())
    begin(app)
    writes(app, BILL, "resign")
    writes(app, BILL, "yes")
    app.close()
    assert "1 game in " in pbem(env, "export", str(place)).stdout
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis").touch()
    done = pbem(env, "export", str(mine))
    assert (2, True) == (done.returncode, "is not empty and holds no export" in done.stderr)
