"""The same cards by other tools, each as the process that a user of that tool would start.

usage: peers.py typst|weasyprint CARDS.json OUT.pdf [PICTURES]
"""

from __future__ import annotations

import html
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FONTS = HERE.parent / "fonts" / "ibm-plex-sans"


def typst(data: Path, out: Path, pictures: Path | None) -> None:
    import typst as compiler

    inputs = {"data": str(data), "icons": str(HERE / "icons"), "pictures": str(pictures or "")}
    compiler.compile(
        str(HERE / "deck.typ"), output=str(out), root="/", font_paths=[str(FONTS)], sys_inputs=inputs
    )


CSS = """
@font-face { font-family: Plex; src: url(%(fonts)s/IBMPlexSans-Regular.ttf) }
@font-face { font-family: Plex; font-weight: bold; src: url(%(fonts)s/IBMPlexSans-Bold.ttf) }
@font-face { font-family: Plex; font-style: italic; src: url(%(fonts)s/IBMPlexSans-Italic.ttf) }
@page { size: 8.5in 11in; margin: 0 }
* { box-sizing: border-box; margin: 0; padding: 0 }
body { font: 8pt Plex }
.page { width: 8.5in; height: 11in; position: relative; break-after: page; overflow: hidden }
.card { position: absolute; width: 63.5mm; height: 88.9mm; overflow: hidden }
.card > * { position: absolute }
.box { border: .254mm solid #222; border-radius: 1.68mm; left: 3.175mm; width: 57.15mm }
.name { top: 3.175mm; height: 7.62mm; background: #fff; padding: 1.4mm 1.7mm; font: bold 10pt Plex }
.cost { left: 51.7mm; top: 2.6mm; width: 8.8mm; height: 8.8mm; border-radius: 50%%;
  background: #8b1a1a; color: #fff; border: .254mm solid #222; font: bold 13pt/8.2mm Plex;
  text-align: center }
.icons { left: 4mm; top: 12.9mm; width: 56mm }
.icons img { float: left; width: 8.46mm; height: 8.46mm; margin-right: .84mm }
.art { top: 23.06mm; height: 21.17mm; background: #ddd; object-fit: cover }
.rules { top: 46.8mm; height: 37.27mm; background: #fffffff0; padding: 1.2mm 1.5mm; line-height: 1.22 }
.rules img { width: 1em; height: 1em; vertical-align: -.12em }
.id { left: 4.9mm; top: 85mm; font-size: 6.5pt }
.v { position: absolute; width: 0; height: 3mm; border-left: .25pt solid #000 }
.h { position: absolute; height: 0; width: 5mm; border-top: .25pt solid #000 }
"""


def weasyprint(data: Path, out: Path, pictures: Path | None) -> None:
    from weasyprint import HTML

    icons = (HERE / "icons").as_uri()

    def word(kind: str, text: str) -> str:
        if kind == "icon":
            return f'<img src="{icons}/{text}.svg">'
        tag = {"bold": "b", "italic": "i"}.get(kind)
        return f"<{tag}>{html.escape(text)}</{tag}>" if tag else html.escape(text)

    def card(entry: dict, x: float, y: float) -> str:
        art = '<div class="box art"></div>'
        if pictures is not None:
            art = f'<img class="box art" src="{(pictures / entry["picture"]).as_uri()}">'
        row = "".join(f'<img src="{icons}/{name}.svg">' for name in entry["icons"])
        rules = " ".join(word(*pair) for pair in entry["text"])
        return (
            f'<div class=card style="left:{x}mm;top:{y}mm;background:{entry["bg"]}">'
            f'<div class="box name">{html.escape(entry["name"])}</div><div class=cost>{entry["cost"]}</div>'
            f'<div class=icons>{row}</div>{art}<div class="box rules">{rules}</div>'
            f"<div class=id>{entry['id']}</div></div>"
        )

    marks = "".join(
        f'<i class=v style="left:{12.7 + 63.5 * k}mm;top:{top}mm"></i>'
        for k in range(4)
        for top in (0.5, 275.9)
    ) + "".join(
        f'<i class=h style="left:{left}mm;top:{6.35 + 88.9 * k}mm"></i>'
        for k in range(4)
        for left in (3, 207)
    )
    entries = json.loads(data.read_text(encoding="utf-8"))
    pages = []
    for start in range(0, len(entries), 9):
        placed = [
            card(entry, 12.7 + 63.5 * (k % 3), 6.35 + 88.9 * (k // 3))
            for k, entry in enumerate(entries[start : start + 9])
        ]
        pages.append(f"<div class=page>{''.join(placed)}{marks}</div>")
    css = CSS % {"fonts": FONTS.as_uri()}
    HTML(string=f"<!doctype html><meta charset=utf-8><style>{css}</style>{''.join(pages)}").write_pdf(out)


if __name__ == "__main__":
    tool, data, out, *rest = sys.argv[1:]
    {"typst": typst, "weasyprint": weasyprint}[tool](Path(data), Path(out), Path(rest[0]) if rest else None)
