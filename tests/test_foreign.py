"""Every reader of foreign bytes ends in its own error or in a finding, whatever the bytes are."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import Any, cast
from zipfile import ZipFile

import pytest

from cardgen.art.icons import read_drawn, read_pixels, unpacked
from cardgen.core.findings import CardgenError, Findings, Parsing
from cardgen.files.listing import ProjectFolders
from cardgen.files.network import Address, Deadline, Exchange, FetchError, in_words
from cardgen.files.table_reading import read_rows, read_table, sheet_names
from cardgen.game.languages import Source, read_po, read_translation, updated
from cardgen.pdf import inks as profiles
from cardgen.pdf.file_facts import LockedError, UnreadableError, read_facts
from cardgen.svg.raster_files import ProfileError, RasterError, transform
from cardgen.text.font_files import read_face
from cardgen.text.shaping import Font
from tests.files.making import ods, rows, xlsx, zipped
from tests.for_each import for_each
from tests.svg import samples
from tests.svg.samples import saved, swapped

ROOT = Path(__file__).resolve().parent.parent
FONT = ROOT / "fonts/ibm-plex-sans/IBMPlexSans-Bold.ttf"
OWN = (CardgenError, FetchError, ProfileError, RasterError)
"""What readers raise, for callers that make findings of it."""
FEW, MANY = 20, 2_000
"""Damaged files of a format: in each run, and in the long one."""
Read = Callable[[bytes, Path], object]


def table(ending: str, data: bytes, _: Path) -> None:
    findings = Findings()
    for read in (partial(read_table, sheet=None), read_rows, sheet_names):
        cast("Any", read)(data, f"x{ending}", findings=findings)


def part(whole: bytes, name: str, ending: str, data: bytes, folder: Path) -> None:
    """A workbook that is whole but for one part."""
    with ZipFile(BytesIO(whole)) as archive:
        parts: dict[str, str | bytes] = {each: archive.read(each) for each in archive.namelist()}
    table(ending, zipped({**parts, name: data}), folder)


def pixels(data: bytes, folder: Path) -> None:
    read_pixels(folder / "x", "x", data, "digest")


def drawing(data: bytes, folder: Path) -> None:
    read_drawn(folder / "x.svg", data, "digest", [], lambda found: (found, []), cast("Any", None))


def font(data: bytes, folder: Path) -> None:
    path = folder / "x.ttf"
    path.write_bytes(data)
    with suppress(CardgenError):
        read_face(data, "x.ttf", "1" if data.startswith(b"ttcf") else None)
    face = Font("x", path, "x.ttf")
    face.word("Afgj ffi")
    for glyph in range(60):
        face.outline(glyph)
    assert face.unicode_of is not None


def texts(data: bytes, folder: Path) -> None:
    (folder / "texts.po").write_bytes(data)
    paths, findings = ProjectFolders((folder,)), Findings()
    read_translation(paths, "texts.po", findings)
    str(updated(read_po(paths, "texts.po", findings), "de", [Source("a", "b", (("c", 1),))], "Title"))


def printed(data: bytes, _: Path) -> None:
    with suppress(UnreadableError, LockedError):
        read_facts(data).total.colors.total()


def press(data: bytes, folder: Path) -> None:
    path = folder / "shop.icc"
    path.write_bytes(data)
    profiles.load_profile(str(path))


class Channel:
    """A connection on which all of an answer has come."""

    def __init__(self, data: bytes) -> None:
        self._data = BytesIO(data)

    def settimeout(self, seconds: float) -> None:
        pass

    def sendall(self, data: bytes) -> None:
        pass

    def recv(self, most: int) -> bytes:
        return self._data.read(most)


def answer(data: bytes, _: Path) -> None:
    deadline = Deadline(60)
    with in_words("sheets.example", deadline):
        Exchange(
            cast("Any", Channel(data)), deadline, Address("sheets.example", 443, "/"), 1_000_000
        ).content()


def flavored(kind: str | None) -> bytes:
    from fontTools.ttLib import TTCollection, TTFont

    file, out = TTFont(FONT), BytesIO()
    if kind == "ttc":
        collection = TTCollection()
        collection.fonts = [file, TTFont(FONT)]
        collection.save(out)
    else:
        file.flavor = kind
        file.save(out)
    return out.getvalue()


PO = rb"""# a
msgid ""
msgstr ""
"Language: de\n"
"Content-Type: text/plain; charset=UTF-8\n"

