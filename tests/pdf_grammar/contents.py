"""Content streams by their grammar: every operator known, in a place where it may stand, with operands
of the right number and kind, and everything that it names at hand.

`Contents` follows what a stream paints (forms, patterns, soft masks, glyphs of Type 3 fonts) and looks
at each of those once.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pikepdf

from tests.pdf_grammar.lexer import LONGEST_STRING, FaultError, Keyword, Name, Reader, String
from tests.pdf_grammar.operators import (
    MOST_STATES,
    OPERATORS,
    PAGE,
    RENDERING_INTENTS,
    TEXT,
    is_number,
    within,
)
from tests.pdf_grammar.resources import color_components, pattern_faults, shading_faults, state_faults

Note = Callable[[str], None]


@dataclass(slots=True)
class _State:
    """What `q` keeps: colour spaces (components, or "pattern") and the font."""

    stroke: int | str | None
    fill: int | str | None
    font: Any = None

    def copy(self) -> _State:
        return _State(self.stroke, self.fill, self.font)


@dataclass(slots=True)
class Contents:
    """All content streams of one document. `faults` name the stream and the place in it."""

    faults: list[str] = field(default_factory=list)
    streams: int = 0
    operators: int = 0
    shown: dict[Any, set[int]] = field(default_factory=dict)
    """Codes shown, by the number of the font's object."""
    fonts: dict[Any, Any] = field(default_factory=dict)
    images: dict[Any, Any] = field(default_factory=dict)
    _done: set[Any] = field(default_factory=set)
    _open: list[Any] = field(default_factory=list)

    def check(self, parts: Sequence[bytes], resources: Any, where: str, kind: str = "page") -> None:
        """One stream, given in the parts that a reader joins. `kind` is page, form, tiling, uncoloured
        (a tiling without colours of its own) or glyph."""
        self.streams += 1
        try:
            _Stream(self, parts, resources, where, kind).run()
        except FaultError as fault:
            self.faults.append(f"{where}: {fault}")

    def form(self, form: Any, where: str) -> None:
        """A Form XObject, once."""
        if not self._enter(form, where):
            return
        note = self._noter(where)
        if str(form.get("/Subtype")) != "/Form":
            note(f"/Subtype {form.get('/Subtype')}")
        box = form.get("/BBox")
        if not _numbers(box, 4):
            note("/BBox is not four numbers")
        if "/Matrix" in form and not _numbers(form.Matrix, 6):
            note("/Matrix is not six numbers")
        if "/Group" in form:
            group = form.Group
            if str(group.get("/S")) != "/Transparency":
                note("a group that is no transparency group")
            if "/CS" in group and color_components(group.CS) in (None, "pattern"):
                note(f"a group in {group.CS}")
        self.check([self._bytes(form, where)], form.get("/Resources"), where, "form")
        self._open.pop()

    def tiling(self, pattern: Any, where: str) -> None:
        """A tiling pattern, once."""
        if not self._enter(pattern, where):
            return
        kind = "tiling" if pattern.get("/PaintType") == 1 else "uncoloured"
        self.check([self._bytes(pattern, where)], pattern.get("/Resources"), where, kind)
        self._open.pop()

    def glyph(self, stream: Any, resources: Any, where: str) -> None:
        """The procedure of a glyph of a Type 3 font, once."""
        if not self._enter(stream, where):
            return
        self.check([self._bytes(stream, where)], resources, where, "glyph")
        self._open.pop()

    def _enter(self, stream: Any, where: str) -> bool:
        """Whether the stream is still to be looked at."""
        if not isinstance(stream, pikepdf.Stream):
            self.faults.append(f"{where}: not a stream")
            return False
        key = stream.objgen
        if key in self._open:
            self.faults.append(f"{where}: it paints itself")
            return False
        if key in self._done:
            return False
        self._done.add(key)
        self._open.append(key)
        return True

    def _noter(self, where: str) -> Note:
        return lambda what: self.faults.append(f"{where}: {what}")

    def _bytes(self, stream: Any, where: str) -> bytes:
        try:
            data: bytes = stream.read_bytes(pikepdf.StreamDecodeLevel.generalized)
        except pikepdf.PdfError as error:
            self.faults.append(f"{where}: {error}")
            return b""
        return data


