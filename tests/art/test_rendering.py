"""The stage as a whole: which sides, in which order, progress, keys, and no traceback whatever comes."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from cardgen.art.cards import CardSide, SideRenderer, layout_settings_of, render_cards
from cardgen.art.laying_out import LayingOut
from cardgen.art.outlining import LaidOut
from cardgen.commands.production.sides import draw_cards
from cardgen.core.findings import Finding, Findings
from cardgen.core.game import Limits
from cardgen.files.cache import Cache
from cardgen.files.listing import ProjectFolders
from cardgen.pdf.store import ArtStore, SideStore
from tests.art.support import FONT, HEAD, Workshop, book
from tests.sampling import one_in

BODY = f'<text x="9" y="20" {FONT}>{{{{ card.id }}}}</text>'


def test_cards_come_in_order_with_their_copies(shop: Workshop) -> None:
    cards = shop.render(BODY, [{"id": "b"}, {"id": "a"}]).rendering.cards
    assert [(card.component, card.card, card.copies) for card in cards] == [
        ("cards", "b", 1),
        ("cards", "a", 1),
    ]


def test_alike_sides_are_one_artwork(shop: Workshop) -> None:
    rendering = shop.render(
        "<rect width='9' height='9' id='{{ card.x }}'/>", [{"x": 1}, {"x": 1}]
    ).rendering
    assert rendering.cards[0].face == rendering.cards[1].face
    assert len(rendering.artworks) == 1


def test_only_the_sides_asked_for(shop: Workshop) -> None:
    shop.write("demo/card.svg", f"{HEAD}{BODY}</svg>")
    shop.write("demo/back.svg", f"{HEAD}<rect/></svg>")
    game = shop.game([{}], back="demo/back.svg")
    paths = ProjectFolders((shop.root,))
    face = render_cards(game, game.cards(), paths, book(), findings=Findings(), sides=("face",))
    assert face.cards[0].back is None
    assert list(face.artworks) == [face.cards[0].face]
    back = render_cards(game, game.cards(), paths, book(), findings=Findings(), sides=("back",))
    assert back.cards[0].face == back.cards[0].back
    assert not back.artworks.keys() & face.artworks.keys()


def test_size_and_bleed_go_with_the_artwork(shop: Workshop) -> None:
    art = shop.render(BODY).art
    assert (art.size.width, art.size.height, art.bleed) == (66, 86, 3)
    assert (art.trim.x, art.trim.width) == (3, 60)


def test_a_card_with_a_broken_back_keeps_its_face(shop: Workshop) -> None:
    shop.write("demo/back.svg", f"{HEAD}{{{{ card.nothing }}}}</svg>")
    result = shop.render(BODY, back="demo/back.svg")
    assert result.codes == ["template/undefined"]
    assert result.rendering.cards[0].back is None
    assert result.words() == "card-1"


def test_the_key_changes_with_an_icon_in_the_text(shop: Workshop) -> None:
    keys = []
    for d in ("M1 1H9", "M1 1H9", "M1 1H8"):
        shop.write("demo/icons/x.svg", f'<svg viewBox="0 0 24 24"><path d="{d}"/></svg>')
        keys.append(shop.render(f'<text x="9" y="20" {FONT}>:x:</text>').art.key)
    assert keys[0] == keys[1] != keys[2]


TOKENS = (
    *('"', "<", ">", "url(#", "0", "-1", "1e999", "nan", "em", "%", "px", "none", "inherit", "{{", "}}"),
    *("&", "#", "(", ")", ";", ":", "<g>", "</g>", "1,2", "auto", "normal", "text", "mixed"),
)
RICH = f"""{HEAD}<defs><rect id="box" x="10" y="20" width="40" height="30" transform="translate(1)"/>
<linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient></defs>
<style>.a {{ fill: red }} text {{ font-family: IBM Plex Sans; font-size: 3px }}</style>
<g transform="rotate(5)" opacity="0.5" class="a"><text x="9" y="20" dx="1" dominant-baseline="middle">ab
<tspan dx="2" dy="-1em" x="3" fill="#f00" baseline-shift="super">cd :x:</tspan></text></g>
<text shape-inside="url(#box)" shape-padding="1" text-align="justify" line-height="120%" cg:fit="shrink"
  cg:group="a" cg:min-size="2" cg:paragraph-space="0.2em">
