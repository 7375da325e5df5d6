"""Hosts and addresses as browsers write them: names in ASCII (UTS 46), IP addresses in their short form."""

import re
from ipaddress import IPv6Address
from typing import Final
from urllib.parse import urlsplit

import idna
from django.utils.encoding import iri_to_uri

_NAME: Final = re.compile(r"(?=.{1,253}\Z)([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?")


def to_ascii_host(host: str) -> str:
    """Return a host in ASCII, and an IPv6 address without its brackets. Raises ValueError if it is not a host.

    Python's own codec `idna` follows the standard of 2003: it turns "faß.example" into "fass.example", which is
    another site.
    """
    if ":" in host:
        return IPv6Address(host).compressed
    labels = idna.uts46_remap(host, std3_rules=False, transitional=False).split(".")
    name = ".".join(
        label if label.isascii() else "xn--" + label.encode("punycode").decode() for label in labels
    )
    if not _NAME.fullmatch(name):
        raise ValueError(f"{host!r} is no host")
    return name


def to_ascii_url(url: str) -> str:
    """Return a URL in ASCII, without user and password. Raises ValueError if it has no host or an invalid port."""
    parts = urlsplit(url)
    host, port = to_ascii_host(parts.hostname or ""), parts.port
    name = f"[{host}]" if ":" in host else host
    return iri_to_uri(parts._replace(netloc=name if port is None else f"{name}:{port}").geturl())
