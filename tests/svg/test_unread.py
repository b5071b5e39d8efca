"""Properties of CSS without effect are said, once a drawing."""

from __future__ import annotations

from cardgen.core.findings import Severity
from cardgen.svg.lint import lint
from cardgen.svg.normal import normalised
from cardgen.svg.style import StyleSheet
from cardgen.svg.tree import MOST_PROBLEMS, parse
from tests.for_each import for_each

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'


def _codes(body: str) -> list[str]:
    document = normalised(parse(f"{HEAD}{body}</svg>".encode())).document
    sheet = StyleSheet(node for node in document.root.iter() if node.name == "style")
    found = list(lint(document.root, document.ids, sheet))
    assert all(problem.severity is Severity.WARNING for problem in found if problem.code.endswith("/unset"))
    return [problem.code for problem in found]


@for_each(
    "said",
    [
        "text-align-last:justify",
        "-webkit-text-stroke:1px red",
        "text-wrap:balance",
        "text-emphasis:dot",
        "column-count:2",
        "line-break:anywhere",
        "tab-size:4",
        "hanging-punctuation:first",
        "text-orientation:upright",
    ],
)
@for_each(
    "body",
    [
        '<text style="{}">a</text>',
        "<style>text {{ {} }}</style><text>a</text>",
        "<style>g > text {{ {} !important }}</style><g><text>a</text></g>",
        '<style>.a {{ {} }}</style><text><tspan class="a">a</tspan></text>',
    ],
)
def test_property_of_text_without_effect_is_said(body: str, said: str) -> None:
    assert _codes(body.format(said)) == ["text/unset"]


@for_each("said", ["box-shadow:0 0 2px red", "border:1px solid red", "z-index:3", "rotate:9deg", "zoom:2"])
@for_each(
    "body", ['<rect style="{}"/>', "<style>rect {{ {} }}</style><rect/>", '<g style="{}"><rect/></g>']
)
def test_property_of_a_shape_without_effect_is_said(body: str, said: str) -> None:
    assert _codes(body.format(said)) == ["svg/unset"]


def test_presentation_attribute_without_effect_is_said() -> None:
    assert _codes('<text text-wrap="balance">a</text>') == ["text/unset"]
    assert _codes('<rect border="1px solid red"/>') == ["svg/unset"]


@for_each(
    "body",
    [
        '<text style="-inkscape-font-specification:Sans;text-indent:0;text-orientation:mixed">a</text>',
        '<text style="font-variant-ligatures:normal;font-kerning:none;text-wrap:wrap">a</text>',
        '<text style="text-align-last:auto;shape-margin:0;-ms-transform:none">a</text>',
        '<text style="-moz-osx-font-smoothing:grayscale;-webkit-font-smoothing:antialiased">a</text>',
        '<path d="M0 0" style="text-indent:0;column-count:2;text-emphasis:dot;solid-color:#000"/>',
        '<path d="M0 0" style="mask-type:luminance;mix-blend-mode:multiply;marker:none;overflow:visible"/>',
        '<g style="enable-background:new 0 0 9 9;isolation:auto;shape-rendering:geometricPrecision"/>',
        '<rect data-name="a" aria-label="b" kerning="auto" style="pointer-events:none;background:none"/>',
        '<g style="background-color:rgb(255, 255, 255);-inkscape-stroke:none"/>',
        '<g style="rotate:none;zoom:1"><text rotate="9" x="1">a</text></g>',
    ],
)
def test_values_that_change_nothing_are_not_said(body: str) -> None:
    assert _codes(body) == []


def test_property_is_said_once_and_hides_no_error() -> None:
    many = "".join(f'<rect style="a{n}:1;z-index:1"/>' for n in range(2 * MOST_PROBLEMS))
    codes = _codes(f"{many}<script/>")
    assert codes[-1] == "svg/script"
    assert len(codes) < MOST_PROBLEMS
    assert _codes('<rect style="z-index:1"/>' * 9) == ["svg/unset"]
