"""The grammar of content streams: good ones pass, and each rule refuses what breaks it."""

from __future__ import annotations

import re

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.for_each import for_each
from tests.pdf_grammar.contents import Contents
from tests.pdf_grammar.operators import OPERATORS

OPERATIONS = rb"""
q | 1 0 0 -1 0.5 20 cm | 2 w | 1 J | 1 j | 4 M | [2 1] 0 d | /Perceptual ri | 1 i | /g0 gs |
1 0 0 RG | 0 g | 0.5 G | 0 0 1 rg | 0 0 0 1 K | 0 0 0 1 k |
/DeviceRGB cs | 1 0 0 sc | /cs0 CS | 0.5 SCN | 0.5 SC | /Pattern cs | /p0 scn | /Pattern CS | /p1 SCN |
0 0 m | 1 1 l | 1 2 3 4 5 6 c | 1 2 3 4 v | 1 2 3 4 y | h | S | 1 2 3 4 re | f |
1 2 3 4 re | W | n | 0 0 9 9 re | 1 1 2 2 re | W* | f* | 0 0 m | 1 1 l | B | 0 0 1 1 re | b* |
0 0 1 1 re | s | 0 0 m | 1 1 l | B* | 0 0 1 1 re | b | 0 0 1 1 re | F |
/sh0 sh | /x0 Do | /i0 Do |
/Artifact BMC | BT | /f0 12 Tf | 0 Tc | 0 Tw | 100 Tz | 9 TL | 0 Tr | 0 Ts | 1 2 Td | 3 4 TD |
1 0 0 1 0 0 Tm | T* | <0003> Tj | [<0003>-72.9 72.9<00030003>] TJ |
/Span <</ActualText <FEFF0041>>> BDC | <0003> ' | EMC | 1 2 <0003> " | 0.2 g | ET | EMC |
/P /m0 DP | /P MP | BI /W 2 /H 2 /BPC 8 /CS /G ID \x80EI\n EI | BI /W 9 /H 2 /IM true ID EIEI
EI |
q | Q | Q""".replace(rb"\x80EI\n", b"\x80EI\n").split(b"|")
GOOD = b" ".join(OPERATIONS)
"""Each operation once at least, two inline images with `EI` among their pixels."""


@pytest.fixture(scope="module")
def resources() -> pikepdf.Dictionary:
    global _PDF
    _PDF = pikepdf.new()
    function = pikepdf.Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0], C1=[1, 1, 1], N=1)
    shading = pikepdf.Dictionary(
        ShadingType=2, ColorSpace=pikepdf.Name.DeviceRGB, Coords=[0, 0, 1, 1], Function=function
    )
    image = _PDF.make_stream(
        b"\0", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image, Width=1, Height=1, BitsPerComponent=8,
        ColorSpace=pikepdf.Name.DeviceGray,
    )  # fmt: skip
    tile = _PDF.make_stream(
        b"0 0 1 1 re f", PatternType=1, PaintType=1, TilingType=1, BBox=[0, 0, 1, 1], XStep=1, YStep=1,
        Resources=pikepdf.Dictionary(),
    )  # fmt: skip
    form = _PDF.make_stream(b"0 g", Subtype=pikepdf.Name.Form, BBox=[0, 0, 1, 1])
    font = _PDF.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type0))
    separation = pikepdf.Array(
        [pikepdf.Name.Separation, pikepdf.Name.Red, pikepdf.Name.DeviceRGB, function]
    )
    return pikepdf.Dictionary(
        ExtGState=pikepdf.Dictionary(g0=pikepdf.Dictionary(ca=0.5, CA=1)),
        ColorSpace=pikepdf.Dictionary(cs0=separation),
        Pattern=pikepdf.Dictionary(p0=pikepdf.Dictionary(PatternType=2, Shading=shading), p1=tile),
        Shading=pikepdf.Dictionary(sh0=shading),
        XObject=pikepdf.Dictionary(x0=form, i0=image),
        Font=pikepdf.Dictionary(f0=font),
        Properties=pikepdf.Dictionary(m0=pikepdf.Dictionary()),
    )


def faults(data: bytes, resources: pikepdf.Dictionary, kind: str = "page") -> list[str]:
    contents = Contents()
    contents.check([data], resources, "here", kind)
    return contents.faults


def test_a_stream_with_everything(resources: pikepdf.Dictionary) -> None:
    contents = Contents()
    contents.check([GOOD], resources, "here")
    assert contents.faults == []
    assert contents.streams == 3  # with the form and the tiling
    assert set(map(tuple, contents.shown.values())) == {(3,)}
    assert OPERATORS.keys() - {operation.split()[-1].decode() for operation in OPERATIONS} == {"d0", "d1"}


