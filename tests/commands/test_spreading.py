"""Drawing spread over executors: the bytes of a build by itself, and errors that say what to do."""

from __future__ import annotations

import functools
import gc
import pickle
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.commands.production import sides, workers
from cardgen.commands.production.stamping import processes
from cardgen.core.artwork import Artwork
from cardgen.core.findings import Finding, Severity
from tests.sampling import one_in
from tests.wording import Wording

COUNT, DISTINCT = 45, 40
"""Cards, and titles of cards: more than spreading is worth (see `smaller`), in several chunks."""


pytestmark = pytest.mark.usefixtures("smaller")


@pytest.fixture(name="smaller")
def _smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sixth of the sides that are sent at a time, and of those that are worth a process."""
    monkeypatch.setattr(workers, "CHUNK", workers.CHUNK // 6)
    monkeypatch.setattr(workers, "LEAST", workers.LEAST // 6)
    monkeypatch.setattr(sides, "LEAST", sides.LEAST // 6)


def _many_cards(folder: Path) -> None:
    cards = [
        f"  - {{id: c{number}, title: Card {number % DISTINCT}, "
        f"suit: {('sun', 'moon', 'leaf')[number % 3]}, value: {number % 5 + 1}, "
        f"text: 'Take **{number % DISTINCT}** :star: of these.'}}\n"
        for number in range(COUNT)
    ]
    (folder / "data/demo/cards.yaml").write_text("cards:\n" + "".join(cards), encoding="utf-8")


@pytest.fixture
def pool(demo: Path) -> Path:
    """A project with many cards."""
    _many_cards(demo)
    return demo


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bool], dict[str, bytes]]:
    """The files' bytes as a build by itself makes them, in an empty cache; with or without low ink."""

    @functools.cache
    def build(low_ink: bool = False) -> dict[str, bytes]:
        folder = tmp_path_factory.mktemp("alone")
        _many_cards(cardgen.new_project("demo", folder))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CARDGEN_CACHE", str(folder / "cache"))
            result = cardgen.build(
                cardgen.BuildOptions("demo", output=folder / "out", low_ink=low_ink),
                project=cardgen.Project.open(folder / "demo"),
            )
        return {Path(file.path).name: Path(file.path).read_bytes() for file in result.files}

    return build


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Builds in an empty cache, each time; gives the files' bytes."""
    turns = iter(range(100))

    def run(project: Path, executor: Executor | None = None, **options: Any) -> dict[str, bytes]:
        monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / f"cache-{next(turns)}"))
        result = cardgen.build(
            cardgen.BuildOptions("demo", output=tmp_path / "out", **options),
            project=cardgen.Project.open(project),
            executor=executor,
        )
        assert not result.up_to_date
        paths = [Path(file.path) for file in result.files]
        return {path.name: path.read_bytes() for path in paths}

    return run