class _Stream:
    """One stream while it is read."""

    def __init__(
        self, book: Contents, parts: Sequence[bytes], resources: Any, where: str, kind: str
    ) -> None:
        self.book, self.parts, self.where, self.kind = book, parts, where, kind
        self.resources = resources if resources is not None else pikepdf.Dictionary()
        # What is painted by another begins in the other's state, of which it should not make use.
        first = 1 if kind in ("page", "tiling") else None
        self.state = _State(first, first)
        self.kept: list[_State] = []
        self.marked: list[bool] = []  # whether each sequence was begun within a text object
        self.mode = PAGE
        self.number = 0
        self.offset = 0
        self.at = 0

    def fail(self, what: str) -> FaultError:
        return FaultError(what, self.offset + self.at)

    def run(self) -> None:
        operands: list[object] = []
        for part in self.parts:
            reader = Reader(part)
            while (found := reader.value()) is not None:
                self.at, value = found
                if not isinstance(value, Keyword):
                    operands.append(value)
                    continue
                word = value.word.decode("ascii")
                if word == "BI":
                    self._inline_image(reader, operands)
                else:
                    self._operator(word, operands)
                self.number += 1
                operands = []
            self.offset += len(part)
        self.at = 0
        self.book.operators += self.number
        if operands:
            raise self.fail(f"{len(operands)} operands without an operator")
        if self.mode != PAGE:
            raise self.fail(f"the stream ends within a {self.mode}")
        if self.kept:
            raise self.fail(f"{len(self.kept)} q without Q")
        if self.marked:
            raise self.fail(f"{len(self.marked)} marked sequences without EMC")
        if self.kind == "glyph" and not self.number:
            raise self.fail("a glyph without d0 or d1")

    def _operator(self, word: str, operands: list[object]) -> None:
        operator = OPERATORS.get(word)
        if operator is None:
            raise self.fail(f"unknown operator {word[:24]!r}")
        if self.mode not in operator.states:
            raise self.fail(
                f"{word} within a {self.mode}" if self.mode != PAGE else f"{word} outside its object"
            )
        kinds = operator.operands
        if kinds != "*":
            if len(operands) != len(kinds):
                raise self.fail(f"{word} with {len(operands)} operands instead of {len(kinds)}")
            for value, kind in zip(operands, kinds):
                if not within(value, kind):
                    raise self.fail(f"{word} with {_shown(value)}")
        if operator.color and self.kind == "uncoloured":
            raise self.fail(f"{word} in a stream without colours of its own")
        first = self.kind == "glyph" and self.number == 0
        if (word in ("d0", "d1")) != first:
            raise self.fail(
                "a glyph that does not begin with d0 or d1" if first else f"{word} within a stream"
            )
        meaning = _MEANINGS.get(word)
        if meaning is not None:
            meaning(self, word, operands)
        if operator.after is not None:
            self.mode = operator.after

    # ------------------------------------------------------------ meanings

    def _save(self, word: str, operands: list[object]) -> None:
        self.kept.append(self.state.copy())
        if len(self.kept) > MOST_STATES:
            raise self.fail(f"more than {MOST_STATES} q within each other")

    def _restore(self, word: str, operands: list[object]) -> None:
        if not self.kept:
            raise self.fail("Q without q")
        self.state = self.kept.pop()

    def _choice(self, word: str, operands: list[Any]) -> None:
        most = {"J": 2, "j": 2, "Tr": 7, "i": 100}[word]
        if not 0 <= operands[0] <= most:
            raise self.fail(f"{operands[0]} {word}")

    def _intent(self, word: str, operands: list[Any]) -> None:
        if operands[0] not in RENDERING_INTENTS:
            raise self.fail(f"/{operands[0]} ri")

    def _miter(self, word: str, operands: list[Any]) -> None:
        if operands[0] < 1:
            raise self.fail(f"{operands[0]} M")

    def _scale(self, word: str, operands: list[Any]) -> None:
        if operands[0] <= 0:
            raise self.fail(f"{operands[0]} Tz")

    def _graphics_state(self, word: str, operands: list[Any]) -> None:
        state = self._named("ExtGState", operands[0])
        for what in state_faults(state):
            raise self.fail(f"/{operands[0]} gs: {what}")
        mask = state.get("/SMask")
        if isinstance(mask, pikepdf.Dictionary):
            self.book.form(mask.get("/G"), f"{self.where} mask /{operands[0]}")

    def _space(self, word: str, operands: list[Any]) -> None:
        name = operands[0]
        if name in ("DeviceGray", "DeviceRGB", "DeviceCMYK", "Pattern"):
            components = color_components(pikepdf.Name(f"/{name}"))
        else:
            components = color_components(self._named("ColorSpace", name))
        if components is None:
            raise self.fail(f"/{name} is no colour space")
        if word == "CS":
            self.state.stroke = components
        else:
            self.state.fill = components

    def _device(self, word: str, operands: list[object]) -> None:
        if word.isupper():
            self.state.stroke = len(operands)
        else:
            self.state.fill = len(operands)

    def _color(self, word: str, operands: list[object]) -> None:
        space = self.state.stroke if word.isupper() else self.state.fill
        if space is None:
            raise self.fail(f"{word} before a colour space is chosen")
        if space == "pattern":
            if word.lower() != "scn" or not operands or not isinstance(operands[-1], Name):
                raise self.fail(f"{word} without the name of a pattern")
            self._pattern(operands)
            return
        if len(operands) != space or not all(is_number(value) for value in operands):
            raise self.fail(f"{word} with {len(operands)} operands in a space of {space}")

    def _pattern(self, operands: list[Any]) -> None:
        name = operands[-1]
        pattern = self._named("Pattern", name)
        for what in pattern_faults(pattern):
            raise self.fail(f"pattern /{name}: {what}")
        uncolored = pattern.get("/PatternType") == 1 and pattern.get("/PaintType") == 2
        if (len(operands) > 1) != uncolored or not all(is_number(value) for value in operands[:-1]):
            raise self.fail(f"pattern /{name} with {len(operands) - 1} components")
        if pattern.get("/PatternType") == 1:
            self.book.tiling(pattern, f"{self.where} pattern /{name}")

    def _shading(self, word: str, operands: list[Any]) -> None:
        for what in shading_faults(self._named("Shading", operands[0])):
            raise self.fail(f"shading /{operands[0]}: {what}")

    def _font(self, word: str, operands: list[Any]) -> None:
        font = self._named("Font", operands[0])
        if not font.is_indirect:
            raise self.fail(f"font /{operands[0]} is no object of its own")
        self.book.fonts[font.objgen] = font
        self.state.font = font

    def _show(self, word: str, operands: list[Any]) -> None:
        font = self.state.font
        if font is None:
            raise self.fail(f"{word} before a font is chosen")
        wide = str(font.get("/Subtype")) == "/Type0"
        codes = self.book.shown.setdefault(font.objgen, set())
        for string in operands[-1] if word == "TJ" else operands[-1:]:
            if not isinstance(string, String):
                continue
            if len(string.data) > LONGEST_STRING:
                raise self.fail("string is too long")
            if wide:
                if len(string.data) % 2:
                    raise self.fail(f"{word} with half a code")
                codes.update(
                    int.from_bytes(string.data[i : i + 2], "big") for i in range(0, len(string.data), 2)
                )
            else:
                codes.update(string.data)

    def _begin_marked(self, word: str, operands: list[Any]) -> None:
        self._properties(word, operands)
        self.marked.append(self.mode == TEXT)

    def _properties(self, word: str, operands: list[Any]) -> None:
        if len(operands) < 2:
            return
        if isinstance(operands[1], Name):
            self._named("Properties", operands[1])
            return
        text = operands[1].get("ActualText")
        if text is not None and not (
            isinstance(text, String) and text.data.startswith(b"\xfe\xff") and _is_utf16(text.data)
        ):
            raise self.fail(f"/ActualText {_shown(text)}")

    def _end_marked(self, word: str, operands: list[object]) -> None:
        if not self.marked:
            raise self.fail("EMC without BMC or BDC")
        if self.marked.pop() != (self.mode == TEXT):
            raise self.fail("EMC and its begin are not in the same text object")

    def _end_text(self, word: str, operands: list[object]) -> None:
        if any(self.marked):
            raise self.fail("ET within a marked sequence of its text object")

    def _paint(self, word: str, operands: list[Any]) -> None:
        name = operands[0]
        thing = self._named("XObject", name)
        if not isinstance(thing, pikepdf.Stream):
            raise self.fail(f"/{name} Do: not a stream")
        kind = str(thing.get("/Subtype"))
        if kind == "/Form":
            self.book.form(thing, f"{self.where} /{name}")
        elif kind == "/Image":
            self.book.images.setdefault(thing.objgen, thing)
            if self.kind == "uncoloured" and thing.get("/ImageMask") is not True:
                raise self.fail(f"image /{name} in a stream without colours of its own")
        else:
            raise self.fail(f"/{name} Do: /Subtype {kind}")

    def _metrics(self, word: str, operands: list[Any]) -> None:
        if operands[1] != 0:
            raise self.fail(f"{word} with a vertical advance")
        if word == "d1":
            self.kind = "uncoloured"

    def _named(self, category: str, name: str) -> Any:
        listed = self.resources.get(f"/{category}")
        found = listed.get(f"/{name}") if isinstance(listed, pikepdf.Dictionary) else None
        if found is None:
            raise self.fail(f"/{name} is not among the resources' /{category}")
        return found

    # ------------------------------------------------------------ inline images

    def _inline_image(self, reader: Reader, operands: list[object]) -> None:
        if operands or self.mode != PAGE:
            raise self.fail(f"BI within a {self.mode}" if not operands else "BI with operands")
        entries: dict[str, Any] = {}
        while True:
            found = reader.value()
            if found is None:
                raise self.fail("BI without ID")
            if found[1] == Keyword(b"ID"):
                break
            value = reader.value()
            key = _ABBREVIATED.get(str(found[1]), found[1])
            if not isinstance(found[1], Name) or value is None or isinstance(value[1], Keyword):
                raise self.fail(f"{_shown(found[1])} in an inline image")
            if key in entries or key not in _INLINE:
                raise self.fail(f"/{key} in an inline image")
            entries[str(key)] = value[1]
        data = reader.data
        start = reader.end + 1
        if data[reader.end : start] not in (b" ", b"\n", b"\t", b"\r"):
            raise self.fail("no space after ID")
        end = self._inline_end(entries, data, start)
        if data[end : end + 1] not in (b" ", b"\n", b"\t", b"\r") or data[end + 1 : end + 3] != b"EI":
            raise self.fail("an inline image does not end where it should")
        reader.restart(end + 3)
        if data[end + 3 : end + 4] not in (b"", b" ", b"\n", b"\t", b"\r"):
            raise self.fail("no space after EI")

    def _inline_end(self, entries: dict[str, Any], data: bytes, start: int) -> int:
        """Where the data of an inline image end."""
        mask = entries.get("ImageMask") is True
        width, height = entries.get("Width"), entries.get("Height")
        bits = 1 if mask else entries.get("BitsPerComponent")
        space = {"G": 1, "DeviceGray": 1, "RGB": 3, "DeviceRGB": 3, "CMYK": 4, "DeviceCMYK": 4}
        components = 1 if mask else space.get(str(entries.get("ColorSpace")))
        if not (type(width) is int and type(height) is int and type(bits) is int and components):
            raise self.fail("an inline image without its measures")
        size = height * ((width * bits * components + 7) // 8)
        filter = entries.get("Filter")
        if filter in (None, []):
            return start + size
        if filter in ("Fl", "FlateDecode", ["Fl"], ["FlateDecode"]) and "DecodeParms" not in entries:
            unpacker = zlib.decompressobj()
            try:
                unpacked = unpacker.decompress(data[start:])
            except zlib.error as error:
                raise self.fail(f"an inline image: {error}") from None
            if len(unpacked) != size or not unpacker.eof:
                raise self.fail(f"an inline image of {len(unpacked)} bytes instead of {size}")
            return len(data) - len(unpacker.unused_data)
        raise self.fail(f"an inline image packed by {_shown(filter)}")


_INLINE = {
    "BitsPerComponent", "ColorSpace", "Decode", "DecodeParms", "Filter", "Height", "ImageMask", "Intent",
    "Interpolate", "Width",
}  # fmt: skip
_ABBREVIATED = {
    "BPC": "BitsPerComponent", "CS": "ColorSpace", "D": "Decode", "DP": "DecodeParms", "F": "Filter",
    "H": "Height", "IM": "ImageMask", "I": "Interpolate", "W": "Width",
}  # fmt: skip

_MEANINGS: dict[str, Callable[[_Stream, str, list[Any]], None]] = {
    "q": _Stream._save,
    "Q": _Stream._restore,
    **dict.fromkeys(("J", "j", "Tr", "i"), _Stream._choice),
    "ri": _Stream._intent,
    "M": _Stream._miter,
    "Tz": _Stream._scale,
    "gs": _Stream._graphics_state,
    **dict.fromkeys(("CS", "cs"), _Stream._space),
    **dict.fromkeys(("G", "g", "RG", "rg", "K", "k"), _Stream._device),
    **dict.fromkeys(("SC", "sc", "SCN", "scn"), _Stream._color),
    "sh": _Stream._shading,
    "Tf": _Stream._font,
    **dict.fromkeys(("Tj", "TJ", "'", '"'), _Stream._show),
    **dict.fromkeys(("BMC", "BDC"), _Stream._begin_marked),
    **dict.fromkeys(("MP", "DP"), _Stream._properties),
    "EMC": _Stream._end_marked,
    "ET": _Stream._end_text,
    "Do": _Stream._paint,
    **dict.fromkeys(("d0", "d1"), _Stream._metrics),
}


def _numbers(value: Any, count: int) -> bool:
    if not isinstance(value, pikepdf.Array) or len(value) != count:
        return False
    return all(not isinstance(item, (pikepdf.Object, bool)) for item in value)


def _is_utf16(data: bytes) -> bool:
    try:
        data[2:].decode("utf-16-be")
    except UnicodeDecodeError:
        return False
    return True


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) < 60 else f"{text[:57]}…"
