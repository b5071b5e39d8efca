"""`export --upload` and `--push`: an order sent to a service, a table to a running simulator."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from cardgen.core.findings import CardgenError, Finding, Findings, Location, Severity, UsageError
from cardgen.core.progress import tell
from cardgen.core.records import dataclass, field
from cardgen.core.services import Service
from cardgen.exports.tts_saves import is_save, merge, quoted
from cardgen.files.network import (
    ADDRESS,
    EDITOR_PORT,
    FAMILIES,
    GAME_PORT,
    MOST_COPIES,
    PAUSE,
    Access,
    Crafter,
    CrafterError,
    Family,
    LiveError,
    Way,
    execute,
)
from cardgen.files.reading import LIST, OUTPUT, is_there, read_file
from cardgen.files.writing import write_bytes

STATE = "upload.json"
MANIFEST = "manifest.json"
FORMAT = 1
VARIABLES = ("TGC_API_KEY", "TGC_USER", "TGC_PASSWORD")
"""Environment variables: an application's key, and a user's name and password."""
SESSION, DESIGNER = "TGC_SESSION", "TGC_DESIGNER"
"""A session's id, which replaces those three; and the designer, by name or id, of a user with several."""
NAMED = 3
"""Objects that a finding names."""


@dataclass(frozen=True, slots=True)
class Thing:
    """An object to create on the service. `key` is its local name. `pictures` are file names in the export
    by field; `parent` is the field and the key of its parent, None for the game."""

    key: str
    path: str
    fields: Mapping[str, str]
    pictures: Mapping[str, str]
    parent: tuple[str, str] | None = None


@dataclass(slots=True)
class Upload:
    """The result of an upload, or of its dry run: new pictures and objects, changed objects, and bytes of
    new pictures."""

    pictures: int = 0
    bytes: int = 0
    made: int = 0
    changed: int = 0


