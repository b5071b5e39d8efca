"""The repository's own habits: build servers, releases, forms for people, and one place for each fact."""

from __future__ import annotations

import contextlib
import inspect
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

import cardgen
from cardgen.cli import saying
from tests.for_each import for_each

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = {path.stem: path for path in (ROOT / ".github/workflows").iterdir()}
TRUE = True
"""YAML 1.1 reads the key `on` as a truth value."""


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def load(name: str) -> Any:
    return yaml.safe_load(read(name))


def workflow(name: str) -> Any:
    return yaml.safe_load(WORKFLOWS[name].read_text(encoding="utf-8"))


def project() -> dict[str, Any]:
    return tomllib.loads(read("pyproject.toml"))


def steps(name: str) -> list[tuple[str, dict[str, Any]]]:
    """All steps of a workflow, each with its job's name."""
    jobs = workflow(name)["jobs"]
    return [(job, step) for job, content in jobs.items() for step in content.get("steps", ())]


def files() -> list[Path]:
    """What is in the repository, or would be once it is added."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode("utf-8")
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


# ---------------------------------------------------------------- workflows


@for_each("name", sorted(WORKFLOWS))
def test_workflows_may_only_read_and_every_step_does_one_thing(name: str) -> None:
    content = workflow(name)
    assert content["permissions"] == {"contents": "read"}
    for job in content["jobs"].values():
        assert "uses" in job or job["runs-on"]
        assert set(job.get("needs", ())) <= set(content["jobs"])
    for _, step in steps(name):
        assert ("run" in step) != ("uses" in step)
        assert "${{" not in step.get("run", ""), "values reach scripts as variables"
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"] == {"persist-credentials": False}


@for_each("file", [*(str(path.relative_to(ROOT)) for path in WORKFLOWS.values()), "action.yml"])
def test_actions_are_named_with_their_full_version(file: str) -> None:
    used = re.findall(r"uses: (\S+)", read(file))
    assert used
    for name in used:
        if name.startswith("./"):
            assert (ROOT / name).is_file()
        else:
            assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+\.\d+\.\d+", name), name


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize("name", sorted(WORKFLOWS))
def test_scripts_are_sound(name: str) -> None:
    assert workflow(name)["defaults"]["run"]["shell"] == "bash"
    for job, step in steps(name):
        done = subprocess.run(
            ["bash", "-n"], input=step.get("run", ""), text=True, capture_output=True, check=False
        )
        assert done.returncode == 0, (job, done.stderr)


def test_every_system_meets_every_python() -> None:
    job = workflow("ci")["jobs"]["tests"]
    matrix = job["strategy"]["matrix"]
    assert [name.partition("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert job["runs-on"] == "${{ matrix.os }}"
    scripts = [step.get("run", "") for name, step in steps("ci") if name == "tests"]
    for words in (".ci/setup --dev", "cardgen build ptsd", "pytest -n auto"):
        assert any(words in script for script in scripts), words


def test_the_pythons_are_those_that_are_promised() -> None:
    pythons = workflow("ci")["jobs"]["tests"]["strategy"]["matrix"]["python"]
    allowed = SpecifierSet(project()["project"]["requires-python"])
    before = Version(pythons[0]).release
    assert allowed.contains(pythons[0])
    assert not allowed.contains(f"{before[0]}.{before[1] - 1}.99")
    assert f"Python {pythons[0]} to {pythons[-1]}" in read("docs/stability.md")


def test_ci_does_all_that_a_change_must_pass() -> None:
    done = "\n".join(step.get("run", "") for _, step in steps("ci"))
    wanted = re.findall(r"^ *\$bin/(.+)$", read(".ci/run"), re.MULTILINE)
    assert len(wanted) == 7
    assert ".ci/image" in read(".ci/run")
    for command in (*wanted, ".ci/image"):
        assert command.replace(" -n 3", "") in done.replace(" -n auto", ""), command


def test_jobs_run_tests_that_exist() -> None:
    named = re.findall(r"\btests/[\w/.]*\w", "\n".join(step.get("run", "") for _, step in steps("ci")))
    assert {"tests/test_docs.py", "tests/test_doc_pictures.py", "tests/rules/test_reference.py"} <= set(
        named
    )
    for name in named:
        assert (ROOT / name).exists(), name


# ---------------------------------------------------------------- releases


def test_a_release_passes_everything_and_needs_no_password() -> None:
    content = workflow("release")
    assert content[TRUE] == {"push": {"tags": ["v[0-9]+.[0-9]+.[0-9]+"]}}
    jobs = content["jobs"]
    assert jobs["tests"] == {"uses": "./.github/workflows/ci.yml"}
    assert "workflow_call" in workflow("ci")[TRUE]
    assert set(jobs["publish"]["needs"]) == {"tests", "build"}
    assert jobs["publish"]["environment"] == "release"
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert "secrets" not in read(".github/workflows/release.yml")
    made, taken = (
        [step["with"] for name, step in steps("release") if step.get("uses", "").startswith(action)]
        for action in ("actions/upload-artifact@", "actions/download-artifact@")
    )
    assert [(each["name"], each["path"]) for each in made] == [
        (each["name"], each["path"]) for each in taken
    ]


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("tag", "heading", "said"),
    [
        ("v1.2.3", "## [1.2.3] - 2031-04-05", ""),
        ("v1.2.4", "## [1.2.3] - 2031-04-05", "::error::the tag v1.2.4 is not v1.2.3, which"),
        ("1.2.3", "## [1.2.3] - 2031-04-05", "::error::the tag 1.2.3 is not v1.2.3, which"),
        ("v1.2.3", "## [1.2.3] - Unreleased", "::error::CHANGELOG.md has no '## [1.2.3] - ' with a date"),
        ("v1.2.3", "## [1.2.30] - 2031-04-05", "::error::CHANGELOG.md has no '## [1.2.3] - ' with a date"),
        ("v1.2.3", "## [1x2x3] - 2031-04-05", "::error::CHANGELOG.md has no '## [1.2.3] - ' with a date"),
    ],
)
def test_a_tag_that_is_not_the_version_stops_the_release(
    tag: str, heading: str, said: str, tmp_path: Path
) -> None:
    (script,) = [step["run"] for _, step in steps("release") if "TAG" in step.get("env", {})]
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "python"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    (tmp_path / "pyproject.toml").write_text(read("pyproject.toml"), encoding="utf-8")
    (tmp_path / "cardgen").mkdir()
    (tmp_path / "cardgen/__init__.py").write_text('__version__ = "1.2.3"\n', encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n", encoding="utf-8")
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "TAG": tag, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith(said), done.stderr
    assert (done.returncode, bool(done.stdout)) == ((1, True) if said else (0, False)), done.stderr


def test_the_version_stands_in_one_place() -> None:
    content = project()
    assert "version" not in content["project"]
    assert content["project"]["dynamic"] == ["version"]
    assert content["tool"]["hatch"]["version"] == {"path": "cardgen/__init__.py"}
    assert re.fullmatch(r"\d+\.\d+\.\d+", cardgen.__version__)
    stated = [
        (path.relative_to(ROOT).as_posix(), match[1])
        for path in files()
        if path.suffix in (".py", ".toml", ".cfg", ".yml") and "tests" not in path.parts
        for match in re.finditer(
            r"^\s*_*version_*\s*[=:]\s*[\"']?(\d+\.\d+\.\d+)",
            path.read_text(encoding="utf-8"),
            re.MULTILINE | re.IGNORECASE,
        )
    ]
    assert stated == [("cardgen/__init__.py", cardgen.__version__)]


def test_the_changelog_tells_of_this_version() -> None:
    text = read("CHANGELOG.md")
    headings = re.findall(r"^## \[(.+?)\](?: - (.+))?$", text, re.MULTILINE)
    assert len(headings) == text.count("\n## ")
    assert headings[0] == ("Unreleased", "")
    assert headings[1][0] == cardgen.__version__
    for number, date in headings[1:]:
        assert re.fullmatch(r"\d+\.\d+\.\d+", number)
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", date) or (number, date) == (
            cardgen.__version__,
            "Unreleased",
        )
    numbers = [Version(number) for number, _ in headings[1:]]
    assert numbers == sorted(set(numbers), reverse=True)
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= kinds


def test_every_public_name_has_an_example_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the second row that have one, too. They run in a new project, one after the other."""
    names = [*cardgen.__all__, *sorted(cardgen.SECOND_ROW)]
    texts = {name: inspect.getdoc(getattr(cardgen, name)) or "" for name in names if name != "__version__"}
    examples = {
        name: dedent(text.partition("Example:\n")[2])
        for name, text in texts.items()
        if "Example:\n" in text
    }
    assert set(cardgen.__all__) - {"__version__"} <= set(examples)
    assert {"new_project", "export_to", "proof", "make_report"} <= set(examples)
    assert all(2 <= len(example.strip().splitlines()) <= 5 for example in examples.values())
    monkeypatch.chdir(tmp_path)
    for name in sorted(examples, key=lambda name: name != "new_project"):
        exec(compile(examples[name], name, "exec"), {"cardgen": cardgen, "contextlib": contextlib})
        if name == "new_project":
            monkeypatch.chdir("night-market")
    assert Path("poker.pdf").read_bytes().startswith(b"%PDF")
    assert Path("report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_what_is_promised_is_so() -> None:
    promise = read("docs/stability.md")
    (codes,) = re.findall(r"^\| \*\*exit codes\*\* \| (.+) \|$", promise, re.MULTILINE)
    assert [int(code) for code in re.findall(r"\b\d+\b", codes)] == [
        saying.OK,
        saying.FINDINGS,
        saying.MISUSE,
        130,
    ]
    for name in (*cardgen.__all__, *cardgen.SECOND_ROW):
        assert getattr(cardgen, name) is not None
    assert len(cardgen.__all__) <= 16
    assert not set(cardgen.__all__) & cardgen.SECOND_ROW
    assert {*cardgen.__all__, *cardgen.SECOND_ROW} >= set(cardgen._HOMES)
    (hook,) = load(".pre-commit-hooks.yaml")
    assert f"`{hook['id']}`" in promise


# ---------------------------------------------------------------- dependencies


def test_every_dependency_has_a_lower_bound_and_a_reason() -> None:
    lines = re.findall(
        r'^  "([^"]+)",(.*)$', read("pyproject.toml").partition("[project.opt")[0], re.MULTILINE
    )
    stated = [(requirement, reason) for requirement, reason in lines if " :: " not in requirement]
    assert [requirement for requirement, _ in stated] == project()["project"]["dependencies"]
    for requirement, reason in stated:
        assert ">=" in requirement
        assert len(reason.partition("#")[2]) > 10, requirement


def test_libraries_whose_insides_are_used_have_an_upper_bound() -> None:
    needed = {Requirement(line).name: Requirement(line) for line in project()["project"]["dependencies"]}
    for name in ("jinja2",):
        assert any(each.operator == "<" for each in needed[name].specifier), name


# ---------------------------------------------------------------- people


FORMS = sorted(
    set((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")) - {ROOT / ".github/ISSUE_TEMPLATE/config.yml"}
)


@for_each("path", FORMS, ids=lambda path: path.stem)
def test_issue_forms_are_what_the_host_takes(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(form) == {"name", "description", "labels", "body"}
    asked = [item for item in form["body"] if item["type"] != "markdown"]
    assert len({item["id"] for item in asked}) == len(asked) > 0
    for item in form["body"]:
        if item["type"] == "markdown":
            assert set(item["attributes"]) == {"value"}
        else:
            assert item["type"] == "textarea"
            assert item["attributes"]["label"]
            assert item["validations"].keys() == {"required"}


def test_there_are_forms_for_bugs_and_ideas() -> None:
    assert [path.stem for path in FORMS] == ["bug", "idea"]
    assert load(".github/ISSUE_TEMPLATE/config.yml") == {"blank_issues_enabled": True}


def test_a_pull_request_is_asked_for_what_contributing_says() -> None:
    asked = read(".github/PULL_REQUEST_TEMPLATE.md")
    contributing = read("CONTRIBUTING.md")
    for name in re.findall(r"`([^`]+)`", asked):
        assert (ROOT / name).is_file(), name
        assert name in contributing


def test_dependencies_and_actions_are_kept_up_to_date() -> None:
    updates = load(".github/dependabot.yml")["updates"]
    assert {each["package-ecosystem"] for each in updates} == {"pip", "github-actions"}
    for each in updates:
        assert (each["directory"], each["schedule"]["interval"]) == ("/", "weekly")


def test_hooks_before_a_commit_are_what_ci_runs() -> None:
    (repository,) = load(".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    run = read(".ci/run")
    for hook in repository["hooks"]:
        assert hook["language"] == "system"
        program, *words = hook["entry"].split()
        assert program.startswith(".venv/bin/")
        command = " ".join([Path(program).name, *words]).replace(" --force-exclude", "")
        assert re.search(rf"^\$bin/{re.escape(command)}(?: |$)", run, re.MULTILINE), hook["id"]


def test_editors_and_linters_agree() -> None:
    python = re.search(r"^\[\*\.py\]\n((?:.+\n)+)", read(".editorconfig"), re.MULTILINE)
    assert python is not None
    assert f"max_line_length = {project()['tool']['ruff']['line-length']}\n" in python[1]


def test_text_files_are_as_editors_leave_them() -> None:
    """Line ends, a line end at the end, no tabs: as `.editorconfig` has it."""
    kinds = {".py", ".md", ".yml", ".toml"}
    wrong = []
    for path in files():
        if path.suffix in kinds and "examples" not in path.parts:
            data = path.read_bytes()
            if b"\r" in data or b"\t" in data or (data and not data.endswith(b"\n")) or b" \n" in data:
                wrong.append(path.relative_to(ROOT).as_posix())
    assert wrong == []


def test_no_file_names_a_host_to_get_packages_from() -> None:
    hosts = re.compile(
        rb"\b(?:(?:test|upload)\.)?p[y]pi\.(?:org|io)\b|p[y]thonhosted|\bnpmj[s]\b|registry\.npm"
    )
    assert [path for path in files() if hosts.search(path.read_bytes())] == []
