"""How soon an edit is seen in a browser: from a file's last write to what changed painted on the page.

Debian's chromium, driven by Playwright, on a served game. A card counts as painted two animation frames
after its new picture was decoded and put into the page; the page's clock and this process's are the same
(`performance.timeOrigin`). Used by `preview.py`.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright
from preview import Case

ROOT = Path(__file__).resolve().parent.parent
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
OPENED_S = 240
"""Most seconds until thousands of cards are loaded, on a busy machine."""
LOST_S = 20
"""When an edit that isn't seen is given up."""
PAUSE_S = 0.15
"""Between two edits: a person takes longer, and a burst of saves is seen as one."""
RULES = {"ptsd": ("data/ptsd/rules.yaml", "operators", "equals: game.players.max", "equals: 99")}
"""Of a game: a file, a rule's id or words, what is edited, and what makes the rule fail."""
JUDGED = 10
"""Edits of a rule: each is judged in a second or so."""

_SEEN = f"Promise.race([globalThis.seen, new Promise((end) => setTimeout(end, {1000 * LOST_S}, null))])"
_WATCH = """
globalThis.afterTwo = (does) => requestAnimationFrame(() => requestAnimationFrame(
  () => does(performance.timeOrigin + performance.now())));
globalThis.painted = (tiles) => new Promise((done) => {
  const waiting = new Set(tiles);
  const watch = new MutationObserver((entries) => {
    for (const entry of entries) {
      const tile = entry.target.closest?.(".tile");
      const image = [...entry.addedNodes].find((node) => node instanceof HTMLImageElement);
      if (image && waiting.has(tile)) image.decode().then(() => {
        waiting.delete(tile);
        if (waiting.size) return;
        watch.disconnect();
        afterTwo(done);
      });
    }
  });
  watch.observe(document.querySelector("cg-grid"), { childList: true, subtree: true });
});
globalThis.tileOf = (place) => document.querySelector(`.tile[data-place="${CSS.escape(place)}"]`);
globalThis.onScreen = () => {
  const seen = document.querySelector("cg-grid").getBoundingClientRect();
  return [...document.querySelectorAll(".tile")].filter((tile) => {
    const at = tile.getBoundingClientRect();
    return tile.querySelector("img") && at.bottom > seen.top && at.top < seen.bottom;
  });
};
globalThis.verdict = (words) => new Promise((done) => {
  const look = () => {
    const rules = [...document.querySelectorAll(".rule")];
    const rule = rules.find((each) => each.textContent.includes(words.title));
    if (!rule?.classList.contains(words.verdict)) return;
    watch.disconnect();
    afterTwo(done);
  };
  const watch = new MutationObserver(look);
  watch.observe(document.querySelector("#view-rules"), { childList: true, subtree: true });
});
null;
"""


def chromium() -> str:
    """The browser's file. Raises SystemExit if there is none."""
    found = next(
        filter(
            None,
            map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")),
        ),
        None,
    )
    if found is None:
        raise SystemExit("there is no chromium: give --no-browser")
    return found


@contextlib.contextmanager
def _served(case: Case) -> Iterator[tuple[str, int]]:
    """The address of the case's workbench, and its process."""
    command = [sys.executable, "-P", "-m", "cardgen", "preview", case.game]
    with subprocess.Popen(command, cwd=case.project, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip().partition(": ")[2], process.pid
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)


def with_browser(case: Case, count: int, only: str | None) -> dict[str, dict[str, float]]:
    """The figures of a case, in ms, s and MB."""
    found: dict[str, dict[str, float]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(QUIET))
        if only in (None, "start"):
            found["start to the first card (s)"] = _start(case, browser)
        with _served(case) as (address, process):
            page = _open(browser, address)
            first = _card_of(page, case)
            if only in (None, "text"):
                times = _edited(
                    page,
                    case.project / case.text,
                    case.words,
                    lambda number: f"{case.words}{number} ",
                    f"painted([tileOf({first!r})])",
                    count,
                )
                found["text of one card (ms)"] = _spread(times)
            if only in (None, "typing"):
                found["typing to seen (ms)"] = _spread(_typed(page, first, count))
            if only == "table":
                found["table (ms)"] = _table(page, count)
            if only in (None, "template"):
                if case.search:
                    page.evaluate("(search) => { location.hash += `&query=${search}` }", case.search)
                    time.sleep(2)
                seen = page.evaluate("onScreen().length")
                dot = '<circle cx="9" cy="9" r="{}"/></svg>'
                times = _edited(
                    page,
                    case.project / case.template,
                    case.sign,
                    lambda number: dot.format(1 + number / 100),
                    "painted(onScreen())",
                    count,
                )
                found[f"template, {seen} on the screen (ms)"] = _spread(times)
            if only in (None, "rule") and case.game in RULES:
                found["verdict of a rule (ms)"] = _judged(page, case, min(count, JUDGED))
            found["memory (MB)"] = _memory(process)
        browser.close()
    return found


