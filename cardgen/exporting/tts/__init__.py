"""`--to tts`: a game for Tabletop Simulator.

plan.py       what is written: pictures, books, a saved object a component, the whole table
atlases.py    cards on atlases: how many cells, how large, and the pictures
side_images.py  pictures of single sides, and the addresses they are fetched from
save_objects.py the objects of a save, as JSON values
measures.py   the sizes and fields that Tabletop Simulator gives things, and millimetres to its units
placing.py    a table's piles, pieces and bags as objects in their places
memos.py      what objects remember, by which they are known again
setup.py      the button that sets the table up, and its script
publishing.py a folder for the web, with what other players need
tables.py     where a table is installed, and a designer's own table; merging.py renews the game on that
saves.py      whole saves and saved objects
folders.py    where Tabletop Simulator keeps a user's files
workshop.py   what is filled in to share a table
overview.py   a picture of the table as it is laid out

Facts are from Tabletop Simulator's knowledge base and API, and from what its saves hold in practice.
"""
