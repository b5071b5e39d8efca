"""What holds for any text in any box."""

from __future__ import annotations

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.core.artwork import TextRun
from cardgen.core.geometry import Rect
from cardgen.text.line_ends import word_rules
from cardgen.text.setting import compose
from cardgen.text.spans import Composed, HardBreak, IconSpan, Options, Paragraph, Span, Style

from .texts import BEBAS, BLACK, BOLD, BOOK, ITALIC, RED, SANS

FONTS = {font.key: font for font in (SANS, BOLD, ITALIC, BEBAS, BOOK.face("Loudmouth"))}

styles = st.builds(
    Style,
    st.sampled_from(list(FONTS.values())),
    st.sampled_from([1.5, 2.0, 3.0, 5.0]),
    st.sampled_from([BLACK, RED]),
    st.sampled_from([0.0, 0.0, 0.1]),
    st.sampled_from([0.0, 0.0, 0.4, -0.2]),
)
words = st.text("aAVTfijgy,.!?()-’é2—\u00ad\u00a0\u200b日", min_size=1, max_size=9) | st.sampled_from(
    ["incomprehensible", "undertakings", "well-known", "immediately", "office"]
)
spans = st.one_of(
    st.builds(Span, st.lists(words, min_size=1, max_size=6).map(" ".join), styles),
    st.builds(
        Span, st.lists(words, min_size=1, max_size=3).map(lambda each: f" {' '.join(each)} "), styles
    ),
    st.builds(IconSpan, st.sampled_from(["coin", "card"]), styles),
    st.just(HardBreak()),
)
paragraphs = st.lists(
    st.builds(
        Paragraph,
        st.lists(spans, min_size=1, max_size=5),
        st.sampled_from([None, None, "•", "10."]),
        st.sampled_from([0.0, 0.0, 1.0]),
        st.sampled_from([0.0, 0.5]),
    ),
    min_size=1,
    max_size=3,
)
options = st.builds(
    Options,
    st.sampled_from(["start", "center", "end", "justify"]),
    st.sampled_from(["top", "middle", "bottom"]),
    st.sampled_from([0.9, 1.2, 1.6]),
    st.booleans(),
    st.sampled_from([None, 1.0, 2.5]),
    st.sampled_from([word_rules(), word_rules("en", hyphens=True), word_rules("ru", keep_all=True)]),
)
sides = st.floats(0.5, 80)
NEAR = 1e-5
LIMIT = settings(max_examples=30)


def reach(composed: Composed) -> list[Rect]:
    """The area of each run, as high as its font's tall letters and descenders, and of each icon."""
    areas = []
    for run in composed.runs:
        if isinstance(run, TextRun):
            font = FONTS[run.font]
            height = (font.rise + font.depth) * run.size
            areas.append(Rect(run.x, run.y - font.rise * run.size, run.advance, height))
        else:
            areas.append(Rect(run.x, run.y, run.size, run.size))
    return areas


@LIMIT
@given(paragraphs, sides, sides, options)
def test_nothing_leaves_the_box(text: list[Paragraph], width: float, height: float, how: Options) -> None:
    box = Rect(3, 4, width, height)
    composed = compose(text, box, how)
    if composed.overflow is not None:
        return
    for area in reach(composed):
        assert box.contains(area, NEAR)
    if composed.runs:
        assert box.contains(composed.box, NEAR)


def letters(text: str) -> list[str]:
    """What must not get lost or out of order: everything but spaces, hyphens and unseen characters."""
    return [
        char
        for char in text
        if not char.isspace() and char != "-" and unicodedata.category(char) not in ("Cf", "Zs")
    ]


@LIMIT
@given(paragraphs, sides, sides, options)
def test_nothing_is_lost(text: list[Paragraph], width: float, height: float, how: Options) -> None:
    composed = compose(text, Rect(3, 4, width, height), how)
    wanted = ""
    for each in text:
        content = "".join(
            span.text if isinstance(span, Span) else f":{span.name}:" if isinstance(span, IconSpan) else " "
            for span in each.spans
        )
        if letters(content) or "-" in content:
            wanted += (each.bullet or "") + content
    found = "".join(run.text if isinstance(run, TextRun) else f":{run.icon}:" for run in composed.runs)
    assert letters(found) == letters(wanted)
    if composed.overflow is not None:
        assert letters(composed.overflow.text) or "-" in composed.overflow.text


@LIMIT
@given(paragraphs, sides, sides, st.floats(0, 20), options)
def test_more_height_never_gives_a_smaller_size(
    text: list[Paragraph], width: float, height: float, more: float, how: Options
) -> None:
    low = compose(text, Rect(3, 4, width, height), how)
    high = compose(text, Rect(3, 4, width, height + more), how)
    assert high.size >= low.size
    assert high.overflow is None or low.overflow is not None


@LIMIT
@given(paragraphs, sides, options)
def test_runs_follow_each_other_without_overlap(text: list[Paragraph], width: float, how: Options) -> None:
    composed = compose(text, Rect(3, 4, width, 1000), how)
    for (one, before), (two, after) in zip(
        zip(composed.runs, reach(composed)), list(zip(composed.runs, reach(composed)))[1:]
    ):
        if isinstance(one, TextRun) and isinstance(two, TextRun) and one.y == two.y:
            assert after.x >= before.right - NEAR
