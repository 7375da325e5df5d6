"""Connections that may only lead out of the operator's network: a webhook must not reach internal services.

The host name is resolved once, and the connection goes to the checked address. An attacker who changes the name's
address after the check (DNS rebinding) therefore gains nothing.
"""

import http.client
import ipaddress
import socket
import threading
import urllib.request
from collections.abc import Collection
from contextlib import suppress
from functools import partial
from typing import Any, Final

from django.conf import settings

SCHEMES: Final = ("http", "https")


class InnerAddress(OSError):  # noqa: N818 - an expected refusal
    """The host is, or may be, part of the operator's own network."""


def list_inner_hosts(*, of_player: bool) -> Collection[str]:
    """Return the internal hosts that webhooks may reach. Players' webhooks have a list of their own."""
    name = "WEBHOOK_INNER_HOSTS_OF_PLAYERS" if of_player else "WEBHOOK_INNER_HOSTS"
    hosts: Collection[str] = getattr(settings, name)
    return hosts


def find_addresses(host: str, port: int, *, inner_hosts: Collection[str]) -> list[tuple[Any, ...]]:
    """Return the results of `socket.getaddrinfo`. Raises InnerAddress or OSError.

    Hosts in `inner_hosts` may be inside the network. A name under `localhost` is treated as this machine even if no
    file or resolver says so (RFC 6761, 6.3).
    """
    is_this_machine = host.rstrip(".").rpartition(".")[2].casefold() == "localhost"
    if is_this_machine and host not in inner_hosts:
        raise InnerAddress(f"{host} is an address of an inner network")
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    if host not in inner_hosts:
        for *_how, address in found:
            if not _is_outside(str(address[0])):
                raise InnerAddress(f"{host} is an address of an inner network")
    return found


def _is_outside(text: str) -> bool:
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return address.is_global and not address.is_multicast


def _connect(
    host: str, port: int, timeout: float | None, inner_hosts: Collection[str]
) -> socket.socket:
    failure: OSError = OSError(f"{host} has no address")
    for family, kind, protocol, _name, address in find_addresses(
        host, port, inner_hosts=inner_hosts
    ):
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


def _end_in_time(connected: socket.socket, seconds: float | None) -> None:
    """Shut the connection down a second after its timeout. The timeout alone would start again with every byte."""

    def end() -> None:
        with suppress(OSError):  # it is closed
            connected.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer((seconds or 0) + 1, end)
    timer.daemon = True
    timer.start()


class _Connection(http.client.HTTPConnection):
    def __init__(self, host: str, *, inner_hosts: Collection[str], **named: Any) -> None:
        super().__init__(host, **named)
        self._inner_hosts = inner_hosts

    def connect(self) -> None:
        self.sock = _connect(self.host, self.port, self.timeout, self._inner_hosts)
        _end_in_time(self.sock, self.timeout)


class _TLSConnection(http.client.HTTPSConnection):
    def __init__(self, host: str, *, inner_hosts: Collection[str], **named: Any) -> None:
        super().__init__(host, **named)
        self._inner_hosts = inner_hosts

    def connect(self) -> None:
        plain = _connect(self.host, self.port, self.timeout, self._inner_hosts)
        wrap = self._context.wrap_socket  # type: ignore[attr-defined] # the library's own
        self.sock = wrap(plain, server_hostname=self.host, do_handshake_on_connect=False)
        _end_in_time(self.sock, self.timeout)
        self.sock.do_handshake()


class OutsideHandler(urllib.request.HTTPHandler):
    def __init__(self, *, of_player: bool) -> None:
        super().__init__()
        self._of_player = of_player

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        inner_hosts = list_inner_hosts(of_player=self._of_player)
        return self.do_open(partial(_Connection, inner_hosts=inner_hosts), req)


class OutsideTLSHandler(urllib.request.HTTPSHandler):
    def __init__(self, *, of_player: bool) -> None:
        super().__init__()
        self._of_player = of_player

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        inner_hosts = list_inner_hosts(of_player=self._of_player)
        context = self._context  # type: ignore[attr-defined] # the library's own
        return self.do_open(partial(_TLSConnection, inner_hosts=inner_hosts), req, context=context)
