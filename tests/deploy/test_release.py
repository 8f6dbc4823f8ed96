"""What `deploy/release` refuses, in scratch clones; .ci/run makes a whole release."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
US = ("-c", "user.name=test", "-c", "user.email=test@localhost")
NEWS = "# Changelog\n\n## [Unreleased]\n\n## [99.0.0] - 2026-01-01\n"


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *US, *words], cwd=folder, check=True, capture_output=True)


def release(folder: Path, **env: str) -> tuple[int, str]:
    done = subprocess.run(
        [folder / "deploy/release"],
        cwd="/",
        env={"PATH": "/usr/bin:/bin", **env},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stderr


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository with the script and a tagged commit."""
    folder = tmp_path / "clone"
    (folder / "deploy").mkdir(parents=True)
    shutil.copy(ROOT / "deploy/release", folder / "deploy")
    (folder / "CHANGELOG.md").write_text(NEWS)
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "--message", "first")
    git(folder, "tag", "v99.0.0")
    return folder


def test_a_commit_without_a_tag_is_refused(clone: Path) -> None:
    git(clone, "commit", "--allow-empty", "--message", "second")
    assert (1, True) == ((refused := release(clone))[0], "no tag such as v1.0.0" in refused[1])
    git(clone, "tag", "tried")
    assert "no tag such as v1.0.0" in release(clone)[1]


def test_a_changed_tree_is_refused(clone: Path) -> None:
    (clone / "new").write_text("")
    assert (1, True) == ((refused := release(clone))[0], "changes that v99.0.0 does not have" in refused[1])


def test_a_version_that_the_changelog_does_not_name_is_refused(clone: Path) -> None:
    (clone / "CHANGELOG.md").write_text(NEWS.replace("99.0.0", "98.0.0"))
    git(clone, "commit", "--all", "--message", "second")
    git(clone, "tag", "v99.0.1")
    assert (1, True) == ((refused := release(clone))[0], "no section '## [99.0.1] - DAY'" in refused[1])


def test_a_folder_with_another_release_is_refused(clone: Path) -> None:
    (clone / ".git/info/exclude").write_text("dist\n")
    (clone / "dist").mkdir()
    (clone / "dist/pbem-98.0.0.tar.gz").write_text("")
    assert (1, True) == ((refused := release(clone))[0], "dist is not empty" in refused[1])


def test_nothing_is_left_where_it_fails_later(clone: Path, tmp_path: Path) -> None:
    (scratch := tmp_path / "scratch").mkdir()
    status, _ = release(clone, TMPDIR=str(scratch), PYTHON="false")
    assert (1, []) == (status, list(scratch.iterdir()))
    assert not (clone / "dist").exists()
