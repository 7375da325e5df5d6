"""Connections that lead out of the operator's network only: a webhook must reach no internal service.

The name is resolved once, and the connection goes to the checked address, so a name that changes in between
(DNS rebinding) gains nothing.
"""

import http.client
import ipaddress
import socket
import urllib.request
from typing import Any, Final

from django.conf import settings

SCHEMES: Final = ("http", "https")


class InnerAddress(OSError):  # noqa: N818 - an expected refusal
    """The host is, or may be, part of the operator's own network."""


def find_addresses(host: str, port: int) -> list[tuple[Any, ...]]:
    """Return the results of `socket.getaddrinfo`. Raises InnerAddress or OSError.

    Hosts in WEBHOOK_INNER_HOSTS may be inside. A name under `localhost` is this machine also where no file or
    resolver says so (RFC 6761, 6.3).
    """
    is_this_machine = host.rstrip(".").rpartition(".")[2].casefold() == "localhost"
    if is_this_machine and host not in settings.WEBHOOK_INNER_HOSTS:
        raise InnerAddress(f"{host} is an address of an inner network")
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    if host not in settings.WEBHOOK_INNER_HOSTS:
        for *_how, address in found:
            if not _is_outside(str(address[0])):
                raise InnerAddress(f"{host} is an address of an inner network")
    return found


def _is_outside(text: str) -> bool:
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return address.is_global and not address.is_multicast


def _connect(host: str, port: int, timeout: float | None) -> socket.socket:
    failure: OSError = OSError(f"{host} has no address")
    for family, kind, protocol, _name, address in find_addresses(host, port):
        connected = socket.socket(family, kind, protocol)
        try:
            connected.settimeout(timeout)
            connected.connect(address)
        except OSError as error:
            connected.close()
            failure = error
        else:
            return connected
    raise failure


class _Connection(http.client.HTTPConnection):
    def connect(self) -> None:
        self.sock = _connect(self.host, self.port, self.timeout)


class _TLSConnection(http.client.HTTPSConnection):
    def connect(self) -> None:
        plain = _connect(self.host, self.port, self.timeout)
        self.sock = self._context.wrap_socket(plain, server_hostname=self.host)  # type: ignore[attr-defined] # the library's own


class OutsideHandler(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Connection, req)


class OutsideTLSHandler(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_TLSConnection, req, context=self._context)  # type: ignore[attr-defined] # the library's own