@for_each(
    ("data", "said"),
    [
        (b"0 g XX", "unknown operator 'XX'"),
        (b"BX EX", "unknown operator 'BX'"),
        (b"1 w 2", "1 operands without an operator"),
        (b"1 2 w", "w with 2 operands"),
        (b"w", "w with 0 operands"),
        (b"/a w", "w with"),
        (b"-1 w", "w with"),
        (b"1.5 J", "J with"),
        (b"3 J", "3 J"),
        (b"8 Tr", "8 Tr"),
        (b"0.5 M", "0.5 M"),
        (b"[0 0] 0 d", "d with"),
        (b"[1 -1] 0 d", "d with"),
        (b"/Loud ri", "/Loud ri"),
        (b"2 g", "g with 2"),
        (b"1 1 rg", "rg with 2 operands"),
        (b"/g9 gs", "/g9 is not among"),
        (b"/Wide cs", "/Wide is not among"),
        (b"/DeviceRGB cs 1 sc", "sc with 1 operands in a space of 3"),
        (b"/Pattern cs 1 scn", "scn without the name of a pattern"),
        (b"/Pattern cs /p9 scn", "/p9 is not among"),
        (b"/Pattern cs 1 /p1 scn", "with 1 components"),
        (b"/sh9 sh", "/sh9 is not among"),
        (b"/x9 Do", "/x9 is not among"),
        (b"Q", "Q without q"),
        (b"q", "1 q without Q"),
        (b"q " * 29 + b"Q " * 29, "more than 28 q"),
        (b"n", "n outside its object"),
        (b"S", "S outside its object"),
        (b"1 1 l", "l outside its object"),
        (b"h", "h outside its object"),
        (b"W n", "W outside its object"),
        (b"0 0 m 1 1 l", "ends within a path"),
        (b"0 0 m q S Q", "q within a path"),
        (b"0 0 m 1 w S", "w within a path"),
        (b"0 0 m 0 g S", "g within a path"),
        (b"0 0 m BT ET S", "BT within a path"),
        (b"0 0 1 1 re W 0 0 m n", "m within a clip"),
        (b"0 0 1 1 re W", "ends within a clip"),
        (b"BT BT ET ET", "BT within a text"),
        (b"BT", "ends within a text"),
        (b"ET", "ET outside its object"),
        (b"BT q Q ET", "q within a text"),
        (b"BT 0 0 m ET", "m within a text"),
        (b"BT /x0 Do ET", "Do within a text"),
        (b"BT 1 0 0 1 0 0 cm ET", "cm within a text"),
        (b"1 2 Td", "Td outside its object"),
        (b"(a) Tj", "Tj outside its object"),
        (b"BT <0003> Tj ET", "before a font is chosen"),
        (b"q /f0 1 Tf Q BT <0003> Tj ET", "before a font is chosen"),
        (b"BT /f9 1 Tf ET", "/f9 is not among"),
        (b"BT /f0 1 Tf <03> Tj ET", "half a code"),
        (b"BT /f0 1 Tf [<0003>/a] TJ ET", "TJ with"),
        (b"BT /f0 1 Tf <0003> TJ ET", "TJ with"),
        (b"BT /f0 1 Tf [<0032>-72.972.9]TJ ET", "no token"),
        (b"BT /f0 1 Tf [<0032>-72.9.9]TJ ET", "no token"),
        (b"EMC", "EMC without"),
        (b"/a BMC", "1 marked sequences without EMC"),
        (b"/a BMC BT EMC ET", "not in the same text object"),
        (b"BT /a BMC ET EMC", "ET within a marked sequence"),
        (b"/a /m9 BDC EMC", "/m9 is not among"),
        (b"/a <</ActualText (a)>> BDC EMC", "/ActualText"),
        (b"1 0 d0", "d0 within a stream"),
        (b"BI /W 2 /H 2 /BPC 8 /CS /G ID abc EI", "does not end where it should"),
        (b"BI /W 2 /H 2 ID abcd EI", "without its measures"),
        (b"BI /W 2 /Q 2 ID abcd EI", "/Q in an inline image"),
        (b"BI /W 2", "BI without ID"),
        (b"EI", "unknown operator 'EI'"),
    ],
)
def test_what_it_refuses(data: bytes, said: str, resources: pikepdf.Dictionary) -> None:
    (found,) = faults(data, resources)
    assert said in found


