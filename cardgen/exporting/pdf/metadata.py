"""The XMP packet of a PDF: the same facts as its document information, for those who read only XML."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from html import escape

_PACKET = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about=""
 xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{subject}</rdf:li></rdf:Alt></dc:description>
<dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language>
<xmp:CreatorTool>{creator}</xmp:CreatorTool>
<xmp:CreateDate>{date}</xmp:CreateDate>
<xmp:ModifyDate>{date}</xmp:ModifyDate>
<pdf:Producer>{producer}</pdf:Producer>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>"""


@dataclass(frozen=True, slots=True)
class PdfInfo:
    """What a PDF says about itself. `creator` is the program; `language` a tag such as "en"."""

    title: str
    author: str
    subject: str
    creator: str
    language: str


def xmp_packet(info: PdfInfo, producer: str, date: datetime) -> bytes:
    """The packet, UTF-8, `date` in UTC."""
    return _PACKET.format(
        title=_text(info.title),
        author=_text(info.author),
        subject=_text(info.subject),
        language=_text(info.language),
        creator=_text(info.creator),
        producer=_text(producer),
        date=date.strftime("%Y-%m-%dT%H:%M:%SZ"),
    ).encode("utf-8")


def _text(text: str) -> str:
    """`text` as XML; characters that XML cannot hold are left out."""
    return escape("".join(char for char in text if char >= " " or char in "\t\n"), quote=False)
