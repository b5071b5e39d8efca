"""The drawings with one feature each have titles and pictures; what measures them measures right."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from tests.for_each import for_each

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

from svg_measure import compare  # noqa: E402

_SPEC = spec_from_file_location("benchmark_of_svg", ROOT / "benchmarks" / "svg.py")
assert _SPEC is not None
assert _SPEC.loader is not None
benchmark = module_from_spec(_SPEC)
sys.modules[_SPEC.name] = benchmark  # under a name of its own: tests have a folder svg
_SPEC.loader.exec_module(benchmark)

DRAWINGS = ROOT / "tests" / "drawings"
SVG = "{http://www.w3.org/2000/svg}"
AREAS = {
    "blending",
    "editors",
    "filters",
    "masking",
    "painting",
    "servers",
    "shapes",
    "structure",
    "styling",
    "text",
}
FAMILIES = {"Bebas Neue", "IBM Plex Mono", "IBM Plex Sans", "Jura", "Loudmouth", "No Such Font", "serif"}
MOST_BYTES = 1_500_000


def test_every_drawing_has_a_picture_and_every_picture_a_drawing() -> None:
    drawn = {file.with_suffix("") for file in DRAWINGS.rglob("*.svg")}
    assert drawn == {file.with_suffix("") for file in DRAWINGS.rglob("*.png")}
    assert {file.parent.name for file in drawn} == AREAS
    assert len(drawn) >= 250
    assert sum(file.stat().st_size for file in DRAWINGS.rglob("*.*")) < MOST_BYTES


@for_each("area", sorted(AREAS))
def test_drawings_parse_and_say_what_they_show(area: str) -> None:
    titles = []
    for file in sorted((DRAWINGS / area).glob("*.svg")):
        root = ElementTree.fromstring(file.read_text("utf-8"))
        assert root.tag == f"{SVG}svg", file
        assert root[0].tag == f"{SVG}title", file
        titles.append(root[0].text or "")
        assert len(titles[-1]) >= 5, file
        with Image.open(file.with_suffix(".png")) as picture:
            assert picture.size == (200, 200), file
    assert len(set(titles)) == len(titles)


@for_each("area", sorted(AREAS))
def test_drawings_need_nothing_from_outside(area: str) -> None:
    for file in sorted((DRAWINGS / area).glob("*.svg")):
        text = file.read_text("utf-8")
        for target in re.findall(r"""href=["']([^"']*)""", text):
            assert target.startswith(("#", "data:", "https://example.org")), file
        for families in re.findall(r"""font-family[=:]\s*(?:"([^"]*)"|([^;"]*))""", text):
            for family in "".join(families).split(","):
                assert family.strip(" '\"") in FAMILIES, file


def test_what_librsvg_drew_better_is_there() -> None:
    names = (DRAWINGS / "librsvg.txt").read_text("utf-8").split()
    assert names
    table = (DRAWINGS / "README.md").read_text("utf-8")
    for name in names:
        assert (DRAWINGS / f"{name}.svg").is_file()
        assert f"`{name}`" in table


# ---------------------------------------------------------------- the ruler


def _square(left: int, color: str = "green") -> Image.Image:
    image = Image.new("RGB", (100, 100), "white")
    ImageDraw.Draw(image).rectangle((left, 20, left + 59, 79), fill=color)
    return image


def test_a_pixel_beside_is_right_and_three_are_not() -> None:
    assert compare(_square(20), _square(20)).off == 0
    assert compare(_square(21), _square(20)).off == 0
    assert not compare(_square(23), _square(20)).right


def test_a_shade_over_all_is_seen_by_the_mean() -> None:
    found = compare(_square(20, "#009010"), _square(20))
    assert (found.off, found.right) == (0, False)


def test_small_things_that_are_missing_are_seen() -> None:
    marked = _square(20)
    ImageDraw.Draw(marked).rectangle((40, 40, 50, 50), fill="black")
    assert not compare(_square(20), marked).right
    assert not compare(marked, _square(20)).right


def test_transparent_is_white() -> None:
    clear = Image.new("RGBA", (100, 100), (0, 0, 0, 0))
    assert compare(clear, Image.new("RGB", (100, 100), "white")).off == 0


@for_each(
    ("root", "size"),
    [
        ('width="96" height="48px"', (25.4, 12.7)),
        ('width="50mm" height="5cm" viewBox="0 0 7 7"', (50, 50)),
        ('width="100%" height="100%" viewBox="0 0 96 192"', (25.4, 50.8)),
        ('viewBox="10 10 96 192"', (25.4, 50.8)),
        ('width="1in" viewBox="0 0 10 20"', (25.4, 50.8)),
        ("", (52.9167, 26.4583)),
        ('width="4" height="8"', (5, 10)),
    ],
)
def test_a_template_has_its_own_size(tmp_path: Path, root: str, size: tuple[float, float]) -> None:
    (tmp_path / "a.svg").write_text(
        f'<!-- <g> --><svg xmlns="http://www.w3.org/2000/svg" {root}/>', "utf-8"
    )
    assert benchmark.own_size(tmp_path / "a.svg", (200, 100)) == pytest.approx(size, abs=1e-3)


def test_a_root_can_be_rewritten_to_millimetres(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    for root, said in (
        (
            'width="4px" viewBox="0 0 96 48" fill="red"',
            'fill="red" width="96mm" height="48mm" viewBox="0 0 96 48"',
        ),
        ("width='40' height='20'", 'width="40mm" height="20mm" viewBox="0 0 40 20"'),
        ('viewBox="1 0 96 48"', 'viewBox="1 0 96 48"'),
        ('viewBox="0 0 96 96"', 'viewBox="0 0 96 96"'),
        ('viewBox="0 0 4 2"', 'viewBox="0 0 4 2"'),
    ):
        file.write_text(f"<?xml version='1.0'?><svg {root}><rect width='9'/></svg>", "utf-8")
        text, _ = benchmark.with_millimetres(file, (200, 100))
        assert text == f"<?xml version='1.0'?><svg {said}><rect width='9'/></svg>"


def test_the_four_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
    square = '<rect x="20" y="20" width="60" height="60" fill="green"/>'
    drawings = {
        "right": square,
        "refused": f'{square}<foreignObject width="9" height="9"/>',
        "wrong": square.replace("green", "blue"),
    }
    for name, content in drawings.items():
        (tmp_path / f"{name}.svg").write_text(f"{head}{content}</svg>", "utf-8")
        _square(20).save(tmp_path / f"{name}.png")
    found = benchmark.pairs([tmp_path])
    done = list(benchmark.outcomes(found, ("icon", "picture")))
    names = [(each.pair.svg.stem, each.role) for each in done]
    assert names == [(name, role) for name in sorted(drawings) for role in ("icon", "picture")]
    assert [each.verdict for each in done] == [each.pair.svg.stem for each in done]
    assert {each.why for each in done[:2]} == {"svg/foreignobject: HTML in a drawing is not supported"}
    table = benchmark.counted(done, ("icon", "picture")).splitlines()
    assert table[2].split() == ["all", "1", "(33%)", "1", "1", "0", "1", "(33%)", "1", "1", "0"]

    def fails(*_: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(benchmark, "pixels_of", fails)
    assert {each.verdict for each in benchmark.outcomes(found, ("icon",))} == {"error"}


def test_what_is_wrong_is_listed_kept_and_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in" / "area").mkdir(parents=True)
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="9" height="9"/></svg>'
    )
    (tmp_path / "in" / "area" / "a.svg").write_text(drawing, "utf-8")
    _square(20).save(tmp_path / "in" / "area" / "a.png")
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "cache"))
    words = ["svg.py", str(tmp_path / "in"), "--role", "icon", "--list", "--into", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        benchmark.main()
    assert ended.value.code is True
    assert capsys.readouterr().out.startswith("wrong    icon      area/a: 3")
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["area-a-icon.png"]
    assert not (tmp_path / "cache").exists()
