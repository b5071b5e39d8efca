"""Line ends in values are line ends on the card."""

from __future__ import annotations

from cardgen.art.markdown import outside_tags, printed_line_ends
from cardgen.core.findings import Severity
from tests.art.support import FONT, Workshop
from tests.for_each import for_each

ENDS = ["\n", "\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029", "<br>", "<br/>", "<BR />", " <br>\n"]
BOX = '<defs><rect id="box" x="9" y="9" width="48" height="60"/></defs>'


def _boxed(content: str) -> str:
    return f'{BOX}<text shape-inside="url(#box)" {FONT}>\n  {content}\n</text>'


@for_each("end", ENDS)
@for_each("content", ["{{ card.t }}", "{{ card.t|md }}", "{{ card.t|md(inline=true) }}"])
def test_line_end_in_a_box_ends_the_line(shop: Workshop, content: str, end: str) -> None:
    result = shop.render(_boxed(content), [{"t": f"• Fly{end}• Hoot"}])
    lines = [line.strip() for line in result.words().splitlines()]
    assert (lines, result.codes) == (["• Fly", "• Hoot"], [])


@for_each("end", ["\n", "\u2028", "<br>"])
@for_each("content", ["{{ card.t }}", "{{ card.t|md(inline=true) }}"])
def test_line_end_in_one_line_is_a_space_and_is_said(shop: Workshop, content: str, end: str) -> None:
    result = shop.render(f'<text x="9" y="20" {FONT}>{content}</text>', [{"t": f"12 High St{end}Town"}])
    assert result.words().split() == ["12", "High", "St", "Town"]
    (finding,) = result.findings
    assert (finding.code, finding.severity) == ("text/paragraphs", Severity.WARNING)
    assert finding.location is not None
    assert finding.location.file == "data/demo/cards.yaml"


@for_each("content", ["{{ card.t }}", "{{ card.t|md }}"])
def test_blank_line_parts_paragraphs(shop: Workshop, content: str) -> None:
    result = shop.render(_boxed(content), [{"t": "one\n\ntwo"}])
    heights = [run.y for text in result.texts for run in text.runs if run.text.strip()]
    assert len(heights) == 2
    assert heights[1] - heights[0] > 1.4 * 3


@for_each("value", ["one\n", "\n one", "one<br>", "one \r\n\r\n"])
def test_line_end_outside_of_words_ends_no_line(shop: Workshop, value: str) -> None:
    result = shop.render(f'<text x="9" y="20" {FONT}>“{{{{ card.t }}}}”</text>', [{"t": value}])
    assert result.codes == []
    assert result.words().replace(" ", "") == "“one”"


def test_line_ends_in_attributes_and_styles_are_blanks(shop: Workshop) -> None:
    body = '<style>{{ card.css }}</style><path d="{{ card.d }}"/><text class="a" x="9" y="20">b</text>'
    css = ".a {font-family: IBM Plex Sans;\nfont-size: 3;\n}"
    result = shop.render(body, [{"d": "M9 9\nL12 9\nL12 12Z", "css": css}])
    assert result.codes == []
    assert len(result.pictures) == len(result.texts) == 1


def test_line_ends_of_the_template_are_blanks(shop: Workshop) -> None:
    assert shop.render(_boxed("one\n   two")).words() == "one two"


@for_each(
    ("text", "printed"),
    [
        ("a\nb", "a\u2028b"),
        ("\na\r\n\nb \n", "\na\u2028\u2028b \n"),
        ("a<br>b", "a\u2028b"),
        ("a_x000B_b_x000D_\nc_x000D__x000A_d", "a\u2028b\u2028c\u2028d"),
        ("a_x000E_b", "a_x000E_b"),
        (" \n ", " \n "),
        ("a < b", "a < b"),
    ],
)
def test_printed_line_ends(text: str, printed: str) -> None:
    assert printed_line_ends(text) == printed


@for_each(
    ("svg", "after"),
    [
        ('<a b="1\u20282">c\u2028d</a>', '<a b="1\n2">c\u2028d</a>'),
        ("<a b='>\u2028'>\u2028", "<a b='>\n'>\u2028"),
        ("<style>a{}\u2028b{}</style>\u2028", "<style>a{}\nb{}</style>\u2028"),
        ("<style><![CDATA[a\u2028]]></style>", "<style><![CDATA[a\n]]></style>"),
        ("'\u2028'", "'\u2028'"),
    ],
)
def test_line_ends_only_outside_tags(svg: str, after: str) -> None:
    assert outside_tags(svg) == after


@for_each(
    ("text", "about"),
    [
        (r"one\ntwo", [r"\n"]),
        (r"one\r\ntwo\nthree\tfour", [r"\r\n", r"\n", r"\t"]),
        (r"one\13\two", [r"\13\ "[:-1]]),
        (r"in C:\new\table", []),
        (r"either\or", []),
    ],
)
@for_each("content", ["{{ card.t }}", "{{ card.t|md }}"])
def test_escapes_of_other_programs_are_said(
    shop: Workshop, content: str, text: str, about: list[str]
) -> None:
    result = shop.render(_boxed(content), [{"t": text}])
    assert result.codes == ["text/escape"] * len(about)
    assert all(any(f"'{each}'" in finding.message for finding in result.findings) for each in about)
    assert result.words().count("\\") == text.count("\\")


def test_escaped_backslash_is_meant(shop: Workshop) -> None:
    result = shop.render(_boxed("{{ card.t|md }}"), [{"t": r"print(\\n)"}])
    assert (result.codes, result.words()) == ([], r"print(\n)")
