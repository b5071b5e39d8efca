"""YAML text to plain data with places: the one reader of every YAML file.

`load_yaml` reads a file, `parse_yaml` a text; both give a `Document`, which can say where each of its
values stands. Reading is strict (duplicate keys, tags and unquoted dates are no guesses) and bounded.
"""

from __future__ import annotations

from cardgen.yaml.reader import Document, load_yaml, parse_yaml, path_text, read_text

__all__ = ["Document", "load_yaml", "parse_yaml", "path_text", "read_text"]
