"""Leaves a primary that has stopped answering, once another server accepts writes.

A stalled server (a frozen machine, a hanging disk) keeps its connections open. libpq then waits without a limit,
and keepalives notice nothing. If DATABASE_URL lists several servers, a thread of each process queries the primary
every second. If the primary is silent and another server accepts writes, all connections to the silent one are shut
down. Code that uses such a connection gets the OperationalError of a lost connection. New connections try the server
in use first, so a dead machine costs them no timeout.
"""

import logging
import os
import selectors
import socket
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import psycopg
from django.db import DEFAULT_DB_ALIAS
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_CHECKS: Final = 1.0
# After this, ask the other servers whether one has become the primary.
SECONDS_TO_ANSWER: Final = 2.0

DEFAULT_PORT: Final = "5432"

Server = tuple[str, str]  # host and port

_starting = threading.Lock()
_watching_process = 0  # threads do not survive a fork


def leave_silent_primaries() -> None:
    """Let each process watch the primary as soon as it opens its first connection."""
    connection_created.connect(_begin, dispatch_uid="core.leave_silent_primaries")


def _begin(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    global _watching_process  # noqa: PLW0603 - one thread for each process
    if connection.alias != DEFAULT_DB_ALIAS or "," not in connection.settings_dict["HOST"]:
        return
    with _starting:
        if _watching_process == os.getpid():
            return
        _watching_process = os.getpid()
    threading.Thread(target=Watch(connection).run, name="failover", daemon=True).start()


class Watch:
    """Watches the server to which the connections of this process lead."""

    def __init__(self, connection: BaseDatabaseWrapper) -> None:
        self._parameters = connection.get_connection_params() | {"autocommit": True}
        # Connections of all threads share these settings.
        self._settings = connection.settings_dict
        self._pool = connection.pool  # type: ignore[attr-defined]
        hosts = self._settings["HOST"].split(",")
        ports = self._settings["PORT"].split(",")
        self._servers: list[Server] = list(
            zip(hosts, ports if len(ports) > 1 else ports * len(hosts), strict=True)
        )

    def run(self) -> None:
        left = None
        while True:
            with suppress(psycopg.Error, OSError), closing(self._connect(self._servers)) as server:
                address = _get_address(server.pgconn.socket)
                self._put_first(server)
                if left not in (None, address):
                    ended = _shut_down_connections(left)
                    logger.warning("another server is the primary; left %s (%d)", left, ended)
                left = address
                self._await_loss(server)
            self._servers.append(self._servers.pop(0))
            time.sleep(SECONDS_BETWEEN_CHECKS)

    def _connect(self, servers: list[Server]) -> "psycopg.Connection[Any]":
        return psycopg.connect(**self._parameters | _format_servers(servers))

    def _put_first(self, server: "psycopg.Connection[Any]") -> None:
        """Make all new connections try this server first."""
        found = (server.info.host, str(server.info.port))
        self._servers.sort(key=lambda one: (one[0], one[1] or DEFAULT_PORT) != found)
        order = _format_servers(self._servers)
        self._settings.update(HOST=order["host"], PORT=order["port"])
        if self._pool is not None:
            self._pool.kwargs.update(order)

    def _await_loss(self, server: "psycopg.Connection[Any]") -> None:
        """Return once the server is silent and another one accepts writes. Raises if the connection is lost."""
        while True:
            server.pgconn.send_query(b"SELECT 1")
            while not _has_answered(server):
                with suppress(psycopg.Error), closing(self._connect(self._servers[1:])):
                    return
            while server.pgconn.get_result():
                pass
            time.sleep(SECONDS_BETWEEN_CHECKS)


def _format_servers(servers: list[Server]) -> dict[str, str]:
    """Return libpq's parameters for trying these servers in order."""
    hosts, ports = zip(*servers, strict=True)
    return {"host": ",".join(hosts), "port": ",".join(ports) if any(ports) else ""}


def _has_answered(server: "psycopg.Connection[Any]") -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(server.pgconn.socket, selectors.EVENT_READ)
        return bool(selector.select(SECONDS_TO_ANSWER))


def _shut_down_connections(address: Any) -> int:
    """Shut down this process's sockets to a server, whichever pool or thread uses them. Return their number."""
    ended = 0
    for entry in Path("/dev/fd").iterdir():
        with suppress(OSError), _duplicate_socket(int(entry.name)) as one:
            if one.getpeername() == address:
                one.shutdown(socket.SHUT_RDWR)
                ended += 1
    return ended


def _get_address(descriptor: int) -> Any:
    with _duplicate_socket(descriptor) as one:
        return one.getpeername()


def _duplicate_socket(descriptor: int) -> socket.socket:
    """Return a socket object on a duplicate of this descriptor, whatever its address family.

    Closing it leaves the connection open.
    """
    copy = os.dup(descriptor)
    try:
        return socket.socket(fileno=copy)
    except OSError:  # it is no socket
        os.close(copy)
        raise
