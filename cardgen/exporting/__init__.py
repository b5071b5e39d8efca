"""Finished values to files: imposed sheets as PDF, single sides as PNG, and a game for other programs.

One folder a target:
    pdf/          ImposedSheet + DrawnArt → PDF, through ReportLab
    png/          --to png, and one side for a proof
    svg/          --to svg           cockatrice/           --to cockatrice
    services/     --to SERVICE       tts/                  --to tts
    pcio/         --to pcio          kit/                  --to vtt-kit

What all of them need:
    exporters.py  the table of exporters and of their options
    job.py        what an exporter is given (ExportJob), and the files it plans
    delivery.py   planned files to a folder, only those that changed
    manifest.py   manifest.json: every file with its digest, pages and cards

What several of them need:
    pixels.py     sides as pixels, from any thread
    encoding.py   how pictures are packed, and how many pixels they have
    cells.py      cells of atlases
    side_names.py how sides are called where each is a file
    spots.py      where things of a table lie, and how large they are
    addresses.py  addresses that files are fetched from
    zips.py       ZIP files with the same bytes whenever they hold the same
"""
