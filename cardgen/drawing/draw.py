"""A rendering → DrawnArt: what is new through cairo, type as operators, fonts once."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter

from cardgen.drawing.areas import area_form
from cardgen.drawing.fonts import Fonts, font_objects
from cardgen.drawing.objects import DrawingError, DrawnArt, PdfObject, digest
from cardgen.drawing.operators import Forms, IconColor, draw_face, runs_of
from cardgen.drawing.sides import DrawnSide, SideStore
from cardgen.drawing.store import ArtStore, describe_library
from cardgen.model.artwork import Artwork, Group, IconRun, Item, Picture, Placed, Rendering, SetText, Word

Progress = Callable[[int, int], None]
"""Called with how many sides are drawn and how many there are."""

_GIDS = attrgetter("gids")


def draw(
    rendering: Rendering,
    fonts: Fonts,
    store: ArtStore,
    *,
    sides: SideStore | None = None,
    progress: Progress | None = None,
) -> DrawnArt:
    """All sides of a rendering as PDF objects; see the package for how to write them.

    Pictures and icons come from `store` where it has them, sides that the rendering took from `sides`
    come from there, and the others are put there. Raises DrawingError with everything that could not
    be drawn. Same input, same bytes, whatever the stores held.
    """
    artworks = rendering.artworks.values()
    made = draw_sides(artworks, rendering.icons, fonts, store, sides=sides, progress=progress)
    if sides is not None:
        for source, key in rendering.sources.items():
            sides.put(source, key, made[key])
    return _assembled(made, fonts, store)


def draw_ahead(
    finished: Iterable[tuple[str, Artwork]],
    icons: Mapping[str, str],
    fonts: Fonts,
    store: ArtStore,
    sides: SideStore,
) -> None:
    """Draw sides (a digest of what each was made from, its artwork) into `sides`, for `draw` to find
    them there. Raises as `draw` does."""
    finished = list(finished)
    made = draw_sides((artwork for _, artwork in finished), icons, fonts, store, sides=sides)
    for source, artwork in finished:
        sides.put(source, artwork.key, made[artwork.key])


def draw_artworks(
    artworks: Iterable[Artwork],
    icons: Mapping[str, str],
    fonts: Fonts,
    store: ArtStore,
    *,
    shows: Callable[[SetText], bool] = lambda text: True,
    progress: Progress | None = None,
) -> DrawnArt:
    """As `draw`, for some sides, with only the text that `shows` picks. `icons` are the SVG documents
    of the icons in the text. A side comes after those placed on it."""
    return _assembled(
        draw_sides(artworks, icons, fonts, store, shows=shows, progress=progress), fonts, store
    )


def draw_sides(
    artworks: Iterable[Artwork],
    icons: Mapping[str, str],
    fonts: Fonts,
    store: ArtStore,
    *,
    shows: Callable[[SetText], bool] = lambda text: True,
    sides: SideStore | None = None,
    progress: Progress | None = None,
) -> dict[str, DrawnSide]:
    """Every side by itself, by the key of its artwork."""
    artworks = list(artworks)
    known = {} if sides is None else {a.key: side for a in artworks if (side := sides.drawn(a.key))}
    forms, keys = _forms([artwork for artwork in artworks if artwork.key not in known], icons, store, shows)
    if any(store.get(key) != name for side in known.values() for key, name in side.art):
        message = "another cairo library draws now than drew the pictures kept from the last build"
        raise DrawingError.of("cairo/changed", message, "build again: this one has thrown them away")
    done: dict[str, DrawnSide] = {}
    for number, artwork in enumerate(artworks, 1):
        side = known.get(artwork.key)
        if side is None:
            face, objects = draw_face(artwork, forms, shows)
            shown = dict.fromkeys(ref for obj in objects for ref in obj.refs if ref in keys)
            art = tuple((keys[name], name) for name in shown)
            side = DrawnSide(face, tuple(objects), _glyphs(artwork, shows), art)
        done[artwork.key] = side
        forms.sides[artwork.key] = side.face
        if progress is not None:
            progress(number, len(artworks))
    return done


def _glyphs(artwork: Artwork, shows: Callable[[SetText], bool]) -> dict[str, array[int]]:
    """The glyphs that a side sets, by font."""
    words: dict[str, set[Word]] = {}
    for run in runs_of(artwork.items, shows):
        words.setdefault(run.font, set()).update(run.words)
    glyphs: dict[str, array[int]] = {}
    for font in sorted(words):
        gids: set[int] = set()
        glyphs[font] = array("H", sorted(gids.union(*map(_GIDS, words[font]))))
    return glyphs


def _assembled(sides: Mapping[str, DrawnSide], fonts: Fonts, store: ArtStore) -> DrawnArt:
    """The sides with the fonts and pictures that they need together."""
    objects: list[PdfObject] = []
    glyphs: dict[str, set[int]] = {}
    art: dict[str, None] = {}
    for side in sides.values():
        objects += side.objects
        for font, gids in side.glyphs.items():
            glyphs.setdefault(font, set()).update(gids)
        art.update(dict.fromkeys(name for _, name in side.art))
    for key in sorted(glyphs):
        objects += font_objects(fonts.by_key(key), glyphs[key])
    objects += store.objects(art)
    return DrawnArt({key: side.face for key, side in sides.items()}, objects)


def _forms(
    artworks: list[Artwork], icons: Mapping[str, str], store: ArtStore, shows: Callable[[SetText], bool]
) -> tuple[Forms, dict[str, str]]:
    """The forms of all pictures and icons, drawing those that the store lacks; and the keys in the store
    by the names of forms."""
    pictures: dict[str, Picture] = {}
    colored: dict[IconColor, str] = {}  # to the key in the store
    for item in _leaves(items for artwork in artworks for items in artwork.items):
        if isinstance(item, Picture):
            pictures.setdefault(item.key, item)
        elif shows(item):
            for run in item.runs:
                if isinstance(run, IconRun) and (run.icon, run.fill) not in colored:
                    colored[run.icon, run.fill] = _icon_key(run, icons)
    wanted = [*pictures, *colored.values()]
    if any(store.get(key) is None for key in wanted):
        _draw_missing(pictures, colored, icons, store)
    roots = {key: store.get(key) or "" for key in wanted}
    forms = Forms(
        {key: roots[key] for key in pictures}, {name: roots[key] for name, key in colored.items()}
    )
    return forms, {root: key for key, root in roots.items()}


def _draw_missing(
    pictures: Mapping[str, Picture],
    colored: Mapping[IconColor, str],
    icons: Mapping[str, str],
    store: ArtStore,
) -> None:
    from cardgen.drawing.cairo import library_file, version
    from cardgen.drawing.cairo_pages import Drawable, draw_pictures, icon_document

    library = describe_library(version(), library_file())
    if store.drawn_by != library:  # another cairo draws other bytes: start afresh
        store.clear()
        store.drawn_by = library
    for key, picture in pictures.items():
        if store.get(key) is None and (area := area_form(picture.svg)) is not None:
            store.put(key, area.name, (area,))
    todo = [
        Drawable(key, picture.svg, picture.images)
        for key, picture in pictures.items()
        if store.get(key) is None
    ]
    todo += [
        Drawable(key, icon_document(icons[name], fill), unit=True, label=f"icon '{name}'")
        for (name, fill), key in colored.items()
        if store.get(key) is None
    ]
    for key, form in draw_pictures(todo).items() if todo else ():
        store.put(key, form.name, form.objects)


def _icon_key(run: IconRun, icons: Mapping[str, str]) -> str:
    source = icons.get(run.icon)
    if source is None:
        message = f"there is no icon '{run.icon}'"
        raise DrawingError.of("icon/unknown", message, "put NAME.svg into an icons folder of the templates")
    return "icon-" + digest(source.encode(), repr(run.fill).encode())


def _leaves(items: Iterable[Item]) -> Iterator[Picture | SetText]:
    for item in items:
        if isinstance(item, Group):
            yield from _leaves(item.items)
        elif not isinstance(item, Placed):
            yield item
