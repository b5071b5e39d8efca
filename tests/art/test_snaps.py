"""Snap points: where they lie on a side, and what can't be one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cardgen.art import snaps as snapping
from cardgen.art.snaps import find_snaps
from cardgen.art.sources import MOST_RECENT, MOST_SHARED, SourceStore
from cardgen.art.templates import Templates
from cardgen.art.templating import TemplateEnvironment
from cardgen.core.findings import Findings
from cardgen.core.table import Snap
from cardgen.files.cache import Cache
from cardgen.files.listing import ProjectFolders
from cardgen.svg.tree import MOST_SNAPS, parse
from tests.for_each import for_each
from tests.wording import Wording

from .support import BUNDLED, HEAD, Workshop, book


def snaps(
    shop: Workshop, body: str, back: str | None = None
) -> tuple[dict[str, tuple[Snap, ...]], Findings]:
    """The snap points of the first card's sides, the face drawn by `body`."""
    shop.write("demo/card.svg", f"{HEAD}\n{body}\n</svg>\n")
    game, findings = shop.game([{}], back), Findings()
    found = find_snaps(game, game.cards(), ProjectFolders((shop.root, BUNDLED)), book(), findings=findings)
    return {side: points for (_, _, side), points in found.items()}, findings


@for_each(
    ("body", "snap"),
    [
        ('<rect cg:snap="a" x="3" y="3" width="10" height="4"/>', Snap("a", 5, 2, 0)),
        ('<circle cg:snap="a-2" cx="13" cy="23" r="1"/>', Snap("a-2", 10, 20, 0)),
        ('<g transform="translate(10 20)"><ellipse cg:snap="a" fill="none"/></g>', Snap("a", 7, 17, 0)),
        ('<g transform="translate(10 20) rotate(90)"><rect cg:snap="a"/></g>', Snap("a", 7, 17, 90)),
        ('<rect cg:snap="a" transform="rotate(-90 20 20)" x="20" y="20"/>', Snap("a", 17, 17, 270)),
        ('<circle cg:snap="a" cx="3" cy="82.995"/>', Snap("a", 0, 79.995, 0)),
    ],
)
def test_the_place_is_the_middle_from_the_corner_of_the_trim(shop: Workshop, body: str, snap: Snap) -> None:
    assert snaps(shop, body)[0] == {"face": (snap,)}


@for_each(
    ("body", "code"),
    [
        ('<path cg:snap="a" d="M0 0"/>', "snap/element"),
        ('<defs><rect cg:snap="a"/></defs>', "snap/element"),
        ('<rect cg:snap="a" x="left"/>', "snap/element"),
        ('<circle cg:snap="a B" cx="9" cy="9"/>', "snap/name"),
        (f'<circle cg:snap="{"a" * 81}" cx="9" cy="9"/>', "snap/name"),
        ('<circle cg:snap="a" cx="2.9" cy="9"/>', "snap/outside"),
        ('<circle cg:snap="a" cx="9" cy="84"/>', "snap/outside"),
    ],
)
def test_what_is_no_snap_point_is_said_at_its_line(
    shop: Workshop, body: str, code: str, wording: Wording
) -> None:
    found, findings = snaps(shop, f"\n{body}")
    assert found == {}
    (finding,) = findings
    assert finding.code == code
    wording(finding)
    assert finding.location is not None
    assert (finding.location.file, finding.location.line) == ("templates/demo/card.svg", 3)


def test_names_differ_on_a_side_and_are_bounded(shop: Workshop, wording: Wording) -> None:
    point = '<circle cg:snap="{0}" cx="9" cy="9"/>'
    found, findings = snaps(shop, point.format("a") * 2)
    wording(findings, "card-1")
    assert len(found["face"]) == 1
    found, findings = snaps(shop, "".join(point.format(f"a{i}") for i in range(MOST_SNAPS + 5)))
    assert [finding.code for finding in findings] == ["snap/bounds"]
    assert len(found["face"]) == MOST_SNAPS


def test_marks_are_found_through_what_a_template_uses(shop: Workshop) -> None:
    shop.write("demo/part.svg", '<circle cg:snap="a" cx="9" cy="9"/>')
    shop.write("demo/none.svg", f"{HEAD}<rect/></svg>")
    shop.write("demo/back.svg", f'{HEAD}{{% include "demo/part.svg" %}}</svg>')
    found, findings = snaps(shop, '{% include "demo/part.svg" %}', back="demo/back.svg")
    assert set(found) == {"face", "back"}
    assert not list(findings)
    assert snaps(shop, "<rect/>", back="demo/none.svg")[0] == {}


