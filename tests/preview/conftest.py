"""A browser for the tests of the workbench: Debian's chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
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


def chromium() -> str:
    """The browser's file. Skips the test where there is none, or fails it where there must be one."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        if os.environ.get("CARDGEN_TEST_BROWSER") == "must":
            pytest.fail("there is no chromium, and the environment says that there must be")
        pytest.skip("there is no chromium to look at the workbench with: .ci/setup --dev")
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=list(_QUIET))
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page at 1280 × 800; what its scripts complain of, or a browser's policy refuses, fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(30_000)
    shown = context.new_page()
    complaints: list[str] = []
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    shown.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    yield shown
    context.close()
    assert not complaints