@dataclass(slots=True)
class State:
    """The state of an earlier upload: ids of pictures by file and of objects by key, each with a digest of
    its inputs."""

    game: str = ""
    folder: str = ""
    pictures: dict[str, tuple[str, str]] = field(default_factory=dict)
    things: dict[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> State:
        """Return the content of a file, or nothing if it doesn't exist. Raises CardgenError for any other
        file."""
        if not is_there(path):
            return cls()
        try:
            found = json.loads(read_file(path, LIST, STATE, [path.parent]))
            if found["upload"] != FORMAT:
                raise ValueError
            pairs = [
                {str(name): (str(each["digest"]), str(each["id"])) for name, each in found[key].items()}
                for key in ("pictures", "things")
            ]
            return cls(str(found["game"]), str(found["folder"]), *pairs)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            hint = "remove it to upload everything again, as a new game"
            message = f"{STATE} is not a record of an upload"
            raise CardgenError(
                Finding(Severity.ERROR, "upload/state", message, Location(str(path)), hint)
            ) from None

    def write(self, path: Path) -> None:
        content = {
            "upload": FORMAT,
            "game": self.game,
            "folder": self.folder,
            "pictures": {name: {"digest": each[0], "id": each[1]} for name, each in self.pictures.items()},
            "things": {key: {"digest": each[0], "id": each[1]} for key, each in self.things.items()},
        }
        write_bytes(path, (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode("utf-8"))


def access(environment: Mapping[str, str] | None = None) -> Access:
    """Return the uploader's keys from the environment. Raises UsageError if they are missing."""
    known = os.environ if environment is None else environment
    session = known.get(SESSION, "")
    if session:
        return Access(session=session)
    missing = [name for name in VARIABLES if not known.get(name)]
    if missing:
        message = f"--upload needs {', '.join(missing)} in the environment"
        hint = f"make a key on the site (Account, API Keys), or set {SESSION} to a session's id"
        raise UsageError(message, hint, "usage/upload")
    return Access(*(known[name] for name in VARIABLES))


def upload(
    folder: Path,
    service: Service,
    findings: Findings,
    *,
    dry_run: bool = False,
    partial: bool = False,
    environment: Mapping[str, str] | None = None,
    address: str = ADDRESS,
    way: Way | None = None,
    pause: float = PAUSE,
) -> Upload:
    """Update a user's account to match the order in `folder`; with `dry_run` only report the changes. A
    `partial` order keeps objects outside of it. Raises CardgenError if the service refuses something,
    UsageError if the environment lacks the user's credentials. `address`, `way` and `pause` are for tests.
    """
    manifest = json.loads(read_file(folder / MANIFEST, LIST, MANIFEST, [folder]))
    state = State.read(folder / STATE)
    things = list(_things(manifest, service, findings))
    if dry_run:
        done = _Uploader(folder, state).bring(things)
        _say(service, findings, done, "would be ")
        return done
    try:
        with Crafter(access(environment), address=address, way=way, pause=pause) as crafter:
            known = os.environ if environment is None else environment
            uploader = _Uploader(folder, state, crafter)
            uploader.begin(str(manifest["title"]), known.get(DESIGNER, ""))
            done = uploader.bring(things)
    except CrafterError as error:
        place = Location(f"data/services/{service.id}.yaml")
        message = f"{service.title} {error}"
        raise CardgenError(Finding(Severity.ERROR, "upload/refused", message, place, error.hint)) from None
    _say(service, findings, done, "")
    left = [key for key in state.things if key not in {thing.key for thing in things}]
    if left and not partial:
        more = f" and {len(left) - NAMED} more" if len(left) > NAMED else ""
        findings.warning(
            "upload/left",
            f"left from an earlier upload, no longer in the order: {', '.join(left[:NAMED])}{more}",
            Location(f"data/services/{service.id}.yaml"),
            "remove it on the site; cardgen removes nothing there",
        )
    return done


def _say(service: Service, findings: Findings, done: Upload, how: str) -> None:
    size = f" ({done.bytes / 1e6:.1f} MB)" if done.bytes else ""
    findings.note(
        "upload/done",
        f"{done.pictures} pictures{size} {how}uploaded to {service.title}, {done.made} items {how}created, "
        f"{done.changed} {how}changed",
        None,
        None if how else "look through the proofs on the site before you order",
    )


# ---------------------------------------------------------------- the wanted objects


def _things(manifest: Mapping[str, Any], service: Service, findings: Findings) -> Iterator[Thing]:
    """Yield all objects of the orders, parents before children."""
    families = {product.id: FAMILIES[product.api] for product in service.products if product.api}
    for order in manifest["orders"]:
        family = families.get(order["product"])
        if family is None:
            findings.warning(
                "upload/by-hand",
                f"'{order['name']}' is not uploaded: cardgen can't order {order['title']}",
                Location(f"data/services/{service.id}.yaml"),
                "upload its files on the site",
            )
        elif family.member is None:
            yield from _singles(order, family)
        elif family.path == "booklet":
            yield from _booklet(order, family)
        elif family.path == "deck":
            yield from _deck(order, family)
        else:
            yield from _sets(order, family)


def _singles(order: Mapping[str, Any], family: Family) -> Iterator[Thing]:
    for piece, copies, key in _shares(order):
        fields = {"name": piece["card"], "identity": order["product"], "quantity": str(copies)}
        yield Thing(key, family.path, fields, {family.picture: piece["face"]})


def _booklet(order: Mapping[str, Any], family: Family) -> Iterator[Thing]:
    whole = _whole(order, family)
    yield whole
    assert family.member is not None
    for piece in order["pieces"]:
        fields = {"name": piece["card"], "sequence_number": str(piece["number"])}
        key = f"{whole.key}: {piece['face']}"
        yield Thing(key, family.member, fields, {family.picture: piece["face"]}, (family.parent, whole.key))


def _deck(order: Mapping[str, Any], family: Family) -> Iterator[Thing]:
    """Yield a deck with its cards. Its back is the most frequent one; other cards have their own."""
    backs = [piece["back"] for piece in order["pieces"] if piece["back"]]
    common = max(dict.fromkeys(backs), key=backs.count, default=None)
    whole = _whole(order, family, common)
    yield whole
    assert family.member is not None
    for piece, copies, key in _shares(order):
        fields = {"name": piece["card"], "quantity": str(copies), "back_from": "Deck"}
        pictures = {family.picture: piece["face"]}
        if piece["back"] and piece["back"] != common:
            fields["back_from"] = "Card"
            pictures["back_id"] = piece["back"]
        yield Thing(key, family.member, fields, pictures, (family.parent, whole.key))


def _sets(order: Mapping[str, Any], family: Family) -> Iterator[Thing]:
    """Yield a set for each back, with all the members that have it."""
    assert family.member is not None
    backs = list(dict.fromkeys(piece["back"] for piece in order["pieces"]))
    for number, back in enumerate(backs, 1):
        whole = _whole(order, family, back, number if len(backs) > 1 else 0)
        yield whole
        for piece, copies, key in _shares(order):
            if piece["back"] == back:
                fields = {"name": piece["card"], "quantity": str(copies)}
                pictures = {family.picture: piece["face"]}
                yield Thing(key, family.member, fields, pictures, (family.parent, whole.key))


def _whole(order: Mapping[str, Any], family: Family, back: str | None = None, number: int = 0) -> Thing:
    name = f"{order['name']} {number}" if number else order["name"]
    fields = {"name": name, "identity": order["product"], "quantity": "1"}
    return Thing(f"{order['product']} {name}", family.path, fields, {"back_id": back} if back else {})


def _shares(order: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], int, str]]:
    """Yield pieces with as many copies as one object may have, and their keys."""
    for piece in order["pieces"]:
        left, number = piece["copies"], 1
        while left > 0:
            copies = min(left, MOST_COPIES)
            suffix = f" {number}" if number > 1 else ""
            yield piece, copies, f"{order['product']} {order['name']}: {piece['face']}{suffix}"
            left, number = left - copies, number + 1


