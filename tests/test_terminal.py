"""What strangers wrote reaches a terminal escaped: no control characters, no lines that we did not mean."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.cli.main import main
from tests.printed import hidden
from tests.sampling import one_in

PROJECT = Path(__file__).parent / "hostile" / "project"
NASTY = (
    "\x1b[31mr\0ed\x1b[0m\nFORGED\r\nFORGED\x85FORGED\u2028FORGED\v\x07\x7f\u202etxt\u2066\ufeff\u200e\tend"
)
"""Colours, new lines of every kind, a bell, turned reading, marks that cannot be seen, a tab."""
COMMANDS = "\n::error file=a::FORGED\n##[set-env name=A]FORGED ##vso[task.complete] ##teamcity[x]"
"""What build servers would obey."""

Put = Callable[[Path, str], None]


# ---------------------------------------------------------------- every place


def quoted(text: str) -> str:
    """A text as a YAML value (and a JSON one)."""
    return json.dumps(text)


def edit(project: Path, file: str, old: str, new: str) -> None:
    path = project / file
    before = path.read_text("utf-8")
    assert old in before
    path.write_text(before.replace(old, new, 1), "utf-8")


def in_game(old: str, new: str) -> Put:
    """Replaces a text of game.yaml; `@` is the hostile text, quoted."""
    return lambda project, text: edit(project, "data/demo/game.yaml", old, new.replace("@", quoted(text)))


def in_cards(old: str, new: str) -> Put:
    return lambda project, text: edit(project, "data/demo/cards.yaml", old, new.replace("@", quoted(text)))


def in_rules(rule: str) -> Put:
    def put(project: Path, text: str) -> None:
        (project / "data/demo/rules.yaml").write_text("rules:\n" + rule.replace("@", quoted(text)), "utf-8")

    return put


def in_file(file: str, content: str, *edits: tuple[str, str, str]) -> Put:
    """A file with the text in it, as it is for `$`, quoted for `@`."""

    def put(project: Path, text: str) -> None:
        for other, old, new in edits:
            edit(project, other, old, new)
        path = project / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content.replace("@", quoted(text)).replace("$", text), "utf-8")

    return put


def named(file: str, content: str, *edits: tuple[str, str, str]) -> Put:
    """A file whose name holds the text."""

    def put(project: Path, text: str) -> None:
        name = file.replace("$", text.replace("/", "_").replace("\0", "")[:60])
        in_file(name, content, *edits)(project, text)

    return put


TEMPLATE, SCHEMA = "templates/demo/card.svg", "schemas/demo/cards.schema.json"
SVG = '<svg xmlns="http://www.w3.org/2000/svg">'
ICON = (TEMPLATE, "</svg>", "{{ icon('odd', 1, 1, 9) }}</svg>")
BOOK = (
    "data/demo/game.yaml",
    "sheets:\n",
    "  rules: {title: Rules, kind: book, trim: a5, book: rulebook.md}\n"
    "sheets:\n  rules: {layout: single, components: [rules]}\n",
)
RULEBOOK = "data/demo/rulebook.md"
DECKS = ("data/demo/game.yaml", "components:", "decks: {component: cards}\ncomponents:")
RULE = "- {id: size, question: Is it?, kind: count, component: cards, equals: 3}\n"

PLACES: dict[str, Put] = {
    "a sheet's name": in_game("poker:", "@:"),
    "a sheet's layout": in_game("layout: poker", "layout: @"),
    "a component's id": in_game("cards:\n    title", "@:\n    title"),
    "a component's title": in_game("title: Cards", "title: @"),
    "the game's title": in_game("title: Demo", "title: @"),
    "the game's id": in_game("id: demo", "id: @"),
    "the game's version": in_game("version: 1.0.0", "version: @"),
    "the game's author": in_game("author: Somebody", "author: @"),
    "an unknown key": in_game("author:", "@: 1\nauthor:"),
    "the name of a data file": in_game("data: cards.yaml", "data: @"),
    "the name of a template": in_game("face: card.svg", "face: @"),
    "the name of a schema": in_game("schema: cards.schema.json", "schema: @"),
    "a colour": in_game("ink: '#1d2433'", "ink: @"),
    "the language": in_game("language: en", "language: @"),
    "a card's id": in_cards("id: first", "id: @"),
    "a card's title": in_cards("title: First", "title: @"),
    "a card's text": in_cards("Take one card.", "@"),
    "a card's value": in_cards("value: 1", "value: @"),
    "a card's key": in_cards("value: 1", "value: 1\n    @: 1"),
    "a rule's id": in_rules("- {id: @, question: Is it?, kind: count, component: cards, equals: 3}"),
    "a rule's question": in_rules("- {id: size, question: @, kind: count, component: cards, equals: 3}"),
    "a rule's reasoning": in_rules(RULE.replace("Is it?", "Is it?, why: @")),
    "a rule's kind": in_rules(RULE.replace("kind: count", "kind: @")),
    "a rule's component": in_rules(RULE.replace("component: cards", "component: @")),
    "a rule's expression": in_rules("- {id: size, question: Is it?, kind: each, holds: @}"),
    "a rule's message": in_rules("- {id: size, question: Is it?, kind: each, holds: 'false', message: @}"),
    "a link of the rulebook": in_file(RULEBOOK, "# Rules\n\n[here](<$>) and [there]($)\n", BOOK),
    "a card in the rulebook": in_file(RULEBOOK, "# Rules\n\n{{ card($) }} {{ '$' }}\n", BOOK),
    "a heading of the rulebook": in_file(RULEBOOK, "# $\n\n[x](#$)\n", BOOK),
    "a deck's card": in_file("deck.txt", "2 $\n", DECKS),
    "a deck's title": in_file("data/demo/decks/mine.yaml", "{title: @, cards: {first: 1}}", DECKS),
    "a deck's key": in_file("data/demo/decks/mine.yaml", "{title: Mine, @: 1}", DECKS),
    "a deck file's name": named("data/demo/decks/$.yaml", "{title: Mine, cards: {nobody: 1}}", DECKS),
    "a deck list's name": named("$.txt", "2 nobody\n", DECKS),
    "a service's title": in_file("data/services/mine.yaml", "title: $\n"),
    "a service's quoted title": in_file("data/services/mine.yaml", "title: @\nproducts: 3\n"),
    "a service file's name": named("data/services/$.yaml", "title: Mine\n"),
    "a sheet file's name": named("data/sheets/$.yaml", "{"),
    "a game's folder": named("data/$/game.yaml", "{"),
    "a template's own words": in_file(TEMPLATE, SVG + '<text font-family="$">{{ $ }}</text>'),
    "a template's element": in_file(TEMPLATE, SVG + "{{ icon(@) }}{% include @ %}</svg>"),
    "a template's variable": in_file(TEMPLATE, SVG + "<a x={{ card[@] }}/></svg>"),
    "an icon's words": in_file(
        "templates/demo/icons/odd.svg",
        SVG + "<text>$</text><$/></svg>",
        ICON,
    ),
    "an icon's name": named("templates/demo/icons/$.svg", "<svg", ICON),
    "a schema's words": in_file(SCHEMA, '{"title": @, "properties": {@: @}, "type": @}'),
    "a schema's message": in_file(
        SCHEMA,
        '{"properties": {"cards": {"items": {"properties": {"title": {"enum": [@], "title": @,'
        ' "description": @, "pattern": @, "patternErrorMessage": @}}}}}}',
    ),
    "a font's family": in_file("fonts/fonts.yaml", "{families: {@: [{file: @, weight: 400}]}}"),
    "the table": in_file("data/demo/table.yaml", "{items: [{component: @}], @: 1}"),
}

CHECKS = {name: ("check", "demo", "--all", "--format", name) for name in ("text", "json")}
ALSO = (("build", "demo"), ("list", "demo"))
ELSEWHERE: dict[str, tuple[str, ...]] = {
    "a rule's reasoning": ("check", "demo", "--explain", "size"),
    "a rule's question": ("check", "demo", "--explain", "size"),
    "a rule's id": ("report", "demo", "--format", "json"),
    "a game's folder": ("list",),
    "a deck's card": ("check", "demo", "--deck", "deck.txt"),
    "a deck's title": ("list", "demo", "--format", "json"),
    "the game's title": ("list", "demo", "--format", "json"),
    "the game's version": ("reference", "demo"),
    "a component's title": ("export", "demo", "--to", "png", "--dpi", "10"),
    "a service's title": ("export", "--help"),
    "a service's quoted title": ("export", "--help"),
    "a service file's name": ("export", "--help"),
    "a sheet's layout": ("export", "demo", "--to", "nowhere"),
    "a sheet's name": ("check", "demo", "--format", "github"),
    "the name of a data file": ("check", "demo", "--format", "sarif"),
    "an unknown key": ("check", "demo", "--format", "junit"),
}
"""Where else the text of a place is printed."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PROJECT, tmp_path / "project"))


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        code = main(words)
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def fair(said: str) -> list[str]:
    """What is wrong with what was printed."""
    wrong = [f"prints {char!r}" for char in sorted(hidden(said))]
    wrong += [f"forges {line[:60]!r}" for line in said.splitlines() if line.lstrip().startswith("FORGED")]
    wrong += ["prints ##[" for _ in re.findall(r"##(?:\[|vso\[|teamcity\[)", said)]
    return wrong


