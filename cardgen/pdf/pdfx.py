"""PDF for a press: PDF/X-4 (ISO 15930-7), or PDF/X-1a:2003 (ISO 15930-4).

X-4 is PDF 1.6 and may hold what is transparent; it says what it is in its metadata. X-1a is PDF 1.4
without anything transparent, has nothing but inks, and says what it is in its document information.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from hashlib import sha256
from io import BytesIO
from typing import BinaryIO, Literal

import pikepdf

from cardgen.core.findings import CardgenError, Finding, Severity
from cardgen.pdf.flattening import SeeThroughError, SeeThroughSpotError, flatten, object_is_see_through
from cardgen.pdf.ink_conversion import Conversion, InkMixer, plates
from cardgen.pdf.ink_operators import InkPalette, SpotInk, SpotInks, UnknownShadingError
from cardgen.pdf.inks import REGISTRY, InkRules, Profile, inks_of

Standard = Literal["x4", "x1a"]
NAMES: dict[Standard, str] = {"x4": "PDF/X-4", "x1a": "PDF/X-1a:2003"}
_VERSIONS: dict[Standard, str] = {"x4": "1.6", "x1a": "1.4"}
_LATER = ("/PrintScaling", "/Duplex")
"""Viewer settings that PDF 1.4 lacks."""
_SPACES = (
    '\n xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"\n xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"'
)
_FACTS = """<pdfxid:GTS_PDFXVersion>{name}</pdfxid:GTS_PDFXVersion>
<pdf:Trapped>False</pdf:Trapped>
<xmpMM:DocumentID>uuid:{id}</xmpMM:DocumentID>
<xmpMM:VersionID>1</xmpMM:VersionID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass>
<xmp:MetadataDate>{date}</xmp:MetadataDate>
</rdf:Description>"""


def for_press(
    content: bytes,
    out: BinaryIO,
    palette: InkPalette,
    profile: Profile,
    standard: Standard = "x4",
    spots: Sequence[SpotInk] = (),
) -> None:
    """Write a PDF in RGB, as `content`, to `out` as PDF/X in inks."""
    with pikepdf.open(BytesIO(content)) as pdf:
        if standard == "x1a":
            flatten(pdf, spots, InkMixer(palette))
        else:
            _mix_in_inks(pdf)
        Conversion(pdf, palette, SpotInks(spots)).run()
        _intend(pdf, profile)
        _identify(pdf, standard)
        for page in pdf.pages:
            if "/Annots" in page.obj:  # links, which nobody can follow on paper
                del page.obj["/Annots"]
            if "/Trans" in page.obj:
                del page.obj["/Trans"]
        pdf.remove_unreferenced_resources()
        version = _VERSIONS[standard]
        pdf.save(
            out,
            deterministic_id=True,
            min_version=version,
            force_version=version,
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
        )


def _mix_in_inks(pdf: pikepdf.Pdf) -> None:
    """Say of pages with anything transparent that their inks are mixed, not red, green and blue."""
    for page in pdf.pages:
        if object_is_see_through(page.obj):
            page.obj.Group = pikepdf.Dictionary(
                S=pikepdf.Name.Transparency, CS=pikepdf.Name.DeviceCMYK, I=True
            )


def _intend(pdf: pikepdf.Pdf, profile: Profile) -> None:
    """Say which press the inks are meant for."""
    stream = pdf.make_stream(profile.content)
    stream.N = 4
    stream.Alternate = pikepdf.Name.DeviceCMYK
    intent = pikepdf.Dictionary(
        Type=pikepdf.Name.OutputIntent,
        S=pikepdf.Name.GTS_PDFX,
        OutputConditionIdentifier=pikepdf.String(profile.condition or "Custom"),
        Info=pikepdf.String(profile.title),
        DestOutputProfile=stream,
    )
    if profile.condition is not None:
        intent.RegistryName = pikepdf.String(REGISTRY)
    pdf.Root.OutputIntents = pikepdf.Array([pdf.make_indirect(intent)])


def _identify(pdf: pikepdf.Pdf, standard: Standard) -> None:
    name = NAMES[standard]
    if standard == "x1a":
        pdf.docinfo["/GTS_PDFXVersion"] = pikepdf.String(name)
        pdf.docinfo["/Trapped"] = pikepdf.Name("/False")
        for key in _LATER:
            if key in pdf.Root.get("/ViewerPreferences", {}):
                del pdf.Root.ViewerPreferences[key]
    packet = pdf.Root.Metadata.read_bytes().decode("utf-8")
    date = re.search(r"<xmp:CreateDate>(.*?)</xmp:CreateDate>", packet)
    assert date is not None
    id = uuid.uuid5(uuid.NAMESPACE_URL, packet)
    packet = packet.replace(' xmlns:dc="', f'{_SPACES}\n xmlns:dc="', 1)
    packet = packet.replace("</rdf:Description>", _FACTS.format(id=id, date=date[1], name=name), 1)
    pdf.Root.Metadata.write(packet.encode("utf-8"))


class Press:
    """A press that is printed for: its profile, the most ink that it takes, in per cent, the standard of
    its files, inks beside the four, whether black text overprints, and whether gray images are of black
    ink alone. It may write several files at a time."""

    def __init__(
        self,
        profile: Profile,
        ink_limit: int,
        standard: Standard = "x4",
        spots: Sequence[SpotInk] = (),
        overprint: bool = True,
        black_images: bool = False,
    ) -> None:
        self.profile = profile
        self.ink_limit = ink_limit
        self.standard = standard
        self.spots = tuple(spots)
        self.inks = inks_of(self.profile, InkRules(ink_limit / 100))
        self._palette = InkPalette(self.inks, overprint, black_images)

    def without_spots(self) -> Press:
        """Return the same with the four inks alone."""
        other = copy(self)
        other.spots = ()
        return other

    @property
    def key(self) -> str:
        """Tells presses apart whose files differ."""
        profile = sha256(self.profile.content).hexdigest()
        more = f"{self.spots!r} {self._palette.overprint} {self._palette.black_images}"
        return f"{self.standard} {self.ink_limit} {profile} {more}"

    def __str__(self) -> str:
        spots = "".join(f", spot color {spot.name}" for spot in self.spots)
        return (
            f"CMYK for {self.profile.title}{spots}, {NAMES[self.standard]}, at most {self.ink_limit} % ink"
        )

    def write(self, write: Callable[[BinaryIO], object], out: BinaryIO) -> None:
        """Write what `write` writes, a PDF in RGB, in inks. Raises CardgenError for what no press has a
        way to print."""
        screen = BytesIO()
        write(screen)
        with _in_words():
            content, palette = screen.getvalue(), self._palette
            for_press(content, out, palette, self.profile, self.standard, self.spots)

    def flatten(self, content: bytes) -> None:
        """Raise CardgenError, as `write` does, for what a PDF in RGB has that PDF/X-1a can't have."""
        with _in_words(), pikepdf.open(BytesIO(content)) as pdf:
            flatten(pdf, self.spots)

    def plates(self, content: bytes) -> tuple[bytes, bytes]:
        """Of a PDF in RGB what a screen can show of its inks, two PDFs, as `plates.plates` says. Raises
        CardgenError as `write` does."""
        with _in_words():
            return plates(content, self._palette)


@contextmanager
def _in_words() -> Iterator[None]:
    """Says in a finding what no press has a way to print."""
    try:
        yield
    except UnknownShadingError as error:
        raise CardgenError(
            Finding(
                Severity.ERROR,
                "press/gradient",
                f"{error} can't be converted to inks",
                None,
                "draw it as a linear or radial gradient, or as a picture",
            )
        ) from error
    except SeeThroughSpotError as error:
        raise CardgenError(
            Finding(
                Severity.ERROR,
                "press/spot",
                f"{error}, and PDF/X-1a allows no transparency",
                None,
                "remove opacity and paint the spot color last, or ask the print shop for PDF/X-4",
            )
        ) from error
    except SeeThroughError as error:
        raise CardgenError(
            Finding(
                Severity.ERROR,
                "press/see-through",
                f"{error}, too many for PDF/X-1a",
                None,
                "put them into one group, make them opaque, or ask the print shop for PDF/X-4",
            )
        ) from error
