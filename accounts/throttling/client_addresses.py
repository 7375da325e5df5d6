"""The client behind an address: one rule for pages, the API and sockets."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

# A network of IPv6 belongs to one household or device; one /48 to one customer of a provider.
HOUSEHOLD: Final = 64
SITE: Final = 48


def read_address(text: str) -> IPv4Address | IPv6Address | None:
    """None where there is none (a unix socket) or it cannot be read."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    # A listener for both kinds shows IPv4 as a part of IPv6, which is one /64.
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def network_of(text: str, prefix: int) -> str:
    """An address of IPv4 itself, the network of so many bits of IPv6; empty if there is none."""
    address = read_address(text)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, prefix), strict=False).network_address)
    return "" if address is None else str(address)
