"""The pictures of the documentation show what cardgen makes today, and all that a template may use."""

from __future__ import annotations

import importlib.util
import json
import re
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PIL import Image, ImageDraw

import cardgen
from cardgen.art.templating import TemplateEnvironment
from tests.for_each import for_each
from tests.shipped import plain_yaml

ROOT = Path(__file__).resolve().parent.parent
IMAGES = sorted((ROOT / "docs/images").glob("*.png"))
TEMPLATES = ROOT / "docs/examples/templates/samples"
PICTURES: list[dict[str, Any]] = plain_yaml("docs/examples/data/samples/pictures.yaml")["pictures"]


def captions(picture: dict[str, Any]) -> list[str]:
    return [line for sample in picture.get("samples", ()) for line in sample["code"]]


@pytest.fixture(scope="module")
def pictures() -> ModuleType:
    spec = importlib.util.spec_from_file_location("doc_pictures", ROOT / "docs/pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
def test_the_pictures_are_what_cardgen_makes(pictures: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compared before a palette is found for each, which takes as long as all the rest."""
    monkeypatch.setattr(pictures, "encode", in_full_color)
    assert pictures.check() == []


def in_full_color(image: Image.Image) -> bytes:
    buffer = BytesIO()
    image.save(buffer, "BMP")
    return buffer.getvalue()


def test_a_palette_changes_no_picture(pictures: ModuleType) -> None:
    with Image.open(ROOT / "docs/images/text-boxes.png") as kept:
        image = kept.convert("RGB").resize((400, 300))
    encoded = pictures.encode(image)
    assert encoded == pictures.encode(image)
    with Image.open(BytesIO(encoded)) as shown:
        assert (shown.format, shown.mode) == ("PNG", "P")
        assert pictures.difference(image, shown) < pictures.TOLERANCE / 4


@pytest.mark.long
def test_the_samples_have_no_findings() -> None:
    found = cardgen.check(cardgen.load("samples", project=cardgen.Project.open(ROOT / "docs/examples")))
    shown = ("text/group", "tables/html")  # which card sets the size shown; HTML that is shown as code
    assert [each for each in found if each.code not in shown] == []


def test_a_changed_word_is_a_difference(pictures: ModuleType) -> None:
    with Image.open(ROOT / "docs/images/text-boxes.png") as kept:
        image = kept.convert("RGB")
    changed = image.copy()
    ImageDraw.Draw(changed).rectangle((0, 700, 60, 725), fill="white")  # "cg:" of a caption
    assert pictures.difference(image, image) == 0
    assert pictures.difference(image, changed) > pictures.TOLERANCE
    assert pictures.difference(image, image.crop((0, 0, 100, 100))) > pictures.TOLERANCE


def test_a_stale_copy_of_the_documents_code_is_told(
    pictures: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = tmp_path / "docs"
    documents.mkdir()
    text = (ROOT / "docs/templates.md").read_text(encoding="utf-8")
    (documents / "templates.md").write_text(text.replace("rng(card.id)", "rng(number)"), encoding="utf-8")
    (tmp_path / "templates").symlink_to(ROOT / "templates")
    monkeypatch.setattr(pictures, "DOCS", documents)
    assert [path.name for path in pictures.stale_files()] == ["ground-pattern.svg"]


@for_each("picture", PICTURES, ids=lambda picture: picture["id"])
def test_captions_are_what_the_template_says(picture: dict[str, Any]) -> None:
    template = (TEMPLATES / picture["face"]).read_text(encoding="utf-8")
    elsewhere = {"text: |"}
    for caption in captions(picture):
        assert caption in elsewhere or caption in template, caption
    for value in picture.get("values", ()):
        assert f'  "{value}": {value},\n' in template, value


def test_everything_that_a_template_may_use_is_shown() -> None:
    shown = "\n".join(
        line for picture in PICTURES for line in [*captions(picture), *picture.get("values", ())]
    )
    files = [path for room in ("art", "svg") for path in (ROOT / "cardgen" / room).glob("[!n]*.py")]
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    attributes = set(re.findall(r'"(cg:[a-z-]+)"', source)) - {
        "cg:at",
        "cg:sample",
        "cg:typed",
    }  # marks of cardgen's own
    assert {"cg:fit", "cg:hyphens", "cg:list-indent"} <= attributes
    assert [name for name in sorted(attributes) if f"{name}=" not in shown] == []
    environment = TemplateEnvironment(cardgen.Project.open(ROOT).paths)
    filters = {name for name in environment.filters if not name.startswith("_")} | {"md"}
    functions = {*environment.globals, "text_width"}
    assert {"mix", "upper"} <= filters
    assert {"noise", "range"} <= functions
    assert [name for name in sorted(filters) if not re.search(rf"\|{name}\b", shown)] == []
    assert [name for name in sorted(functions) if not re.search(rf"(?<!\|)\b{name}\b", shown)] == []


@for_each(
    ("kit", "picture", "section", "some"),
    [
        ("isometric", "isometric", "## Isometric scenes", {"box", "city", "van"}),
        ("portrait", "portraits", "## Portraits", {"bust", "head", "hand"}),
        ("props", "props", "## Props and figures", {"person", "hand", "key"}),
    ],
)
def test_every_module_of_a_kit_is_shown_or_told(
    kit: str, picture: str, section: str, some: set[str]
) -> None:
    modules = set(
        re.findall(r"\{% macro (\w+)", (ROOT / f"templates/_shared/{kit}.svg").read_text(encoding="utf-8"))
    )
    assert some <= modules
    shown = "\n".join(
        line for found in PICTURES if found["id"].startswith(picture) for line in captions(found)
    )
    told = (ROOT / "docs/kits.md").read_text(encoding="utf-8").partition(f"{section}\n")[2]
    told = told.partition("\n## ")[0]
    missing = [
        name for name in sorted(modules) if not re.search(rf"\b{name}\(", shown) and f"`{name}" not in told
    ]
    assert missing == []


def test_every_part_of_a_portrait_is_shown() -> None:
    """Those that a card of MindNet may name."""
    schema = json.loads((ROOT / "schemas/mindnet/cards.schema.json").read_text(encoding="utf-8"))
    shown = {
        word
        for found in PICTURES
        if found["id"].startswith("portraits")
        for line in captions(found)
        for word in line.split()
    }
    parts = schema["$defs"]["art"]["properties"]
    for part in ("pose", "jaw", "hair", "brow", "mouth", "gear", "mark", "wear"):
        assert set(parts[part]["enum"]) - {"none"} <= shown, part


@for_each("path", IMAGES, ids=lambda path: path.stem)
def test_every_picture_is_shown_and_small(path: Path) -> None:
    assert path.stat().st_size <= (150_000 if path.name == "ptsd-jumbo.png" else 200_000)
    documents = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    assert any(f"images/{path.name})" in file.read_text(encoding="utf-8") for file in documents)


def test_the_workbench_is_shown_at_its_size(pictures: ModuleType) -> None:
    """It is a browser's picture, which no other makes the same: it is there, at its size, and not empty."""
    about = pictures.preview_picture
    with Image.open(ROOT / "docs/images" / about.NAME) as image:
        assert image.size == (about.WIDTH * about.SCALE, about.HEIGHT * about.SCALE)
        colors = image.convert("RGB").getcolors(1 << 24)
    assert len(colors) > 50
