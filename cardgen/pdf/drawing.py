"""A rendering → DrawnArt: plain shapes and type as operators, other pictures by a program, fonts once."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Set
from functools import partial
from operator import attrgetter

from cardgen.core.artwork import Artwork, IconRun, Picture, Rendering, SetText, Word, leaves
from cardgen.core.progress import tell
from cardgen.files.cache import Part
from cardgen.pdf.fonts import Font, Fonts, Forms, IconColor, draw_face, font_objects, runs_of
from cardgen.pdf.images import ImageLibrary, PlacedImages
from cardgen.pdf.objects import DrawingError, DrawnArt, DrawnFace, PdfObject, area_form, digest
from cardgen.pdf.plain import plain_form
from cardgen.pdf.shapes import Drawable, icon_document
from cardgen.pdf.store import ArtStore, DrawnSide, unpack_side

Progress = Callable[[int, int], None]
"""Called with how many sides are drawn and how many there are."""

_GIDS = attrgetter("gids")


def draw(rendering: Rendering, fonts: Fonts, store: ArtStore) -> DrawnArt:
    """Return all sides of a rendering as PDF objects; see the package for how to write them.

    Pictures and icons come from `store` where it has them. Raises DrawingError with everything that
    could not be drawn. Same input, same bytes, whatever the store held.
    """
    drawn = draw_sides(
        rendering.artworks.values(), rendering.icons, store, progress=partial(tell, "drawing")
    )
    return assemble({side.key: side for side in drawn}, fonts, store)


def draw_sides(
    artworks: Iterable[Artwork],
    icons: Mapping[str, str],
    store: ArtStore,
    *,
    placed: Mapping[str, DrawnFace] | None = None,
    shows: Callable[[SetText], bool] = lambda text: True,
    progress: Progress | None = None,
) -> list[DrawnSide]:
    """Return every side by itself, with only the text that `shows` picks.

    `icons` are the SVG documents of the icons in the text. A side comes after those placed on it, or
    these are in `placed`, by their artworks' keys. Raises DrawingError.
    """
    artworks = list(artworks)
    forms, kept = _forms(artworks, icons, store, shows)
    forms.sides.update(placed or {})
    done: list[DrawnSide] = []
    for number, artwork in enumerate(artworks, 1):
        face, objects = draw_face(artwork, forms, shows)
        shown = dict.fromkeys(ref for obj in objects for ref in obj.refs if ref in kept)
        art = tuple([kept[name] for name in shown])
        done.append(DrawnSide.of(artwork.key, face, objects, glyphs(artwork, shows), art))
        forms.sides[artwork.key] = face
        if progress is not None:
            progress(number, len(artworks))
    return done


def glyphs(artwork: Artwork, shows: Callable[[SetText], bool] = lambda text: True) -> dict[str, array[int]]:
    """Return the glyphs that a side sets, by font."""
    words: dict[str, set[Word]] = {}
    for run in runs_of(artwork.items, shows):
        words.setdefault(run.font, set()).update(run.words)
    return {font: array("H", sorted(set().union(*map(_GIDS, words[font])))) for font in sorted(words)}


def assemble(
    sides: Mapping[str, DrawnSide],
    fonts: Fonts,
    store: ArtStore,
    *,
    cut: Callable[[Font, Set[int]], list[PdfObject]] = font_objects,
) -> DrawnArt:
    """Return drawn sides, by their keys, with the fonts and pictures that they need together; `cut`
    brings a font down to the glyphs that are set, or some more."""
    packed: dict[str, bytes | Part] = {}
    together: dict[str, set[int]] = {}
    art: dict[str, None] = {}
    for side in sides.values():
        used, own = unpack_side(side.packed, side.face.name)
        packed.update((obj.name, side.packed) for obj in own)
        for font, gids in used.items():
            together.setdefault(font, set()).update(gids)
        art.update(dict.fromkeys(name for _, name in side.art))
    objects: list[PdfObject] = []
    for key in sorted(together):
        objects += cut(fonts.by_key(key), together[key])
    objects += store.objects(art)
    faces = {key: side.face for key, side in sides.items()}
    return DrawnArt(faces, objects, packed, lambda content, name: unpack_side(content, name)[1])


def _forms(
    artworks: list[Artwork], icons: Mapping[str, str], store: ArtStore, shows: Callable[[SetText], bool]
) -> tuple[Forms, dict[str, tuple[str, str]]]:
    """Return the forms of all pictures and icons, drawing those that the store lacks; and by the names
    of forms what the store knows them by."""
    pictures, colored = _shown(artworks, icons, shows)
    wanted = [*pictures, *colored.values()]
    if any(store.get(key) is None for key in wanted):
        _draw_missing(pictures, colored, icons, store)
    roots = {key: store.get(key) or "" for key in wanted}
    forms = Forms(
        {key: roots[key] for key in pictures}, {name: roots[key] for name, key in colored.items()}
    )
    return forms, {root: store.entry(key, root) for key, root in roots.items()}


def are_drawn(artwork: Artwork, icons: Mapping[str, str], store: ArtStore) -> bool:
    """Return True if the store has all pictures and icons of a side."""
    pictures, colored = _shown([artwork], icons, lambda text: True)
    return all(store.get(key) is not None for key in (*pictures, *colored.values()))


def _shown(
    artworks: list[Artwork], icons: Mapping[str, str], shows: Callable[[SetText], bool]
) -> tuple[dict[str, Picture], dict[IconColor, str]]:
    """Return the pictures by their keys in the store, and the keys of icons in their colors."""
    pictures: dict[str, Picture] = {}
    colored: dict[IconColor, str] = {}  # to the key in the store
    for item in leaves(items for artwork in artworks for items in artwork.items):
        if isinstance(item, Picture):
            pictures.setdefault(item.key, item)
        elif shows(item):
            for run in item.runs:
                if isinstance(run, IconRun) and (run.icon, run.fill) not in colored:
                    colored[run.icon, run.fill] = _icon_key(run, icons)
    return pictures, colored


def _draw_missing(
    pictures: Mapping[str, Picture],
    colored: Mapping[IconColor, str],
    icons: Mapping[str, str],
    store: ArtStore,
) -> None:
    for key, picture in pictures.items():
        if store.get(key) is None and (area := area_form(picture.svg)) is not None:
            store.put(key, area.name, (area,))
    todo = [
        Drawable(key, picture.svg, picture.images)
        for key, picture in pictures.items()
        if store.get(key) is None
    ]
    todo += [
        Drawable(key, icon_document(icons[name], fill), unit=True, label=f"icon '{name}'", icon=name)
        for (name, fill), key in colored.items()
        if store.get(key) is None
    ]
    others: list[Drawable] = []
    images = PlacedImages(ImageLibrary(image for drawable in todo for image in drawable.images))
    for drawable in todo:
        objects = plain_form(drawable, images)
        if objects is not None:
            store.put(drawable.key, objects[-1].name, objects)
        else:
            others.append(drawable)
    if others:
        from cardgen.pdf.programs import draw_pictures

        for key, form in draw_pictures(others).items():
            store.put(key, form.name, form.objects)


def _icon_key(run: IconRun, icons: Mapping[str, str]) -> str:
    source = icons.get(run.icon)
    if source is None:
        message = f"there is no icon '{run.icon}'"
        raise DrawingError.of("icon/unknown", message, "put NAME.svg into an icons/ folder in templates/")
    return "icon-" + digest(source.encode(), repr(run.fill).encode())
