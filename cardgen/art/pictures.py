"""Elements other than text as pictures: self-contained SVG documents."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy

from cardgen.art.icons import PREFIX, IconSet, ImageStore, check_size, keeps_colors, printed_dpi
from cardgen.art.templating import MAX_OUTPUT
from cardgen.core.artwork import Picture
from cardgen.core.findings import Problem, Severity
from cardgen.core.geometry import IDENTITY, Matrix
from cardgen.core.records import dataclass, replace
from cardgen.svg.costs import DRAW_LESS, Brought, MarkupError, Room
from cardgen.svg.lint import lint
from cardgen.svg.outlines import PLACED, ViewportError, box_of, fitted, relative, transform_of, view_box_of
from cardgen.svg.style import Properties, StyleSheet, parse_color
from cardgen.svg.tree import (
    DPI,
    FILTER_DPI,
    MOST_PROBLEMS,
    Document,
    Node,
    is_unseen,
    names,
    open_tag,
    serialize,
)

XMLNS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
_REFITTED = frozenset(("svg", "symbol", "pattern", "marker", "clipPath", "defs"))
_FILTERED = re.compile(r"""\bfilter\s*[=:]\s*["']?\s*(?!none\b|["';\s])""")
"""A property that isn't none."""
_MARKEDLY = 1.5
"""Times the requested pixels: saving fewer doesn't justify the loss from resampling."""
_ROOT_ONLY = names(
    "width height viewBox version id class style baseProfile x y preserveAspectRatio enable-background"
)


@dataclass(frozen=True, slots=True)
class GroupTags:
    """The tags around an element: the start and end tags of its plain groups, and their matrix.

    `filled` is True if, of `fill` and `color`, `fill` is the one stated nearest to the element.
    """

    opened: str = ""
    closed: str = ""
    matrix: Matrix = IDENTITY
    filled: bool = False


class Pictures:
    """Makes the pictures of one document. `head` is the result of `picture_head` for its root."""

    def __init__(
        self,
        document: Document,
        head: str,
        sheet: StyleSheet,
        icons: IconSet,
        images: ImageStore,
        folder: str,
        ids: Collection[str],
    ) -> None:
        self._document = document
        self._head = head
        self._sheet = sheet
        self._icons = icons
        self._images = images
        self._folder = folder
        self._ids = ids
        self._shown: dict[str, str] = {}
        self._pixels: dict[int, tuple[int, int] | None] = {}
        self._expanded = 0
        # A picture's content can't be drawn, which was reported there.
        self._broken = False
        self.flawed: set[Problem] = set()
        """The problems of files that the last picture shows."""
        # The picture shows icons that take a color; a `fill` stated nearer than a `color` paints them.
        self._colors_icons = False
        self._filled = False
        self._room = Room()

    def brought(self, node: Node) -> Brought | None:
        """Return the content that an element shows from a file: an icon, or a drawing."""
        if node.name == "use" and (name := self._icon_name(node)) is not None:
            icon = self._icons.get(name)
            return Brought(icon.cost, icon.view)
        if node.name == "image":
            found = self._images.find(node.href or "", self._folder)
            if not isinstance(found, Problem) and found.markup:
                return Brought(found.cost, view_box_of(found.view_box))
        return None

    def shown_at(self, node: Node) -> tuple[str, int] | None:
        """Return the template and line of the drawing that an element shows from a file."""
        if node.name == "use" and (name := self._icon_name(node)) is not None:
            return self._icons.get(name).place
        found = self._images.find(node.href or "", self._folder) if node.name == "image" else None
        return found.place if found is not None else None

    def picture(
        self, node: Node, needed: Iterable[Node], around: GroupTags
    ) -> tuple[Picture | None, list[Problem]]:
        """Return the picture of an element. `needed` are the elements that it refers to, at any depth.

        None if it can't be drawn; the problems give the reason. Their offsets count from the element's
        start, those of needed elements likewise.
        """
        needed = list(needed)
        problems = list(lint(node, self._ids, self._sheet))
        for other in needed:
            away = other.start - node.start
            problems += [problem.moved(away) for problem in lint(other, self._ids, self._sheet)]
            if other.has_text:
                message = f"<use> and patterns can't show text, and '{other.get('id')}' contains some"
                hint = "write the <text> where you want it"
                problems.append(Problem("text/in-use", message, hint, offset=away))
        self._shown = {}
        self._pixels = {}
        self._expanded = 0
        self._broken = False
        self._colors_icons = False
        self.flawed = set()
        for top in (node, *needed):
            matrix = around.matrix if top is node else IDENTITY
            problems += self._check_images(top, matrix, top.start - node.start, sized=top is node)
            problems += self._check_viewports(top, top.start - node.start)
        if self._broken or any(problem.is_error for problem in problems):
            return None, problems[:MOST_PROBLEMS]
        picture, more = self.drawn(node, needed, around)
        return picture, problems + more

    def drawn(
        self, node: Node, needed: Iterable[Node], around: GroupTags
    ) -> tuple[Picture | None, list[Problem]]:
        """Return the picture of the last processed element, even if it has errors."""
        try:
            self._filled = False
            definitions = "".join(self._text(other) for other in needed)
            self._filled = around.filled
            picture = self.assemble(definitions, around, self._text(node))
            if _FILTERED.search(picture.svg):
                message = f"filters here turn the artwork into a picture of {self._filter_dpi} dpi"
                return picture, [Problem("svg/filter-pixels", message, severity=Severity.NOTE)]
            return picture, []
        except ViewportError as error:
            return None, [Problem("svg/viewport", f"<{node.name}> can't be drawn: {error}", error.hint)]
        except MarkupError as error:
            return None, [Problem("svg/bounds", f"<{node.name}> can't be drawn: {error}", DRAW_LESS)]

    def with_others(self, ids: Mapping[str, Node]) -> Pictures:
        """Return the same with these elements in place of those with their ids."""
        made = copy(self)
        made._document = replace(self._document, ids={**self._document.ids, **ids})
        return made

    def shown_badly(self, node: Node) -> tuple[Problem, ...]:
        """Return the problem with the file that an element shows: an icon, or an image."""
        if node.name == "use" and (name := self._icon_name(node)) is not None:
            return self._icons.get(name).problems
        if node.name == "image":
            found = self._images.find(node.href or "", self._folder)
            if isinstance(found, Problem):
                return (found,)
            return found.problems if found.problem is None else (found.problem,)
        return ()

    def assemble(self, definitions: str, around: GroupTags, content: str) -> Picture:
        """Return a picture from markup. Raises MarkupError."""
        defs = f"<defs>{definitions}</defs>" if definitions else ""
        head = self._head
        if self._filter_dpi < FILTER_DPI and _FILTERED.search(f"{definitions}{content}"):
            head = f'{head[:-1]} {DPI}="{self._filter_dpi}">'
        svg = self._room.take(f"{head}{defs}{around.opened}{content}{around.closed}</svg>")
        shown = tuple(sorted(self._shown.items()))
        look = svg
        for path, digest in shown:
            # The path doesn't change the look, and differs between machines.
            look = look.replace(path, digest)
        key = hashlib.blake2b(look.encode(), digest_size=16).hexdigest()
        return Picture(key, svg, shown)

    @property
    def _filter_dpi(self) -> int:
        finest = self._images.finest
        return FILTER_DPI if finest is None else min(FILTER_DPI, finest)

    def definitions(self, needed: Iterable[Node]) -> str:
        """Return the markup of elements that are referred to. Raises MarkupError."""
        self._shown, self._filled = {}, False
        return "".join(self._text(other) for other in needed)

    def _text(self, node: Node) -> str:
        return serialize(node, self._replace, self._style)

    def _style(self, node: Node) -> str:
        return self._room.take(self._sheet.attribute(node))

    def _replace(self, node: Node) -> str | None:
        filled = states_fill(self._sheet.properties(node), self._filled) if self._colors_icons else None
        if filled is None or filled == self._filled:
            return self._replaced(node)
        before, self._filled = self._filled, filled
        try:
            other = self._replaced(node)
            if other is None:
                other = serialize(
                    node, lambda each: None if each is node else self._replace(each), self._style
                )
            return other
        finally:
            self._filled = before

    def _replaced(self, node: Node) -> str | None:
        name = node.name
        if name == "use":
            return self._use(node)
        if name == "image":
            return self._image(node)
        if name == "svg":
            return self._viewport(node, node, self._content(node))
        if name in ("style", "symbol") or is_unseen(name):
            return ""
        return None

    def _content(self, node: Node) -> str:
        return "".join(self._text(child) for child in node.elements())

    def _group(self, node: Node, style: str, content: str) -> str:
        """Return a `<g>` with an element's attributes except its place."""
        attrs = {k: v for k, v in node.attrs.items() if k not in PLACED and not k.endswith("href")}
        return f"{open_tag(Node('g', attrs), style)}>{content}</g>"

    # ---- drawings within the drawing

    def _icon_name(self, node: Node) -> str | None:
        """Return the icon that a `<use>` shows. An element of the drawing with that id has priority."""
        href = node.href or ""
        if not href.startswith("#" + PREFIX) or href[1:] in self._document.ids:
            return None
        name = href[1 + len(PREFIX) :]
        return name if name in self._icons else None

    def _symbol(self, node: Node) -> Node | None:
        """Return the `<symbol>` (or `<svg>`) that a `<use>` shows."""
        target = self._document.ids.get((node.href or "")[1:])
        return target if target is not None and target.name in ("symbol", "svg") else None

    def _use(self, node: Node) -> str | None:
        style = self._style(node)
        name = self._icon_name(node)
        if name is not None:
            icon = self._icons.get(name)
            placed = fitted(self._room.take(icon.markup), icon.view, box_of(node.attrs), "", clipped=False)
            if icon.is_unfilled and not self._filled:
                placed = f'<g fill="currentColor">{placed}</g>'
            return self._group(node, style, placed)
        symbol = self._symbol(node)
        if symbol is None:
            return None
        inner = self._group(symbol, self._style(symbol), self._content(symbol))
        return self._viewport(node, symbol, inner)

    def _viewport(self, node: Node, shown: Node, content: str) -> str:
        """Return `shown`'s content in the box of `node` (the same element for a nested `<svg>`)."""
        self._expanded += len(content)
        if self._expanded > MAX_OUTPUT:
            message = f"its symbols need more than {MAX_OUTPUT:,} characters"
            raise ViewportError(message, "use fewer or simpler symbols")
        view = view_box_of(shown.get("viewBox"))
        aspect = shown.get("preserveAspectRatio")
        clipped = self._sheet.properties(shown).get("overflow", shown.get("overflow")) != "visible"
        placed = fitted(content, view, box_of(node.attrs), aspect, clipped=clipped)
        return self._group(node, self._style(node), placed)

    def _check_viewports(self, top: Node, away: int) -> Iterator[Problem]:
        for node in top.iter():
            try:
                shown = self._check_viewport(node)
            except ViewportError as error:
                what = (
                    f"the icon '{self._icon_name(node)}'"
                    if self._icon_name(node)
                    else f"this <{node.name}>"
                )
                yield Problem(
                    "svg/viewport",
                    f"{what} can't be placed: {error}",
                    error.hint,
                    offset=away + node.start - top.start,
                )
                continue
            if (vain := self._colored_in_vain(node)) is not None:
                yield vain.moved(away + node.start - top.start)
            if shown is not None and (found := relative(shown)):
                message = f"a percentage of an inner box is not supported: {found}"
                offset = away + node.start - top.start
                yield Problem("svg/viewport", message, "write it in the units of the box", offset=offset)

    def _colored_in_vain(self, node: Node) -> Problem | None:
        """Return the problem of a `<use>` that states a color, or a fill, that its icon doesn't take."""
        name = self._icon_name(node) if node.name == "use" else None
        if name is None:
            return None
        icon, own = self._icons.get(name), self._sheet.properties(node)
        if icon.keeps_colors:
            return keeps_colors(name) if "color" in own else None
        if "color" in own or icon.is_unfilled or icon.problems:
            return None
        fill = parse_color(own.get("fill", "none"))
        if fill is None or not any(fill[:3]):  # black, the printed color if none is set
            return None
        message = f"the icon '{name}' isn't colored by fill"
        return Problem("icon/color", message, "write color in place of fill", Severity.WARNING)

    def _check_viewport(self, node: Node) -> Node | None:
        """Return the element whose content is fitted into a box here. Raises ViewportError."""
        if node.name == "svg":
            box_of(node.attrs)
            view_box_of(node.get("viewBox"))
            return node
        if node.name != "use":
            return None
        name = self._icon_name(node)
        if name is not None:
            box_of(node.attrs)
            icon = self._icons.get(name)
            self.flawed.update(icon.problems)
            self._colors_icons = self._colors_icons or icon.is_unfilled
            return None
        symbol = self._symbol(node)
        if symbol is not None:
            box_of(node.attrs)
            view_box_of(symbol.get("viewBox"))
        return symbol

    # ---- images

    def _check_images(self, top: Node, matrix: Matrix, away: int, sized: bool) -> Iterator[Problem]:
        """Yield the problems with the images in an element. `sized` is True if `matrix` is the whole
        matrix around it; images shown elsewhere, or fitted into boxes, may be larger."""
        stack = [(top, matrix, sized)] if b"image" in self._document.source(top) else []
        while stack:
            node, outer, sized = stack.pop()
            sized = sized and node.name not in _REFITTED
            try:
                here = transform_of(node.attrs).then(outer)
            except ValueError:
                here = outer  # the lint reports it
            if node.name == "image":
                for problem in self._check_image(node, here):
                    yield problem.moved(away + node.start - top.start)
                if not sized:  # the same image may be shown at its own place, too
                    self._pixels[node.start] = None
                elif self._images.finest is not None:
                    self._bring_down(node, here, self._images.finest)
            stack.extend((child, here, sized) for child in node.elements())

    def _bring_down(self, node: Node, matrix: Matrix, finest: int) -> None:
        """Note the number of pixels of an image to print, if it is markedly lower than the image has."""
        found = self._images.find(node.href or "", self._folder)
        rendering = self._sheet.properties(node).get("image-rendering", "auto")
        if isinstance(found, Problem) or rendering in ("pixelated", "crisp-edges", "optimizeSpeed"):
            return
        dpi = printed_dpi(node, found, matrix)
        if dpi is not None and dpi >= _MARKEDLY * finest:
            part = finest / dpi
            self._pixels[node.start] = (math.ceil(found.width * part), math.ceil(found.height * part))

    def _check_image(self, node: Node, matrix: Matrix) -> Iterator[Problem]:
        href = node.href
        if not href:
            yield Problem("image/missing", "<image> names no file", 'write href="art/…"')
            return
        found = self._images.find(href, self._folder)
        trouble = found if isinstance(found, Problem) else found.problem
        if trouble is not None:
            yield replace(trouble, named=href)
        elif not isinstance(found, Problem):
            self._broken = self._broken or found.broken
            if found.remark is not None:
                yield replace(found.remark, named=href)
            self.flawed.update(found.problems)
            small = check_size(node, found, matrix, href)
            if small is not None:
                yield small

    def _image(self, node: Node) -> str | None:
        """Return the `<image>` with its file's full path, and its reduced number of pixels if it has
        more."""
        found = self._images.find(node.href or "", self._folder)
        if isinstance(found, Problem):
            return ""
        attrs = {key: value for key, value in node.attrs.items() if key not in ("href", "xlink:href")}
        style = self._style(node)
        if found.markup:
            self._shown.update(found.shown)
            aspect = node.get("preserveAspectRatio")
            view = view_box_of(found.view_box)
            placed = fitted(self._room.take(found.markup), view, box_of(node.attrs), aspect, clipped=True)
            return self._group(node, style, placed)
        path = found.url or str(found.path)
        if not found.url:
            self._shown[path] = found.digest
        wanted = self._pixels.get(node.start)
        if wanted is not None and not found.url:
            path += "//{}x{}".format(*wanted)
        return open_tag(Node("image", attrs | {"href": path}), style) + "/>"


def states_fill(own: Properties, around: bool) -> bool:
    """Return True if `fill` rather than `color` paints the icons in an element with these properties: the
    one stated nearest counts, and `fill` if both are. `around` is the answer outside of it."""
    return "fill" in own or (around and "color" not in own)


def picture_head(root: Node, sheet: StyleSheet) -> str:
    """Return the start tag of a picture's document: size and inheritable style of the side's own."""
    width, height, box = (root.get(name) or "" for name in ("width", "height", "viewBox"))
    others = {
        name: value for name, value in root.attrs.items() if name not in _ROOT_ONLY and ":" not in name
    }
    tag = open_tag(Node("svg", others), sheet.attribute(root))
    return f'{tag} {XMLNS} width="{width}" height="{height}" viewBox="{box}">'
