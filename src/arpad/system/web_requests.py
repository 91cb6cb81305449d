"""Send a request to an address that somebody typed: only to public networks, once, within limits.

The name is resolved here, every address it has is checked, and the connection goes to a checked address. So a name
whose answer changes between the check and the connection leads nowhere else. Redirections are not followed.
"""

import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Timer
from typing import TypeAlias
from urllib.parse import SplitResult, urlsplit

from arpad.model.errors import BadInput

SECONDS = 10.0
"""For the connection, the request and the answer together; the resolver has its own limit."""

LONGEST_URL = 500
MOST_ADDRESSES = 3
PORTS = {"http": 80, "https": 443}
Address: TypeAlias = IPv4Address | IPv6Address
Resolver: TypeAlias = Callable[[str, int], Sequence[str]]

_TRANSLATED = ip_network("64:ff9b::/96")
_DOCUMENTATION = ip_network("3fff::/20")
"""For documentation (RFC 9637); Python does not know it yet."""

"""IPv6 addresses that a gateway translates to the IPv4 address in their last 32 bits (RFC 6052)."""


@dataclass(frozen=True, slots=True)
class Target:
    """The destination of a request."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def named(self) -> str:
        """The value of the header Host."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if PORTS[self.scheme] == self.port else f"{host}:{self.port}"


def read_url(url: str, private_host: str = "") -> Target:
    """Return the parts of an address; refuse one that is not plain https, or http of a host named as private."""
    parts = _split(url)
    if parts is None or parts.username is not None or parts.fragment:
        raise BadInput("webhook-url", option="url", given=url[:100])
    host = parts.hostname or ""
    if parts.scheme != "https" and not (parts.scheme == "http" and same_host(host, private_host)):
        raise BadInput("webhook-https", option="url", given=url[:100])
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, parts.port or PORTS[parts.scheme], path)


def _split(url: str) -> SplitResult | None:
    """Return the parts of a well-formed address; None if it is not one."""
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url or len(url) > LONGEST_URL:
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.hostname and parts.scheme in PORTS and parts.port != 0 else None


def same_host(host: str, other: str) -> bool:
    """Return whether two names of hosts are the same."""
    return bool(host) and host.rstrip(".").lower() == other.strip("[]").rstrip(".").lower()


def is_public(text: str) -> bool:
    """Return whether an address belongs to a public network, also if another one is embedded in it."""
    address: Address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is None and address in _TRANSLATED:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if address.is_site_local:  # fec0::/10, given up by RFC 3879, but still in use inside of networks
            return False
        if address in _DOCUMENTATION:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def resolve(host: str, port: int) -> list[str]:
    """Return every address of a host."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise BadInput("webhook-unresolved", host=host) from error
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


def checked_addresses(target: Target, private_host: str = "", resolver: Resolver = resolve) -> list[str]:
    """Return the addresses of a host; refuse if one of them is not public, unless the host is named as private."""
    addresses = resolver(target.host, target.port)
    if not addresses:
        raise BadInput("webhook-unresolved", host=target.host)
    if not same_host(target.host, private_host):
        for address in addresses:
            if not is_public(address):
                raise BadInput("webhook-private", host=target.host, address=address)
    return list(addresses)


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    private_host: str = "",
    seconds: float = SECONDS,
    resolver: Resolver = resolve,
) -> int:
    """Send a body once; return the status of the answer, whose content is not read."""
    target = read_url(url, private_host)
    addresses = checked_addresses(target, private_host, resolver)
    plain = _connect(target, addresses, seconds)
    guard = plain.dup()
    ending = Timer(seconds, _cut, [guard])  # a timeout of the socket begins anew with every octet
    ending.start()
    connection = HTTPConnection(target.host, target.port, timeout=seconds)
    connection.auto_open = 0  # never to another address than the checked one
    try:
        connection.sock = plain
        if target.scheme == "https":  # the other end proves the name of the host
            context = ssl.create_default_context()
            connection.sock = context.wrap_socket(plain, server_hostname=target.host)
        connection.request("POST", target.path, body, {"Host": target.named, **headers})
        return connection.getresponse().status
    except (OSError, HTTPException, ValueError) as error:
        raise BadInput("webhook-silent", host=target.host) from error
    finally:
        ending.cancel()
        connection.close()
        plain.close()
        guard.close()


def _connect(target: Target, addresses: Sequence[str], seconds: float) -> socket.socket:
    """Return a connection to the first checked address that answers."""
    for address in addresses[:MOST_ADDRESSES]:
        with suppress(OSError):
            return socket.create_connection((address, target.port), timeout=seconds)
    raise BadInput("webhook-silent", host=target.host)


def _cut(connection: socket.socket) -> None:
    """End a connection whose time is over, whatever it waits for."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
