"""`--to pcio`: a room for playingcards.io, set up as the game's table is.

widgets.py   the room's widgets as plain JSON values
room.py      the table's things in their places, in pixels
buttons.py   buttons that shuffle and deal
assets.py    the pictures, each below the size that importers take
plan.py      the file: widgets.json and userassets/ in a ZIP

The format is not documented. What is written here is what rooms made by others have and what the
importer of virtualtabletop.io reads (server/pcioimport.mjs).
"""
