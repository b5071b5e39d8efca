"""Drawing on Dask clusters: workers without the project's files, lost workers, unlike workers."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.commands.build.many import build_games
from cardgen.commands.production import cluster, sides, workers
from cardgen.core.findings import CardgenError, UsageError
from cardgen.files.listing import ProjectFolders
from cardgen.files.memory import hold
from cardgen.files.project import bundled_root
from tests.commands.test_all_games import with_second
from tests.for_each import for_each
from tests.wording import Wording

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("smaller")]
pytest.importorskip("distributed")

COUNT = 48


@pytest.fixture(name="smaller")
def _smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer sides at a time, and fewer that are worth a process."""
    monkeypatch.setattr(workers, "CHUNK", 6)
    monkeypatch.setattr(workers, "LEAST", 12)
    monkeypatch.setattr(sides, "LEAST", 12)


@pytest.fixture
def pool(demo: Path) -> Path:
    """A project with many cards, an icon of its own, and a picture on each card."""
    cards = "".join(
        f"  - {{id: c{number}, title: Card {number}, suit: sun, value: 1, text: '**{number}** :star:'}}\n"
        for number in range(COUNT)
    )
    (demo / "data/demo/cards.yaml").write_text(f"cards:\n{cards}", encoding="utf-8")
    return demo


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Builds in an empty cache, each time; gives the files' bytes."""
    turns = iter(range(100))

    def run(project: Path, executor: Any = None, progress: Any = None) -> dict[str, bytes]:
        monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / f"cache-{next(turns)}"))
        result = cardgen.build(
            cardgen.BuildOptions("demo", output=tmp_path / "out"),
            project=cardgen.Project.open(project),
            executor=executor,
            progress=progress,
        )
        return {Path(file.path).name: Path(file.path).read_bytes() for file in result.files}

    return run


class Processes:
    """A scheduler and workers as processes of their own, started as users start them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: list[subprocess.Popen[str]] = []
        self.address = ""

    def start(self, kind: str, *words: str, path: Path | None = None) -> subprocess.Popen[str]:
        place = self.folder / f"{kind}-{len(self.started)}"
        place.mkdir()
        env = {**os.environ, "CARDGEN_CACHE": str(place / "cache")}
        if path is not None:
            env["PYTHONPATH"] = str(path)
        command = [sys.executable, "-m", "distributed.cli.dask_" + kind, "--no-dashboard", *words]
        with (place / "log").open("w") as log:
            process = subprocess.Popen(
                command, cwd=place, env=env, stderr=log, stdout=log, text=True, start_new_session=True
            )
        self.started.append(process)
        process.log = place / "log"  # type: ignore[attr-defined]
        return process

    def scheduler(self) -> str:
        process = self.start("scheduler", "--host", "127.0.0.1", "--port", "0")
        found = self.logged(process, r"Scheduler at:\s+(tcp://\S+)")
        self.address = found
        return found

    def worker(self, path: Path | None = None) -> subprocess.Popen[str]:
        words = (self.address, "--nthreads", "1", "--no-nanny", "--local-directory", str(self.folder))
        process = self.start("worker", *words, path=path)
        self.logged(process, r"Registered to:\s+(\S+)")
        return process

    def logged(self, process: subprocess.Popen[str], pattern: str) -> str:
        for _ in range(1200):
            text = process.log.read_text()  # type: ignore[attr-defined]
            if found := re.search(pattern, text):
                return found[1]
            assert process.poll() is None, text
            time.sleep(0.05)
        raise AssertionError(text)

    def end(self) -> None:
        for process in self.started:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    found = Processes(tmp_path)
    yield found
    found.end()


def used_by(executor: Any) -> dict[str, int]:
    """How many projects' files each worker was sent."""
    module = "cardgen.commands.production.cluster"
    found: dict[str, int] = executor._client.run(lambda: len(__import__(module, fromlist=[""])._folders))
    return found


