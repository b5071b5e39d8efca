"""Web addresses: which may be asked, and which machines' addresses are public."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import quote, urljoin, urlsplit

MOST_ADDRESS = 2_000
"""Most characters of an address."""
_NAT64 = IPv6Network("64:ff9b::/96")
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_SPECIAL_4 = tuple(
    IPv4Network(each)
    for each in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared by customers of a provider
        "127.0.0.0/8",
        "169.254.0.0/16",  # of one link; clouds answer there with secrets
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocols
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # many at once
        "240.0.0.0/4",  # reserved
    )
)
_SPECIAL_6 = tuple(
    IPv6Network(each)
    for each in (
        "2001::/23",  # protocols: Teredo, ORCHID, benchmarks, …
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)
"""IANA's registries of special-purpose addresses (RFC 6890), as of 2025. Python's own lists depend on its
version."""
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
    """Say if an IP address is one of the open internet: global unicast, and in no network of the registries
    of special ones. An IPv6 address that stands for an IPv4 one is judged as that."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        if address.scope_id is not None:  # of one link, whatever it is
            return False
        inner = IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else address.ipv4_mapped
        if inner is None:
            return address in _GLOBAL_UNICAST and not any(address in network for network in _SPECIAL_6)
        address = inner
    return not any(address in network for network in _SPECIAL_4)