# ---------------------------------------------------------------- uploads


class _Uploader:
    """Uploads pictures and objects to a service, or without a `crafter` only counts the uploads."""

    def __init__(self, folder: Path, state: State, crafter: Crafter | None = None) -> None:
        self.folder, self.state, self.crafter = folder, state, crafter
        self._seen: dict[str, str] = {}
        self._done = Upload()

    def begin(self, title: str, designer: str) -> None:
        """Make the folder of pictures and the game, unless an earlier upload did."""
        assert self.crafter is not None
        if not self.state.folder:
            self.state.folder = self.crafter.make_folder(title, self.crafter.root_folder)
            self._save()
        if not self.state.game:
            fields = {"name": title, "designer_id": _designer(self.crafter, designer)}
            self.state.game = self.crafter.make("game", fields)
            self._save()

    def bring(self, things: list[Thing]) -> Upload:
        """Upload objects in order."""
        for number, thing in enumerate(things):
            tell("uploading", number, len(things))
            self._bring(thing)
        return self._done

    def _bring(self, thing: Thing) -> None:
        """Upload an object unless its fields, its pictures and its parent are unchanged."""
        fields = {**thing.fields, **{name: self._picture(file) for name, file in thing.pictures.items()}}
        if thing.parent is not None:
            fields[thing.parent[0]] = self._id_of(thing.parent[1])
        digest = _digest(repr((thing.path, sorted(fields.items()))).encode("utf-8"))
        known = self.state.things.get(thing.key)
        if known is not None and known[0] == digest:
            return
        self._done.made += known is None
        self._done.changed += known is not None
        if self.crafter is None:
            return
        if thing.parent is None:
            fields["game_id"] = self.state.game
        if known is None:
            id = self.crafter.make(thing.path, fields)
        else:
            id = known[1]
            self.crafter.change(thing.path, id, fields)
        self.state.things[thing.key] = (digest, id)
        self._save()

    def _picture(self, file: str) -> str:
        """Return the id of a picture, uploaded if it has changed."""
        if file in self._seen:
            return self._seen[file]
        content = read_file(self.folder / file, OUTPUT, file, [self.folder])
        digest = _digest(content)
        known = self.state.pictures.get(file)
        if known is None or known[0] != digest:
            self._done.pictures += 1
            self._done.bytes += len(content)
            known = (digest, f"new {file}")
            if self.crafter is not None:
                known = (digest, self.crafter.upload(file.replace("/", "-"), content, self.state.folder))
                self.state.pictures[file] = known
                self._save()
        self._seen[file] = known[1]
        return known[1]

    def _id_of(self, key: str) -> str:
        """Return the id of an object, or a placeholder in a dry run."""
        known = self.state.things.get(key)
        return known[1] if known else f"new {key}"

    def _save(self) -> None:
        self.state.write(self.folder / STATE)


