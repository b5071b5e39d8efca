"""`cg:last-line` and `cg:spaces`: how long last lines are to be, and how wide justified spaces."""

from __future__ import annotations

from cardgen.core.artwork import SetText, TextRun
from cardgen.core.findings import Severity
from tests.art.support import FONT, Result, Workshop
from tests.for_each import for_each
from tests.wording import Wording

TEXT = "A signal that nobody sent, from a house that was torn down years ago."


def set_in(shop: Workshop, width: float, attributes: str, words: str = TEXT) -> Result:
    box = f'<defs><rect id="box" x="10" y="20" width="{width}" height="30"/></defs>'
    text = f'<text shape-inside="url(#box)" {attributes} {FONT}>{{{{ card.t|md }}}}</text>'
    return shop.render(box + text, [{"t": words}])


def rows(text: SetText) -> list[tuple[str, float]]:
    """What each line says, and how long it is."""
    lines: dict[float, list[TextRun]] = {}
    for run in text.runs:
        assert isinstance(run, TextRun)
        lines.setdefault(run.y, []).append(run)
    return [
        ("".join(run.text for run in line), sum(run.advance for run in line)) for line in lines.values()
    ]


@for_each("align", ["start", "justify"])
def test_words_are_pulled_down_until_the_last_line_is_long_enough(align: str, shop: Workshop) -> None:
    """At every width of the box, in as many lines as ever."""
    mended = 0
    for tenths in range(300, 500, 17):
        width, style = tenths / 10, f'text-align="{align}"'
        (plain,) = set_in(shop, width, style).texts
        result = set_in(shop, width, f'{style} cg:last-line="40%"')
        (text,) = result.texts
        assert result.findings == []
        assert len(rows(text)) == len(rows(plain)) > 1
        assert rows(text)[-1][1] >= 0.4 * width
        mended += rows(plain)[-1][1] < 0.4 * width
    assert mended > 1


def test_each_paragraph_is_asked(shop: Workshop) -> None:
    words = "A signal that nobody sent us\n\nFrom a house torn down last year"
    result = set_in(shop, 34, 'cg:last-line="35%"', words)
    (text,) = result.texts
    assert result.findings == []
    assert len(rows(text)) == 4
    assert rows(text)[1][1] >= 0.35 * 34 <= rows(text)[3][1]


def test_a_last_line_that_words_do_not_allow_is_a_warning(shop: Workshop, wording: Wording) -> None:
    result = set_in(shop, 28, 'cg:last-line="30%"', "Incomprehensibility is")
    (finding,) = result.findings
    assert (finding.code, finding.severity) == ("text/last-line", Severity.WARNING)
    wording(finding, "box")
    wording(finding, "30")
    assert [words for words, _ in rows(result.texts[0])] == ["Incomprehensibility", "is"]


def test_one_line_is_no_last_one(shop: Workshop) -> None:
    assert set_in(shop, 40, 'cg:last-line="90%"', "Gone.").findings == []


@for_each("said", ["0%", "100%", "3", "-5%", "most"])
def test_what_is_no_part_of_the_width_is_refused(said: str, shop: Workshop) -> None:
    (finding,) = set_in(shop, 40, f'cg:last-line="{said}"').findings
    assert finding.code in ("text/fit", "svg/number")
    assert "cg:last-line " in finding.message


def test_where_lines_are_not_broken_by_width_it_is_refused(shop: Workshop) -> None:
    line = f'<text x="9" y="20" cg:last-line="30%" {FONT}>a line</text>'
    circle = '<defs><circle id="c" cx="30" cy="40" r="18"/></defs>'
    shaped = f'{circle}<text shape-inside="url(#c)" cg:last-line="30%" {FONT}>some words in a circle</text>'
    for body in (line, shaped):
        (finding,) = shop.render(body).findings
        assert finding.code == "text/fit"
        assert "cg:last-line" in f"{finding.message} {finding.hint}"


# ---- spaces of justified text


def test_spaces_stay_within_the_limits_of_the_design(shop: Workshop) -> None:
    for tenths in range(300, 400, 23):
        result = set_in(shop, tenths / 10, 'text-align="justify" cg:spaces="90% 1000%"', f"{TEXT} {TEXT}")
        (text,) = result.texts
        assert result.findings == []
        gaps = [gap for run in text.runs if isinstance(run, TextRun) for gap in run.gaps]
        (space,) = {word.advance for run in text.runs for word in run.words if word.text == " "}  # type: ignore[union-attr]
        assert min(gaps) >= -0.1 * space - 1e-9


def test_a_line_beyond_the_limits_of_spaces_is_a_warning(shop: Workshop, wording: Wording) -> None:
    words = "A signal incomprehensibly sent"
    result = set_in(shop, 28, 'text-align="justify" cg:spaces="90% 120%"', words)
    (finding,) = result.findings
    assert (finding.code, finding.severity) == ("text/spaces", Severity.WARNING)
    wording(finding, "spaces")
    assert set_in(shop, 28, 'text-align="justify"', words).findings == []


@for_each(
    "said",
    [
        'cg:spaces="90% 120%"',
        *(
            f'text-align="justify" cg:spaces="{each}"'
            for each in ("90%", "90 120", "120% 90%", "0% 120%", "a b")
        ),
        'text-align="justify" cg:spaces="90% 120% 130%"',
    ],
)
def test_limits_of_spaces_that_make_no_sense_are_refused(shop: Workshop, said: str) -> None:
    assert [each.code for each in set_in(shop, 28, said).findings] == ["text/fit"]
