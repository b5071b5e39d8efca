"""Web addresses: which may be asked, and which machines' addresses are public."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import quote, urljoin, urlsplit

MOST_ADDRESS = 2_000
"""Most characters of an address."""
_NAT64 = IPv6Network("64:ff9b::/96")
_IN_PATH = "/:@!$&'()*+,;=-._~%"


class FetchError(Exception):
    """Why there is nothing to be had from an address, and what to do."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Address:
    """An https address in its parts, all of them ASCII; `target` is the path with what is asked of it."""

    host: str
    port: int
    target: str

    def __str__(self) -> str:
        return f"https://{self.site}{self.target}"

    @property
    def site(self) -> str:
        """The host as a request names it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == 443 else f"{host}:{self.port}"


def parse_address(text: str, base: Address | None = None) -> Address:
    """An address in its parts; `base` is the one that named it. Raises FetchError for what is not https,
    names a user, or is no address."""
    shown = text if len(text) <= 100 else f"{text[:99]}…"
    if len(text) > MOST_ADDRESS or any(ord(each) < 33 or ord(each) == 127 for each in text):
        raise FetchError(f"'{shown}' is no web address", "write it without spaces: https://…")
    try:
        parts = urlsplit(text if base is None else urljoin(str(base), text))
        port = 443 if parts.port is None else parts.port
        host = (parts.hostname or "").rstrip(".")
        if ":" not in host:
            host = host.encode("idna").decode("ascii")
    except ValueError:  # a port that is none, a host that can't be one
        raise FetchError(f"'{shown}' is no web address", "write it as the browser shows it") from None
    if parts.scheme != "https":
        raise FetchError(
            f"'{shown}' is no https address", "only https is used: what it brings is then whole"
        )
    if parts.username is not None or parts.password is not None:
        raise FetchError("the address holds a name or a password", "publish the sheet instead")
    if not host or not port or any(each in host for each in "%\\/"):
        raise FetchError(f"'{shown}' is no web address", "write it as the browser shows it")
    target = quote(parts.path or "/", safe=_IN_PATH)
    if parts.query:
        target += "?" + quote(parts.query, safe=f"{_IN_PATH}?")
    return Address(host, port, target)


def is_public(text: str) -> bool:
    """Whether an IP address is one of the open internet: not private, of this machine, of a local link, for
    many at once or reserved, nor an IPv6 address that stands for such an IPv4 one."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return all(
        each.is_global and not (each.is_multicast or each.is_reserved or each.is_unspecified)
        for each in _stood_for(address)
    )


def _stood_for(address: IPv4Address | IPv6Address) -> list[IPv4Address | IPv6Address]:
    """What an address leads to: itself, or the IPv4 addresses within it."""
    if isinstance(address, IPv4Address):
        return [address]
    if address.scope_id is not None:
        return [IPv4Address(0)]  # of one link, whatever it is
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address in _NAT64:
        return [IPv4Address(int(address) & 0xFFFFFFFF)]
    if address.teredo is not None:
        return [address, *address.teredo]
    return [address] if address.sixtofour is None else [address, address.sixtofour]
