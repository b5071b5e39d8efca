"""What a project has for editors: copies of schemas, settings, and tasks that read findings."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path

from cardgen.commands.production.editor_files import editor_files, own_schemas, refresh_project
from cardgen.core.findings import Finding, Location, Severity
from cardgen.core.formats import report_findings
from cardgen.files.project import Project, bundled_root
from tests.for_each import for_each
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]
SETTINGS = ".vscode/settings.json"


def test_a_new_project_has_copies_of_all_schemas_and_settings(demo: Path) -> None:
    for file, content in (own_schemas() | editor_files()).items():
        assert (demo / file).read_bytes() == content
    assert refresh_project(Project.open(demo)) == []


def test_an_older_copy_is_noted_and_breaks_nothing(demo: Path, run: Run) -> None:
    (demo / "schemas/card.schema.json").write_text('{"not": {}}', encoding="utf-8")
    (demo / "schemas/game.schema.json").write_text("no JSON", encoding="utf-8")
    (demo / "schemas/of-mine.schema.json").write_text("{}", encoding="utf-8")
    code, out, _ = run("check", "demo", "--fail-on", "warning")
    assert code == 0
    assert out.count("[schema/copy]") == 1
    assert "schemas/card.schema.json: note: " in out
    assert "card.schema.json, game.schema.json" in out
    assert "of-mine" not in out
    assert "[schema/copy]" in out
    assert "--refresh" in out
    assert run("build", "demo")[0] == 0


def test_line_ends_make_no_other_copy(demo: Path, run: Run) -> None:
    for file in own_schemas():
        (demo / file).write_bytes((demo / file).read_bytes().replace(b"\n", b"\r\n"))
    assert run("check", "demo")[1] == "no findings\n"


def test_refreshing_renews_copies_and_keeps_settings(demo: Path, run: Run) -> None:
    (demo / "schemas/card.schema.json").write_text("{}", encoding="utf-8")
    (demo / "schemas/rules.schema.json").unlink()
    (demo / ".vscode/tasks.json").unlink()
    (demo / SETTINGS).write_text('{"mine": true}', encoding="utf-8")
    mine = demo / "schemas/demo/cards.schema.json"
    before = mine.read_bytes()
    code, out, _ = run("new", "--refresh")
    assert code == 0
    assert [line.partition(":")[0] for line in out.splitlines()] == [
        ".vscode/tasks.json",
        "schemas/card.schema.json",
        "schemas/rules.schema.json",
    ]
    assert run("check", "demo")[1] == "no findings\n"
    assert (demo / SETTINGS).read_text(encoding="utf-8") == '{"mine": true}'
    assert mine.read_bytes() == before
    assert run("new", "--refresh")[1] == "up to date\n"


def test_what_can_not_be_refreshed(run: Run, wording: Wording) -> None:
    for words in (
        ("new",),
        ("new", "other", "--refresh"),
        ("new", "--refresh", "--project", str(bundled_root())),
        ("new", "--refresh", "--project", str(bundled_root() / "data")),
    ):
        code, _, err = run(*words)
        assert code == 2
        wording(err)


def test_settings_name_schemas_by_the_files_that_they_are_for() -> None:
    """In the shipped games, whose files say in their first line which schema is theirs."""
    root, seen = bundled_root(), set()
    stated: dict[str, list[str]] = json.loads(editor_files()[SETTINGS])["yaml.schemas"]
    for name, globs in stated.items():
        assert name.removeprefix("./") in own_schemas()
        for file in (path for glob in globs for path in root.glob(glob)):
            first = file.read_text(encoding="utf-8").partition("\n")[0]
            assert first.endswith(name.removeprefix(".")), file
            seen.add(name)
    assert len(seen) >= len(stated) - 1
    assert stated["./schemas/game.schema.json"] == ["data/*/game.yaml"]


PLACES = (
    Location("data/demo/cards.yaml", 6, 11, "cards[0].suit"),
    Location("data/demo/cards.yaml", 6, 11),
    Location("templates/demo/card.svg", 13),
    Location("data/demo/game.yaml"),
)
MESSAGES = ("'sunn' is not one of sun, moon", "of note: it says: warning [sic]", "a: b")


@for_each("severity", list(Severity))
def test_tasks_read_findings_as_check_prints_them(severity: Severity) -> None:
    for place, message in itertools.product(PLACES, MESSAGES):
        is_read_by_a_task(severity, place, message)


def is_read_by_a_task(severity: Severity, place: Location, message: str) -> None:
    finding = Finding(severity, "schema/enum-of", message, place, "did you mean 'sun'?")
    line, hint = report_findings([finding], "text").splitlines()
    tasks = json.loads(editor_files()[".vscode/tasks.json"])["tasks"]
    (check,) = (task for task in tasks if task["command"].startswith("cardgen check"))
    matchers = check["problemMatcher"]
    assert len({matcher["owner"] for matcher in matchers}) == len(matchers)
    found = [each for each in matchers if re.search(each["pattern"]["regexp"], line)]
    named = {Severity.NOTE: "info"}.get(severity, severity.value)
    assert [matcher["severity"] for matcher in found] == [named]
    pattern = found[0]["pattern"]
    match = re.search(pattern["regexp"], line)
    assert match is not None
    assert (pattern.get("kind") == "file") == (place.line is None)
    assert match[pattern["file"]] == place.file
    for key, value in {"line": place.line, "column": place.column}.items():
        shown = match[pattern[key]] if key in pattern else None
        assert shown == (None if value is None else str(value))
    assert match[pattern["message"]].endswith(message)
    assert match[pattern["code"]] == "schema/enum-of"
    assert not any(re.search(each["pattern"]["regexp"], hint) for each in matchers)
