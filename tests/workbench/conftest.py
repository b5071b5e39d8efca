"""A browser for the tests of the workbench: Debian's chromium, driven by Playwright."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize, sync_playwright

from cardgen.workbench import studio
from tests.workbench.desk import Desk, owls
from tests.workbench.served import served

_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""It is root's in many containers; and it asks for nothing of its own elsewhere."""
_VIEWPORT: ViewportSize = {"width": 1280, "height": 800}


def chromium() -> str:
    """The browser's file. Skips the test where there is none, or fails it where there must be one."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        if os.environ.get("CARDGEN_TEST_BROWSER") == "must":
            pytest.fail("there is no chromium, and the environment says that there must be")
        pytest.skip("there is no chromium to look at the workbench with: .ci/setup --dev")
    return found


@pytest.fixture
def drawn_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures drawn in this process, not in a child of their own: to fork one that has imported all tests
    takes longer than to draw."""
    monkeypatch.setattr(studio, "limited", lambda work: work())
    monkeypatch.setattr(studio, "are_drawn", lambda *_: False)
    monkeypatch.setattr(studio.pictures, "begin", lambda: None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=list(_QUIET))
        yield started
        started.close()


@pytest.fixture(scope="session")
def _window(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """One page for all tests, and what scripts complain of: a fresh one would fetch and compile all of the
    workbench's modules again, which takes longer than most of what is looked at."""
    heard: list[str] = []
    context = browser.new_context(viewport=_VIEWPORT, reduced_motion="reduce")
    context.set_default_timeout(30_000)

    def listen(shown: Page) -> None:
        shown.on("pageerror", lambda error: heard.append(str(error)))
        shown.on("console", lambda message: _hear(message, heard))

    context.on("page", listen)
    yield context.new_page(), heard
    context.close()


@pytest.fixture
def complaints(_window: tuple[Page, list[str]]) -> Iterator[list[str]]:
    """What the pages' scripts complain of, or a browser's policy refuses: at the end there is nothing."""
    heard = _window[1]
    heard.clear()
    yield heard
    assert not heard


@pytest.fixture
def page(_window: tuple[Page, list[str]], complaints: list[str]) -> Iterator[Page]:
    """An empty page at 1280 × 800, of a browser that remembers nothing of the tests before."""
    page = _window[0]
    page.set_viewport_size(_VIEWPORT)
    yield page
    page.unroute_all()
    for each in page.context.pages:
        if each.url.startswith("http"):
            each.evaluate("localStorage.clear()")
        if each is not page:
            each.close()
    page.goto("about:blank")  # first: what a page still asks for without its cookie is refused
    page.context.clear_cookies()


_EXPECTED = re.compile(r"/(favicon\.ico|since\.json|revisions\.json|report\.html|marks/\w+\.json)(\?|$)")
"""Addresses that may be answered with a refusal, which the page says in words."""


def _hear(message: ConsoleMessage, complaints: list[str]) -> None:
    if message.type != "error":
        return
    refused = re.match(r"Failed to load resource: .* status of (404|409)", message.text)
    url = message.location["url"]
    ended = (
        refused and refused[1] == "409" and re.search(r"/(side/|choices\.json)", url)
    )  # as the server stops
    if not ended and not (refused and _EXPECTED.search(url)):
        complaints.append(f"{message.text} ({url})")


@pytest.fixture(scope="session")
def _desk(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    project = owls(tmp_path_factory.mktemp("owls"))
    with served(project) as shop:
        yield Desk(shop, project)


@pytest.fixture
def desk(_desk: Desk) -> Iterator[Desk]:
    """A workbench that runs for all tests; its files are as they were after each."""
    yield _desk
    _desk.mend()
