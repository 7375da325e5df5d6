"""The embedded Valkey, which speaks Redis's protocol."""

import subprocess
import time

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.run.embedded.place import (
    LONGEST_SOCKET_PATH,
    EmbeddedFolders,
    find_redis_program,
    is_listening,
)


class ValkeyError(Exception):
    """The server did not start. The message says where its log is."""


class Valkey:
    """One server on a Unix socket.

    It holds messages to open pages, queued jobs and cached data, all of which may be lost.
    """

    def __init__(self, place: EmbeddedFolders) -> None:
        self._data = place.var / "valkey"
        socket = self._data / "valkey.sock"
        if len(str(socket)) > LONGEST_SOCKET_PATH:
            socket = place.sockets.parent / f"{place.sockets.name}-valkey" / "valkey.sock"
        self._socket = socket

    @property
    def url(self) -> str:
        return f"unix://{self._socket}?db=0"

    def start(self) -> None:
        """Start the server, or use the one that an earlier run has left running."""
        if self._answers():
            return
        for folder in (self._data, self._socket.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        log = self._data / "valkey.log"
        settings = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._data),
            "pidfile": str(self._data / "valkey.pid"),
            "logfile": str(log),
            "daemonize": "yes",
            "save": "",
            "appendonly": "no",
        }
        command = [str(find_redis_program())]
        for name, value in settings.items():
            command += [f"--{name}", value]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")  # noqa: S603 - the server's own program
        for _attempt in range(100):
            if self._answers():
                return
            time.sleep(0.05)
        raise ValkeyError(f"Valkey did not start; its log is {log}.")

    def is_gone(self) -> bool:
        return not is_listening(self._socket)

    def stop(self) -> None:
        try:
            self._client().shutdown(nosave=True)
        except redis.ConnectionError:
            return  # it is down already

    def _answers(self) -> bool:
        try:
            return bool(self._client().ping())
        except redis.ConnectionError:
            return False

    def _client(self) -> redis.Redis:
        # Try once: the default would wait and retry although "not running" is a valid answer.
        return redis.Redis(unix_socket_path=str(self._socket), retry=Retry(NoBackoff(), 0))