#: a.yaml:3
#, fuzzy
#| msgid "old"
msgctxt "a.yaml: cards/fox/title"
msgid "Fox \"x\""
msgstr "Fuchs"

#~ msgid "x"
#~ msgstr "y"

msgid "one"
msgid_plural "two"
msgstr[0] "a"
msgstr[1] "b"
"""
SVG = b"""<?xml version="1.0" encoding="utf-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>.a{fill:url(#g)}</style>
<defs><linearGradient id="g"><stop offset="1" stop-color="red"/></linearGradient></defs>
<g class="a" transform="rotate(4)"><path d="M0 0h9v9a1 1 0 1 1 2 2z" stroke-dasharray="1 2"/>
<use href="#g"/><text x="1">a</text></g></svg>"""
XLSX = xlsx(
    {"Cards": rows(("id", "title"), ("a", 1.5), (None, True))},
    strings="<si><t>A_x0041_</t></si>",
    styles='<cellXfs><xf numFmtId="14"/></cellXfs>',
)
ODS = ods(
    {
        "Cards": '<table:table-row table:number-rows-repeated="3"><table:table-cell '
        'office:value-type="time" office:time-value="PT1H2M3S"/><table:table-cell '
        'office:value-type="string"><text:p>a<text:s text:c="3"/></text:p></table:table-cell>'
        "</table:table-row>"
    }
)
CHUNKS = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/csv\r\n\r\n"


def picture(form: str) -> bytes:
    from PIL import Image

    image = Image.effect_noise((60, 40), 60).convert("RGB")
    if form == "GIF":
        return saved(form, image)
    options = {"compression": "tiff_lzw"} if form == "TIFF" else {}
    return saved(form, image, icc_profile=swapped(), **options)


@cache
def sound(name: str) -> tuple[bytes, Read]:
    """A sound file of a format, and what reads it."""
    if name in ("PNG", "JPEG", "WEBP", "TIFF", "GIF"):
        return picture(name), pixels
    if name in ("ttf", "ttc", "woff"):
        return flavored({"ttf": None}.get(name, name)), font
    formats: dict[str, tuple[bytes, Read]] = {
        "xlsx": (XLSX, partial(table, ".xlsx")),
        "ods": (ODS, partial(table, ".ods")),
        "csv": (b'id;title\n"a ""x""";b\n' * 20, partial(table, ".csv")),
        "tsv": (b'id\ttitle\n"a ""x"""\tb\n' * 20, partial(table, ".tsv")),
        "svg": (SVG, drawing),
        "svgz": (_packed(SVG), lambda data, folder: drawing(unpacked(data), folder)),
        "po": (PO, texts),
        "pdf": (pdf_of_all(), printed),
        "icc": (samples.press(), press),
        "icc-of-a-picture": (swapped(), lambda data, _: transform(data, "RGB")),
        "http-chunks": (CHUNKS + b"5;a=b\r\nhello\r\n0003\r\nyou\r\n0\r\nA: b\r\n\r\n", answer),
        "http-length": (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: y\r\n\r\nhello", answer),
    }
    for whole, ending in ((XLSX, ".xlsx"), (ODS, ".ods")):
        with ZipFile(BytesIO(whole)) as archive:
            for each in archive.namelist():
                if each.endswith(".xml"):
                    formats[f"{ending[1:]}-{each}"] = (
                        archive.read(each),
                        partial(part, whole, each, ending),
                    )
    return formats[name]


def _packed(data: bytes) -> bytes:
    import gzip

    return gzip.compress(data, mtime=0)


def pdf_of_all() -> bytes:
    """A PDF with text, a picture, forms, spot colors and states, its streams not packed, so that damage
    reaches their instructions."""
    import pikepdf
    import PIL.Image
    from reportlab.lib.colors import CMYKColorSep
    from reportlab.pdfgen.canvas import Canvas

    out, packed = BytesIO(), BytesIO()
    canvas = Canvas(packed, pagesize=(200, 280), invariant=True)
    canvas.beginForm("x")
    canvas.setFillAlpha(0.5)
    canvas.drawString(20, 20, "text of a form")
    canvas.endForm()
    canvas.doForm("x")
    canvas.setFillOverprint(True)
    canvas.setFillColor(CMYKColorSep(0, 1, 0, 0, spotName="Foil"))
    canvas.rect(9, 9, 90, 0.1, fill=1)
    canvas.drawInlineImage(PIL.Image.new("RGB", (9, 9)), 9, 90, 40, 40)
    canvas.save()
    with pikepdf.open(packed) as pdf:
        pdf.save(out, stream_decode_level=pikepdf.StreamDecodeLevel.all, deterministic_id=True)
    return out.getvalue()


