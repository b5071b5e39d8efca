"""What other people's build servers read: the action, the hook, and the examples of docs/ci.md."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from site import getsitepackages
from typing import Any

import pytest
import yaml

from tests.repositories import commit, git
from tests.sampling import one_in

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


def load(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def examples() -> list[Any]:
    return [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)]


def steps() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = load("action.yml")["runs"]["steps"]
    return found


def test_the_hook_has_what_pre_commit_asks_for() -> None:
    (hook,) = load(".pre-commit-hooks.yaml")
    assert (hook["id"], hook["language"], hook["pass_filenames"]) == ("cardgen-check", "python", False)
    assert (
        hook["entry"].split()[0]
        in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    )
    files = re.compile(hook["files"])
    for path in ("data/demo/cards.yaml", "templates/demo/card.svg", "games/schemas/demo/x.schema.json"):
        assert files.search(path), path
    for path in ("README.md", "mydata/notes.txt", "src/data.py"):
        assert not files.search(path), path


def test_the_action_is_composite_and_every_script_names_its_shell() -> None:
    action = load("action.yml")
    assert action["runs"]["using"] == "composite"
    assert action["inputs"]["games"]["required"] is True
    for name, entry in action["inputs"].items():
        assert entry["description"], name
        assert ("default" in entry) != entry.get("required", False), name
    for step in steps():
        assert ("run" in step) != ("uses" in step)
        assert "run" not in step or step["shell"] == "bash"


def test_every_input_is_used_and_none_is_part_of_a_script() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"\$\{\{ inputs\.([a-z-]+) \}\}", text)) == set(load("action.yml")["inputs"])
    for step in steps():
        assert "${{" not in step.get("run", "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize("step", [step for step in steps() if "run" in step], ids=lambda step: step["name"])
def test_scripts_are_sound(step: dict[str, Any]) -> None:
    done = subprocess.run(["bash", "-n"], input=step["run"], text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def run_check(
    demo: Path, tmp_path: Path, event: str = "push", **given: str
) -> subprocess.CompletedProcess[str]:
    """The action's step that checks, run as a runner does, beside the demo project."""
    tools = tmp_path / "bin"
    tools.mkdir(exist_ok=True)
    command = tools / "cardgen"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cardgen "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    (step,) = [step for step in steps() if step["name"] == "Check"]
    known = action_values(**{"games": "demo", "project": "demo", **given}) | {"github.event_name": event}
    path_list = f"{tools}{os.pathsep}{os.environ['PATH']}"
    return run_step(step, known, demo.parent, {**os.environ, "PATH": path_list, "PYTHONPATH": str(ROOT)})


def action_values(**given: str) -> dict[str, str]:
    """The values that a runner has for the action's expressions."""
    inputs = {name: entry.get("default", "") for name, entry in load("action.yml")["inputs"].items()}
    return {f"inputs.{name.replace('_', '-')}": value for name, value in (inputs | given).items()} | {
        "github.event_name": "push",
        "github.server_url": "https://example.com",
        "github.action_repository": "studio/cardgen",
        "github.action_ref": "v1",
    }


def run_step(
    step: dict[str, Any], known: dict[str, str], folder: Path, env: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    stated = {
        name: re.sub(r"\$\{\{ ([a-z_.-]+) \}\}", lambda match: known[match[1]], value)
        for name, value in step.get("env", {}).items()
    }
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env=env | stated,
        text=True,
        capture_output=True,
        check=False,
    )


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize("output", one_in(2, ["findings.txt", ""]))
def test_the_checking_step_checks(demo: Path, tmp_path: Path, output: str) -> None:
    path = demo / "data/demo/cards.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("suit: leaf", "suit: leef", 1), encoding="utf-8"
    )
    done = run_check(demo, tmp_path, output=output)
    assert done.returncode == 1, done.stderr
    said = (demo.parent / output).read_text(encoding="utf-8") if output else done.stdout
    assert said.startswith("::error file=demo/data/demo/cards.yaml,line=")


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_sarif_of_the_action_links_to_its_repository(demo: Path, tmp_path: Path) -> None:
    path = demo / "data/demo/cards.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("leaf", "leef", 1), encoding="utf-8")
    done = run_check(demo, tmp_path, format="sarif", output="cards.sarif", sandboxed="on")
    driver = json.loads((demo.parent / "cards.sarif").read_text())["runs"][0]["tool"]["driver"]
    page = "https://example.com/studio/cardgen/blob/v1/docs/findings.md"
    assert (done.returncode, driver["informationUri"]) == (1, page)
    assert {rule["id"]: rule["helpUri"] for rule in driver["rules"]}["schema/enum"] == f"{page}#schemaenum"


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("event", "sandboxed", "confined"),
    one_in(
        5,
        [
            ("pull_request", "auto", True),
            ("push", "auto", False),
            ("pull_request_target", "auto", True),
            ("pull_request", "off", False),
            ("push", "on", True),
        ],
    ),
)
def test_pull_requests_are_checked_confined(
    demo: Path, tmp_path: Path, event: str, sandboxed: str, confined: bool
) -> None:
    done = run_check(demo, tmp_path, event, sandboxed=sandboxed, format="text")
    assert (done.returncode, done.stdout) == (0, "no findings\n")
    assert done.stderr.startswith("sandboxed: ") == confined


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_the_checking_step_says_how_it_may_be_confined(demo: Path, tmp_path: Path) -> None:
    done = run_check(demo, tmp_path, sandboxed="yes; rm -rf /")
    assert (done.returncode, done.stdout) == (2, "::error::sandboxed is auto, on, strict or off\n")