@for_each("body", ['<g cg:snap="a">', '{{ nothing() }}<rect cg:snap="a"/>'])
def test_a_side_that_can_not_be_rendered_has_none_and_is_not_said_here(shop: Workshop, body: str) -> None:
    found, findings = snaps(shop, body)
    assert (found, list(findings)) == ({}, [])
    assert snaps(shop, '<rect cg:snap="a" transform="turn(3)"/>')[0] == {}


def test_what_is_rendered_for_snap_points_is_not_rendered_again_for_the_same_side(
    shop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.write("demo/card.svg", f'{HEAD}<rect cg:snap="a" x="3" y="3"/>{{{{ card.n }}}}</svg>')
    game, paths = shop.game([{"n": 1}, {"n": 2}]), ProjectFolders((shop.root, BUNDLED))
    sources = SourceStore(Cache("sources", str(tmp_path)))
    find_snaps(game, game.cards(), paths, book(), findings=Findings(), sources=sources)
    rendered: list[int] = []
    original = Templates._render

    def render(self: Templates, env: TemplateEnvironment, name: str, variables: Mapping[str, Any]) -> str:
        rendered.append(variables["card"]["n"])
        return original(self, env, name, variables)

    monkeypatch.setattr(Templates, "_render", render)
    templates = Templates(game, paths, book(), low_ink=False, kept=sources)
    first, second = game.cards()
    component = game.component(first.component)
    assert templates.render(component, first, "face", "demo/card.svg").whole().endswith("1</svg>")
    assert rendered == []
    changed = replace(second, fields={**second.fields, "n": 3})
    assert templates.render(component, changed, "face", "demo/card.svg").whole().endswith("3</svg>")
    assert templates.render(component, second, "face", "demo/card.svg").whole().endswith("2</svg>")
    assert rendered == [3]
    inked = Templates(game, paths, book(), low_ink=True, kept=sources)
    assert inked.render(component, first, "face", "demo/card.svg").whole().endswith("1</svg>")
    assert rendered == [3]


def test_only_so_much_is_held_for_the_next_one(tmp_path: Path) -> None:
    sources = SourceStore(Cache("sources", str(tmp_path)))
    sources.share(b"a", "x" * (MOST_SHARED - 1), promised=True)
    sources.share(b"b", "xx", promised=True)
    sources.share(b"c", "y" * MOST_RECENT, promised=False)
    sources.share(b"d", "zz", promised=False)
    assert sources.take_shared(b"b") is None
    assert len(sources.take_shared(b"a") or "") == MOST_SHARED - 1
    assert sources.take_shared(b"a") is None
    sources.share(b"b", "xx", promised=True)
    assert [sources.take_shared(b"b") for _ in range(2)] == ["xx", "xx"]
    assert (sources.take_shared(b"c"), sources.take_shared(b"d")) == (None, "zz")


def test_sides_on_which_nothing_was_wrong_are_not_read_again(
    shop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[bytes] = []

    def noted(data: bytes) -> Any:
        read.append(data)
        return parse(data)

    monkeypatch.setattr(snapping, "parse", noted)
    paths = ProjectFolders((shop.root, BUNDLED))

    def find(body: str, **component: float) -> tuple[list[Any], list[str]]:
        shop.write("demo/card.svg", f"{HEAD}\n{body}\n</svg>\n")
        game, findings = shop.game([{}]), Findings()
        game = replace(game, components=tuple(replace(each, **component) for each in game.components))  # type: ignore[arg-type]
        kept = Cache("snaps", str(tmp_path))
        found = find_snaps(game, game.cards(), paths, book(), findings=findings, kept=kept)
        kept.save()
        return [*found.values()], [each.code for each in findings]

    right, wrong = '<circle cg:snap="a" cx="13" cy="23"/>', '<circle cg:snap="B" cx="13" cy="23"/>'
    first = find(right)
    assert first[0] == [(Snap("a", 10, 20, 0),)]
    assert find(right) == first
    assert len(read) == 1
    assert find(wrong) == find(wrong) == ([], ["snap/name"])
    assert len(read) == 3
    assert find(right, bleed=4.0)[0] == [(Snap("a", 9, 19, 0),)]
    assert len(read) == 4
    assert find("<g/>") == find("<g/>") == ([], [])
