"""What makes a PDF one for a press: PDF/X-4 (ISO 15930-7)."""

from __future__ import annotations

import re
import uuid
from io import BytesIO
from typing import BinaryIO

import pikepdf

from cardgen.press.conversion import Conversion
from cardgen.press.inks import Inks
from cardgen.press.palettes import InkPalette
from cardgen.press.profiles import REGISTRY, Profile

PDFX4 = "PDF/X-4"
_NAMES = '\n xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"\n xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"'
_FACTS = """<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>
<pdf:Trapped>False</pdf:Trapped>
<xmpMM:DocumentID>uuid:{id}</xmpMM:DocumentID>
<xmpMM:VersionID>1</xmpMM:VersionID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass>
<xmp:MetadataDate>{date}</xmp:MetadataDate>
</rdf:Description>"""


def for_press(
    content: bytes,
    out: BinaryIO,
    inks: Inks,
    profile: Profile,
) -> None:
    """Write a PDF in RGB, as `content`, to `out` as PDF/X-4 in inks."""
    with pikepdf.open(BytesIO(content)) as pdf:
        Conversion(pdf, InkPalette(inks)).run()
        _intend(pdf, profile)
        _identify(pdf)
        for page in pdf.pages:
            if "/Annots" in page.obj:  # links, which nobody can follow on paper
                del page.obj["/Annots"]
            if "/Trans" in page.obj:
                del page.obj["/Trans"]
        pdf.remove_unreferenced_resources()
        pdf.save(out, deterministic_id=True, min_version="1.6", force_version="1.6")


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


def _identify(pdf: pikepdf.Pdf) -> None:
    packet = pdf.Root.Metadata.read_bytes().decode("utf-8")
    date = re.search(r"<xmp:CreateDate>(.*?)</xmp:CreateDate>", packet)
    assert date is not None
    id = uuid.uuid5(uuid.NAMESPACE_URL, packet)
    packet = packet.replace(' xmlns:dc="', f'{_NAMES}\n xmlns:dc="', 1)
    packet = packet.replace("</rdf:Description>", _FACTS.format(id=id, date=date[1]), 1)
    pdf.Root.Metadata.write(packet.encode("utf-8"))