def test_workers_that_have_no_project_give_the_same_bytes(pool: Path, fresh: Any, tmp_path: Path) -> None:
    from distributed import LocalCluster

    steps: dict[str, list[int]] = {}

    def progress(step: str, done: int, total: int) -> None:
        steps.setdefault(step, []).append(done)

    options = {"dashboard_address": None, "local_directory": str(tmp_path), "protocol": "tcp"}
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, **options) as local,
        cardgen.cluster(local.scheduler_address) as executor,
    ):
        drawn = fresh(pool, executor, progress)
        assert min(used_by(executor).values()) > 0
    assert drawn == fresh(pool)
    assert steps["drawing"] == sorted(steps["drawing"]), "one bar that never goes back"
    assert steps["drawing"][-1] >= 2 * COUNT - 1


@pytest.mark.long
def test_two_local_processes_give_the_same_bytes(pool: Path, fresh: Any) -> None:
    with cardgen.cluster("local:2") as executor:
        assert fresh(pool, executor) == fresh(pool)
        assert set(used_by(executor).values()) == {1}


@pytest.mark.long
def test_two_games_at_once_on_one_cluster_have_the_same_bytes(
    pool: Path, processes: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = (pool / "data/demo/cards.yaml").read_text(encoding="utf-8")
    more = cards.removeprefix("cards:\n")
    many = [cards, *(more.replace("id: c", f"id: d{n}").replace("Card ", f"Card {n}.") for n in range(2))]
    (pool / "data/demo/cards.yaml").write_text("".join(many), encoding="utf-8")  # enough for processes
    project = cardgen.Project.open(with_second(pool))

    def built(name: str, **how: Any) -> dict[str, bytes]:
        monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / name))
        options = cardgen.BuildOptions("", output=tmp_path / f"out-{name}")
        found = dict(build_games(options, ["demo", "second"], project, **how))
        files = [
            file for each in found.values() if isinstance(each, cardgen.BuildResult) for file in each.files
        ]
        return {"/".join(Path(file.path).parts[-2:]): Path(file.path).read_bytes() for file in files}

    address = processes.scheduler()
    processes.worker(), processes.worker()
    drawn = built("cluster", jobs=2, cluster=address)
    with cardgen.cluster(address) as executor:
        executor.reach()  # type: ignore[attr-defined]
        assert sum(used_by(executor).values()) >= 2, "each game's files were sent"
    assert len(drawn) >= 2
    assert drawn == built("alone")


@pytest.mark.long
def test_a_worker_killed_in_the_middle_leaves_the_same_bytes(
    pool: Path, fresh: Any, processes: Processes
) -> None:
    alone = fresh(pool)
    with cardgen.cluster(processes.scheduler()) as executor:
        victim, _ = processes.worker(), processes.worker()
        killed: list[int] = []

        def progress(step: str, done: int, total: int) -> None:
            if step == "drawing" and done > total / 2 and not killed:
                os.kill(victim.pid, signal.SIGKILL)
                victim.wait()
                killed.append(done)

        assert fresh(pool, executor, progress) == alone
        assert killed
        assert len(executor._client.nthreads()) == 1


