"""Which projects are sandboxed without a word, and who can say otherwise."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardgen.cli import arguments
from cardgen.commands.production import trust
from cardgen.files import confinement
from cardgen.files.confinement_limits import Limits
from cardgen.files.project import Project

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "config"
    folder.mkdir()
    monkeypatch.setenv("CARDGEN_CONFIG", str(folder))
    return folder


def _own(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pass


def _of_another(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SUDO_UID", raising=False)
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)


def _with_data_of_another(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SUDO_UID", raising=False)
    usual, user = Path.stat, os.geteuid()

    def stat(path: Path, **more: Any) -> os.stat_result:
        found = usual(path, **more)
        return os.stat_result((*found[:4], user + 1, *found[5:])) if path == demo / "data" else found

    monkeypatch.setattr(Path, "stat", stat)


def _in_a_pull_request(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_EVENT_NAME", "pull_request_target")


def _in_a_merge_request(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI_MERGE_REQUEST_IID", "7")


def _said_so(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    demo.joinpath("cardgen.yaml").write_text("trusted: false\n", encoding="utf-8")


STRANGE = [
    *(
        pytest.param(each, marks=pytest.mark.skipif(sys.platform == "win32", reason="no owners"))
        for each in (_of_another, _with_data_of_another)
    ),
    *(_in_a_pull_request, _in_a_merge_request, _said_so),
]


WORDS = ("check", "demo")


def _options(demo: Path, command: str = "check", **more: Any) -> dict[str, Any]:
    return {"command": command, "project": str(demo), "sandboxed": None, "no_sandbox": False, **more}


def test_ones_own_project_is_not_sandboxed(demo: Path, config: Path) -> None:
    assert trust.sandbox_of(WORDS, _options(demo)) is None


@pytest.mark.parametrize("make", STRANGE)
def test_a_strangers_project_is_sandboxed(
    demo: Path, config: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[..., None]
) -> None:
    make(demo, monkeypatch)
    found = trust.sandbox_of(WORDS, _options(demo))
    assert found is not None
    assert found.reason
    assert trust.sandbox_of(WORDS, _options(demo, sandboxed=True)) == trust.Sandbox()
    assert trust.sandbox_of(WORDS, _options(demo, no_sandbox=True)) is None


@pytest.mark.parametrize("make", STRANGE)
def test_only_the_users_settings_trust(
    demo: Path, config: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[..., None]
) -> None:
    make(demo, monkeypatch)
    for text, trusted in (
        ("trusted: true", True),
        ("trusted: [{root}]", True),
        ("trusted: [/elsewhere]", False),
        ("trusted: [.]", False),
        ("trusted: false", False),
    ):
        config.joinpath("cardgen.yaml").write_text(text.format(root=demo), encoding="utf-8")
        assert (trust.why_untrusted(Project.open(demo)) is None) is trusted


def test_settings_in_the_project_are_not_the_users(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _in_a_pull_request(demo, monkeypatch)
    monkeypatch.setenv("CARDGEN_CONFIG", str(demo))
    demo.joinpath("cardgen.yaml").write_text("trusted: true\n", encoding="utf-8")
    assert trust.why_untrusted(Project.open(demo)) is not None


def test_a_project_cannot_trust_itself(run: Run, demo: Path, config: Path) -> None:
    for text in ("trusted: true", "trusted: 'yes'", "sandbox: off", "- trusted"):
        demo.joinpath("cardgen.yaml").write_text(text, encoding="utf-8")
        code, _, err = run("check", "demo")
        assert code == 1
        assert "cardgen.yaml:1" in err


def test_what_cannot_be_sandboxed_refuses_with_the_command_that_trusts(
    run: Run, demo: Path, config: Path
) -> None:
    demo.joinpath("cardgen.yaml").write_text("trusted: false\n", encoding="utf-8")
    for words, hint in (
        (("watch", "demo"), "cardgen watch demo --no-sandbox"),
        (("preview", "demo", "--port", "0"), "cardgen preview demo --port 0 --no-sandbox"),
        (("pull", "demo"), "cardgen pull demo --no-sandbox"),
        (("schema", "demo"), "cardgen schema demo --no-sandbox"),
        (
            ("table", "--from", "my cards.csv", "demo"),
            "cardgen table --from 'my cards.csv' demo --no-sandbox",
        ),
        (("build", "--jobs", "2", "--", "demo"), "cardgen build --jobs 2 --no-sandbox -- demo"),
    ):
        code, out, err = run(*words)
        assert (code, out) == (2, "")
        assert "[usage/untrusted]" in err
        assert err.replace(f" --project {demo}", "").endswith(f"{hint}\n")


def test_every_command_that_reads_a_game_can_be_trusted() -> None:
    read = {"explain", "new", "add", "plugin", "font", "calibrate", "completion", "doctor"}
    assert arguments.COMMANDS.keys() - read == arguments.SANDBOXED | arguments.UNCONFINED
    assert not arguments.SANDBOXED & arguments.UNCONFINED


def test_a_strangers_project_runs_confined_and_says_why(
    run: Run, demo: Path, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Limits] = []

    def confined(program: object, places: object, **more: Any) -> int:
        asked.append(more["limits"])
        return 0

    monkeypatch.setattr(confinement, "run", confined)
    demo.joinpath("cardgen.yaml").write_text("trusted: false\n", encoding="utf-8")
    code, _, err = run("check", "demo", "--budget", "90s,files=1GB")
    assert code == 0
    assert "cardgen.yaml" in err
    assert err.replace(f" --project {demo}", "").endswith(
        "cardgen check demo --budget 90s,files=1GB --no-sandbox\n"
    )
    assert [(limits.seconds, limits.written) for limits in asked] == [(90, 1_000_000_000)]
