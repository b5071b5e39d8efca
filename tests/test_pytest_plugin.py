"""A game's rules as tests of pytest."""

from __future__ import annotations

import os
import shutil
import warnings
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import cardgen
from tests.commands.test_judging import RULES

ROOT = Path(__file__).resolve().parent.parent

pytest_plugins = ["pytester"]


@pytest.fixture
def ruled(demo: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """pytester's folder as a project: one rule holds, one warns, one reports."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for entry in demo.iterdir():
        os.rename(entry, pytester.path / entry.name)
    (pytester.path / "data/demo/rules.yaml").write_text(RULES, encoding="utf-8")
    return pytester.path


def options() -> list[str]:
    # An installed cardgen brings the plugin with it; a bare checkout does not.
    installed = {entry.name for entry in entry_points(group="pytest11")}
    extra = [] if "cardgen" in installed else ["-p", "cardgen.pytest_plugin"]
    # What is imported here already can't have its assertions rewritten, which an inner run warns of.
    return [*extra, "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]


@pytest.fixture(scope="module", autouse=True)
def _imported(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What judging imports is there before a run in this process begins, as pytester forgets after it
    what it brought in: libraries in C don't outlive being imported twice."""
    folder = cardgen.new_project("warm", tmp_path_factory.mktemp("imported"))
    (folder / "data/warm/rules.yaml").write_text(RULES, encoding="utf-8")
    assert len(cardgen.judge(cardgen.load("warm", project=cardgen.Project.open(folder)))) == 3


def go(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    with warnings.catch_warnings():
        warnings.resetwarnings()  # the tests of this project take each for an error
        return pytester.runpytest_inprocess(*options(), *words)


def test_nothing_happens_unless_asked(ruled: Path, pytester: pytest.Pytester) -> None:
    assert go(pytester).ret == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.long
def test_each_rule_is_a_test(ruled: Path, pytester: pytest.Pytester) -> None:
    """In a process of its own, as a user runs it."""
    done = pytester.runpytest_subprocess(*options(), "--cardgen", "demo", "-v")
    done.assert_outcomes(passed=3, warnings=2)
    done.stdout.fnmatch_lines(["data/demo/rules.yaml::deck-size PASSED*", "*::rarer PASSED*"])
    done.stdout.fnmatch_lines(["*group “4” has 1 cop*rule/rarer*"])


def test_a_failing_rule_says_where_and_what_to_do(ruled: Path, pytester: pytest.Pytester) -> None:
    rules = ruled / "data/demo/rules.yaml"
    rules.write_text(RULES.replace("equals: 9", "equals: 8"), encoding="utf-8")
    done = go(pytester, "--cardgen", "demo")
    done.assert_outcomes(passed=2, failed=1, warnings=2)
    done.stdout.fnmatch_lines(["Are there nine cards?", "data/demo/rules.yaml:8:*9*8*", "  hint: *"])
    assert "Traceback" not in done.stdout.str()


def test_settings_ask_in_whole_runs_only(ruled: Path, pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\ncardgen_games = demo\n")
    pytester.makepyfile(test_other="def test_other(): pass")
    go(pytester).assert_outcomes(passed=4, warnings=2)
    go(pytester, "test_other.py").assert_outcomes(passed=1)
    go(pytester, "test_other.py", "--cardgen", "demo").assert_outcomes(passed=4, warnings=2)


def test_a_rule_by_its_test_id(ruled: Path, pytester: pytest.Pytester) -> None:
    go(pytester, "--cardgen", "demo", "data/demo/rules.yaml::deck-size").assert_outcomes(passed=1)
    go(pytester, "--cardgen", "demo", "-k", "opening").assert_outcomes(passed=1, deselected=2)


def test_a_project_elsewhere(ruled: Path, pytester: pytest.Pytester) -> None:
    away = pytester.mkdir("away")
    os.rename(ruled / "data", away / "data")
    os.rename(ruled / "templates", away / "templates")
    os.rename(ruled / "schemas", away / "schemas")
    go(pytester, "--cardgen", "demo", "--cardgen-project", "away").assert_outcomes(passed=3, warnings=2)
    pytester.makeini("[pytest]\ncardgen_games = demo\ncardgen_project = away\n")
    go(pytester).assert_outcomes(passed=3, warnings=2)


def test_a_game_that_cannot_be_loaded_is_one_failure(ruled: Path, pytester: pytest.Pytester) -> None:
    path = ruled / "data/demo/cards.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("suit: leaf", "suit: leef", 1), encoding="utf-8"
    )
    done = go(pytester, "--cardgen", "demo")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*'leef' is not one of*", "*did you mean 'leaf'*"])


def test_a_game_that_does_not_exist_is_misuse(ruled: Path, pytester: pytest.Pytester) -> None:
    done = go(pytester, "--cardgen", "dmeo")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["*demo*"])


def test_a_rule_for_decks_is_a_test_for_each_deck(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    shutil.copytree(ROOT / "tests/examples/deck-lists/game", pytester.path, dirs_exist_ok=True)
    deck = pytester.path / "data/duel/decks/alley.yaml"
    (deck.parent / "dear.yaml").write_text(
        "title: Dear\ncards: {Long Con: 3, Lookout: 9}\n", encoding="utf-8"
    )
    done = go(pytester, "--cardgen", "duel", "-v")
    done.assert_outcomes(passed=17, failed=1)
    done.stdout.fnmatch_lines(
        ["data/duel/rules.yaml::deck-copies (alley) PASSED*", "*::deck-copies (dear) FAILED*"]
    )
    done.stdout.fnmatch_lines(
        ["data/duel/decks/dear.yaml:2:22: *deck “Dear”: “Lookout”: more than 3 copies*"]
    )