FORMATS = (
    *("PNG", "JPEG", "WEBP", "TIFF", "GIF", "ttf", "ttc", "woff", "xlsx", "ods", "csv", "tsv"),
    *(
        "svg",
        "svgz",
        "po",
        "icc",
        "pdf",
        "icc-of-a-picture",
        "http-chunks",
        "http-length",
        "ods-content.xml",
    ),
    *("xlsx-xl/workbook.xml", "xlsx-xl/worksheets/sheet1.xml", "xlsx-xl/sharedStrings.xml"),
    "xlsx-xl/styles.xml",
)


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The file with a few bytes other, gone or cut off, most of them near its beginning."""
    found, how = bytearray(data), chance.random()
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        near = min(len(found), 1200) if chance.random() < 0.6 else len(found)
        at = chance.randrange(near)
        if how < 0.6:
            found[at] = chance.randrange(256)
        elif how < 0.7:
            found[at] ^= 1 << chance.randrange(8)
        elif how < 0.8:
            word = chance.choice((b"\xff\xff\xff\xff", bytes(4), b"\x7f\xff\xff\xff", b"\x80\0\0\0"))
            found[at : at + 4] = word
        elif how < 0.9:
            del found[at : at + chance.randrange(1, 40)]
        else:
            del found[at + 1 :]
        found = found or bytearray(b"x")
    return bytes(found)


def runs() -> Iterator[object]:
    for name in FORMATS:
        yield pytest.param(name, range(FEW), id=name)
        yield pytest.param(name, range(FEW, MANY), id=f"{name}-many", marks=pytest.mark.long)


@pytest.mark.parametrize(("name", "numbers"), list(runs()))
def test_a_damaged_file_ends_in_the_readers_own_error(
    name: str, numbers: range, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data, read = sound(name)
    if name not in ("ttc", "woff"):  # which are refused as they are
        read(data, tmp_path)
    for number in numbers:
        try:
            read(damaged(data, random.Random(f"{name} {number}")), tmp_path)
        except OWN:
            pass
        except Exception as error:
            raise AssertionError(f"{name} number {number}: {error!r}") from error
    assert capfd.readouterr() == ("", "")


def test_a_damaged_font_writes_nothing_to_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, read = sound("ttf")
    at = data.index(b"name", 12)
    offset = int.from_bytes(data[at + 8 : at + 12])
    broken = bytearray(data)
    broken[offset + 2 : offset + 4] = b"\x04\xff"  # more names than there are
    heard: list[logging.LogRecord] = []
    monkeypatch.setattr(logging.lastResort, "emit", heard.append)
    for spoilt in (bytes(broken), *(damaged(data, random.Random(number)) for number in range(20))):
        with suppress(*OWN):
            read(spoilt, tmp_path)
    assert not heard
    assert capfd.readouterr() == ("", "")


# ---------------------------------------------------------------- the one place


class OwnError(Exception):
    pass


def test_a_parsers_exception_becomes_the_readers_with_its_cause() -> None:
    for raised in (ValueError("x"), RecursionError(), OSError(), KeyError("y")):
        with pytest.raises(OwnError) as wrong, Parsing(lambda _: OwnError("damaged")):
            raise raised
        assert wrong.value.__cause__ is raised


def test_what_the_reader_raises_itself_passes() -> None:
    said = OwnError("too large")
    with pytest.raises(OwnError) as wrong, Parsing(lambda _: OwnError("damaged"), OwnError):
        raise said
    assert wrong.value is said


@for_each("raised", [KeyboardInterrupt(), SystemExit(2), MemoryError()])
def test_what_is_no_trouble_with_the_bytes_passes(raised: BaseException) -> None:
    with pytest.raises(type(raised)) as wrong, Parsing(lambda _: OwnError("damaged")):
        raise raised
    assert wrong.value is raised


def test_a_parser_with_a_bound_of_its_own_says_memory() -> None:
    with pytest.raises(OwnError), Parsing(lambda _: OwnError("too much"), is_bounded=True):
        raise MemoryError
