"""Where everything lies on the paper: slots, backs behind their faces, crop marks, ruler, labels.

Numbers only, in mm; nothing here draws. `impose` turns rendered cards into an `ImposedSheet`;
`calibration_sheet` makes the test print that a printer profile is measured on.

    flipping.py     what turning the paper over does to a place and to a turned card
    grid.py         how many cards fit, and which way paper and cards lie for it
    slots.py        trims and clips of the cards on one page
    marks.py        crop marks, outlines, the fold line
    cut_order.py    the order of a guillotine's cuts
    cuts.py         lines for cutting machines
    places.py       paper that has places already, such as labels
    printable.py    what a measured printer reaches
    strip.py        colours and grays in the margin
    furniture.py    ruler and labels, in whatever room the cards leave
    registration.py marks that cutting machines look for
    drafts.py       what lies on a page, without marks and labels
    sheet.py        the pages in printing order
    standees.py     figures with their feet, to fold
    single.py       one card side a page
    boxes.py        a box a page, with its cuts, folds and areas for glue
    tiling.py       boards larger than the paper, in overlapping tiles
    booklet.py      a book's pages, one by one or in the order that folding asks for
    calibration.py  the printer's test page
"""

from cardgen.imposition.booklet import impose_book
from cardgen.imposition.boxes import box_lines
from cardgen.imposition.calibration import calibration_sheet
from cardgen.imposition.calibration import targets as calibration_targets
from cardgen.imposition.cuts import cuts_of, folds_of, pages_to_cut, whole_cuts_of
from cardgen.imposition.sheet import impose
from cardgen.imposition.strip import in_pure_inks

__all__ = [
    "box_lines",
    "calibration_sheet",
    "calibration_targets",
    "cuts_of",
    "folds_of",
    "impose",
    "impose_book",
    "in_pure_inks",
    "pages_to_cut",
    "whole_cuts_of",
]
