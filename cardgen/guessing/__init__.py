"""What data look like they mean: shapes of values as JSON Schema, roles of columns, a look of cards.

Nothing here reads or writes a file. Guesses are written down for a person to change; nothing is guessed
again behind that person's back.
"""
