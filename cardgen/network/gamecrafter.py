"""The Game Crafter's programming interface, as its pages for developers describe it
(https://www.thegamecrafter.com/developer/, read in stored copies; never tried on the service).

Everything is a form sent to `api/KIND` or `api/KIND/ID`; the answer is JSON, `{"result": …}` or `{"error":
{"code", "message"}}`. One signs in with the key of an application and with a user's name and password, or
brings a session's id. Pictures are files in folders; a game has decks, sets, booklets, …, whose members
refer to files.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from cardgen.network.addresses import FetchError
from cardgen.network.fetching import Way
from cardgen.network.sending import Method, send

ADDRESS = "https://www.thegamecrafter.com/api"
"""Nothing from a file is ever put in its place: a password goes there."""
PAUSE = 0.3
"""Seconds between requests. Four a second are answered, as other programs have found."""
MOST_COPIES = 99
"""Of one thing in a game or one card in a deck (the pages Deck and Card: an integer between 1 and 99)."""
_ID = re.compile(r"[0-9A-Za-z-]{1,64}")


@dataclass(frozen=True, slots=True)
class Family:
    """How a family of products is made: `path` of the thing itself, and of its members, if it has any, with
    the field by which these name it. `picture` is the field of the face."""

    path: str
    member: str | None = None
    parent: str = ""
    picture: str = "face_id"


FAMILIES = {
    family.path: family
    for family in (
        Family("deck", "card", "deck_id"),
        Family("twosidedset", "twosided", "set_id"),
        Family("twosidedsluggedset", "twosidedslugged", "set_id"),
        Family("booklet", "bookletpage", "booklet_id", "image_id"),
        Family("onesided"),
        Family("onesidedgloss"),
        Family("tuckbox", picture="outside_id"),
    )
}
"""By the name that `api` of a product takes in a print service's file."""


class CrafterError(Exception):
    """What could not be done, in words that go on after "The Game Crafter"; `hint` is what to do. Neither
    holds anything secret."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True, repr=False)
class Access:
    """Who asks: an application's key with a user's name and password, or the id of a session."""

    key: str = ""
    user: str = ""
    password: str = ""
    session: str = ""


class Crafter:
    """A session with the service, in a `with`, which ends it unless it was brought. Methods raise
    CrafterError."""

    def __init__(
        self, access: Access, *, address: str = ADDRESS, way: Way | None = None, pause: float = PAUSE
    ) -> None:
        self._access, self._address, self._way, self._pause = access, address, way, pause
        self._session = access.session
        self._user = ""

    def __enter__(self) -> Crafter:
        access = self._access
        if self._session:
            found = self._ask("GET", f"session/{checked_id(self._session)}")
        else:
            form = {"api_key_id": access.key, "username": access.user, "password": access.password}
            found = self._ask("POST", "session", form)
            self._session = checked_id(found.get("id"))
        self._user = checked_id(found.get("user_id"))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._access.session or not self._session:
            return
        with suppress(CrafterError):  # it ends by itself
            self._ask("DELETE", f"session/{self._session}")

    @property
    def root_folder(self) -> str:
        """The id of the folder that holds all of the user's."""
        return checked_id(self._ask("GET", f"user/{self._user}").get("root_folder_id"))

    @property
    def designers(self) -> dict[str, str]:
        """Names of the designers that the user may make games for, by id."""
        items = self._ask("GET", f"user/{self._user}/designers").get("items")
        found = [each for each in items if isinstance(each, dict)] if isinstance(items, list) else []
        return {checked_id(each.get("id")): str(each.get("name", "")) for each in found}

    def make_folder(self, name: str, parent: str) -> str:
        """The id of a new folder."""
        return self.make("folder", {"name": name, "user_id": self._user, "parent_id": parent})

    def upload(self, name: str, content: bytes, folder: str) -> str:
        """The id of a new file."""
        form = {"name": name, "folder_id": checked_id(folder)}
        return checked_id(self._ask("POST", "file", form, (name, content)).get("id"))

    def make(self, path: str, fields: Mapping[str, str]) -> str:
        """The id of a new thing of a kind."""
        return checked_id(self._ask("POST", path, fields).get("id"))

    def change(self, path: str, id: str, fields: Mapping[str, str]) -> None:
        """Give a thing that there is other fields."""
        self._ask("PUT", f"{path}/{checked_id(id)}", fields)

    def _ask(
        self,
        method: Method,
        path: str,
        fields: Mapping[str, str] | None = None,
        file: tuple[str, bytes] | None = None,
    ) -> dict[str, Any]:
        """The result of a request."""
        form = {**(fields or {})}
        if self._session:
            form["session_id"] = self._session
        time.sleep(self._pause)
        try:
            answer = send(method, f"{self._address}/{path}", form, file, way=self._way)
        except FetchError as error:
            raise CrafterError(f"can't be asked: {error}", error.hint) from None
        try:
            found = json.loads(answer.content)
        except (ValueError, RecursionError):
            raise CrafterError(f"answers {answer.status}, and not as it does to programs") from None
        result = found.get("result") if isinstance(found, dict) else None
        if answer.status // 100 == 2 and isinstance(result, dict):
            return result
        raise CrafterError(f"answers {answer.status}: {self._said(found)}", _hint(answer.status))

    def _said(self, found: Any) -> str:
        """What an error says, without what is secret, should it be said back."""
        error = found.get("error") if isinstance(found, dict) else None
        said = str(error.get("message", "")) if isinstance(error, dict) else ""
        access = self._access
        for secret in (access.key, access.password, access.user, access.session, self._session):
            said = said.replace(secret, "…") if secret else said
        return said[:200] or "nothing more"


def checked_id(value: object) -> str:
    """An id that is one: it becomes part of addresses. Raises CrafterError."""
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise CrafterError("was asked for, or gave, what is no id of its")
    return value


def _hint(status: int) -> str | None:
    if status in (401, 403):
        return "look at the key, the name and the password, and at what the key may do"
    if status == 404:
        return "was it removed there? remove upload.json from the export's folder to begin anew"
    return "try again: what was uploaded is not uploaded again" if status == 429 or status >= 500 else None
