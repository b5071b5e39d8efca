"""Whatever is wrong with a rulebook is said at its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.production import stages as production
from cardgen.core.findings import Findings
from tests.book.conftest import Made, texts
from tests.wording import Wording

Make = Callable[..., Made]


@pytest.mark.parametrize(
    ("markdown", "code", "line"),
    [
        ("# T\n\n{{ nothing }}", "template/undefined", 3),
        ("# T\n\n{{ components.crads.copies }}", "template/undefined", 3),
        ("# T\n\n{% for %}\n", "template/syntax", 3),
        ("# T\n\n{% for x in range(10**9) %}{% endfor %}", "template/budget", 3),
        ("# T\n\nText.\n\n![](card:cards/night-wol)", "book/card", 5),
        ("# T\n\n![](card:cards/night-owl#side)", "book/card", 3),
        ("# T\n\n![](art/map.png)", "book/card", 3),
        ('# T\n\n![](card:cards/night-owl "wide")', "book/width", 3),
        ('# T\n\n![](card:cards/night-owl "4in")\n\n:sunn: x', "book/icon", 5),
        ("# T\n\nA :star@1.5: b", "book/icon", 3),
        ("# T\n\nA :star@7: b", "book/icon", 3),
        ("# T\n\nA :star 1234: b", "book/icon", 3),
        ("# T\n\nOne\ntwo :sunn: three", "book/icon", 4),
        ("# T\n\n[there](#nowhere)\n\n## Here", "book/link", 3),
        ("# T\n\n[there](rules.txt)", "book/link", 3),
        ("# T :star:", "book/icon", 1),
        ("# T\n\n> [!Cost :sunn:]\n> Text", "book/icon", 3),
        ("# T\n\n<b>bold</b>", "book/markdown", 3),
        ("# T\n\n<div>\n</div>", "book/markdown", 3),
        ("# T\n\n```\ncode\n```", "book/markdown", 3),
        ("# T\n\nText ![](card:cards/night-owl)", "book/markdown", 3),
        ("# T\n\n##### Deep", "book/markdown", 3),
        ("# T\n\n## One\n\n#### Two", "book/heading", 5),
        ("# T\n\n### One", "book/heading", 3),
        ("# T\n\n> ## In a call-out", "book/markdown", 3),
        ("No title", "book/title", 1),
        ("# T\n\n# Another", "book/title", 3),
        ("# T\n\nA letter: 漢", "book/glyph", 3),
        ("# T\n\n## A 漢 of a chapter", "book/glyph", 3),
        ("# A 漢", "book/glyph", 1),
        ("# T\n\nשלום", "book/glyph", 3),
        ("# T\n\n" + "x" * 120, "book/overflow", 3),
    ],
)
def test_what_is_wrong_is_said_at_its_line(
    make: Make, markdown: str, code: str, line: int, wording: Wording
) -> None:
    made = make(markdown)
    assert made.book is None
    found = [text for *at, text in made.said if at == [code, line]]
    assert found, made.said
    wording(found)
    assert all(
        finding.location is not None and finding.location.file == "data/demo/rulebook.md"
        for finding in made.findings
    )


def test_stars_that_are_printed_are_a_warning(make: Make) -> None:
    made = make("# T\n\nx\n**Haste:**draw a **card**, \\*\\* and 2 * 3")
    assert made.book is not None
    assert made.said == [
        ("text/markdown", 4, "the stars ** in '**Haste:**draw a' print as stars, not as emphasis")
    ]


def test_a_name_that_is_nearly_right_is_proposed(make: Make) -> None:
    made = make("# T\n\n![](card:cards/night-wol)\n\n:lef:\n\n[x](#set-op)\n\n## Set-up")
    hints = [finding.hint for finding in made.findings.sorted()]
    assert hints == [
        "did you mean 'card:cards/night-owl'?",
        "did you mean ':leaf:'?",
        "did you mean '#set-up'?",
    ]


def test_everything_is_said_at_once(make: Make) -> None:
    made = make("# T\n\n:no-such:\n\n![](card:cards/none)\n\n<i>x</i>\n", "ink: no_such")
    assert [code for code, _, _ in made.said] == [
        "book/color",
        "book/icon",
        "book/card",
        *["book/markdown"] * 2,
    ]


@pytest.mark.parametrize(
    ("look", "code"),
    [
        ("accent: '#ffff00'", "book/contrast"),
        ("ink: '#888888'", "book/contrast"),
        ("ground: '#777777'\non_ground: '#888888'", "book/contrast"),
        ("accent: inkk", "book/color"),
        ("accent: hues", "book/color"),
        ("display: Helvetica", "font/family"),
        ("text: Bebas Neue", "font/face"),
        ("cover: [cards/no-one]", "book/card"),
    ],
)
def test_a_wrong_look_is_said_at_its_line_of_game_yaml(
    make: Make, look: str, code: str, wording: Wording
) -> None:
    made = make("# T", look)
    assert made.book is None
    (finding,) = [finding for finding in made.findings if finding.code == code][:1]
    wording(finding)
    assert finding.location is not None
    assert finding.location.file == "data/demo/game.yaml"
    assert finding.location.line is not None
    assert finding.location.line > 20


GAME_YAML: list[tuple[str, str, str, str]] = [
    ("book: rulebook.md", "book: rulebok.md", "reference/book"),
    ("book: rulebook.md", "book: rulebook.txt", "schema/pattern"),
    ("    book: rulebook.md\n", "", "schema/required"),
    ("trim: a5", "trim: [50mm, 70mm]", "component/book"),
    ("kind: book", "kind: book\n    face: card.svg", "component/key"),
    ("kind: card", "kind: card\n    look: {ink: '#000000'}", "component/key"),
    ("components: [rules]}\n  booklet", "components: [rules, cards]}\n  booklet", "sheet/book"),
]


@pytest.mark.parametrize(("old", "new", "code"), GAME_YAML)
def test_a_wrong_component_is_said_at_its_line(
    with_book: Callable[..., Path], old: str, new: str, code: str, wording: Wording
) -> None:
    project = with_book("# T")
    manifest = project / "data/demo/game.yaml"
    text = manifest.read_text(encoding="utf-8")
    assert text.count(old) == 1
    manifest.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(cardgen.CardgenError) as error:
        cardgen.load("demo", project=cardgen.Project.open(project))
    found = [finding for finding in error.value.findings if finding.code == code]
    assert found, [str(finding) for finding in error.value.findings]
    wording(found[0])
    assert found[0].location is not None
    assert found[0].location.line is not None


def test_check_judges_books_and_their_sheets(with_book: Callable[..., Path]) -> None:
    project = with_book("# T\n\n:no-such:")
    findings = cardgen.check(cardgen.load("demo", project=cardgen.Project.open(project)))
    assert [finding.code for finding in findings] == ["book/icon"]
    manifest = project / "data/demo/game.yaml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("{layout: single,", "{layout: poker,"), encoding="utf-8")
    (project / "data/demo/rulebook.md").write_text("# T", encoding="utf-8")
    findings = cardgen.check(cardgen.load("demo", project=cardgen.Project.open(project)))
    (finding,) = findings
    assert finding.code == "sheet/book"
    assert finding.location is not None
    assert finding.location.line is not None
    line = manifest.read_text(encoding="utf-8").splitlines()[finding.location.line - 1]
    assert line.startswith("  rules: {layout: poker")


def test_a_file_that_is_not_utf8(with_book: Callable[..., Path]) -> None:
    project = with_book("# T")
    (project / "data/demo/rulebook.md").write_bytes(b"# T\n\n\xff\xfe")
    findings = cardgen.check(cardgen.load("demo", project=cardgen.Project.open(project)))
    assert [(finding.code, finding.location and finding.location.line) for finding in findings] == [
        ("file/encoding", 3)
    ]


def test_letters_of_the_title_page_come_from_other_fonts_or_are_said(
    with_book: Callable[..., Path],
) -> None:
    """Where they stand: in the book's file, or in game.yaml."""
    demo = with_book("# ┌ ♠\n\n## One ♥\n\nText.\n")
    path = demo / "data/demo/game.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text + "fonts: {fallback: [IBM Plex Mono]}\n", encoding="utf-8")

    def made() -> Made:
        game = cardgen.load("demo", project=cardgen.Project.open(demo))
        findings = Findings()
        return Made(production.render_book(game, game.component("rules"), findings), findings)

    assert made().said == []
    assert texts(made().pages[0])[0] == "┌ ♠"
    odd = text.replace("Your name", "漢").replace("title: Rules", "title: 漢字").replace("own.", "own 字.")
    path.write_text(odd, encoding="utf-8")
    places = [f"{each.location.path}: {each.message}" for each in made().findings.sorted() if each.location]
    assert places == [
        "author: the font IBMPlexSans-Regular has no '漢'",
        "description: the font IBMPlexSans-Regular has no '字'",
        "components.rules.title: the font IBMPlexSans-Bold has no '漢字'",
        ": the font IBMPlexSans-Regular has no '┌'",
        ": the font IBMPlexSansCondensed-Bold has no '┌'",
    ]