def _start(case: Case, browser: Browser, rounds: int = 3) -> dict[str, float]:
    """From the command to its first card painted, the least and the median of some."""
    taken = []
    for _ in range(rounds):
        page = browser.new_page(bypass_csp=True)
        begun = time.time()
        with _served(case) as (address, _process):
            page.goto(address, wait_until="commit")
            shown = page.wait_for_function(
                """() => {
                  const image = document.querySelector(".tile img");
                  return image?.complete && new Promise((done) => requestAnimationFrame(
                    () => requestAnimationFrame(() => done(performance.timeOrigin + performance.now()))));
                }"""
            )
            taken.append(shown.json_value() / 1000 - begun)
            page.close()
    return {"least": round(min(taken), 2), "median": round(sorted(taken)[rounds // 2], 2)}


def _open(browser: Browser, address: str) -> Page:
    """The page at half size, with all that idle work finds out found out."""
    page = browser.new_page(viewport={"width": 1280, "height": 800}, bypass_csp=True)
    page.set_default_timeout(1000 * OPENED_S)
    page.goto(address)
    page.evaluate("localStorage.setItem('cardgen-preview', JSON.stringify({zoom: 0.5}))")
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(".tile img")
    page.evaluate(_WATCH)
    with contextlib.suppress(TimeoutError):  # on a busy machine: what is still checked is nobody's hurry
        page.wait_for_function(
            "document.querySelector('.state').textContent.includes('Checked')", timeout=30_000
        )
    return page


def _card_of(page: Page, case: Case) -> str:
    """The place of the card whose title is edited, brought into sight with its component alone."""
    cards = page.evaluate("fetch('state.json').then((answer) => answer.json())")["cards"]
    first = min((card for card in cards if card["file"] == case.text), key=lambda card: card["line"])
    place = f"{first['component']}/{first['id']}"
    page.evaluate(
        "(component) => { location.hash = `component=${encodeURIComponent(component)}` }",
        first["component"],
    )
    page.wait_for_function("(place) => tileOf(place)?.querySelector('img')", arg=place)
    page.wait_for_function("onScreen().length > 5")
    time.sleep(1)
    return place


def _edited(
    page: Page, file: Path, old: str, new: Callable[[int], str], promise: str, count: int
) -> list[float]:
    """ms from each write to what the promise waits for."""
    whole = file.read_text("utf-8")
    assert old in whole, f"{old!r} is not in {file}"
    taken = []
    try:
        for number in range(count):
            page.evaluate(f"() => {{ globalThis.seen = {promise} }}")
            file.write_text(whole.replace(old, new(number), 1), "utf-8")
            written = time.time()
            seen = page.evaluate(_SEEN)
            if seen is None:
                raise SystemExit(f"edit {number} of {file.name} was not seen within {LOST_S} s")
            taken.append(seen - 1000 * written)
            time.sleep(PAUSE_S)
    finally:
        file.write_text(whole, "utf-8")
    time.sleep(1)
    return taken


def _typed(page: Page, place: str, count: int) -> list[float]:
    """ms from each key pressed in the inspector's title to the card painted with it."""
    page.evaluate("(place) => tileOf(place).click()", place)
    entry = page.get_by_role("complementary", name="Inspector").get_by_label("title", exact=True)
    entry.click()
    page.keyboard.press("End")
    time.sleep(1)
    taken = []
    for number in range(count):
        page.evaluate("(place) => { globalThis.seen = painted([tileOf(place)]) }", place)
        pressed = page.evaluate("performance.timeOrigin + performance.now()")
        page.keyboard.press("Backspace" if number % 2 else "x")
        seen = page.evaluate(_SEEN)
        if seen is None:
            raise SystemExit(f"key {number} was not seen within {LOST_S} s")
        taken.append(seen - pressed)
        time.sleep(PAUSE_S)
    return taken


_SOON_S = 60
_PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
  document.querySelector(".table-scroller").dispatchEvent(event);
}"""
_TABLE_ROWS = 100


def _table(page: Page, count: int) -> dict[str, float]:
    """ms of steps in the table of a component, medians of some: opened, sorted, filtered, a cell typed into
    and shown, rows pasted over others; and the rows that the page holds."""
    taken: dict[str, list[float]] = {}

    def timed(step: str, does: Callable[[], object], is_done: str, arg: object = None) -> None:
        begun = time.monotonic()
        does()
        page.wait_for_function(is_done, arg=arg, timeout=1000 * _SOON_S, polling="raf")
        taken.setdefault(step, []).append(1000 * (time.monotonic() - begun))
        time.sleep(1)

    first = "document.querySelector('.table-row .cell[data-column=\"2\"]')?.textContent"
    page.set_default_timeout(1000 * _SOON_S)
    timed(
        "open",
        lambda: page.locator("button", has_text=re.compile("^ *Table *$")).first.click(),
        "document.querySelector('.table-row')",
    )
    # By CSS: to find roles, Playwright looks at all that the page holds.
    heading = page.locator(".table-head button", has_text=re.compile("^title"))
    title = page.locator('.table-row .cell[data-column="2"]').first
    for order in ("ascending", "descending"):
        timed("sort", heading.click, f"document.querySelector('.table-head [aria-sort={order}]')")
    timed("sort", heading.click, "!document.querySelector('.table-head [aria-sort]')")  # as in the file
    search = page.locator(".search-field")
    rows = "document.querySelector('.table-scroller').getAttribute('aria-rowcount')"
    whole = page.evaluate(rows)
    timed("filter", lambda: search.fill("type:ally"), f"(whole) => {rows} !== whole", whole)
    timed("filter", lambda: search.fill(""), f"(whole) => {rows} === whole", whole)
    for number in range(min(count, 10)):
        title.click()
        words = f"Typed {number}"

        def typed(words: str = words) -> None:
            page.keyboard.type(words)
            with page.expect_response(lambda answer: answer.url.endswith("/edit")):
                page.keyboard.press("Enter")

        shown = (
            "[...document.querySelectorAll('.table-row .cell')].some((each) => each.textContent === words)"
        )
        timed("cell", typed, f"(words) => {shown}", words)
    pasted = "\n".join(f"Pasted {number}" for number in range(_TABLE_ROWS))
    title.click()
    timed("paste", lambda: page.evaluate(_PASTE, pasted), f"{first}?.startsWith('Pasted')")
    most = page.evaluate("document.querySelectorAll('.table-row').length")
    return {
        **{step: round(statistics.median(times), 1) for step, times in taken.items()},
        "rows on page": most,
    }


def _spread(times: list[float]) -> dict[str, float]:
    """The median and the 95th percentile."""
    ordered = sorted(times)
    last = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return {"median": round(statistics.median(ordered), 1), "95 %": round(last, 1)}


def _judged(page: Page, case: Case, count: int) -> dict[str, float]:
    file, title, old, other = RULES[case.game]
    page.keyboard.press("3")
    whole = (case.project / file).read_text("utf-8")
    broken = whole.replace(old, other, 1)
    assert broken != whole, f"{old!r} is not in {file}"
    taken = []
    try:
        for number in range(count):
            verdict = "pass" if number % 2 else "fail"
            page.evaluate(
                "(words) => { globalThis.seen = verdict(words) }", {"title": title, "verdict": verdict}
            )
            (case.project / file).write_text(whole if number % 2 else broken, "utf-8")
            written = time.time()
            seen = page.evaluate(_SEEN)
            if seen is None:
                raise SystemExit(f"verdict {number} was not seen within {LOST_S} s")
            taken.append(seen - 1000 * written)
            time.sleep(1)
    finally:
        (case.project / file).write_text(whole, "utf-8")
    return _spread(taken)


def _memory(process: int) -> dict[str, float]:
    """MB that the server holds, and each of its children (pages that several hold shared out)."""
    children = Path(f"/proc/{process}/task/{process}/children")
    if not children.exists():
        return {}
    sizes: dict[str, float] = {"server": _held(process)}
    for number, child in enumerate(map(int, children.read_text().split()), 1):
        sizes[f"child {number}"] = _held(child)
    return sizes


def _held(process: int) -> float:
    said = Path(f"/proc/{process}/smaps_rollup").read_text()
    match = re.search(r"^Pss: +(\d+) kB", said, re.MULTILINE)
    return round(int(match[1]) / 1000, 1) if match else 0.0
