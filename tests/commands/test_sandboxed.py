"""`--sandboxed` from the command line: the same findings, files and exit codes, confined."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.cli import arguments
from cardgen.cli.main import main
from cardgen.commands.production import sandboxed
from cardgen.commands.production.trust import Sandbox
from cardgen.files import confinement
from cardgen.files import kernel_rules as landlock
from cardgen.files import kernel_rules as seccomp
from cardgen.files.confinement_limits import Limits, Places
from tests.repositories import commit

ROOT = Path(__file__).resolve().parents[2]
CARDS = "data/demo/cards.yaml"
LINE = re.compile(r"sandboxed: .*\n")
holds = pytest.mark.skipif(
    landlock.version() == 0 or not seccomp.supported(), reason="this system can't hold writing and network"
)

Edit = Callable[[str, str, str], Path]
Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def command(demo: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs cardgen in the demo project; what is confined has a process of its own, as ever."""

    def call(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        with monkeypatch.context() as patch:
            patch.chdir(demo)
            for name, value in environment.items():
                patch.setenv(name, value)
            capfd.readouterr()
            try:
                code = main(words)
            except SystemExit as stop:
                code = int(stop.code or 0)
            return subprocess.CompletedProcess(words, code, *capfd.readouterr())

    return call


@pytest.fixture
def process(demo: Path) -> Command:
    """Runs cardgen as a user does, in the demo project."""

    def call(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "cardgen", *words],
            cwd=demo,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            text=True,
            capture_output=True,
            check=False,
        )

    return call


@pytest.mark.long
def test_a_check_finds_the_same(command: Command, process: Command, edit: Edit) -> None:
    edit(CARDS, "suit: moon\n    value: 1", "suit: moo\n    value: 10")
    for form, run in (("text", process), ("json", command)):
        plain = run("check", "demo", "--format", form)
        confined = run("check", "demo", "--format", form, "--sandboxed")
        assert confined.returncode == plain.returncode == 1
        assert confined.stdout == plain.stdout
        assert LINE.fullmatch(confined.stderr)
        assert plain.stderr == ""