@pytest.mark.parametrize("place", one_in(3, PLACES))
def test_no_place_lets_it_through(
    place: str, project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    PLACES[place](project, COMMANDS.strip() + NASTY)
    monkeypatch.chdir(project)
    said: dict[str, str] = {}
    for words in (*CHECKS.values(), *ALSO, *([ELSEWHERE[place]] if place in ELSEWHERE else [])):
        code, out, err = run(capsys, *words)
        assert code in (0, 1, 2)
        assert fair(out + err) == [], words
        commands = set(re.findall(r"^\s*(::\S+)", out + err, re.MULTILINE))
        assert commands <= ({"::error", "::warning", "::notice"} if "github" in words else set()), words
        if words[:3] == ("check", "demo", "--all"):
            said[words[-1]] = out
    findings = json.loads(said["json"])["findings"]
    assert len(said["text"].splitlines()) == lines_of(findings)


def lines_of(findings: list[dict[str, str | None]]) -> int:
    """The lines that findings take as text; several have one on how many they are, behind an empty one."""
    return (sum(1 + bool(each["hint"]) for each in findings) or 1) + 2 * (len(findings) > 1)


ARGUMENTS = (
    ("check", "@"),
    ("check", "demo", "--rule", "@"),
    ("check", "demo", "--explain", "@"),
    ("check", "demo", "--deck", "@"),
    ("check", "demo", "--format", "@"),
    ("check", "demo", "--@"),
    ("build", "@"),
    ("build", "demo", "--sheet", "@"),
    ("build", "demo", "--component", "@"),
    ("build", "demo", "--card", "@"),
    ("build", "demo", "--paper", "@"),
    ("build", "demo", "--printer", "@"),
    ("build", "demo", "--deck", "@"),
    ("build", "demo", "--players", "@"),
    ("build", "demo", "--duplex", "@"),
    ("build", "demo", "--output", "@"),
    ("build", "demo", "@"),
    ("export", "demo", "--to", "@"),
    ("export", "demo", "--to", "png", "--component", "@"),
    ("export", "demo", "--to", "png", "--dpi", "10", "--output", "@"),
    ("export", "demo", "--to", "tts", "--base-url", "@"),
    ("export", "demo", "--to", "tts", "--images", "@"),
    ("list", "@"),
    ("proof", "@", "@"),
    ("proof", "demo", "@"),
    ("proof", "demo", "first", "--dpi", "30", "--output", "@"),
    ("reference", "@"),
    ("reference", "demo", "--output", "@"),
    ("reference", "demo", "--check", "--output", "@"),
    ("report", "@"),
    ("report", "demo", "--format", "pdf", "--output", "@"),
    ("new", "@"),
    ("font", "add", "@"),
    ("font", "add", "schemas/game.schema.json", "--face", "@"),
    ("calibrate", "--paper", "@"),
    ("calibrate", "--printer", "@", "--read", "0", "0", "0", "0"),
    ("calibrate", "--output", "@"),
    ("list", "--project", "@"),
    ("@",),
)  # fmt: skip


@pytest.mark.parametrize("words", ARGUMENTS, ids=" ".join)
def test_no_argument_is_repeated_as_it_is(
    words: tuple[str, ...],
    project: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(project)
    text = (COMMANDS.strip() + NASTY).replace("/", "_").replace("\0", "")  # no argument can hold it
    code, out, err = run(capsys, *(word.replace("@", text) for word in words))
    assert code in (0, 1, 2)
    assert fair(out + err) == []
    assert not re.search(r"^\s*::", out + err, re.MULTILINE)


def test_a_project_in_an_odd_folder(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = project.rename(project.with_name("a\x1b[1m\nFORGED\u202e"))
    monkeypatch.chdir(odd.parent)
    for words in (
        ("check", "demo"),
        ("check", "demo", "--format", "github"),
        ("build", "demo"),
        ("report", "demo"),
    ):
        edit(odd, "data/demo/cards.yaml", "value: 1", "value: 1 ") if words[0] == "build" else None
        code, out, err = run(capsys, words[0], "--project", odd.name, *words[1:])
        assert code in (0, 1)
        assert fair(out + err) == []


def test_a_title_of_a_service_is_text_to_argparse(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    PLACES["a service's title"](project, "100% %(prog)s %d %(choices)s")
    monkeypatch.chdir(project)
    code, out, _ = run(capsys, "export", "--help")
    assert code == 0
    assert "print service: 100% %(prog)s %d %(choices)s" in out


@settings(max_examples=12, deadline=None)
@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=12), st.sampled_from(sorted(PLACES)))
def test_no_text_gets_through_any_place(
    tmp_path_factory: pytest.TempPathFactory, text: str, place: str
) -> None:
    folder = Path(shutil.copytree(PROJECT, tmp_path_factory.mktemp("any") / "project"))
    PLACES[place](folder, text)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        said = spoken(*CHECKS["text"])
        assert not hidden(said)
        findings = json.loads(spoken(*CHECKS["json"]))["findings"]
        assert len(said.splitlines()) == lines_of(findings)


def spoken(*words: str) -> str:
    """What a command prints on both streams."""
    import contextlib
    import io

    stream = io.StringIO()
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        main(words)
    return stream.getvalue()
