"""Finished values to files: imposed sheets as PDF, single sides as PNG, and a game for other programs.

Sheets and proofs:
    pdf.py        ImposedSheet + DrawnArt → PDF, through ReportLab
    metadata.py   the XMP packet of a PDF
    png.py        one side → PNG
    manifest.py   manifest.json: every file with its digest, pages and cards

Exports:
    exporters.py  the table of exporters and of their options
    job.py        what an exporter is given (ExportJob), and the files it plans
    delivery.py   planned files to a folder, only those that changed
    faces.py      --to png           svg.py, svg_parts.py  --to svg
    services/     --to SERVICE       tts/                  --to tts
    pcio/         --to pcio          kit/                  --to vtt-kit
    cockatrice.py --to cockatrice

What several of them need:
    pixels.py     sides as pixels, from any thread
    encoding.py   how pictures are packed, and how many pixels they have
    grids.py      cells of atlases
    names.py      how sides are called where each is a file
    spots.py      where things of a table lie, and how large they are
    addresses.py  addresses that files are fetched from
    zips.py       ZIP files with the same bytes whenever they hold the same
"""