@pytest.mark.parametrize(
    "words",
    [
        ("build", "demo", "--quiet"),
        pytest.param(("export", "demo", "--to", "tts", "--quiet"), marks=pytest.mark.long),
        pytest.param(("report", "demo"), marks=pytest.mark.long),
        pytest.param(("proof", "demo", "old-oak"), marks=pytest.mark.long),
    ],
    ids=lambda words: words[0],
)
def test_files_are_the_same_to_the_byte(
    command: Command, process: Command, demo: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    run, cache = process if words[0] == "build" else command, tmp_path / "cache"
    confined = run(*words, "--sandboxed", SOURCE_DATE_EPOCH="0", CARDGEN_CACHE=str(cache))
    assert not cache.exists(), "the cache of others is neither read nor written"
    written = _files(demo / "output/demo")
    shutil.rmtree(demo / "output/demo")
    plain = run(*words, SOURCE_DATE_EPOCH="0")
    assert (plain.returncode, confined.returncode) == (0, 0), confined.stderr
    assert LINE.sub("", confined.stderr) == plain.stderr
    assert confined.stdout == plain.stdout
    assert written == _files(demo / "output/demo") != {}


@pytest.mark.long
def test_a_reference_is_written_to_its_place(command: Command, demo: Path) -> None:
    assert command("reference", "demo", "--sandboxed").returncode == 0
    assert (demo / "data/demo/GAME_CARDS.md").is_file()
    assert command("reference", "demo", "--check", "--sandboxed").returncode == 0
    assert command("reference", "demo", "--check").returncode == 0


@pytest.mark.long
def test_translations_are_written_to_their_place(command: Command, demo: Path) -> None:
    manifest = demo / "data/demo/game.yaml"
    text = manifest.read_text(encoding="utf-8").replace(
        "language: en\n", "language: en\nlanguages: {de: {}}\n"
    )
    manifest.write_text(text, encoding="utf-8")
    assert command("translate", "demo", "--check", "--sandboxed").returncode == 1
    assert not (demo / "data/demo/de").exists()
    assert command("translate", "demo", "--sandboxed").returncode == 0
    assert (demo / "data/demo/de/texts.po").is_file()


@pytest.mark.parametrize(
    "words",
    [
        ("diff", "demo", "--html", "output/demo/changes.html"),
        pytest.param(("diff", "demo", "--exit-code", "--format", "json"), marks=pytest.mark.long),
        pytest.param(("report", "demo", "--format", "json", "--since", "HEAD"), marks=pytest.mark.long),
        pytest.param(("build", "demo", "--since", "HEAD", "--quiet"), marks=pytest.mark.long),
        pytest.param(
            ("table", "demo", "--to", "csv", "-o", "output/demo/demo-csv"), marks=pytest.mark.long
        ),
        pytest.param(("table", "demo", "--from", "edits", "--dry-run"), marks=pytest.mark.long),
        pytest.param(("schema", "demo", "--dry-run"), marks=pytest.mark.long),
    ],
    ids=" ".join,
)
def test_an_earlier_commit_tables_and_schemas_are_as_ever(
    command: Command, demo: Path, edit: Edit, tmp_path: Path, words: tuple[str, ...]
) -> None:
    (demo / ".gitignore").write_text("output/\n", encoding="utf-8")
    commit(demo)
    edit(CARDS, "title: Night Owl", "title: Dawn Owl")
    assert command("table", "demo", "--to", "csv", "--output", "edits").returncode == 0
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    confined = command(*words, "--sandboxed", SOURCE_DATE_EPOCH="0", TMPDIR=str(temporary))
    written = _files(demo / "output/demo")
    shutil.rmtree(demo / "output/demo", ignore_errors=True)
    plain = command(*words, SOURCE_DATE_EPOCH="0")
    assert (confined.returncode, confined.stdout) == (plain.returncode, plain.stdout), confined.stderr
    assert LINE.sub("", confined.stderr) == plain.stderr
    assert written == _files(demo / "output/demo")
    assert list(temporary.iterdir()) == [], "the private folders are gone"


@pytest.mark.long
def test_a_deck_from_elsewhere_is_read(command: Command, tmp_path: Path, edit: Edit) -> None:
    edit("data/demo/game.yaml", "\ncomponents:", "\ndecks: {component: cards}\ncomponents:")
    deck = tmp_path / "mine.txt"
    deck.write_text("2 Old Oak\n", encoding="utf-8")
    plain = command("check", "demo", "--deck", str(deck))
    confined = command("check", "demo", "--deck", str(deck), "--sandboxed")
    assert (confined.returncode, confined.stdout) == (plain.returncode, plain.stdout)
    assert "can't be read" not in confined.stdout


def test_misuse(command: Command) -> None:
    for words, message in (
        (("build", "demo", "--sandboxed", "--jobs", "2"), "--jobs"),
        (("export", "demo", "--to", "tts", "--install", "--sandboxed"), "--install writes outside"),
        (("export", "demo", "--to", "tts", "--tts-dir", "x", "--sandboxed"), "--tts-dir writes outside"),
        (("reference", "demo", "--output", "x.md", "--sandboxed"), "remove --output"),
        (("diff", "demo", "--html", "x.html", "--sandboxed"), "--html output/demo/changes.html"),
        (("diff", "demo", "--html", "output/demo/../x.html", "--sandboxed"), "--html output/demo/"),
        (("table", "demo", "--to", "ods", "--sandboxed"), "--output output/demo/demo.ods"),
        (("table", "demo", "--to", "csv", "-o", "data", "--sandboxed"), "--output output/demo/demo-csv"),
        (("table", "demo", "--from", "x.csv", "--sandboxed"), "--dry-run"),
        (("schema", "demo", "--sandboxed"), "--dry-run"),
        (("build", "demo", "--since", "HEAD", "--deck", "x", "--sandboxed"), "can't be combined"),
        (("build", "demoo", "--sandboxed"), "did you mean 'demo'"),
        (("build", "../demo", "--sandboxed"), "only the id of a game"),
        (("build", "demo", "--sandboxed=very"), "ignored explicit argument"),
        (("new", "x", "--sandboxed"), "unrecognized arguments"),
    ):
        done = command(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr


def test_a_bad_limit_is_misuse(command: Command) -> None:
    done = command("check", "demo", "--sandboxed", CARDGEN_SANDBOXED_SECONDS="long")
    assert done.returncode == 2
    assert "CARDGEN_SANDBOXED_SECONDS" in done.stderr


def test_too_much_time_is_a_finding(
    run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    confined = confinement.run

    def endless(program: object, places: Places, **more: Any) -> int:
        return confined(("-c", "while True: pass"), places, **{**more, "limits": Limits(seconds=1)})

    monkeypatch.setattr(confinement, "run", endless)
    code, out, err = run("check", "demo", "--sandboxed")
    assert (code, out) == (1, "")
    assert err.startswith("the game needed more than 1 s of processor time [sandboxed/time]\n  hint: ")


def test_a_failed_build_leaves_no_folder(command: Command, demo: Path, edit: Edit) -> None:
    edit(CARDS, "suit: moon\n    value: 1", "suit: moo\n    value: 1")
    assert command("build", "demo", "--sandboxed", "--output", "new").returncode == 1
    assert not (demo / "new/demo").exists()


@holds
@pytest.mark.parametrize("link", ["output", pytest.param("output/demo", marks=pytest.mark.long)])
def test_an_output_folder_that_the_pack_made_a_link_is_refused(
    command: Command, demo: Path, tmp_path: Path, link: str
) -> None:
    """Such a link could lead the output of `--sandboxed` into hooks of git, or home."""
    for target in (tmp_path / "home", demo / "data"):
        target.mkdir(exist_ok=True)
        place = demo / link
        if place.is_symlink():
            place.unlink()
        elif place.is_dir():
            for each in place.iterdir():
                each.unlink()
            place.rmdir()
        place.parent.mkdir(exist_ok=True)
        place.symlink_to(target)
        done = command("build", "demo", "--sandboxed")
        assert done.returncode == 1
        assert "[output/outside]" in done.stderr
        assert not any((tmp_path / "home").iterdir())


@pytest.mark.long
@holds
def test_a_folder_of_the_pack_that_is_a_link_is_not_read(
    command: Command, demo: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/card.svg").write_text("not for you", encoding="utf-8")
    (demo / "templates/demo/card.svg").unlink()
    (demo / "templates/demo/card.svg").symlink_to(tmp_path / "secret/card.svg")
    done = command("check", "demo", "--sandboxed=strict")  # it runs where all is held
    assert done.returncode == 1
    assert "not held here" not in done.stderr
    assert "not for you" not in done.stdout
    assert "Traceback" not in done.stderr


@holds
def test_code_that_got_in_gets_nowhere(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The places that a build is given, to code which does what it likes with them."""
    secret = tmp_path / "secret"
    secret.write_text("for nobody", encoding="utf-8")
    (demo / ".git").mkdir()
    (demo / ".git/config").write_text("token", encoding="utf-8")
    attack = f"""
import json, os, socket
said = {{}}
def attempt(name, action):
    try:
        action()
    except OSError:
        return
    said[name] = "done"
attempt("secret", lambda: open({str(secret)!r}).read())
attempt("git", lambda: open({str(demo / ".git/config")!r}).read())
attempt("write data", lambda: open({str(demo / CARDS)!r}, "a"))
attempt("write git", lambda: open({str(demo / ".git/hook")!r}, "w"))
attempt("other game", lambda: open({str(demo / "output/other")!r}, "w"))
attempt("cache", lambda: os.listdir({os.environ["CARDGEN_CACHE"]!r}))
attempt("network", lambda: socket.socket())
attempt("read data", lambda: open({str(demo / CARDS)!r}).read())
attempt("write output", lambda: open({str(demo / "output/demo/x")!r}, "w"))
print(json.dumps(said))
"""
    from cardgen.files import confinement

    run = confinement.run
    monkeypatch.setattr(
        confinement, "run", lambda program, places, **more: run(("-c", attack), places, **more)
    )
    monkeypatch.chdir(demo)
    options = {"command": "build", "game": "demo", "project": str(demo)}
    assert sandboxed.run_confined([], options, Sandbox()) == 0
    assert json.loads(capfd.readouterr().out) == {"read data": "done", "write output": "done"}


def test_help_is_the_only_thing_that_reads_services(
    demo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before a command is confined, its words are read, and nothing of the pack may be by then."""
    monkeypatch.setattr(cardgen.Project, "services", lambda self: pytest.fail("services were read"))
    monkeypatch.chdir(demo)
    assert arguments.parse(["build", "demo", "--sandboxed"]).sandboxed
    with pytest.raises(SystemExit):
        arguments.parse(["--version"])


@pytest.mark.parametrize("words", [("build", "demo"), ("check",)])
def test_before_a_command_is_confined_its_settings_alone_are_read(
    run: Callable[..., tuple[int, str, str]],
    demo: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
) -> None:
    """An audit hook sees each file that this process opens, whichever function opens it."""
    opened: list[str] = []
    is_heard = [True]

    def hear(event: str, given: tuple[Any, ...]) -> None:
        if is_heard and event == "open" and isinstance(given[0], str | bytes):
            opened.append(os.fsdecode(given[0]))

    started: list[list[str]] = []
    monkeypatch.setattr(confinement, "run", lambda *_, **__: started.append([*opened]) or 0)
    demo.joinpath("cardgen.yaml").write_text("trusted: false\n", encoding="utf-8")
    sys.addaudithook(hear)
    assert run(*words)[0] == 0
    is_heard.clear()
    [before] = started
    within = {Path(name).relative_to(demo).as_posix() for name in before if name.startswith(f"{demo}/")}
    assert within == {"cardgen.yaml"}


def test_doctor_says_what_would_be_held(command: Command) -> None:
    (line,) = [line for line in command("doctor").stdout.splitlines() if "--sandboxed" in line]
    if landlock.version() and seccomp.supported():
        assert line.startswith("ok  --sandboxed: no network (seccomp), files (landlock ")


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@holds
def test_project_and_game_are_found_as_ever(demo: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cardgen", "build", "--no-backs", "--sandboxed"],
        cwd=demo / "data/demo",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (demo / "output/demo/poker.no-backs.pdf").is_file()
