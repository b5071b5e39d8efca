"""Finished values to files: imposed sheets as PDF, single sides as PNG, and a list of what was written.

pdf.py        ImposedSheet + DrawnArt → PDF, through ReportLab
metadata.py   the XMP packet of a PDF
png.py        one side → PNG
manifest.py   manifest.json: every file with its digest, pages and cards
"""
