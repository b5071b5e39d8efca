"""A workbench with a page open on it: what a person finds by its label, and the files that are edited."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from cardgen.commands.data.new import new_project
from tests.repositories import commit
from tests.workbench.served import PATIENCE_S, Served

expect.set_options(timeout=PATIENCE_S * 1000)

RULES = """\
rules:
  - id: many-cards
    question: Are there enough cards for two players?
    kind: count
    component: cards
    min: 9
  - id: a-sun-in-hand
    question: Is there most often a sun in a hand of three?
    kind: probability
    component: cards
    classes: suit
    draw: 3
    event: counts.sun >= 1
    min: 0.5
"""

_PIXELS = """image => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const drawn = canvas.getContext("2d");
  drawn.drawImage(image, 0, 0);
  let sum = 0x811c9dc5;
  const bytes = drawn.getImageData(0, 0, canvas.width, canvas.height).data;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return `${canvas.width} × ${canvas.height}, ${sum >>> 0}`;
}"""


def owls(folder: Path) -> Path:
    """A project with one game: six cards and two rules; committed once."""
    project = new_project("owls", folder)
    data = project / "data" / "owls"
    (data / "rules.yaml").write_text(RULES, encoding="utf-8")
    commit(project, "The first owls")
    return project


@dataclass
class Desk:
    """A served project."""

    shop: Served
    project: Path
    _whole: dict[Path, bytes] = field(default_factory=dict)
    _calm: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._whole = {path: path.read_bytes() for path in self._files()}
        until(
            lambda: all(card[side]["key"] for card in self._state()["cards"] for side in ("face", "back"))
        )
        self._calm = self._state()

    # ---- files

    @property
    def cards_file(self) -> Path:
        return self.project / "data" / "owls" / "cards.yaml"

    @property
    def template(self) -> Path:
        return self.project / "templates" / "owls" / "card.svg"

    def edit(self, path: Path, old: str, new: str) -> None:
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def mend(self) -> None:
        """All files as they were at first, and the server knows."""
        for path in self._files():
            if path not in self._whole:
                path.unlink()
        for path, content in self._whole.items():
            if not path.exists() or path.read_bytes() != content:
                path.write_bytes(content)
        until(lambda: self._state() == self._calm)

    def _files(self) -> list[Path]:
        folders = (self.project / name for name in ("data", "schemas", "templates"))
        return [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]

    def _state(self) -> dict[str, Any]:
        state = self.shop.ask("state.json").json
        return {name: state[name] for name in ("cards", "findings", "broken")}

    # ---- the page

    def open(self, page: Page) -> Page:
        """The page, with its first cards to be seen."""
        page.goto(self.shop.address)
        expect(cards(page).first.locator("img")).to_be_visible()
        return page


def until(holds: Callable[[], bool]) -> None:
    """Wait for what can only be asked for again and again."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.03)


def cards(page: Page) -> Locator:
    """The cards that are shown, in their order."""
    return page.get_by_role("listbox", name="Cards", exact=True).get_by_role("option")


def card(page: Page, title: str) -> Locator:
    return page.get_by_role("listbox", name="Cards", exact=True).get_by_role("option", name=title)


def titles(page: Page) -> list[str]:
    """Titles of the cards that are shown."""
    labels = cards(page).evaluate_all("tiles => tiles.map(tile => tile.ariaLabel)")
    return [label.partition(",")[0] for label in labels]


def picture(inside: Locator) -> Locator:
    return inside.locator("img").first


def greyed(inside: Locator) -> bool:
    """Whether the picture within is shown without its colours."""
    return "grayscale(1)" in picture(inside).evaluate("image => getComputedStyle(image).filter")


def pixels(inside: Locator) -> str:
    """What tells the picture within from another one: all of its pixels in a number."""
    found = picture(inside).evaluate(_PIXELS)
    assert isinstance(found, str)
    return found


def becomes_other(inside: Locator, before: str) -> str:
    """Wait until the picture within is another one than before; what tells that."""
    until(lambda: pixels(inside) != before)
    return pixels(inside)


def forgive(complaints: list[str], address: str) -> None:
    """Let pass what didn't come from an address: pictures that can't be drawn any more."""
    complaints[:] = [each for each in complaints if not ("Failed to load" in each and address in each)]


def view(page: Page, name: str) -> Locator:
    """Go to one of the views; what is in it."""
    page.get_by_role("tab", name=name).click()
    return page.get_by_role("tabpanel", name=name)


def findings(page: Page) -> Locator:
    """The findings in the panel of all, which is opened if it isn't."""
    badge = page.get_by_role("banner").get_by_role("button", name="finding")
    if badge.get_attribute("aria-pressed") == "false":
        badge.click()
    return page.get_by_role("complementary", name="Inspector").get_by_role("listitem")
