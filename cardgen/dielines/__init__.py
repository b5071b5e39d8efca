"""Boxes of card: from what lies in them to one flat sheet with cuts, folds and flaps. Numbers only, mm.

contents.py  how much room cards take
sheet.py     panels hung on one another, and the outline around them all
flaps.py     the shapes of flaps
tuck.py      a tuck box: four walls, a lid with a tongue, a bottom
wallet.py    a wallet for a few cards, folded of one strip
"""

from cardgen.dielines.contents import Pile, room_for
from cardgen.dielines.tuck import tuck_box
from cardgen.dielines.wallet import wallet

__all__ = ["Pile", "room_for", "tuck_box", "wallet"]
