"""`--to vtt-kit`: pictures and lists for tables that are set up by hand in their own editors.

plan.py        faces, backs and atlases, one folder each
atlases.py     which cards lie in which cell of which atlas
lists.py       manifest.json and manifest.csv: every card with its files
guide.py       what to do with all of it at each table
playground.py  a package for Tabletop Playground, made of the same atlases
playground_dice.py  six-sided dice in that package
playground_state.py  the game's table in that package, set up
"""