@pytest.mark.long
def test_a_cluster_without_workers_or_scheduler_is_a_finding(
    pool: Path, fresh: Any, processes: Processes, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(cluster, "NO_WORKER_S", 1.0)
    monkeypatch.setattr(cluster, "CONNECT_S", 1.0)
    address = processes.scheduler()
    said: list[CardgenError] = []
    with pytest.raises(CardgenError) as caught, cardgen.cluster(address) as executor:
        fresh(pool, executor)
    said.append(caught.value)
    worker = processes.worker()

    def kill(process: subprocess.Popen[str], step: str, done: int, total: int) -> None:
        if step == "drawing" and done > total / 2:
            process.kill()
            process.wait()

    for process in (worker, processes.started[0]):
        with pytest.raises(CardgenError) as caught, cardgen.cluster(address) as executor:
            fresh(pool, executor, partial(kill, process))
        said.append(caught.value)
        if process is worker:
            processes.worker()
    with pytest.raises(CardgenError) as caught, cardgen.cluster(address) as executor:
        fresh(pool, executor)
    said.append(caught.value)
    assert [each.code for error in said for each in error.findings] == ["build/cluster"] * 4
    wording("\n".join(str(error).replace(address, "tcp://HOST:PORT") for error in said))


@pytest.mark.long
def test_a_worker_with_other_code_is_refused_at_the_door(
    pool: Path, fresh: Any, processes: Processes, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(
        Path(cardgen.__file__).parent, other / "cardgen", ignore=shutil.ignore_patterns("__pycache__")
    )
    file = other / "cardgen/__init__.py"
    file.write_text(file.read_text().replace('__version__ = "', '__version__ = "9'), encoding="utf-8")
    without = tmp_path / "without/cardgen"
    without.mkdir(parents=True)
    (without / "__init__.py").write_text("raise ImportError('no cardgen')\n", encoding="utf-8")
    processes.scheduler()
    for path, message in (
        (other, f"cardgen 9{cardgen.__version__} instead of {cardgen.__version__}"),
        (without.parent, "cardgen is missing or another version"),
    ):
        worker = processes.worker(path)
        with pytest.raises(CardgenError) as caught, cardgen.cluster(processes.address) as executor:
            fresh(pool, executor)
        (found,) = caught.value.findings
        assert found.code == "build/worker"
        assert message in found.message
        assert "tcp://" in found.message
        worker.kill()
        worker.wait()


def test_a_task_that_ends_at_the_end_of_a_wait_has_its_result() -> None:
    class Task:
        waits = 0

        def done(self) -> bool:
            return True

        def result(self, timeout: float | None = None) -> str:
            self.waits += 1
            if timeout is not None:
                raise TimeoutError
            return "drawn"

    task = Task()
    with cluster.ClusterExecutor("local:1") as executor:
        assert executor.wait(task) == "drawn"
    assert task.waits == 2


def test_versions_that_differ_are_named() -> None:
    own = workers.environment()
    assert workers.differences(own) == ()
    other = tuple("pikepdf 0.1" if each.startswith("pikepdf ") else each for each in own)
    (found,) = workers.differences(other)
    assert re.fullmatch(r"pikepdf \S+ instead of 0\.1", found)
    code = tuple("cardgen's-code 00" if each.startswith("cardgen's-code") else each for each in own)
    assert len(workers.differences(code)) == 1
    (found,) = workers.differences((*own, "another 1.0"))
    assert found == "another missing instead of 1.0"


def test_files_that_were_sent_have_the_likeness_of_the_folder(pool: Path) -> None:
    paths = cardgen.Project.open(pool).paths
    own = [each for each in workers.contents_of(paths, "demo") if each.root == 0]
    held = hold({each.name: (pool / each.name).read_bytes() for each in own})
    sent = ProjectFolders((held.root, bundled_root()), held)
    assert {each.name.partition("/")[0] for each in own} >= {"templates"}
    assert workers.contents_of(sent, "demo") == workers.contents_of(paths, "demo")


@for_each(
    "address",
    "|local|local:0|local:257|local:-1|10.0.0.5|tcp://|http://a:1|a b:1|a:b".split("|"),
)
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(UsageError):
        cardgen.cluster(address)


@for_each("address", ["10.0.0.5:8786", "tcp://scheduler:8786", "tls://[::1]:8786", "local:256"])
def test_an_address_costs_nothing_before_there_is_work(address: str) -> None:
    cardgen.cluster(address).shutdown()


def test_a_wrong_address_is_noticed_though_few_cards_are_drawn(
    demo: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_S", 0.5)
    code, _, err = run("build", "demo", "--cluster", "127.0.0.1:9")
    assert code == 1
    assert "127.0.0.1:9" in err


def test_a_linked_folder_is_refused(pool: Path) -> None:
    (pool / "templates/demo/more").symlink_to(pool / "templates/demo/icons", target_is_directory=True)
    with pytest.raises(CardgenError) as caught:
        cluster._refuse_linked_folders(ProjectFolders((pool,)))
    assert caught.value.findings[0].code == "build/cluster"


def test_without_the_package_the_hint_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError) as caught:
        cardgen.cluster("local:2")
    assert "cardgen[dask]" in str(caught.value.findings[0].hint)


def test_options_that_exclude_each_other(run: Any) -> None:
    for words in (("--jobs", "2"), ("--sandboxed",)):
        code, _, err = run("build", "demo", "--cluster", "local:2", *words)
        assert code == 2
        assert "--cluster" in err