<tspan cg:block="item" cg:level="2" cg:bullet="x">a b</tspan></text>
<text x="9" y="60" inline-size="20" stroke="#00f" stroke-width="0.2" fill="url(#g)">wrap me now</text>
<text x="9" y="70" cg:max-width="9" cg:fit="shrink" cg:group="a"
  text-anchor="end" opacity="50%">abc def</text>
<svg x="1" y="2" width="9" height="9" viewBox="0 0 9 9"><circle r="3"/></svg>
<use href="#icon-x" x="1" y="2" width="3" height="4"/><image href="a.png" width="3" height="4"/></svg>"""


@pytest.mark.parametrize("seed", one_in(3, range(60)))
def test_no_traceback_whatever_the_template(tmp_path: Path, seed: int) -> None:
    """Templates with random damage: something is drawn, or something is said."""
    chance = random.Random(seed)
    shop = Workshop(tmp_path)
    shop.write("demo/icons/x.svg", '<svg viewBox="0 0 24 24"><path d="M1 1H9"/></svg>')
    for _ in range(5):
        text = RICH
        for _ in range(chance.choice((1, 2, 4))):
            values = list(re.finditer(r'="([^"]*)"', text))
            value = chance.choice(values) if values else None
            if value is not None and chance.random() < 0.6:
                text = text[: value.start(1)] + chance.choice(TOKENS) + text[value.end(1) :]
            else:
                place = chance.randrange(len(text))
                text = text[:place] + chance.choice(TOKENS) + text[place:]
        shop.write("demo/card.svg", text)
        result = shop.render()
        assert result.rendering.cards or result.findings


def sides_of(shop: Workshop, body: str, **changes: object) -> list[CardSide]:
    """The sides of one card, rendered; `changes` to the game."""
    shop.write("demo/card.svg", f"{HEAD}{body}</svg>")
    game = replace(shop.game([{}]), **changes)  # type: ignore[arg-type]
    return list(SideRenderer(game, ProjectFolders((shop.root,)), book()).sides(game.cards()))


def test_what_a_side_was_made_from_tells_sides_apart(shop: Workshop) -> None:
    [plain] = sides_of(shop, BODY)
    [again] = sides_of(shop, BODY)
    assert again.made_from == plain.made_from
    for other in (
        sides_of(shop, BODY.replace('x="9"', 'x="10"')),
        sides_of(shop, BODY, language="de"),
        sides_of(shop, BODY, limits=Limits(type_pt=5.0)),
    ):
        assert len(other) == 1
        assert other[0].made_from != plain.made_from


def test_a_side_that_was_laid_out_before_is_taken_as_it_is(shop: Workshop) -> None:
    shop.write("demo/card.svg", f"{HEAD}{BODY}</svg>")
    game = shop.game([{}])
    known: dict[str, LaidOut] = {}
    paths = ProjectFolders((shop.root,))
    first = render_cards(game, game.cards(), paths, book(), findings=Findings(), laid_out=known)
    [(source, made)] = known.items()
    assert made.artwork is not None
    assert list(first.artworks) == [made.artwork.key]
    known[source] = replace(made, artwork=replace(made.artwork, key="known"))
    again = render_cards(game, game.cards(), paths, book(), findings=Findings(), laid_out=known)
    assert list(again.artworks) == ["known"]
    assert again.cards[0].face == "known"


def test_what_looks_at_sides_says_what_is_held_of_them(shop: Workshop) -> None:
    shop.write("demo/card.svg", f"{HEAD}{BODY}</svg>")
    game = shop.game([{}, {}])
    paths = ProjectFolders((shop.root,))
    whole = render_cards(game, game.cards(), paths, book(), findings=Findings())
    seen: list[str] = []

    def look(side: CardSide, made: LaidOut) -> LaidOut:
        assert made.artwork is not None
        assert made.artwork.items
        seen.append(side.card.id)
        return replace(made, artwork=replace(made.artwork, items=()))

    laying_out = LayingOut(paths, book(), layout_settings_of(game))
    for _ in range(2):
        bare = render_cards(
            game, game.cards(), paths, book(), findings=Findings(), look=look, laying_out=laying_out
        )
        assert bare.cards == whole.cards
        assert [each.items for each in bare.artworks.values()] == [()] * len(whole.artworks)
    assert seen == [card.id for card in game.cards()] * 2


def kept(shop: Workshop, body: str, warned: int = 0, **changes: object) -> list[bool]:
    """Whether the sides of one card are drawn and kept, with so many warnings."""
    made = sides_of(shop, body, **changes)
    game = replace(shop.game([{}]), **changes)  # type: ignore[arg-type]
    pictures = ArtStore.memory()
    store = SideStore(Cache.nowhere(), pictures)
    renderer = SideRenderer(game, ProjectFolders((shop.root,)), book())
    draw_cards(renderer, game.cards(), pictures, store, Findings())
    for side in made:
        assert [problem.severity for problem in store.problems(side.made_from)] == ["warning"] * warned
    return [store.get(side.made_from) is not None for side in made]


def test_sides_in_error_are_never_kept(shop: Workshop) -> None:
    assert kept(shop, BODY) == [True]
    assert kept(shop, BODY.replace('x="9"', 'x="4"'), warned=1) == [True]
    shop.write("demo/icons/bad.svg", '<svg viewBox="0 0 24"/>')
    icon = "{{ icon('bad', 9, 9, 9) }}"
    assert kept(shop, BODY + icon) == [False]


def test_language_is_part_of_an_artwork_s_key(shop: Workshop) -> None:
    """Hyphens depend on it, and sides are kept by their keys."""
    shop.write("demo/card.svg", f"{HEAD}{BODY}</svg>")
    plain, german = (
        render_cards(game, game.cards(), ProjectFolders((shop.root,)), book(), findings=Findings())
        for game in (shop.game([{}]), replace(shop.game([{}]), language="de"))
    )
    assert not plain.artworks.keys() & german.artworks.keys()


APART = f"""<style>{{% if card.styled %}}.note {{ fill: #{{{{ card.ink }}}} }}{{% endif %}}</style>
<defs>
{{% if card.hole %}}<clipPath id="hole"><rect width="9" height="9"/></clipPath>{{% endif %}}
{{% if card.wide %}}<rect id="box" x="9" y="30" width="{{{{ card.wide }}}}" height="6"/>{{% endif %}}
<linearGradient id="sky"><stop offset="0" stop-color="#{{{{ card.ink }}}}"/></linearGradient>
</defs>
<g opacity="0.5" clip-path="url(#hole)" font-size="3">
  <text x="9" y="20" font-family="IBM Plex Sans" fill="url(#sky)">{{{{ card.words }}}}</text>
</g>
<text class="note" shape-inside="url(#box)" cg:fit="shrink" cg:min-size="2.5" {FONT}>
  {{{{ card.words|md }}}} <tspan fill="#{{{{ card.ink }}}}">{{{{ card.words }}}}</tspan>
</text>"""


@pytest.mark.long
def test_a_card_comes_out_as_it_does_alone(shop: Workshop) -> None:
    """Elements, tags and words that are alike are looked at once for all cards: no card may notice."""
    texts = (
        "A *short* one",
        "**Bold** words that `shrink`",
        "far too many words to fit " * 9,
        "日本 :nope:",
    )
    cards = [
        {
            "styled": bits & 1,
            "hole": bits & 2,
            "wide": (0, 22.5, 40, 3)[bits >> 2],
            "ink": ink,
            "words": text,
        }
        for bits in range(16)
        for ink in ("223344", "44332")
        for text in texts
    ]
    random.Random(7).shuffle(cards)
    together = shop.render(APART, cards)
    known = {art.card: together.rendering.artworks[art.face] for art in together.rendering.cards}
    said: dict[tuple[str, str, int], int] = {}
    for number, fields in enumerate(cards, 1):
        name = f"card-{number}"
        alone = shop.render(APART, [{**fields, "id": name}])
        assert [art.card for art in alone.rendering.cards] == [name] * (name in known)
        if name in known:
            assert alone.art.items == known[name].items
        for finding in alone.findings:
            entry = _said(finding, number)
            said[entry] = said.get(entry, 0) + 1
    found: dict[tuple[str, str, int], int] = {}
    for finding in together.findings:
        more = re.search(r" and (\d+) more\)$", finding.message)
        found[_said(finding)] = found.get(_said(finding), 0) + 1 + (int(more[1]) if more else 0)
    assert found == said
    assert len(known) > 20
    assert len(found) > 20


def _said(finding: Finding, number: int = 1) -> tuple[str, str, int]:
    """What a finding says, and where: a template's line, or that of the `number`th card."""
    assert finding.location is not None
    assert finding.location.line is not None
    message = re.sub(r" \(card '[^']*'(?: and \d+ more)?\)$", "", finding.message)
    of_card = finding.location.file.startswith("data/")
    return finding.code, message, finding.location.line * (number if of_card else 1)
