"""The picture of the workbench in the documentation: a browser's, of a shipped game.

Letters, buttons and scroll bars are the browser's and the system's, so it is not the same to the byte
everywhere: `docs/pictures.py` makes it where there is a browser, and leaves the kept one where there is
none.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
GAME, CARD = "ptsd", "data/off-switch"
NAME = "preview.png"
WIDTH, HEIGHT, SCALE = 1280, 800, 1.25
"""CSS px, and the picture's px for each."""
COLORS = 160
"""As many as keep the file below 200 kB."""
_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_WAIT_MS = 120_000


def browser() -> str | None:
    """The browser's file, or None."""
    return next(filter(None, map(shutil.which, _BROWSERS)), None)


def workbench() -> Image.Image:
    """The workbench with a card selected, when all its pictures are there."""
    from playwright.sync_api import sync_playwright

    command = [sys.executable, "-m", "cardgen", "preview", GAME]
    with (
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process,
        sync_playwright() as playwright,
    ):
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip().partition(": ")[2]
            shown = playwright.chromium.launch(
                executable_path=browser(), args=["--no-sandbox", "--disable-gpu"]
            )
            page = shown.new_page(
                viewport={"width": WIDTH, "height": HEIGHT},
                device_scale_factor=SCALE,
                color_scheme="light",
                reduced_motion="reduce",
                bypass_csp=True,
            )
            page.set_default_timeout(_WAIT_MS)
            page.goto(address)
            page.evaluate("localStorage.setItem('cardgen-preview', JSON.stringify({zoom: 0.67}))")
            page.goto("about:blank")
            page.goto(f"{address}#component={CARD.partition('/')[0]}&selected={CARD}")
            page.wait_for_selector(f".tile[data-place='{CARD}'][aria-selected=true] img")
            page.wait_for_function("document.querySelector('.state').textContent === 'Checked'")
            page.wait_for_timeout(2000)
            pixels = page.screenshot()
            shown.close()
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)
    return Image.open(BytesIO(pixels)).convert("RGB")
