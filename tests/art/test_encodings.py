"""SVG files as drawing programs save them: encodings, entities, data of their own."""

from __future__ import annotations

import codecs

from tests.art.support import FONT, Workshop
from tests.for_each import for_each

ILLUSTRATOR = """<?xml version="1.0" encoding="ENCODING"?>
<!-- Generator: Adobe Illustrator 27.0 -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
  <!ENTITY ns_extend "http://ns.adobe.com/Extensibility/1.0/">
  <!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">
  <!ENTITY ns_svg "http://www.w3.org/2000/svg">
  <!ENTITY ns_xlink "http://www.w3.org/1999/xlink">
]>
<svg version="1.1" id="Ebene_1" xmlns:x="&ns_extend;" xmlns:i="&ns_ai;" xmlns="&ns_svg;"
  xmlns:xlink="&ns_xlink;" x="0px" y="0px" SIZE xml:space="preserve">
<metadata>
<sfw xmlns="http://ns.adobe.com/SaveForWeb/1.0/"><slices/><x y="{{ nothing }} {% if %}"/></sfw>
<rdf:RDF xmlns:rdf="urn:rdf"><rdf:li id="a"/></rdf:RDF>
</metadata>
<sodipodi:namedview xmlns:sodipodi="urn:s" id="v"><inkscape:grid type="xygrid"/></sodipodi:namedview>
<layers xmlns="urn:some-editor"><layer name="1"/></layers>
<switch>
<foreignObject requiredExtensions="&ns_ai;" x="0" y="0" width="1" height="1">
<i:pgfRef xlink:href="#adobe_illustrator_pgf"></i:pgfRef></foreignObject>
<g i:extraneous="self">BODY</g>
</switch>
<i:pgf id="adobe_illustrator_pgf">eJzs {# {{ abc <![CDATA[ {% x ]]></i:pgf>
</svg>
"""
PAGE = 'width="66mm" height="86mm" viewBox="0 0 66 86"'
FACE = (
    f'<text x="10" y="12" {FONT} fill="#111">Tür {{{{ card.title }}}}</text>\n'
    '<image href="pic.svg" x="10" y="20" width="20" height="20"/>\n'
    '<use href="#icon-star" x="10" y="50" width="10" height="10"/>'
)
PICTURE = '<rect width="80" height="80" fill="#ccddee" id="Fläche"/>'
ICON = '<path d="M0 0h24v24z" fill="currentColor" id="Stück"/>'
ENCODINGS = [
    ("UTF-8", "utf-8", b""),
    ("UTF-8", "utf-8", codecs.BOM_UTF8),
    ("UTF-16", "utf-16-le", codecs.BOM_UTF16_LE),
    ("UTF-16", "utf-16-be", codecs.BOM_UTF16_BE),
    ("UTF-16", "utf-16-be", b""),
    ("ISO-8859-1", "latin-1", b""),
    ("Windows-1252", "cp1252", b""),
    ("ISO-8859-15", "iso8859-15", b""),
]


def drawn(size: str, body: str) -> str:
    return ILLUSTRATOR.replace("SIZE", size).replace("BODY", body)


@for_each(("stated", "codec", "mark"), ENCODINGS)
def test_template_picture_and_icon_in_any_encoding_are_drawn(
    stated: str, codec: str, mark: bytes, shop: Workshop
) -> None:
    files = {
        "demo/card.svg": drawn(PAGE, FACE),
        "demo/pic.svg": drawn('viewBox="0 0 100 100"', PICTURE),
        "demo/icons/star.svg": drawn('viewBox="0 0 24 24"', ICON),
    }
    for name, text in files.items():
        shop.write(name, mark + text.replace("ENCODING", stated).encode(codec))
    result = shop.render(cards=[{"title": "Öl"}])
    assert result.findings == []
    assert result.words() == "Tür Öl"
    assert len(result.pictures) == 2


@for_each("name", ["demo/pic.svg", "demo/icons/star.svg", "demo/card.svg"])
@for_each("head", [b'<?xml version="1.0" encoding="utf-7"?>\n', b'<?xml version="1.0"?>\n<!-- \xe4 -->'])
def test_unknown_encoding_is_an_error_at_the_file(name: str, head: bytes, shop: Workshop) -> None:
    for file, size, body in (
        ("demo/card.svg", PAGE, FACE),
        ("demo/pic.svg", 'viewBox="0 0 100 100"', "<rect width='9' height='9'/>"),
        ("demo/icons/star.svg", 'viewBox="0 0 24 24"', '<path d="M0 0h24v24z"/>'),
    ):
        start = head if file == name else b""
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{body}</svg>'
        shop.write(file, start + svg.encode())
    errors = [each for each in shop.render(cards=[{"title": "A"}]).findings if each.severity == "error"]
    assert len(errors) == 1
    assert errors[0].code in ("template/value", "image/svg", "icon/file")


def test_lines_of_a_template_stay_where_metadata_was_left_out(shop: Workshop) -> None:
    text = drawn(PAGE, f'<text x="10" y="12" {FONT}>{{{{ card.nothing }}}}</text>')
    shop.write("demo/card.svg", text.replace("ENCODING", "UTF-8"))
    (finding,) = shop.render(cards=[{"title": "A"}]).findings
    assert finding.code == "template/undefined"
    assert finding.location is not None
    assert finding.location.line == text[: text.index("card.nothing")].count("\n") + 1
