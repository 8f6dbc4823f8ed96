"""Templates beside the packages; an operator's own come first."""

import pytest

from pbem.resources import find_template, folders, rules_in_words
from rules import RULES


def test_our_templates_hold_letters_rules_and_pages():
    (ours,) = folders()
    assert {"mail", "rules", "web", "static"} <= {path.name for path in ours.iterdir()}


def test_an_operators_own_template_replaces_ours(tmp_path):
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "bipod.txt").write_text("House rules.\n")
    assert "House rules.\n" == rules_in_words(RULES["bipod"], tmp_path)
    assert [tmp_path, *folders()] == folders(tmp_path)


def test_what_the_operator_did_not_replace_is_ours(tmp_path):
    assert find_template("rules/bipod.txt") == find_template("rules/bipod.txt", tmp_path)


def test_a_template_that_is_missing_is_named():
    with pytest.raises(FileNotFoundError, match=r"there is no template mail/nonsense\.txt"):
        find_template("mail/nonsense.txt")
