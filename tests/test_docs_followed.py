"""What documents tell somebody to do is done, as `docs/made/following.py` says."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
import yaml

import cardgen

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs/made"))

from following import Section, Step, added, follow, follow_commands, sections  # noqa: E402

SECTIONS = [section for path in sorted(ROOT.glob("docs/*.md")) for section in sections(path)]


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cardgen.new_project("night-market", tmp_path_factory.mktemp("starter"))


@pytest.mark.parametrize(
    "section",
    [
        pytest.param(section, marks=[pytest.mark.long] if section.long else [], id=str(section))
        for section in SECTIONS
    ],
)
def test_a_section_can_be_followed(
    section: Section,
    starter: Path,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)  # and back again
    # a printer that a section measures is nobody else's
    monkeypatch.setenv("CARDGEN_CONFIG", str(tmp_path_factory.mktemp("config")))
    follow(section, tmp_path, starter)


# ---------------------------------------------------------------- the convention itself


def test_commands_of_the_console_stand_in_documents_that_are_followed() -> None:
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
        if path not in {section.document for section in SECTIONS}:
            assert not re.search(r"^```console", path.read_text(encoding="utf-8"), re.MULTILINE), path.name


def test_files_are_written_for_a_command() -> None:
    for section in SECTIONS:
        assert all(step.path for step in section.steps) <= (not section.steps), str(section)
    assert sum(bool(section.steps) for section in SECTIONS) > 40


def test_what_is_wrong_is_noticed(starter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(starter, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    follow_commands(Step(1, "$ cardgen list night-market\ncards … 6 distinct\n"))
    with pytest.raises(AssertionError, match="not:"):
        follow_commands(Step(1, "$ cardgen list night-market\nno such words\n"))
    with pytest.raises(AssertionError, match="ended with 2"):
        follow_commands(Step(1, "$ cardgen list nothing\n"))
    with pytest.raises(AssertionError, match="no command"):
        follow_commands(Step(1, "$ rm -r cards\n"))


def test_output_below_a_block_of_commands_is_compared(
    starter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "<!-- followed: each -->\n### One\n\n```sh\ncardgen list night-market\n```\n\n```text\n{}\n```\n"
    for folder, output in (("right", "cards … 6 distinct"), ("wrong", "no such words")):
        document = tmp_path / f"{folder}.md"
        document.write_text(page.format(output), encoding="utf-8")
        (section,) = sections(document)
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path)
        if folder == "right":
            follow(section, tmp_path / folder, starter)
        else:
            with pytest.raises(AssertionError, match="not:"):
                follow(section, tmp_path / folder, starter)


def test_what_is_added_is_merged() -> None:
    assert yaml.safe_load(added("a: {b: 1}\n", "c: 2\n", ".yaml", ["a"])) == {"a": {"b": 1, "c": 2}}
    cards = "cards:\n- {id: a, x: 1}\n- {id: b}\n"
    assert yaml.safe_load(added(cards, "- {id: a, y: 2}\n- {id: c}\n", ".yaml", ["cards"])) == {
        "cards": [{"id": "a", "x": 1, "y": 2}, {"id": "b"}, {"id": "c"}]
    }
    assert json.loads(added('{"a": {}}', '"b": {"type": "integer"}', ".json", ["a"])) == {
        "a": {"b": {"type": "integer"}}
    }
    assert added("<svg>\n</svg>\n", "<g/>\n", ".svg", []) == "<svg>\n<g/>\n</svg>\n"
