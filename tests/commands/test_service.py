"""The web service of docs/examples, served by uvicorn, and programs of users before type checkers."""

from __future__ import annotations

import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pypdfium2
import pytest
from PIL import Image

import cardgen
from tests.commands import typed_program
from tests.commands.test_library import GAME

ROOT = Path(__file__).resolve().parents[2]
SERVICE = ROOT / "docs/examples/service.py"
CARDS = "cards:\n  - {id: ace, name: Ace}\n  - {id: king, name: King, copies: 2}\n"


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[ModuleType, Any]]:
    """The service's module, and a client of the running service."""
    pytest.importorskip("fastapi")
    httpx = pytest.importorskip("httpx")
    import uvicorn

    spec = importlib.util.spec_from_file_location("service", SERVICE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    server = uvicorn.Server(uvicorn.Config(module.app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
        yield module, client
    server.should_exit = True
    thread.join()


def test_the_service_returns_a_card_and_a_pdf(served: tuple[ModuleType, Any]) -> None:
    _, client = served
    card = client.post("/preview", params={"card": "king"}, content=CARDS)
    assert (card.status_code, card.headers["content-type"]) == (200, "image/png")
    assert Image.open(io.BytesIO(card.content)).size == (375, 525)
    sheet = client.post("/print", content=CARDS)
    assert (sheet.status_code, sheet.headers["content-type"]) == (200, "application/pdf")
    text = pypdfium2.PdfDocument(sheet.content)[0].get_textpage().get_text_range()
    assert (text.count("Ace"), text.count("King")) == (1, 2)


def test_the_service_answers_wrong_cards_with_findings(served: tuple[ModuleType, Any]) -> None:
    _, client = served
    wrong = client.post("/print", content=CARDS.replace("copies: 2", "copies: 99"))
    (found,) = wrong.json()
    assert wrong.status_code == 422
    assert (found["code"], found["line"]) == ("schema/maximum", 3)
    missing = client.post("/preview", params={"card": "queen"}, content=CARDS)
    assert (missing.status_code, missing.json()[0]["code"]) == (422, "usage")
    for broken in (b"cards: [", b"\xff\xfe", b""):
        assert client.post("/print", content=broken).status_code == 422


def test_the_service_limits_size_time_and_requests_at_once(
    served: tuple[ModuleType, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    module, client = served
    assert client.post("/print", content="#" * (module.MOST_BYTES + 1)).status_code == 413
    monkeypatch.setattr(module, "MOST_SECONDS", 0.0)
    assert client.post("/print", content=CARDS).status_code == 504
    monkeypatch.undo()

    entered, go = threading.Event(), threading.Event()

    def wait(game: cardgen.Game, card: str, **options: Any) -> bytes:
        entered.set()
        assert go.wait(60)
        return b"drawn"

    monkeypatch.setattr(module, "at_once", type(module.at_once)(1))
    monkeypatch.setattr(module.cardgen, "render_card", wait)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(client.post, "/preview", params={"card": "ace"}, content=CARDS)
        assert entered.wait(60)
        busy = client.post("/preview", params={"card": "ace"}, content=CARDS)
        go.set()
        assert (busy.status_code, busy.headers["retry-after"]) == (503, "1")
        assert (first.result().status_code, first.result().content) == (200, b"drawn")


def test_the_typed_program_runs(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {**GAME}
    found = typed_program.main(files, tmp_path)
    assert (found["cards"], found["built"]) == (3, [("poker", 1)])
    assert (found["cancelled"], found["refused"]) == (True, "usage/game")
    assert (found["findings"], found["version"]) == ({}, cardgen.__version__)
    assert found["pdf"]
    assert found["written"]
    assert isinstance(found["pictures"], dict)
    assert sorted(found["pictures"]) == ["ace", "king"]


@pytest.mark.long
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_type_checkers_find_nothing_in_programs_of_users(checker: str, tmp_path: Path) -> None:
    pytest.importorskip("fastapi")
    pytest.importorskip(checker)
    known = subprocess.run([sys.executable, "-m", checker, "--version"], capture_output=True, check=False)
    if known.returncode:
        pytest.skip(f"{checker} can't be installed here")
    for path in (SERVICE, Path(typed_program.__file__)):
        shutil.copy(path, tmp_path)
    (tmp_path / "wrong.py").write_text("import cardgen\n\ncardgen.load(1)\ncardgen.no\n", encoding="utf-8")
    options = ["--strict"] if checker == "mypy" else ["--pythonpath", sys.executable]
    for names, count in ((["service.py", "typed_program.py"], 0), (["wrong.py"], 2)):
        done = subprocess.run(
            [sys.executable, "-m", checker, *options, *names],
            cwd=tmp_path,
            env={**os.environ, "MYPYPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert len(re.findall(r":\d+(?::\d+)?(?: -|:) error: ", done.stdout)) == count, done.stdout
        assert done.returncode == (1 if count else 0), done.stdout