class Counting(Executor):
    """Does everything at once, here, but through pickles as another process would."""

    def __init__(self) -> None:
        self.chunks: list[int] = []
        self.sent = self.drawn_from = 0
        """Bytes that were sent, and of the SVG in them."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        fn, args, kwargs = pickle.loads(pickle.dumps((fn, args, kwargs)))
        self.chunks.append(len(args[0].sources))
        self.sent += len(pickle.dumps(args))
        self.drawn_from += sum(len(source.svg) for source, _ in args[0].whole())
        future: Future[Any] = Future()
        try:
            future.set_result(pickle.loads(pickle.dumps(fn(*args, **kwargs))))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.mark.long
@pytest.mark.parametrize("low_ink", one_in(2, [False, True]))
def test_what_is_sent_pickles_and_gives_the_same_bytes(
    pool: Path, fresh: Any, alone: Any, low_ink: bool
) -> None:
    executor = Counting()
    assert fresh(pool, executor, low_ink=low_ink) == alone(low_ink)
    assert len(executor.chunks) > 3
    assert max(executor.chunks) <= workers.CHUNK
    assert sum(executor.chunks) == COUNT + 1  # each distinct side once, the back among them
    assert 0 < executor.sent < executor.drawn_from / 2  # some executors hold what they sent for long


@pytest.mark.long
def test_processes_give_the_same_bytes(pool: Path, fresh: Any, alone: Any) -> None:
    with processes(2) as executor:
        assert isinstance(executor, ProcessPoolExecutor)
        assert fresh(pool, executor) == alone()
    with processes(1) as none:
        assert none is None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.long
def test_a_dask_cluster_of_two_workers_gives_the_same_bytes(
    pool: Path, fresh: Any, alone: Any, tmp_path: Path
) -> None:
    distributed = pytest.importorskip("distributed")
    options: dict[str, Any] = {"dashboard_address": None, "local_directory": str(tmp_path / "dask")}
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, **options) as cluster,
        distributed.Client(cluster) as client,
        client.get_executor() as executor,
    ):
        assert fresh(pool, executor) == alone()
        name = "cardgen.commands.production.workers"
        used = client.run(lambda: __import__("sys").modules.get(name) is not None)
        assert list(used.values()) == [True, True]


@pytest.mark.long
def test_an_edit_sends_only_what_it_touched(
    pool: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settle: Callable[[Path], None]
) -> None:
    monkeypatch.setattr(workers, "LEAST", 1)
    monkeypatch.setattr(sides, "LEAST", 1)
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    for changed, sent in ((False, COUNT + 1), (True, 2)):  # two cards are called Card 3
        if changed:
            path = pool / "data/demo/cards.yaml"
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("title: Card 3,", "title: Card Three,"), encoding="utf-8")
        settle(pool / "data")
        executor = Counting()
        cardgen.build(cardgen.BuildOptions("demo"), project=cardgen.Project.open(pool), executor=executor)
        assert sum(executor.chunks) == sent


def test_few_sides_are_not_worth_a_process(demo: Path, fresh: Any) -> None:
    executor = Counting()
    assert fresh(demo, executor)
    assert executor.chunks == []


@pytest.mark.long
def test_sides_with_something_to_report_are_left_to_the_parent(
    pool: Path, fresh: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = pool / "data/demo/cards.yaml"
    text = path.read_text(encoding="utf-8").replace(":star: of these.", ":star: " + "and more " * 90)
    path.write_text(text, encoding="utf-8")
    said = []
    for executor in (None, Counting()):
        with pytest.raises(cardgen.CardgenError) as caught:
            fresh(pool, executor)
        said.append(caught.value.findings)
    assert said[0] == said[1]
    assert {finding.code for finding in said[0]} == {"text/overflow"}


@pytest.mark.long
def test_a_worker_that_sees_other_files_stops_the_build(pool: Path, fresh: Any, wording: Wording) -> None:
    class Elsewhere(Counting):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            icon = pool / "templates/demo/icons/star.svg"
            icon.write_text(icon.read_text(encoding="utf-8") + "\n", encoding="utf-8")
            return super().submit(fn, *args, **kwargs)

    with pytest.raises(cardgen.CardgenError) as caught:
        fresh(pool, Elsewhere())
    wording(caught.value)
    assert caught.value.findings[0].code == "build/worker"


def die(*_: Any) -> None:
    import os

    os._exit(3)


def test_a_worker_that_dies_is_a_finding(pool: Path, fresh: Any, wording: Wording) -> None:
    class Deadly(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            return inner.submit(die)

    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as inner,
        pytest.raises(cardgen.CardgenError) as caught,
    ):
        fresh(pool, Deadly())
    wording(caught.value)
    found = caught.value.findings[0]
    assert found.code == "build/executor"
    assert "Error" not in found.message
    assert "Process" not in found.message, "the name of a kind of error"
    assert isinstance(caught.value.__cause__, BrokenProcessPool)


@pytest.mark.long
def test_what_a_worker_cannot_draw_the_parent_says(
    pool: Path, fresh: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = sides.draw_sides

    def draw_sides(artworks: Any, *rest: Any, **more: Any) -> Any:
        made = list(artworks)
        if made and not made[0].key.startswith("labels"):  # of sheets, which no worker draws
            raise cardgen.CardgenError(Finding(Severity.ERROR, "art/failed", "it can't be drawn", None))
        return draw(made, *rest, **more)

    # Workers ask for it when they draw.
    monkeypatch.setattr("cardgen.pdf.drawing.draw_sides", draw_sides)
    executor = Counting()
    assert fresh(pool, executor), "the parent draws what came back undone"
    assert executor.chunks
    monkeypatch.setattr(sides, "draw_sides", draw_sides)
    with pytest.raises(cardgen.CardgenError) as caught:
        fresh(pool, Counting())
    assert {finding.code for finding in caught.value.findings} == {"art/failed"}


@pytest.mark.long
def test_jobs_on_the_command_line(pool: Path, run: Any) -> None:
    code, out, _ = run("build", "demo", "--jobs", "2")
    assert code == 0
    assert "output" in out
    for jobs in ("0", "-1", "1000"):
        code, _, err = run("build", "demo", "--jobs", jobs)
        assert code == 2
        assert "is not between 1 and 256" in err


def test_a_build_holds_few_sides_laid_out(pool: Path, fresh: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is drawn is not held with all that is on it, so that memory does not grow by that."""
    monkeypatch.setattr(sides, "AT_ONCE", 10)
    held: list[int] = []
    draw = sides.draw_sides

    def spy(artworks: Any, *rest: Any) -> Any:
        held.append(len(artworks))
        if len(held) % 6 == 0:  # it takes long to look through all that there is
            gc.collect()
            assert sum(isinstance(each, Artwork) for each in gc.get_objects()) < 50
        return draw(artworks, *rest)

    monkeypatch.setattr(sides, "draw_sides", spy)
    fresh(pool)
    assert max(held) == 10
    assert sum(held) == COUNT + 1
