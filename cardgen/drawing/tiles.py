"""Tiling patterns of a PDF → their tiles one by one: readers differ in where they put those of a pattern,
and some round them to whole pixels."""

from __future__ import annotations

import math
from typing import Any

import pikepdf

from cardgen.geometry import IDENTITY, Matrix
from cardgen.svg.limits import MOST_TILES

_PATH = frozenset(("m", "l", "c", "v", "y", "re", "h"))
_FILLS = {"f": "W", "F": "W", "f*": "W*", "B": "W", "B*": "W*", "b": "W", "b*": "W*"}
_STROKES = {"B": "S", "B*": "S", "b": "s", "b*": "s"}
_PAINTING = frozenset((*_FILLS, "S", "s", "n"))
_COLORS = frozenset(("g", "rg", "k", "sc"))


def lay_tiles(pdf: pikepdf.Pdf) -> None:
    """Have every fill with a tiling pattern put its tiles."""
    patterns = [item for item in pdf.objects if _is_tile(item)]
    if not patterns:
        return
    layer = _Layer(pdf)
    for item in list(pdf.objects):
        form = isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Form"
        if form and "/Pattern" in item.get("/Resources", {}):
            item.write(layer.laid(item, item.Resources))
    for page in pdf.pages:
        if "/Pattern" in page.obj.get("/Resources", {}):
            page.obj.Contents = pdf.make_stream(layer.laid(page.obj, page.obj.Resources))


def _is_tile(item: Any) -> bool:
    return isinstance(item, pikepdf.Stream) and item.get("/PatternType") == 1


class _Layer:
    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._forms: dict[tuple[int, int], Any] = {}

    def laid(self, content: Any, resources: Any) -> bytes:
        """A content stream with its tiles put."""
        patterns = resources.get("/Pattern", {})
        done: list[Any] = []
        path: list[Any] = []
        matrix, tile = IDENTITY, None
        kept: list[tuple[Matrix, tuple[Any, int]]] = []
        choices: dict[int, bool] = {}  # where a pattern is chosen, and whether something still shows it
        chosen = -1
        for instruction in pikepdf.parse_content_stream(content):
            name, operands = str(instruction.operator), instruction.operands
            if name in _PATH or name in ("W", "W*"):
                path.append(instruction)
                continue
            if name in _PAINTING:
                tiles = None
                if name in _FILLS and tile is not None:
                    tiles = self._tiles(path, name, matrix, patterns[tile], resources)
                if tiles is not None:
                    done += tiles
                    done += [*path, _operator(_STROKES[name])] if name in _STROKES else []
                else:
                    done += [*path, instruction]
                    if name in _FILLS and tile is not None:
                        choices[chosen] = True
                path = []
                continue
            if name == "q":
                kept.append((matrix, (tile, chosen)))
            elif name == "Q" and kept:
                matrix, (tile, chosen) = kept.pop()
            elif name == "cm":
                matrix = Matrix(*map(float, operands)).then(matrix)
            elif name == "scn":
                last = str(operands[-1])
                tile = last if last in patterns and _is_tile(patterns[last]) else None
                if tile is not None:
                    chosen = len(done)
                    choices[chosen] = False
            elif name in _COLORS:
                tile = None
            done.append(instruction)
        for place in [place for place, shown in reversed(choices.items()) if not shown]:
            del done[place]
        return pikepdf.unparse_content_stream(done)

    def _tiles(
        self, path: list[Any], name: str, matrix: Matrix, pattern: Any, resources: Any
    ) -> list[Any] | None:
        """The tiles that fill a path; None where they are too many."""
        place = Matrix(*map(float, pattern.get("/Matrix", (1, 0, 0, 1, 0, 0))))
        try:
            back = matrix.then(place.inverse())
            home = matrix.inverse()
        except ZeroDivisionError:
            return None
        corners = [back.apply(*corner) for each in path for corner in _places(each)]
        left, bottom, right, top = map(float, pattern.BBox)
        across, down = abs(float(pattern.XStep)), abs(float(pattern.YStep))
        if not corners or min(across, down) < 1e-9:
            return None
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        columns = range(math.floor((min(xs) - right) / across) + 1, math.ceil((max(xs) - left) / across))
        rows = range(math.floor((min(ys) - top) / down) + 1, math.ceil((max(ys) - bottom) / down))
        if len(columns) * len(rows) > MOST_TILES:
            return None
        form = self._form(pattern)
        if "/XObject" not in resources:
            resources.XObject = pikepdf.Dictionary()
        key = f"/t{pattern.objgen[0]}"
        resources.XObject[key] = form
        done = [_operator("q"), *path, _operator(_FILLS[name]), _operator("n"), _matrix(place.then(home))]
        for row in rows:
            for column in columns:
                move = _matrix(Matrix(e=column * across, f=row * down))
                done += [_operator("q"), move, _operator("Do", pikepdf.Name(key)), _operator("Q")]
        return [*done, _operator("Q")]

    def _form(self, pattern: Any) -> Any:
        """A tile as a form, a group as a pattern's cell is one."""
        form = self._forms.get(pattern.objgen)
        if form is None:
            form = self._pdf.make_stream(
                self.laid(pattern, pattern.get("/Resources", pikepdf.Dictionary()))
            )
            form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
            form.BBox = pattern.BBox
            form.Resources = pattern.get("/Resources", pikepdf.Dictionary())
            form.Group = pikepdf.Dictionary(
                Type=pikepdf.Name.Group, S=pikepdf.Name.Transparency, CS=pikepdf.Name.DeviceRGB
            )
            self._forms[pattern.objgen] = form
        return form


def _operator(name: str, *operands: Any) -> Any:
    return pikepdf.ContentStreamInstruction(list(operands), pikepdf.Operator(name))


def _matrix(matrix: Matrix) -> Any:
    values = (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
    return _operator("cm", *(round(value, 8) for value in values))


def _places(instruction: Any) -> list[tuple[float, float]]:
    """The places that an operator of a path names, handles among them."""
    values = [float(value) for value in instruction.operands]
    if str(instruction.operator) == "re":
        x, y, width, height = values
        return [(x, y), (x + width, y), (x, y + height), (x + width, y + height)]
    return list(zip(values[::2], values[1::2]))
