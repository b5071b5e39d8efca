"""What several tests need: a small project of their own, and a cache that is nobody else's."""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

import cardgen
from cardgen.cli.main import main
from cardgen.core.findings import Findings, Problem
from cardgen.core.game import Language
from cardgen.core.paths import ProjectPaths
from cardgen.files.yaml import Document
from cardgen.game import cards, sources
from tests import sampling
from tests.sharing import share
from tests.wording import Approved, Wording

# Nothing is timed, as a busy machine says nothing of the code. Every run tries the same examples, so that
# a change fails for what it changed: 20 of each property, where the test names no other number.
# `pytest --hypothesis-profile=search` tries others each time, and five times as many.
settings.register_profile(
    "search", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
settings.register_profile("steady", settings.get_profile("search"), derandomize=True, max_examples=20)
settings.load_profile("steady")

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as a shell has it for what it runs in the background
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # or Ctrl-C would not end the commands of tests


def pytest_configure(config: pytest.Config) -> None:
    """Where no bytecode may lie beside the source, each process would compile all of it, every time."""
    if os.environ.get("PYTHONDONTWRITEBYTECODE") and hasattr(config, "cache"):
        with contextlib.suppress(OSError):  # a checkout that can't be written to
            sys.pycache_prefix = str(config.cache.mkdir("bytecode"))
            sys.dont_write_bytecode = False
    if not config.getoption("--hypothesis-profile", None):
        # Examples would also be drawn from the constants of all loaded modules: each process would parse
        # hundreds of files, and a change of any of them would change the examples.
        providers.is_local_module_file = lambda path: False
    sampling.short_run = config.option.markexpr == "not long"
    share()


def pytest_collection() -> None:
    gc.disable()


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: no use in looking through it again and again."""
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)  # what tests share, whole games, is not garbage either
    gc.enable()


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Files made for a test may be others each time: they give it no name."""
    return argname if isinstance(val, bytes) and len(val) > 40 else None


@pytest.fixture(scope="session", autouse=True)
def _private_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests neither read nor write the cache and the printer profiles of the person running them.

    The workers of one run share theirs, as two builds at once do.
    """
    base = tmp_path_factory.getbasetemp()
    folder = base.parent / "user" if "PYTEST_XDIST_WORKER" in os.environ else base / "user"
    names = (
        "CARDGEN_BUDGET",
        "CARDGEN_CACHE",
        "CARDGEN_CONFIG",
        "CARDGEN_PROGRESS",
        "CI_MERGE_REQUEST_IID",
        "GITHUB_EVENT_NAME",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONPYCACHEPREFIX",
        "SOURCE_DATE_EPOCH",
    )
    before = {name: os.environ.get(name) for name in names}
    os.environ["CARDGEN_CACHE"] = str(folder / "cache")
    os.environ["CARDGEN_CONFIG"] = str(folder / "config")
    for name in ("CARDGEN_BUDGET", "CI_MERGE_REQUEST_IID", "GITHUB_EVENT_NAME", "SOURCE_DATE_EPOCH"):
        os.environ.pop(name, None)
    os.environ["CARDGEN_PROGRESS"] = "off"  # a slow machine would say more
    if sys.pycache_prefix is not None:  # as above, for the processes that tests start
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sync, os.fsync = os.fsync, lambda _: None  # no test can see a power cut, and each waits for the disk
    yield
    os.fsync = sync
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@pytest.fixture
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that load many variants of one game: a rules file or a keyword table that is in none of
    them different, and has no faults, is checked the first time only."""
    check_rules_file, read_table = sources.load_checked, cards.read_language

    def load_checked(
        paths: ProjectPaths, relative: str, schema: str, findings: Findings
    ) -> Document | None:
        file = paths.find(relative)
        key = (relative, schema, file.read_bytes() if file else b"")
        if key not in _documents:
            document = check_rules_file(paths, relative, schema, findings)
            if document is None or findings.items:
                return document
            _documents[key] = document
        return _documents[key]

    def read_language(data: Mapping[str, Any], *, prose: bool = False) -> tuple[Language, list[Problem]]:
        key = repr((data, prose))
        if key not in _languages:
            _languages[key] = read_table(data, prose=prose)
        language, problems = _languages[key]
        return language, list(problems)

    monkeypatch.setattr(sources, "load_checked", load_checked)
    monkeypatch.setattr(cards, "read_language", read_language)


_documents: dict[tuple[str, str, bytes], Document] = {}
_languages: dict[str, tuple[Language, list[Problem]]] = {}


@pytest.fixture(scope="session")
def settle() -> Callable[[Path], None]:
    """Makes the files of a folder a minute older than they are. A file written a moment ago may yet change
    unseen, so nothing is remembered of it: a test that wants it remembered needs no sleep then."""

    def age(folder: Path) -> None:
        for path in [folder, *folder.rglob("*")]:
            if not path.is_symlink():
                then = path.stat()
                os.utime(path, ns=(then.st_atime_ns - 60 * 10**9, then.st_mtime_ns - 60 * 10**9))

    return age


@pytest.fixture(scope="session")
def _demo_original(tmp_path_factory: pytest.TempPathFactory, settle: Callable[[Path], None]) -> Path:
    project = cardgen.new_project("demo", tmp_path_factory.mktemp("new"))
    settle(project)
    return project


@pytest.fixture
def demo(_demo_original: Path, tmp_path: Path) -> Path:
    """A project folder as `cardgen new demo` makes it."""
    return Path(shutil.copytree(_demo_original, tmp_path / "demo"))


@pytest.fixture
def edit(demo: Path) -> Callable[[str, str, str], Path]:
    """Replaces a text that stands exactly once in a file of the demo project."""

    def replace(file: str, old: str, new: str) -> Path:
        path = demo / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return path

    return replace


@pytest.fixture
def run(demo: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs a command in the demo project; returns exit code, standard output, standard error."""

    def call(*words: str) -> tuple[int, str, str]:
        try:
            code = main([words[0], "--project", str(demo), *words[1:]])
        except SystemExit as stop:  # argparse
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return call


def pytest_addoption(parser: pytest.Parser) -> None:
    words = "rewrite the wording in tests/wording of the tests that run"
    parser.addoption("--approve-wording", action="store_true", help=words)


@pytest.fixture(scope="session")
def _approved(request: pytest.FixtureRequest) -> Iterator[Approved]:
    approving = request.config.getoption("--approve-wording")
    if approving and "PYTEST_XDIST_WORKER" in os.environ:
        pytest.exit("--approve-wording needs one process: add -n 0")
    approved = Approved(approving)
    yield approved
    if approving:
        approved.save()


@pytest.fixture
def wording(request: pytest.FixtureRequest, _approved: Approved) -> Wording:
    """Compare a message with its approved wording: see tests/wording."""
    folder = request.getfixturevalue("tmp_path") if "tmp_path" in request.fixturenames else None
    return Wording(_approved, request.node, folder)
