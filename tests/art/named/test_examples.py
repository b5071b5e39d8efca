"""Every file in tests/examples/named is a test: a drawing without code, and what a card makes of it.

<!-- card: {title: Night Owl}        the card's fields; without one, {}
     fields: [flavor]                fields that its schema knows besides
     expect: [template/field 7]      codes with the template's line, "-" for the card's; none if missing
     words: Night Owl                all text of the face, a line for each baseline
     shows: ['fill="red"']           what stands in its pictures
     hides: ['fill="blue"']          what does not
     unread: [flavor]                fields that nothing shows -->
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from cardgen.art.named import translated
from cardgen.art.named_listing import Listing
from cardgen.art.templates import Templates
from cardgen.core.findings import Findings
from cardgen.files.cache import Cache
from cardgen.files.listing import ProjectFolders
from tests.art.support import Workshop, book
from tests.for_each import for_each

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "named").glob("*.svg"))
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9" '
    'fill="currentColor"/></svg>'
)
PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><rect width="30" height="20" '
    'fill="#335577"/></svg>'
)


@for_each("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path: Path, shop: Workshop) -> None:
    text = path.read_text("utf-8")
    said: dict[str, Any] = yaml.safe_load("    " + text[text.index("<!--") + 4 : text.index("-->")])
    for name in ("sun", "moon", "Leaf", "Sun King"):
        shop.write(f"demo/icons/{name}.svg", ICON)
    shop.write("demo/art/owl.svg", PICTURE)
    shop.write("../art/demo/fox.svg", PICTURE.replace("#335577", "#775533"))
    shop.write("demo/card.svg", text)
    card = said.get("card", {})
    declared = [*card, *said["fields"]] if "fields" in said else []
    result = shop.render(cards=[card], declared=declared)
    game, paths = shop.game([card], declared=declared), ProjectFolders((shop.root,))
    listing = Listing(game, paths, Templates(game, paths, book(), low_ink=False))
    findings = Findings()
    listing.say(findings)
    found = []
    for finding in (*result.findings, *findings):
        assert finding.location is not None
        of_template = finding.location.file == "templates/demo/card.svg"
        found.append(f"{finding.code} {finding.location.line if of_template else '-'}")
    assert sorted(found) == sorted(said.get("expect", []))
    assert [field for unread in listing.unread() for field in unread.fields] == said.get("unread", [])
    if "words" in said:
        assert result.words().strip() == str(said["words"]).strip()
    drawn = "".join(picture.svg for picture in result.pictures) if result.rendering.cards else ""
    for part in said.get("shows", ()):
        assert part in drawn, drawn
    for part in said.get("hides", ()):
        assert part not in drawn, drawn


@for_each("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_template_keeps_its_lines(path: Path) -> None:
    text = path.read_text("utf-8")
    fields = ("title", "cost", "text", "suit", "art", "icons", "reward", "flavor")
    made = translated(text, "demo/card.svg", fields, True)
    assert made.source.count("\n") == text.count("\n")
    if not made.objects:
        assert made.source == text


@for_each("path", EXAMPLES, ids=lambda path: path.stem)
def test_what_a_template_shows_is_the_same_if_it_is_kept(path: Path, shop: Workshop) -> None:
    shop.write("demo/card.svg", path.read_text("utf-8"))
    game, paths = shop.game([{"title": "Owl", "cost": 3, "text": "*Fly*"}]), ProjectFolders((shop.root,))
    templates = Templates(game, paths, book(), low_ink=False)
    kept = Cache("listing", path.stem)
    name = "demo/card.svg"
    fresh, first, second = (Listing(game, paths, templates, each) for each in (None, kept, kept))
    shown = fresh.texts(name), fresh.printed(name)
    assert (first.texts(name), first.printed(name)) == shown
    shop.write(name, "<svg/>")  # a check's cache would know of it
    assert (second.texts(name), second.printed(name)) == shown
