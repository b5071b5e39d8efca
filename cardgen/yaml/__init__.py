"""YAML text to plain data with places: the one reader of every YAML file.

`reader.load_yaml` reads a file, `parse_yaml` a text; both give a `Document`, which can say where each
of its values stands. `editing.edited` changes values in a text and leaves all else of it as it was. Reading
is strict (duplicate keys, tags, unquoted dates are no guesses) and bounded.
"""