def _designer(crafter: Crafter, wanted: str) -> str:
    """Return the designer of a new game: the only one, or the requested one."""
    known = crafter.designers
    found = [id for id, name in known.items() if wanted in (id, name)] if wanted else list(known)
    if len(found) == 1:
        return found[0]
    if not known:
        raise CrafterError("has no designer of yours", "make one on its site first")
    names = ", ".join(sorted(known.values()))
    if wanted:
        raise CrafterError("has no such designer of yours", f"{DESIGNER} is one of: {names}")
    raise CrafterError("has several designers of yours", f"set {DESIGNER} to one of them: {names}")


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()


ASK = """\
local found = {}
for _, each in ipairs(getObjects()) do table.insert(found, each.getJSON(false)) end
return JSON.encode(found)
"""
PUT = """\
local gone = {%s}
local new = {%s}
for _, guid in ipairs(gone) do
  local each = getObjectFromGUID(guid)
  if each then each.destruct() end
end
Wait.frames(function()
  for _, text in ipairs(new) do spawnObjectJSON({json = text}) end
end, 5)
return #new
"""
"""Ids become free some frames after their objects are gone."""


def push_table(
    fresh: Mapping[str, Any],
    game: str,
    findings: Findings,
    *,
    ports: tuple[int, int] = (GAME_PORT, EDITOR_PORT),
) -> None:
    """Update a game on the loaded table; `fresh` is the save of an export. Raises CardgenError."""
    to, back = ports
    try:
        old = _objects(execute(ASK, game=to, editor=back))
        result = merge({"ObjectStates": old}, fresh, game)
        before = {each.get("GUID"): each for each in old}
        after = {each.get("GUID"): each for each in result.save["ObjectStates"]}
        new = [each for guid, each in after.items() if before.get(guid) != each]
        gone = [guid for guid, each in before.items() if after.get(guid) != each]
        if new or gone:
            texts = ", ".join(quoted(json.dumps(each, ensure_ascii=False)) for each in new)
            script = PUT % (", ".join(quoted(str(guid)) for guid in gone), texts)
            execute(script, game=to, editor=back)
    except LiveError as error:
        message = f"Tabletop Simulator {error}"
        raise CardgenError(
            Finding(Severity.ERROR, "tts/live", message, Location("--push"), error.hint)
        ) from None
    counts = f"{len(new)} items added to the table, {result.removed} removed"
    findings.note("tts/pushed", f"{counts}, {len(before) - len(gone)} unchanged", Location("--push"))


def _objects(answer: Any) -> list[dict[str, Any]]:
    """Return the objects on a table from the answer to `ASK`. Raises LiveError for an invalid answer."""
    try:
        found = [json.loads(text) for text in json.loads(answer)]
    except (TypeError, ValueError, RecursionError):
        found = [None]
    if not is_save({"ObjectStates": found}):
        raise LiveError("sent an answer that is not a table", "reload the table, and try again")
    return found
