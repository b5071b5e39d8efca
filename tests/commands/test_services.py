"""Files of print services, on the command line: whoever does not need one never notices what is wrong."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen

Run = Callable[..., tuple[int, str, str]]
SOUND = "title: %s\nlike: mpc\n"

BROKEN = {"not YAML": "title: [", "control characters": 'title: "\x1b[31mred"\nlike: mpc\n'}
"""What else a file of a service can be is tested in `tests/game/test_services.py`."""


def put(demo: Path, text: str | bytes, name: str = "mine") -> Path:
    folder = demo / "data/services"
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_service(text: str | bytes, demo: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo)
    put(demo, text)
    for words in (("build", "--help"), ("export", "--help"), ("list", "demo")):
        code, out, _ = run(*words)
        assert code == 0
        assert "\x1b" not in out
    assert run("export", "demo", "--to", "png", "--dpi", "20")[0] == 0
    code, _, err = run("export", "demo", "--to", "mine")
    assert code == 1
    assert "data/services/mine.yaml" in err
    code, out, _ = run("check", "demo")
    assert code == 1
    assert "data/services/mine.yaml" in out


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_a_service_that_is_a_link_elsewhere(demo: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo)
    path = put(demo, "")
    for target in ("/dev/zero", "nowhere", "mine.yaml"):
        path.unlink()
        path.symlink_to(target)
        assert run("export", "--help")[0] == 0
        code, out, _ = run("check", "demo")
        assert code == 1
        assert "data/services/mine.yaml: the file " in out
    assert run("build", "demo")[0] == 0


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_services_that_cannot_be_listed(demo: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo)
    (demo / "data/services").symlink_to("/usr")
    code, out, _ = run("export", "--help")
    assert code == 0
    assert "tts" in out
    assert run("export", "demo", "--to", "png", "--dpi", "20")[0] == 0
    code, _, err = run("export", "demo", "--to", "mpc")
    assert code == 1
    assert "data/services: " in err
    assert "/usr [file/outside]" in err
    assert "[file/outside]" in run("check", "demo")[1]


@pytest.mark.parametrize("name", ["my shop", "\x1b[31m"])
def test_a_name_that_none_can_have(
    name: str, demo: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(demo)
    try:
        put(demo, SOUND % "Mine", name)
    except OSError:
        pytest.skip("this file system has no such names")
    assert name not in cardgen.exporters(cardgen.Project.open(demo))
    assert name not in run("export", "--help")[1]
    assert run("export", "demo", f"--to={name}")[0] == 2
    code, out, _ = run("check", "demo")
    assert code == 1
    assert "[service/name]" in out


def test_titles_are_shown_letter_by_letter(demo: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo)
    for title in ("100% cotton", "%(prog)s %(no)s 5%", "{} $x", "Caf\u00e9"):
        put(demo, SOUND % title)
        code, out, _ = run("export", "--help")
        assert code == 0
        assert f"  mine            print service: {title}\n" in out


def test_no_other_help_looks_at_the_project(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def looked(*_: object) -> None:
        raise AssertionError("the project was looked at")

    monkeypatch.setattr(cardgen, "exporters", looked)
    monkeypatch.setattr(cardgen.Project, "open", looked)
    from cardgen.cli.arguments import COMMANDS
    from cardgen.cli.main import main

    for words in (["--version"], ["--help"], *([name, "--help"] for name in COMMANDS if name != "export")):
        with pytest.raises(SystemExit) as stop:
            main(words)
        assert stop.value.code == 0


def test_a_service_may_not_have_the_name_of_another_exporter(demo: Path, run: Run) -> None:
    put(demo, SOUND % "PNG", "png")
    code, _, err = run("export", "demo", "--to", "png")
    assert code == 2
    assert "rename data/services/png.yaml" in err
    assert run("export", "demo", "--to", "pcio")[0] == 0
