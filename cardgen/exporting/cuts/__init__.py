"""Cuts as files for machines: the very page, in mm, with lines and nothing else.

svg.py    for Cricut, Silhouette Studio, laser cutters
dxf.py    for Silhouette Studio's free edition, CAD and plotters
png.py    pictures of pieces, transparent around them, for Cricut's Print then Cut
pdf.py    for print shops: an overprinting spot colour
"""
