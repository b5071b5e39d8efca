"""How long entries of a store are kept for those who use it, each with its own count."""

from __future__ import annotations

from collections.abc import Sequence

KEEP = 8
"""Times that a user of a store keeps something new before what it did not use in any of them is no longer
kept for it. Building one sheet today and another tomorrow must not throw away the first one's."""
MOST_USERS = 24
"""Users that a store knows: those that last kept something new."""

Ages = tuple[tuple[int, int], ...]
"""By which users an entry was used, as their numbers, and how often each kept something new since."""


class Generations:
    """The ages of a store's entries: `user` is who uses it now, such as a variant of a game, `users` are
    all that it had, the latest last. What others keep doesn't make an entry older for its own users."""

    def __init__(self, user: str, users: Sequence[str] = ()) -> None:
        self.users = [*[each for each in users if each != user][1 - MOST_USERS :], user]
        """All from now on; the numbers in `Ages` are places in this list."""
        places = {name: place for place, name in enumerate(self.users)}
        self._now = {number: places[name] for number, name in enumerate(users) if name in places}
        self._me = places[user]
        self._known: dict[tuple[Ages, bool], Ages] = {}

    def next(self, ages: Ages, *, used: bool) -> Ages:
        """Ages of an entry once something new is kept by this user, who may have used it; without any, it
        is to go. `ages` are numbered by the earlier users. Equal ages are one object."""
        found = self._known.get((ages, used))
        if found is None:
            kept = [(self._now[number], age) for number, age in ages if number in self._now]
            later = {place: age + (place == self._me) for place, age in kept}
            if used:
                later[self._me] = 0
            found = tuple((place, age) for place, age in sorted(later.items()) if age < KEEP)
            self._known[ages, used] = found
        return found
