"""Names of files as people and programs write them, and as the disk spells them."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from cardgen.files import listing as names
from cardgen.files.listing import ProjectFolders, candidates, other_case, spelled
from tests.for_each import for_each

NFD_ANGER = unicodedata.normalize("NFD", "Ärger.png")
FROM = ["templates/g", "templates"]
WITHIN = ["templates", "art"]


@for_each(
    ("name", "file"),
    [
        ("my art.png", "templates/g/my art.png"),
        ("my%20art.png", "templates/g/my art.png"),
        ("B%C3%A4r.png", "templates/g/Bär.png"),
        ("B%E4r.png", "templates/g/Bär.png"),
        ("Ba%CC%88r.png", "templates/g/Bär.png"),
        ("Ärger.png", f"templates/g/sub/{NFD_ANGER}"),
        ("50%25 off.png", "templates/g/50% off.png"),
        ("50% off.png", "templates/g/50% off.png"),
        ("a%20b.png", "templates/g/a%20b.png"),
        ("./sub/../my art.png", "templates/g/my art.png"),
        ("..\\g\\my art.png", "templates/g/my art.png"),
        ("../../art/hero.png", "art/hero.png"),
        ("g/my art.png", "templates/g/my art.png"),
    ],
)
def test_name_as_written_finds_the_file(name: str, file: str, tmp_path: Path) -> None:
    place = tmp_path / file
    place.parent.mkdir(parents=True)
    place.touch()
    if name == "a%20b.png":
        place.with_name("a b.png").touch()
    elif name == "Ärger.png":
        name = f"sub/{name}"
    found = ProjectFolders((tmp_path,)).locate(name, FROM, WITHIN)
    assert found is not None
    assert found[1].file == file
    assert not found[1].has_other_case


@for_each("written", ["NFC", "NFD"])
@for_each("kept", ["NFC", "NFD"])
def test_folder_and_file_of_other_composition_are_found(written: str, kept: str, tmp_path: Path) -> None:
    file = unicodedata.normalize(kept, "templates/Übung/Öl für 2.png")  # type: ignore[arg-type]
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).touch()
    name = unicodedata.normalize(written, "Übung/Öl für 2.png")  # type: ignore[arg-type]
    assert ProjectFolders((tmp_path,)).find(f"templates/{name}") == tmp_path / file


def test_exact_name_wins_over_other_composition(tmp_path: Path) -> None:
    for name in ("Ärger.png", NFD_ANGER):
        (tmp_path / name).touch()
        assert spelled(tmp_path, name) == name


@for_each(
    "name",
    [
        "../../../etc/passwd",
        "../../data/g/game.yaml",
        "..\\..\\data\\x.png",
        "%2e%2e/%2e%2e/data/x.png",
        "..%2f..%2fdata%2fx.png",
        "..%5c..%5cdata%5cx.png",
        "%2Fetc%2Fpasswd",
        "/etc/passwd",
        "\\\\server\\share\\x.png",
        "a%00.png",
        "a\n.png",
        "..",
        "%2e%2e",
        "",
        "x" * 2_000,
    ],
)
def test_name_never_leads_out(name: str, tmp_path: Path) -> None:
    (tmp_path / "data/g").mkdir(parents=True)
    (tmp_path / "data/g/game.yaml").touch()
    (tmp_path / "data/x.png").touch()
    places = candidates(name, FROM, WITHIN)
    assert all(place.startswith(("templates/", "art/")) and "/../" not in place for place in places)
    assert ProjectFolders((tmp_path,)).locate(name, FROM, WITHIN) is None


@for_each("dots", ["\N{TWO DOT LEADER}", "\N{ONE DOT LEADER}" * 2, "\uff0e\uff0e"])
@for_each("slash", ["/", "\uff0f", "\N{FRACTION SLASH}", "\N{DIVISION SLASH}"])
def test_look_alikes_of_dots_and_slashes_stay_names(dots: str, slash: str, tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "x.png").touch()
    name = f"{dots}{slash}x.png"
    assert all(".." not in place for place in candidates(name, ["templates"], WITHIN))
    assert ProjectFolders((tmp_path,)).locate(name, ["templates"], WITHIN) is None


def test_percent_escapes_are_decoded_once(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    assert candidates("%252e%252e/x.png", ["templates"], WITHIN) == [
        "templates/%252e%252e/x.png",
        "templates/%2e%2e/x.png",
    ]


def test_wrong_case_is_told_on_any_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art/Öl.png").touch()
    paths = ProjectFolders((tmp_path,))
    assert other_case(tmp_path, "art/öl.PNG") == "art/Öl.png"
    assert paths.locate("öl.PNG", ["art"], WITHIN) is None

    def is_there(path: str) -> bool:  # as a disk answers that is blind to case
        parent, name = os.path.split(path)
        known = os.listdir(parent) if os.path.isdir(parent) else []
        if not os.path.isdir(parent) and parent.startswith(str(tmp_path)):
            return is_there(parent) and name.casefold() in {"öl.png"}
        return name.casefold() in {each.casefold() for each in known}

    monkeypatch.setattr(names, "is_there", is_there)
    found = paths.locate("öl.PNG", ["art"], WITHIN)
    assert found is not None
    assert found[1].file == "art/Öl.png"
    assert found[1].has_other_case
    exact = paths.locate("Öl.png", ["art"], WITHIN)
    assert exact is not None
    assert not exact[1].has_other_case
