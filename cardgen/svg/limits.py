"""How much a drawing may hold: counted, so that the same drawing is refused on any machine.

What goes past a bound is a finding at its line, before any of it is drawn: cairo can't be stopped half
way. Drawings that are merely large pass: a map of 8 MB with 20,000 paths is far from all of these.
"""

from __future__ import annotations

MOST_BYTES = 16_000_000
"""Of one drawing's file. Inkscape's largest real drawings have about 10 MB."""

MOST_ELEMENTS = 50_000
"""Of one drawing, drawn or not."""

MOST_DEPTH = 100
"""Levels of nesting, what references bring in counted at its place. Layers and groups of drawing programs
rarely pass 20. Whatever walks a drawing by calling itself relies on it."""

MOST_ATTRIBUTES = 100
"""Of one element. Children take them over, so that they count once for every element below."""

MOST_ENTITIES = 100
"""Short texts with a name, in a DOCTYPE. Illustrator writes about ten."""

MOST_MATCHED = 1_000_000
"""Properties that the rules of a drawing give to its elements, all together."""

MOST_NESTED_STYLE = 20
"""Brackets in one another, in a style sheet or a `style` attribute."""

MOST_DRAWN_TEXT = 20_000
"""Characters of all texts of a drawing, each of which becomes an outline."""

MOST_STYLE = 1_000_000
"""Characters of the style sheets of a drawing that is not plain SVG already."""

MOST_RULES = 1_000
"""Selectors in the style sheets of a drawing."""

MOST_DECLARATIONS = 200
"""Properties of a rule or of a `style` attribute. Inkscape writes up to 80."""

MOST_TRANSFORMS = 100
"""Functions in one transform attribute."""

MOST_REPEATED = 20_000
"""Steps of drawing that the references of one side or drawing add to what stands in it: what `use`,
patterns, markers, clip paths and gradients repeat. The largest thing shown is free once. See
STEP_CHARACTERS. Each step is written out, in about a tenth of a millisecond; a busy side repeats about
2,000."""

MOST_TILED = 400_000
"""Steps of drawing that patterns repeat on one side, tile by tile. A file contains a tile once, but whoever
makes pixels of it draws each: a pattern of 20 by 20 tiles in another of as many is 160,000 tiles."""

MOST_TILES = 3_000
"""Tiles of a pattern that are written out for one shape: more are left to PDF's own patterns, which are
drawn as pixels once."""

MOST_STEPS = 500_000
"""Steps of drawing of one side: a few drawings from files, each as large as can be."""

STEP_CHARACTERS = 40
"""A shape is one step of drawing, and one more for as many characters of its outline."""

MOST_PICTURES = 4_000
"""Parts of a side that are drawn apart: each element in `<svg>` itself, or beside text in a group."""

MOST_MARKUP = 40_000_000
"""Characters that the pictures of a side come to, styles and definitions written out at each."""

MOST_LAYERS = 5_000
"""See-through groups, soft clips and see-through patterns: each is a page of its own in pixels."""

MOST_PAINTED = 1_000_000_000
"""Pixels of all layers of a side at FILTER_DPI: 1,200 of a playing card's size, 57 of an A3 board's.
Whatever makes pixels of a side, such as a proof, paints each layer apart."""

RADIAL, LINEAR, FADING = 6.0, 1.0, 2.0
"""Pixels of a layer that one of a gradient counts as, painted as slowly; FADING more for one that fades."""

MOST_LAYER_DEPTH = 20
"""Layers in one another. PDF readers give up at about 30 forms in forms."""

FILTER_DPI = 300
"""Of what filters make pixels of, at the size printed; fewer where images are brought down to fewer."""

FILTER_PIXELS = FILTER_DPI / 25.4
"""To a millimetre, in what filters make of a drawing."""

MOST_FILTER_WORK = 500_000_000
"""Pixels of one side's filters times the steps that each takes: about five seconds. An A3 board may be
blurred as a whole, or a playing card with six effects a hundred times."""

MOST_FILTER_PIXELS = 75_000_000
"""Of all pictures that one filter holds at once, four bytes each; filters in one another count together."""

MOST_FILTER_REACH = 100_000
"""Pixels: lengths in a filter past it are slips, and overflow whole numbers."""

MOST_TAKEN_AFTER = 20
"""Filters, gradients or patterns that take after one another."""

MOST_DASH_LIST = 100
"""Dashes and gaps that one stroke-dasharray states."""

MOST_DASHES = 200_000
"""Dashes along the strokes of one drawing."""

MOST_CELLS = 1_000_000
"""Cells of a pattern on one drawing: half a millimetre each on an A3 board."""

MOST_MARKED = 100_000
"""Characters of one outline with markers."""

FARTHEST = 1e6
"""mm, or user units; anything farther off is a slip, and may overflow cairo's coordinates."""

NEAREST = 1e-6
"""mm, or user units; the least size of a box that a drawing is fitted into."""

MOST_SCALE = 1e9
"""How many times larger or smaller transforms and viewports together may make a thing."""

MOST_SNAPS = 1_000
"""Snap points of one side."""

MOST_PROBLEMS = 100
"""Problems said of one side or drawing."""

MOST_TEXT = 20_000
"""Characters of one `<text>`. A card holds a few hundred, a page of a book about 3,000."""

MOST_OUTLINED = 4_000
"""Characters of a text that is drawn as outlines, for its stroke or gradient."""

MOST_REPEATED_TEXTS = 200
"""Ways in which `<use>` shows texts of one side: each is set by itself."""

MOST_SIDE_TEXT = 100_000
"""Characters of all texts of a side."""

MOST_HARD_TEXT = 8_000
"""Characters of a side's words that line breaking must look at one by one: of other scripts, or of marks
among letters. Pages of Chinese have about 1,500."""

MOST_WORD = 1_000
"""Characters without a space between; in Chinese, a page."""

MOST_SPANS = 2_000
"""Pieces of a text that are set apart: `tspan` elements, icons, paragraphs."""

MOST_PIXELS = 75_000_000
"""Of one image; an A3 page at 600 dpi has 70 million."""

MOST_PIXELS_DECODED = 40_000_000
"""The same where they must be read one by one: with transparency, 16 bits a channel or interlaced."""

SHOWN = 60
"""Characters of a wrong value that a message shows."""


def short(text: str) -> str:
    """A value as a message shows it: on one line, its beginning only where it is long."""
    start = " ".join(text[: 4 * SHOWN].split())
    return start if len(start) <= SHOWN and len(text) <= 4 * SHOWN else start[: SHOWN - 1] + "…"