@for_each(
    ("data", "kind", "said"),
    [
        (b"0 0 1 1 re f", "uncoloured", None),
        (b"0 g 0 0 1 1 re f", "uncoloured", "g in a stream without colours"),
        (b"/i0 Do", "uncoloured", "image /i0 in a stream without colours"),
        (b"5 0 d0 0 g 0 0 1 1 re f", "glyph", None),
        (b"5 0 0 0 1 1 d1 0 0 1 1 re f", "glyph", None),
        (b"5 0 0 0 1 1 d1 0 g", "glyph", "g in a stream without colours"),
        (b"0 g", "glyph", "does not begin with d0 or d1"),
        (b"", "glyph", "without d0 or d1"),
        (b"5 0 d0 5 0 d0", "glyph", "d0 within a stream"),
        (b"5 1 d0", "glyph", "vertical advance"),
        (b"0.5 sc", "form", "before a colour space is chosen"),
        (b"0.5 sc", "page", None),
    ],
)
def test_streams_of_other_kinds(
    data: bytes, kind: str, said: str | None, resources: pikepdf.Dictionary
) -> None:
    found = faults(data, resources, kind)
    assert len(found) == (said is not None)
    assert said is None or said in found[0]


def test_a_stream_in_parts_divides_between_tokens(resources: pikepdf.Dictionary) -> None:
    whole, torn = Contents(), Contents()
    whole.check([b"q 1 0 0", b"rg Q"], resources, "here")
    torn.check([b"q 1 0 0 rg (a", b"b) Tj Q"], resources, "here")
    assert whole.faults == []
    assert "string without an end" in torn.faults[0]


def test_a_form_that_paints_itself() -> None:
    pdf = pikepdf.new()
    form = pdf.make_stream(b"/x0 Do", Subtype=pikepdf.Name.Form, BBox=[0, 0, 1, 1])
    form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(x0=form))
    contents = Contents()
    contents.form(form, "form")
    assert contents.faults == ["form /x0: it paints itself"]


def test_what_is_named_is_looked_at() -> None:
    pdf = pikepdf.new()
    inner = pdf.make_stream(b"1 1 l", Subtype=pikepdf.Name.Form, BBox=[0, 0, 1, 1])
    group = pikepdf.Dictionary(S=pikepdf.Name.Transparency)
    named = pikepdf.Dictionary(XObject=pikepdf.Dictionary(x0=inner))
    box = [0, 0, 1, 1]
    mask = pdf.make_stream(b"/x0 Do", Subtype=pikepdf.Name.Form, BBox=box, Group=group, Resources=named)
    state = pikepdf.Dictionary(SMask=pikepdf.Dictionary(S=pikepdf.Name.Alpha, G=mask))
    contents = Contents()
    contents.check([b"/g0 gs"], pikepdf.Dictionary(ExtGState=pikepdf.Dictionary(g0=state)), "page 1")
    assert contents.faults == ["page 1 mask /g0 /x0: l outside its object at byte 4"]


# ---------------------------------------------------------------- no mutation passes

STRUCTURE = {b"q", b"Q", b"BT", b"ET", b"BMC", b"BDC", b"EMC"}


@given(st.data())
def test_no_mutation_passes(resources: pikepdf.Dictionary, data: st.DataObject) -> None:
    """An operand too few, one too many, an unknown operator, structure left out, a number with a second
    point, a bracket or a blank lost."""
    place = data.draw(st.integers(0, len(OPERATIONS) - 1))
    operation = OPERATIONS[place].split()
    inline = operation[0] == b"BI"
    kinds = ["more"]
    if not inline:
        kinds.append("rename")
        if len(operation) > 1:
            kinds.append("fewer")
        if operation[-1] in STRUCTURE:
            kinds.append("drop")
        if any(re.fullmatch(rb"-?\d*\.\d+", word) for word in operation):
            kinds.append("point")
        if (
            len(operation) > 2
            and re.fullmatch(rb"[\d.]+", operation[0])
            and re.fullmatch(rb"[\d.]+", operation[1])
        ):
            kinds.append("glue")
    kind = data.draw(st.sampled_from(kinds))
    if kind == "more":
        operation.insert(
            0, data.draw(st.sampled_from([b"1", b"/n", b"(s)", b"[1]", b"true", b"null", b"<</a 1>>"]))
        )
    elif kind == "rename":
        operation[-1] += b"x"
    elif kind == "fewer":
        del operation[0]
    elif kind == "drop":
        operation = []
    elif kind == "point":
        operation = [re.sub(rb"(\.\d+)", rb"\1.9", word) for word in operation]
    elif kind == "glue":
        operation[:2] = [operation[0] + operation[1]]
    changed = b"1 " + OPERATIONS[place] if inline else b" ".join(operation)
    stream = b" ".join([*OPERATIONS[:place], changed, *OPERATIONS[place + 1 :]])
    assert faults(stream, resources), (kind, operation)
