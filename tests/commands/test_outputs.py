"""What a build leaves behind: the same bytes always, whole files or none, nothing lost."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

import cardgen

Edit = Callable[[str, str, str], Path]
CARDS = "data/demo/cards.yaml"


def build(project: Path, **options: object) -> cardgen.BuildResult:
    return cardgen.build(
        cardgen.BuildOptions(game="demo", **options),  # type: ignore[arg-type]
        project=cardgen.Project.open(project),
    )


def digests(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.is_file()
    }


def clean_build(project: Path, elsewhere: Path) -> dict[str, str]:
    """What an empty cache and an empty folder give."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(elsewhere / "cache"))
        build(project, output=elsewhere / "out")
    return digests(elsewhere / "out" / "demo")


def command(project: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "cardgen", "build", "demo", "--quiet", "--project", str(project), *words]


def test_same_input_same_bytes_elsewhere_and_with_an_empty_cache(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(demo)
    other = Path(
        shutil.copytree(demo, tmp_path / "somewhere" / "else", ignore=shutil.ignore_patterns("output"))
    )
    done = subprocess.run(
        command(other),
        env={
            **os.environ,
            "CARDGEN_CACHE": str(tmp_path / "fresh"),
            "PYTHONHASHSEED": "7",
            "TZ": "Asia/Tokyo",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert digests(other / "output" / "demo") == digests(demo / "output" / "demo")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("data/demo/game.yaml", "version: 0.1.0", "version: 0.2.0"),
        ("templates/demo/icons/leaf.svg", 'stroke-linejoin="round"', 'stroke-linejoin="bevel"'),
    ],
)
def test_an_edit_of_anything_gives_a_clean_build_s_bytes(
    demo: Path,
    edit: Edit,
    settle: Callable[[Path], None],
    file: str,
    old: str,
    new: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build(demo)
    before = digests(demo / "output" / "demo")
    edit(file, old, new)
    settle(demo / Path(file).parts[0])
    build(demo)
    after = digests(demo / "output" / "demo")
    assert after != before
    shutil.rmtree(demo / "output")
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "empty"))
    build(demo)
    assert digests(demo / "output" / "demo") == after


def test_no_date_of_today(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    build(demo)
    with pikepdf.open(demo / "output" / "demo" / "poker.pdf") as pdf:
        assert str(pdf.docinfo["/CreationDate"]).startswith("D:20010909")
        assert pdf.docinfo["/Title"] == "Demo: poker"


def test_the_manifest_tells_what_is_there(demo: Path) -> None:
    build(demo)
    build(demo, sheets=("single",))
    folder = demo / "output" / "demo"
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [entry["sheet"] for entry in manifest["files"]] == ["poker", "single"]
    for entry in manifest["files"]:
        content = (folder / entry["path"]).read_bytes()
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
        assert entry["bytes"] == len(content)
        with pikepdf.open(io.BytesIO(content)) as pdf:
            assert entry["pages"] == len(pdf.pages)
            box = [float(side) / 72 * 25.4 for side in pdf.pages[0].mediabox]
            assert entry["page_mm"] == pytest.approx(box[2:], abs=0.01)


@pytest.mark.long
def test_builds_at_once_do_not_disturb_each_other(demo: Path) -> None:
    build(demo)
    expected = digests(demo / "output" / "demo")
    shutil.rmtree(demo / "output" / "demo")
    sheets = ("poker", "single")
    processes = [
        subprocess.Popen(command(demo, "--sheet", sheet), stderr=subprocess.PIPE, text=True)
        for sheet in sheets
    ]
    for process in processes:
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    folder = demo / "output" / "demo"
    assert digests(folder)["poker.pdf"] == expected["poker.pdf"]
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [entry["sheet"] for entry in manifest["files"]] == ["poker", "single"]


def test_a_full_disk_is_an_error_that_loses_nothing(
    demo: Path, edit: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(demo)
    before = digests(demo / "output" / "demo")
    edit(CARDS, "Gardener", "Head Gardener")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(cardgen.CardgenError) as caught:
        build(demo)
    assert caught.value.findings[0].code == "output/disk-full"
    assert digests(demo / "output" / "demo") == before


def test_fonts_are_embedded_once_and_text_can_be_had_back(demo: Path) -> None:
    build(demo)
    pdf = demo / "output" / "demo" / "poker.pdf"
    fonts = subprocess.run(["pdffonts", str(pdf)], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in fonts.splitlines()[2:]]
    assert rows
    assert all(row[-5:-2] == ["yes", "yes", "yes"] for row in rows), fonts
    text = subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    assert "Skip your next turn, then:" in text
    assert "Everybody passes the highest card" in text
    assert "print at 100 %" in text


def test_a_face_is_stored_once_however_often_it_is_placed(demo: Path, edit: Edit) -> None:
    build(demo)
    pdf = demo / "output" / "demo" / "poker.pdf"
    small = pdf.stat().st_size
    edit(CARDS, "id: old-oak", "id: old-oak\n    copies: 200")
    result = build(demo)
    assert result.files[0].pages == 48
    added = pdf.stat().st_size - small
    assert added / 46 < 3000, f"{added} bytes more for 46 more pages of one card"


def test_images_are_brought_down_where_that_is_asked_for(
    run: Callable[..., tuple[int, str, str]], demo: Path, edit: Edit
) -> None:
    path = demo / "templates/demo/art.jpg"
    Image.linear_gradient("L").resize((1200, 1200)).convert("RGB").save(path, quality=95)
    edit(
        "templates/demo/card.svg",
        "  <path d=",
        '  <image href="art.jpg" width="25.4" height="25.4"/>\n  <path d=',
    )
    assert run("build", "demo")[0] == 0
    assert run("build", "demo", "--image-dpi", "150")[0] == 0

    def widths(name: str) -> set[int]:
        with pikepdf.open(demo / "output/demo" / name) as pdf:
            streams = [each for each in pdf.objects if isinstance(each, pikepdf.Stream)]
            return {int(each.Width) for each in streams if each.get("/Subtype") == "/Image"}

    assert (widths("poker.pdf"), widths("poker.150-dpi.pdf")) == ({1200}, {150})
    code, _, err = run("build", "demo", "--image-dpi", "10")
    assert (code, "--image-dpi 10 is not between 72 and 2400" in err) == (2, True)
