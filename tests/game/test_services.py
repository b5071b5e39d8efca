"""Print services from their YAML files."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from cardgen.core.findings import CardgenError
from cardgen.core.geometry import Size
from cardgen.core.paths import ProjectPaths
from cardgen.core.services import Service, canvas_of
from cardgen.files.listing import ProjectFolders
from cardgen.files.project import Project
from cardgen.game.facts import load_service
from tests.for_each import for_each

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = ProjectFolders((ROOT,))
NAMES = Project.open(ROOT).services()

OWN = """\
title: Corner Shop
delivery: images
bleed: {value: 2mm, source: phone}
sources: {phone: a call}
products:
  big: {title: Big cards, kinds: [card], trim: tarot, source: phone}
"""


def project(root: Path, **files: str) -> ProjectPaths:
    folder = root / "data" / "services"
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return ProjectFolders((root, ROOT))


def product(service: Service, name: str) -> tuple[Size, tuple[int, int]]:
    found = next(each for each in service.products if each.id == name)
    return found.trim, found.canvas


def test_the_bundled_services() -> None:
    assert set(NAMES) == {"boardgamesmaker", "drivethru", "mpc", "printerstudio", "printshop", "tgc"}


@for_each("name", NAMES)
def test_every_bundled_service_is_sound(name: str) -> None:
    service = load_service(BUNDLED, name)
    assert service.any_trim or service.products
    for each in service.products:
        least = canvas_of(each.trim, 0.0, service.dpi)
        assert all(0 <= have - want < 140 for have, want in zip(each.canvas, least)), each


@for_each(
    ("service", "name", "trim", "canvas"),
    [
        ("tgc", "PokerDeck", Size(63.5, 88.9), (825, 1125)),
        ("tgc", "EuroPokerDeck", Size(63.0, 88.0), (825, 1125)),
        ("tgc", "EuroSquareDeck", Size(70.0, 70.0), (900, 900)),
        ("tgc", "MediumCircleChit", Size(19.05, 19.05), (300, 300)),
        ("tgc", "QuadFoldBoard", Size(457.2, 457.2), (5475, 5475)),
        ("mpc", "poker", Size(63.5, 88.9), (822, 1122)),
        ("mpc", "tarot", Size(69.85, 120.65), (897, 1497)),
        ("printerstudio", "domino", Size(44.45, 88.9), (597, 1122)),
        ("boardgamesmaker", "poker", Size(63.5, 88.9), (822, 1122)),  # from trim and bleed
    ],
)
def test_sizes(service: str, name: str, trim: Size, canvas: tuple[int, int]) -> None:
    assert product(load_service(BUNDLED, service), name) == (trim, canvas)


def test_a_service_of_the_projects_own(tmp_path: Path) -> None:
    service = load_service(project(tmp_path, corner=OWN), "corner")
    assert (service.title, service.dpi, service.bleed, service.order_by) == (
        "Corner Shop",
        300,
        2.0,
        "component",
    )
    assert product(service, "big") == (Size(69.85, 120.65), canvas_of(Size(69.85, 120.65), 2.0, 300))


def test_a_service_like_another(tmp_path: Path) -> None:
    copy = "title: Cousin\nlike: corner\nbleed: {value: 3mm, source: letter}\nsources: {letter: a letter}\n"
    service = load_service(project(tmp_path, corner=OWN, cousin=copy), "cousin")
    assert (service.title, service.delivery, service.bleed) == ("Cousin", "images", 3.0)
    assert product(service, "big")[1] == canvas_of(Size(69.85, 120.65), 3.0, 300)


@for_each(
    ("text", "code", "line", "words"),
    [
        (OWN.replace("tarot", "tarrot"), "reference/size", 6, "did you mean 'tarot'"),
        (
            OWN.replace("trim: tarot, source: phone", "trim: tarot, source: post"),
            "reference/source",
            6,
            "phone",
        ),
        (
            OWN.replace("trim: tarot", "trim: tarot, canvas: [1500, 900]"),
            "service/canvas",
            6,
            "same orientation",
        ),
        ("title: Cousin\nlike: coner\n", "reference/service", 2, "did you mean 'corner'"),
        ("title: Cousin\nlike: printerstudio\n", "reference/service", 2, "name 'mpc'"),
        (OWN.replace("delivery: images", "delivery: pigeon"), "schema/enum", 2, ""),
    ],
)
def test_what_is_wrong_with_a_service(tmp_path: Path, text: str, code: str, line: int, words: str) -> None:
    paths = project(tmp_path, corner=OWN, mine=text)
    with pytest.raises(CardgenError) as caught:
        load_service(paths, "mine")
    finding = next(each for each in caught.value.findings if each.code == code)
    assert finding.location is not None
    assert (finding.location.file, finding.location.line) == ("data/services/mine.yaml", line)
    assert words in (finding.hint or "")


def test_the_example_of_the_docs(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "exports.md").read_text(encoding="utf-8")
    start = text.index("```yaml\n", text.index("### To add a service")) + len("```yaml\n")
    service = load_service(project(tmp_path, shop=text[start : text.index("```", start)]), "shop")
    assert service.most_cards == 500
    assert product(service, "Round") == (Size(90.0, 90.0), (1110, 1110))


@for_each("name", sorted(path.stem for path in (ROOT / "data/services").glob("*.yaml")))
def test_shipped_figures_name_sources_with_dates_and_say_which_are_at_second_hand(name: str) -> None:
    """Every figure's source exists and has a date; what rests on one at second hand has a caveat."""
    data = yaml.safe_load((ROOT / f"data/services/{name}.yaml").read_text(encoding="utf-8"))
    sources = data.get("sources", {})
    assert all({"from", "seen"} <= set(source) for source in sources.values())
    figures = [each for each in data.values() if isinstance(each, dict) and "source" in each]
    products = list(data.get("products", {}).values())
    assert {each["source"] for each in (*figures, *products)} <= set(sources)
    for each in (*figures, *products):
        if sources[each["source"]].get("second_hand"):
            assert "caveat" in data or "caveat" in each, each
