"""Narrowed and varied builds stand beside the sheet, and sheets that are no more go."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import cardgen

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]


def test_what_is_narrowed_or_varied_has_a_name_of_its_own(run: Run, demo: Path) -> None:
    folder = demo / "output/demo"
    assert run("build", "demo")[0] == 0
    whole = (folder / "poker.pdf").read_bytes()
    names = {"poker.pdf"}
    for words, name in (
        (("--low-ink",), "poker-low-ink.pdf"),
        (("--card", "old-oak", "--card", "night-owl"), "poker.night-owl.old-oak.pdf"),
        (("--component", "cards"), "poker.pdf"),  # there is nothing else on it
        (("--paper", "a4", "--sheet", "single"), "single.pdf"),  # no paper there
        (("--no-backs",), "poker.no-backs.pdf"),
        (("--duplex", "fold"), "poker.duplex-fold.pdf"),
        (("--players", "2", "--paper", "a4"), "poker.2-players.a4.pdf"),
    ):
        code, out, err = run("build", "demo", *words)
        assert code == 0, err
        assert f"{name}  " in out
        assert (folder / "poker.pdf").read_bytes() == whole
        names.add(name)
        files = {entry["path"] for entry in json.loads((folder / "manifest.json").read_bytes())["files"]}
        assert files == names


def test_many_cards_are_counted(demo: Path) -> None:
    ids = tuple(card.id for card in cardgen.load("demo", project=cardgen.Project.open(demo)).cards())[:5]
    names = []
    for chosen in (ids, ids[::-1], ids[:4]):
        options = cardgen.BuildOptions("demo", cards=chosen)
        [file] = cardgen.build(options, project=cardgen.Project.open(demo)).files
        names.append(Path(file.path).name)
    assert names[0] == names[1] != names[2]
    assert names[0].startswith("poker.5-cards-")


def test_a_sheet_that_is_no_more_goes(run: Run, demo: Path, edit: Edit) -> None:
    folder = demo / "output/demo"
    assert run("build", "demo")[0] == 0
    assert run("build", "demo", "--paper", "a4")[0] == 0
    (folder / "mine.pdf").write_bytes(b"not of a build")
    edit("data/demo/game.yaml", "  poker:", "  bridge:")
    assert run("build", "demo")[0] == 0
    assert {path.name for path in folder.iterdir()} == {"bridge.pdf", "manifest.json", "mine.pdf"}
    listed = json.loads((folder / "manifest.json").read_bytes())["files"]
    assert [entry["path"] for entry in listed] == ["bridge.pdf"]


def test_a_file_that_somebody_changed_stays(run: Run, demo: Path, edit: Edit) -> None:
    folder = demo / "output/demo"
    assert run("build", "demo")[0] == 0
    (folder / "poker.pdf").write_bytes(b"scribbled on")
    edit("data/demo/game.yaml", "  poker:", "  bridge:")
    assert run("build", "demo")[0] == 0
    assert (folder / "poker.pdf").read_bytes() == b"scribbled on"
    listed = json.loads((folder / "manifest.json").read_bytes())["files"]
    assert [entry["path"] for entry in listed] == ["bridge.pdf"]


def test_a_manifest_never_has_other_files_removed(run: Run, demo: Path) -> None:
    folder = demo / "output/demo"
    assert run("build", "demo")[0] == 0
    other = demo / "output/elsewhere.pdf"
    other.write_bytes(b"")
    manifest = json.loads((folder / "manifest.json").read_bytes())
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    names = ("../elsewhere.pdf", "/etc/hostname", "a/b.pdf", "..")
    manifest["files"] += [{"path": name, "sheet": "gone", "sha256": empty} for name in names]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert run("build", "demo", "--paper", "a4")[0] == 0
    assert other.exists()
    written = json.loads((folder / "manifest.json").read_bytes())["files"]
    assert {entry["path"] for entry in written} == {"poker.pdf", "poker.a4.pdf"}


def test_a_book_is_imposed_and_exported_by_the_library(demo: Path, edit: Edit, tmp_path: Path) -> None:
    (demo / "data/demo/rules.md").write_text("# Rules\n\n![Owl](card:cards/night-owl)\n", "utf-8")
    edit(
        "data/demo/game.yaml",
        "\nsheets:\n",
        "\n  rules: {title: Rules, kind: book, trim: a5, book: rules.md}\nsheets:\n"
        "  rules: {layout: single, components: [rules]}\n",
    )
    project = cardgen.Project.open(demo)
    files = cardgen.build(cardgen.BuildOptions("demo"), project=project).files
    built = {file.sheet: file.path for file in files}
    game = cardgen.load("demo", project=project)
    art = cardgen.render(game)
    sheet = cardgen.impose(game, art, "rules")
    assert len(sheet.pages) == 4
    written = cardgen.export(game, art, sheet, tmp_path / "rules.pdf")
    assert written.read_bytes() == Path(built["rules"]).read_bytes()


def test_a_sheet_of_several_components_names_those_chosen(run: Run, demo: Path, edit: Edit) -> None:
    again = "\n  again: {title: Again, kind: card, trim: poker, data: again.yaml, face: back.svg,"
    edit("data/demo/game.yaml", "\nsheets:\n", f"{again} schema: again.schema.json}}\nsheets:\n")
    edit("data/demo/game.yaml", "components: [cards]", "components: [cards, again]")
    (demo / "data/demo/again.yaml").write_text("again: [{id: one}]\n", encoding="utf-8")
    schema = '{"properties": {"again": {"items": {"$ref": "../card.schema.json"}}}}'
    (demo / "schemas/demo/again.schema.json").write_text(schema, encoding="utf-8")
    for words in (("again",), ("cards", "again"), ("again", "cards")):
        chosen = [part for word in words for part in ("--component", word)]
        code, out, err = run("build", "demo", *chosen)
        assert code == 0, err
        assert ("poker.again.pdf  " if len(words) == 1 else "poker.pdf  ") in out


def test_a_pattern_stands_for_all_cards_that_it_fits(run: Run, demo: Path) -> None:
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    for patterns, ids in (
        (("*",), {card.id for card in game.cards()}),
        (("?ld-oak", "early-*"), {"old-oak", "early-bird"}),
        (("[no]*", "night-owl"), {"old-oak", "night-owl"}),
    ):
        assert {each.card for each in cardgen.render(game, cards=patterns).cards} == ids
    code, out, err = run("build", "demo", "--card", "?ld-oak", "--card", "early-*")
    assert code == 0, err
    name = out.split()[0].rpartition("/")[2]
    assert re.fullmatch(r"poker\.cards-[0-9a-f]{6}\.pdf", name)


def test_a_pattern_that_fits_no_card_is_misuse(run: Run) -> None:
    for words, pattern, hint in (
        (("build", "demo", "--card"), "xyz*", "use one of: early-bird, "),
        (("build", "demo", "--card"), "ealry-*", "did you mean 'early-*'?"),
        (("proof", "demo"), "old-oka?", "did you mean 'old-oak'?"),
        (("proof", "demo"), "OLD-*", "did you mean 'old-*'?"),
    ):
        code, out, err = run(*words, pattern)
        assert (code, out) == (2, "")
        assert f"there is no card '{pattern}'" in err
        assert hint in err


def test_a_proof_of_a_pattern_shows_each_card(run: Run, demo: Path, edit: Edit) -> None:
    code, out, err = run("proof", "demo", "*-o*", "--dpi", "20")
    assert code == 0, err
    names = [Path(line).name for line in out.split()]
    assert names == ["night-owl-face.png", "night-owl-back.png", "old-oak-face.png", "old-oak-back.png"]
    # What is in error is passed over only if it is not asked for.
    edit("data/demo/cards.yaml", "value: 5", "valeu: 5")
    wrong = run("proof", "demo", "*", "--dpi", "20")
    assert wrong[0] == 1
    assert "valeu" in wrong[2]
