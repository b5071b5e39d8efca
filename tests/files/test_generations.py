"""How old entries of a store are for each of its users."""

from __future__ import annotations

from cardgen.files.cache import KEEP, MOST_USERS, Ages, Generations


def test_an_entry_ages_by_what_its_own_users_keep() -> None:
    first = Generations("a")
    ages = first.next((), used=True)
    users = first.users
    for _ in range(3 * KEEP):
        other = Generations("b", users)
        ages, users = other.next(ages, used=False), other.users
    assert (users, ages) == (["a", "b"], ((0, 0),))
    for turn in range(KEEP):
        assert ages, turn
        own = Generations("a", users)
        ages, users = own.next(ages, used=False), own.users
    assert ages == ()


def test_an_entry_of_two_users_stays_for_the_one_that_uses_it() -> None:
    ages: Ages = ()
    users: list[str] = []
    for user in "ab":
        now = Generations(user, users)
        ages, users = now.next(ages, used=True), now.users
    for _ in range(KEEP):
        now = Generations("a", users)
        ages, users = now.next(ages, used=False), now.users
    assert [(users[number], age) for number, age in ages] == [("b", 0)]


def test_users_that_are_gone_keep_nothing() -> None:
    now = Generations("a")
    ages, users = now.next((), used=True), now.users
    for number in range(MOST_USERS):
        assert ages
        now = Generations(f"other {number}", users)
        ages, users = now.next(ages, used=False), now.users
    assert ages == ()
    assert len(users) == MOST_USERS
    assert users[-1] == f"other {MOST_USERS - 1}"


def test_equal_ages_are_one_object() -> None:
    now = Generations("a", ["a"])
    assert now.next(((0, 3),), used=True) is now.next(((0, 3),), used=True)
