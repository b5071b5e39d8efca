"""`--to SERVICE`: a game for a print service of `data/services/`.

plan.py      the files that a service is sent: PNG a side, PDF a deck or PDF a card
products.py  what a service makes of each piece, and all there is to say of it
fitting.py   the product of a piece: of its size, the one that it names, or the nearest
books.py     rulebooks, a picture a page or as PDF
runs.py      pieces grouped into runs, each one order of one product
canvases.py  sides on the exact pixels of a product
paperwork.py order.csv, ORDER.txt, manifest.json and the ZIP of everything
"""