def test_the_example_workflows_use_the_action_as_it_is() -> None:
    inputs = load("action.yml")["inputs"]
    required = {name for name, entry in inputs.items() if entry.get("required")}
    used = 0
    for example in examples():
        for job in example.get("jobs", {}).values():
            assert example[True]  # YAML 1.1 reads the key `on` as a truth value
            assert job["runs-on"]
            for step in job["steps"]:
                if step.get("uses", "").startswith("OWNER/cardgen@"):
                    used += 1
                    assert required <= set(step["with"]) <= set(inputs)
    assert used == 2


def test_the_example_for_pre_commit_names_the_hook() -> None:
    (hook,) = load(".pre-commit-hooks.yaml")
    (config,) = [example for example in examples() if "repos" in example]
    assert [entry["id"] for entry in config["repos"][0]["hooks"]] == [hook["id"]]


def test_every_input_is_in_the_guide() -> None:
    for name in load("action.yml")["inputs"]:
        assert f"| `{name}` |" in GUIDE


def test_an_address_of_explanations_that_is_none_is_refused(
    run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDGEN_FINDINGS_URL", "javascript:alert(1)")
    code, _, err = run("check", "demo")
    assert (code, "is not the address of a page" in err) == (2, True)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the files that installing cardgen needs, as they are now."""
    folder = tmp_path_factory.mktemp("cardgen")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and not name.startswith(("tests/", "docs/", "benchmarks/")) and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    commit(folder)
    return folder


def installing(tmp_path: Path) -> dict[str, str]:
    """The variables of programs that install cardgen: what it needs is taken from this Python, and nothing
    from a network."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        "PYTHONPATH": os.pathsep.join(getsitepackages()),
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this as: without isolation
        "CARDGEN_CACHE": str(tmp_path / "cache"),
    }


INSTALLS = pytest.mark.skipif(
    os.name == "nt" or not (ROOT / ".git").exists() or shutil.which("git") is None, reason="no git checkout"
)


@pytest.mark.long
@INSTALLS
def test_pre_commit_itself_installs_the_hook_and_runs_it(
    repository: Path, demo: Path, tmp_path: Path
) -> None:
    pytest.importorskip("pre_commit")
    hook = f"repos: [{{repo: '{repository}', rev: HEAD, hooks: [{{id: cardgen-check, args: [demo]}}]}}]\n"
    (demo / ".pre-commit-config.yaml").write_text(hook, encoding="utf-8")
    commit(demo)
    env = {**installing(tmp_path), "PRE_COMMIT_HOME": str(tmp_path / "home"), "NO_COLOR": "1"}

    def hooks() -> tuple[int, str]:
        git(demo, "add", "-A")
        done = subprocess.run(
            [sys.executable, "-m", "pre_commit", "run", "--color", "never"],
            cwd=demo,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    readme, cards = demo / "README.md", demo / "data/demo/cards.yaml"
    readme.write_text("Nothing of the game.\n", encoding="utf-8")
    code, text = hooks()
    assert (code, "no files to check" in text) == (0, True), text
    cards.write_text(cards.read_text(encoding="utf-8").replace("leaf", "leef", 1), encoding="utf-8")
    code, text = hooks()
    assert (code, "[schema/enum]" in text) == (1, True), text
    (package,) = (tmp_path / "home").glob("repo*/py_env*/lib/python*/site-packages/cardgen")
    assert (package / "_bundled/schemas").is_dir()


@pytest.mark.long
@INSTALLS
def test_all_steps_of_the_action_run_one_after_another(
    repository: Path, demo: Path, tmp_path: Path
) -> None:
    """All but the first, which sets up the Python: here it is a new environment."""
    made = [sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "python")]
    subprocess.run(made, check=True)
    env = installing(tmp_path)
    env["PATH"] = f"{tmp_path / 'python/bin'}{os.pathsep}{os.environ['PATH']}"
    known = action_values(games="demo", project="demo", format="json", output="found.json") | {
        "github.action_path": str(repository)
    }
    for step in steps():
        if "run" in step:
            done = run_step(step, known, demo.parent, env)
            assert done.returncode == 0, (step["name"], done.stdout, done.stderr)
    found = json.loads((demo.parent / "found.json").read_text(encoding="utf-8"))
    assert found["counts"] == {"error": 0, "warning": 0, "note": 0}
    (package,) = (tmp_path / "python").glob("lib/python*/site-packages/cardgen")
    assert (package / "_bundled/fonts").is_dir()
