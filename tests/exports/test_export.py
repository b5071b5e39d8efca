"""The export framework, shown with `--to png`: what is written, what is left alone, what is refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import cardgen
from cardgen.core.findings import CardgenError, UsageError
from cardgen.exports.delivery import Delivery
from cardgen.exports.delivery import deliver as deliver_to
from cardgen.exports.job import PlannedFile
from cardgen.files.changes import Changes
from tests.for_each import for_each

Run = Callable[..., tuple[int, str, str]]


def export(project: Path, to: str = "png", **options: Any) -> cardgen.ExportResult:
    chosen = {"dpi": 30} | options.pop("settings", {})
    wish = cardgen.ExportOptions(game="demo", to=to, settings=chosen, **options)
    return cardgen.export_to(wish, project=cardgen.Project.open(project))


def picture_of(path: Path | str) -> Image.Image:
    """A picture, read whole."""
    with Image.open(path) as picture:
        return picture.copy()


def times(folder: Path) -> dict[str, int]:
    return {
        path.relative_to(folder).as_posix(): path.stat().st_mtime_ns
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_sides_are_numbered_and_cut_to_shape(demo: Path) -> None:
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    export(demo)
    folder = demo / "output/demo/png"
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*.png")}
    first = game.component("cards").cards[0]
    assert names == {
        "cards/back.png",
        *(f"cards/{card.number:02}-{card.id}-face.png" for card in game.component("cards").cards),
    }
    face = picture_of(folder / f"cards/01-{first.id}-face.png")
    assert face.size == (round(2.5 * 30), round(3.5 * 30))
    assert face.mode == "RGBA"
    assert face.getpixel((0, 0))[3] == 0, "the corner is cut off"
    assert face.getpixel((37, 52))[3] == 255


@pytest.mark.parametrize(
    ("settings", "size", "corner"),
    [
        ({"bleed": True}, (round(2.75 * 30), round(3.75 * 30)), 255),
        ({"square-corners": True}, (75, 105), 255),
        ({"dpi": 100}, (250, 350), 0),
    ],
)
def test_options_of_pictures(
    demo: Path, settings: dict[str, Any], size: tuple[int, int], corner: int
) -> None:
    result = export(demo, settings=settings)
    face = picture_of(next(file.path for file in result.files if file.path.endswith("-face.png")))
    assert all(abs(got - wanted) <= 1 for got, wanted in zip(face.size, size))
    assert face.getpixel((0, 0))[3] == corner


def test_opaque_pictures_have_no_alpha(demo: Path) -> None:
    result = export(demo, settings={"opaque": True})
    face = picture_of(next(file.path for file in result.files if file.path.endswith("-face.png")))
    assert face.mode == "RGB"
    assert face.getpixel((0, 0)) == (255, 255, 255)


def test_paper_is_white_where_a_template_paints_nothing(demo: Path) -> None:
    bare = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}mm" height="{{ height }}mm" '
        'viewBox="0 0 {{ width }} {{ height }}"><rect x="9" y="9" width="9" height="9"/></svg>'
    )
    (demo / "templates/demo/card.svg").write_text(bare, encoding="utf-8")
    result = export(demo)
    face = picture_of(next(file.path for file in result.files if file.path.endswith("-face.png")))
    assert face.getpixel((37, 80)) == (255, 255, 255, 255)
    assert face.getpixel((0, 0))[3] == 0


def test_an_unchanged_export_ends_at_once(demo: Path) -> None:
    export(demo)
    before = times(demo / "output")
    again = export(demo)
    assert again.up_to_date
    assert not again.changed
    assert times(demo / "output") == before


def test_an_edit_touches_only_what_shows_it(demo: Path, edit: Callable[[str, str, str], Path]) -> None:
    export(demo)
    folder = demo / "output/demo/png"
    before = times(folder)
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    title = game.component("cards").cards[1].fields["title"]
    edit("data/demo/cards.yaml", f"title: {title}", "title: Quite New")
    result = export(demo)
    after = times(folder)
    touched = {name for name in after if after[name] != before.get(name)}
    card = game.component("cards").cards[1].id
    assert touched == {f"cards/02-{card}-face.png", "export.json"}
    assert [Path(file.path).name for file in result.changed] == [f"02-{card}-face.png"]


def test_what_is_no_longer_made_goes_and_strangers_stay(demo: Path) -> None:
    export(demo)
    folder = demo / "output/demo/png"
    stranger = folder / "cards" / "mine.png"
    stranger.write_bytes(b"mine")
    cards = demo / "data/demo/cards.yaml"
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    last = game.component("cards").cards[-1]
    text = cards.read_text(encoding="utf-8")
    cards.write_text(text[: text.index(f"- id: {last.id}")].rstrip() + "\n", encoding="utf-8")
    result = export(demo)
    gone = f"cards/{last.number:02}-{last.id}-face.png"
    assert not (folder / gone).exists()
    assert [Path(name).name for name in result.removed] == [Path(gone).name]
    assert stranger.read_bytes() == b"mine"


def test_a_damaged_or_missing_file_is_made_again(demo: Path) -> None:
    export(demo)
    back = demo / "output/demo/png/cards/back.png"
    good = back.read_bytes()
    back.write_bytes(bytes(reversed(good)))  # as long as before
    assert [Path(file.path).name for file in export(demo).changed] == ["back.png"]
    assert back.read_bytes() == good
    back.unlink()
    export(demo)
    assert back.read_bytes() == good


def test_the_list_names_every_file_with_its_bytes(demo: Path) -> None:
    export(demo)
    folder = demo / "output/demo/png"
    listed = json.loads((folder / "export.json").read_text(encoding="utf-8"))
    assert (listed["game"], listed["to"]) == ("demo", "png")
    assert {entry["path"] for entry in listed["files"]} == set(times(folder)) - {"export.json"}
    for entry in listed["files"]:
        assert entry["sha256"] == hashlib.sha256((folder / entry["path"]).read_bytes()).hexdigest()


def test_the_same_input_gives_the_same_bytes(demo: Path, tmp_path: Path) -> None:
    files = [
        {Path(file.path).name: Path(file.path).read_bytes() for file in export(demo, output=out).files}
        for out in (tmp_path / "one", tmp_path / "two")
    ]
    assert files[0] == files[1]
    assert len(files[0]) > 2


def planned(name: str, content: bytes, **more: Any) -> PlannedFile:
    return PlannedFile.of(name, content, **more)


def deliver(folder: Path, files: list[PlannedFile], about: dict[str, str], **more: Any) -> Delivery:
    with Changes(folder) as changes:
        return deliver_to(changes, files, about, **more)


def test_an_error_while_writing_loses_nothing(tmp_path: Path) -> None:
    deliver(tmp_path, [planned("a", b"1"), planned("b", b"2")], {})

    def fail(out: object) -> None:
        raise CardgenError(cardgen.Finding(cardgen.Severity.ERROR, "x", "cannot be drawn"))

    with pytest.raises(CardgenError):
        deliver(tmp_path, [planned("a", b"new"), PlannedFile("c", "digest", fail)], {})
    assert (tmp_path / "a").read_bytes() == b"1", "all files change or none"
    assert (tmp_path / "b").read_bytes() == b"2", "stale files go only when all is well"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "export.json"]
    deliver(tmp_path, [planned("a", b"new")], {})
    assert (tmp_path / "a").read_bytes() == b"new"
    assert not (tmp_path / "b").exists()


def test_files_that_refer_to_others_come_last(tmp_path: Path) -> None:
    deliver(tmp_path, [planned("late.bin", b"old")], {})
    seen = []
    with Changes(tmp_path) as changes:

        def write(out: Any) -> None:
            seen.append(changes.path("late.bin").read_bytes())
            out.write(b"save")

        first = PlannedFile("save.json", "d", write, closing=True)
        deliver_to(changes, [first, planned("late.bin", b"new")], {})
    assert seen == [b"new"]


def test_part_of_a_game_leaves_the_rest(tmp_path: Path) -> None:
    deliver(tmp_path, [planned("x/a", b"1"), planned("y/b", b"2")], {})
    deliver(tmp_path, [planned("x/a", b"3")], {}, partial=True)
    assert (tmp_path / "y/b").read_bytes() == b"2"
    deliver(tmp_path, [planned("x/a", b"3")], {})
    assert not (tmp_path / "y").exists(), "a folder that is left empty goes too"


@for_each("name", ["../out", "/etc/x", "a/../../b", "c:\\x"])
def test_no_file_leaves_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError):
        deliver(tmp_path / "in", [planned(name, b"1")], {})


def test_a_list_that_lies_removes_nothing_outside(tmp_path: Path) -> None:
    outside = tmp_path / "precious.txt"
    outside.write_bytes(b"mine")
    inside = tmp_path / "export"
    deliver(inside, [planned("a", b"1")], {})
    listed = json.loads((inside / "export.json").read_text(encoding="utf-8"))
    listed["files"].append({"path": "../precious.txt", "made_of": "x", "sha256": "x", "bytes": 4})
    (inside / "export.json").write_text(json.dumps(listed), encoding="utf-8")
    deliver(inside, [planned("a", b"1")], {})
    assert outside.read_bytes() == b"mine"


def test_what_other_code_made_is_made_anew(tmp_path: Path) -> None:
    wish = [planned("a", b"1"), planned("b", b"2")]
    deliver(tmp_path, wish, {})
    assert not any(file.changed for file in deliver(tmp_path, wish, {}).files)
    listed = json.loads((tmp_path / "export.json").read_text(encoding="utf-8"))
    (tmp_path / "export.json").write_text(json.dumps({**listed, "made_by": "older"}), encoding="utf-8")
    delivery = deliver(tmp_path, wish[:1], {})
    assert [file.changed for file in delivery.files] == [True]
    assert delivery.removed == (tmp_path / "b",)


@for_each("damage", ["bytes", "sha256", "made_of", "path", "deep", "long", "half a letter"])
def test_a_damaged_list_is_put_right(tmp_path: Path, damage: str) -> None:
    wish = [planned("a", b"1"), planned("b", b"2")]
    deliver(tmp_path, wish, {})
    path = tmp_path / "export.json"
    whole = path.read_bytes()
    listed = json.loads(whole)
    if damage in listed["files"][0]:
        listed["files"][0][damage] = 7 if damage == "bytes" else "c"
    elif damage == "half a letter":
        listed["files"][0]["path"] = "\ud800"
    content = {"deep": "[" * 100_000, "long": '{"export": 1, "files": [{"bytes": 1e999}]}'}
    path.write_text(content.get(damage) or json.dumps(listed), encoding="utf-8")
    deliver(tmp_path, wish, {})
    assert path.read_bytes() == whole
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a", "b", "export.json"]


def test_a_list_removes_nothing_through_a_link(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    folder = tmp_path / "export"
    deliver(folder, [planned("a", b"1")], {})
    (folder / "link").symlink_to(tmp_path)
    text = (folder / "export.json").read_text(encoding="utf-8")
    (folder / "export.json").write_text(text.replace('"a"', '"link/victim"'), encoding="utf-8")
    assert deliver(folder, [planned("b", b"2")], {}).removed == ()
    assert victim.read_bytes() == b"mine"


def test_unknown_targets_and_options_are_named(demo: Path, run: Run) -> None:
    code, _, err = run("export", "demo", "--to", "pgn")
    assert (code, "did you mean 'png'?" in err) == (2, True)
    code, _, err = run("export", "demo", "--to", "png", "--component", "card")
    assert (code, "did you mean 'cards'?" in err) == (2, True)
    code, _, err = run("export", "demo", "--to", "png", "--dpi", "3")
    assert (code, "--dpi 3 is not between 10 and 2400" in err) == (2, True)
    code, _, err = run("export", "demo", "--to", "png", "--max-texture", "1024")
    assert (code, "--to png doesn't accept --max-texture" in err) == (2, True)
    with pytest.raises(UsageError):
        export(demo, settings={"no-such": 1})


def test_the_help_names_every_target(run: Run) -> None:
    code, out, _ = run("export", "--help")
    assert code == 0
    for name, exporter in cardgen.exporters().items():
        assert f"  {name} " in out
        assert exporter.summary in " ".join(out.split())


def test_a_file_in_the_way_is_a_finding(demo: Path, run: Run) -> None:
    (demo / "output/demo").mkdir(parents=True)
    (demo / "output/demo/png").write_text("in the way", encoding="utf-8")
    code, _, err = run("export", "demo", "--to", "png", "--dpi", "30")
    assert (code, "output/unwritable" in err) == (1, True)


def test_a_tilde_is_the_home_folder(run: Run, demo: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    code, _, err = run("export", "demo", "--to", "png", "--dpi", "30", "--output", "~/out")
    assert code == 0, err
    assert (tmp_path / "home/out/demo/png/cards/back.png").is_file()
    code, _, err = run("export", "demo", "--to", "png", "--output", "~nobody-of-this-name/out")
    assert (code, "no such user" in err) == (2, True)
