"""Text in drawings: as outlines, set as any other text."""

from __future__ import annotations

from cardgen.art.outlining import TextOutliner
from cardgen.core.findings import Problem
from cardgen.core.game import Limits
from cardgen.svg.normal import normalised
from cardgen.svg.tree import Node, parse
from tests.art.support import book
from tests.for_each import for_each

FONT = 'font-family="IBM Plex Sans"'


def outlined(body: str) -> tuple[Node, list[Problem]]:
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 99 99">{body}</svg>'
    document = normalised(parse(text.encode())).document
    made, problems = TextOutliner(book(), "en", Limits()).outlined(document)
    return made.root, problems


def paths(body: str) -> list[Node]:
    root, problems = outlined(body)
    assert problems == []
    return [node for node in root.iter() if node.name == "path"]


def test_a_text_that_states_no_size_has_the_one_of_browsers() -> None:
    (found,) = paths(f"<text y='20' {FONT}>x</text>")
    (stated,) = paths(f"<text y='20' font-size='16' {FONT}>x</text>")
    assert found.attrs["d"] == stated.attrs["d"]


def test_sizes_in_em_and_percent_count_from_those_around() -> None:
    (half,) = paths(f"<text y='20' font-size='24' {FONT}>x</text>")
    for said in (".5em", "50%"):
        (found,) = paths(f"<g font-size='48'><text y='20' font-size='{said}' {FONT}>x</text></g>")
        assert found.attrs["d"] == half.attrs["d"]


def test_texts_that_nothing_shows_are_not_set() -> None:
    root, problems = outlined("<defs><text id='a'>red</text><g><text>red</text></g></defs>")
    assert problems == []
    assert not any(node.name == "path" for node in root.iter())
    _, problems = outlined("<defs><text id='a'>red</text></defs><use href='#a'/>")
    assert [problem.code for problem in problems] == ["text/font"]


@for_each(
    ("tag", "part", "wanted"),
    [
        ("fill='red'", "fill='red'", [{}]),
        ("fill='red'", "fill='blue'", [{}, {"fill-opacity": "1"}]),
        ("fill='#ff000080'", "fill='#0000ff80'", [{}, {"fill-opacity": "0.502"}]),
        ("fill='red' fill-opacity='.5'", "fill-opacity='.1'", [{}, {"fill-opacity": "0.1"}]),
        ("fill='red'", "fill='none'", [{}]),
    ],
)
def test_parts_keep_their_opacity(tag: str, part: str, wanted: list[dict[str, str]]) -> None:
    found = paths(f"<text y='20' {tag} {FONT}>a<tspan {part}>b</tspan></text>")
    said = [{name: node.attrs[name] for name in ("fill-opacity",) if name in node.attrs} for node in found]
    assert [{name: f"{float(value):.3g}" for name, value in each.items()} for each in said] == wanted


def test_text_of_inkscape_flows_in_its_region() -> None:
    region = "<flowRegion><circle cx='50' cy='50' r='40'/></flowRegion>"
    (path,) = paths(
        f"<flowRoot font-size='8' {FONT}>{region}<flowPara>Some words in it.</flowPara></flowRoot>"
    )
    assert path.attrs["d"].startswith("M")


def test_all_blanks_count_as_in_browsers() -> None:
    kept = "xml:space='preserve'"
    (two,) = paths(f"<text {kept} y='20' {FONT}> a <tspan> b</tspan></text>")
    (nbsp,) = paths(f"<text y='20' {FONT}>\u00a0a\u00a0<tspan>\u00a0b</tspan></text>")
    assert two.attrs["d"] == nbsp.attrs["d"]
    part = "<tspan x='60' y='40'>b</tspan>"
    (apart,) = paths(f"<text x='50' y='20' text-anchor='end' {FONT}>a {part}</text>")
    (close,) = paths(f"<text x='50' y='20' text-anchor='end' {FONT}>a{part}</text>")
    assert apart.attrs["d"] != close.attrs["d"]


def test_a_hidden_layer_is_not_set() -> None:
    layer = "<g style='display:none'><text font-family='None Such'>a</text></g>"
    assert outlined(layer)[1] == []
    _, problems = outlined(layer.replace("<text", "<text id='a'") + "<use href='#a'/>")
    assert [problem.code for problem in problems] == ["text/font"]


def test_the_texts_of_a_drawing_are_bounded() -> None:
    text = f"<text y='9' {FONT}>word{' ' * 3_000}</text>"
    assert outlined(text * 6)[1] == []
    _, problems = outlined(text * 8)
    assert [problem.code for problem in problems] == ["text/bounds"]
    shaped = "<text style='shape-inside:url(#a)'/>"
    assert [problem.code for problem in outlined(shaped * 101)[1]][-1:] == ["text/bounds"]
