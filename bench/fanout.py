"""What telling sockets costs by Redis and by a cluster of NATS, in one run: `bin/bench fanout`.

The channel layers of two processes in this one, both with a group for each of `--tables`; each message is told
by the first and heard by both, as a move is by the processes of its players. With NATS they are at different
servers of three. Messages leave one at a time, and `--together` at a time, as they do from a busy process. Printed:
processor time a message of this process and of the servers, by TCP, and the ratios of NATS to Redis.
"""

import argparse
import asyncio
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import django

django.setup()

import uvloop

from bench.live import cpu_seconds
from core.sockets.channel_layer import LastingChannelLayer
from core.sockets.nats_layer import NatsChannelLayer
from tests.core.sockets.hubs import RedisHub, running_hub, running_nats
from tests.ports import free_port

BYTES = 600
ROUNDS = 3
Layers = tuple[Any, Any]


@contextmanager
def by_redis() -> Iterator[tuple[Callable[[], Layers], list[int]]]:
    with running_hub("redis") as hub:
        assert isinstance(hub, RedisHub)  # noqa: S101 - it was asked for
        port = free_port()
        hub.valkey._client().config_set("port", port)  # noqa: SLF001 - its socket is not what sites use
        url = f"redis://127.0.0.1:{port}/0"
        yield (
            lambda: (LastingChannelLayer(hosts=[url]), LastingChannelLayer(hosts=[url])),
            [hub.pid],
        )


@contextmanager
def by_nats() -> Iterator[tuple[Callable[[], Layers], list[int]]]:
    with running_nats(3) as servers:
        first, second, _third = (server.url for server in servers)
        pids = [server.pid for server in servers]
        yield lambda: (NatsChannelLayer(hosts=[first]), NatsChannelLayer(hosts=[second])), pids


async def tell(
    layers: Layers, pids: Sequence[int], options: Any, together: int
) -> tuple[float, float]:
    """Microseconds a message, of this process and of the servers."""
    groups = [f"table.{number}" for number in range(options.tables)]
    channels = [await layer.new_channel() for layer in layers]
    for layer, channel in zip(layers, channels, strict=True):
        await asyncio.gather(*(layer.group_add(group, channel) for group in groups))
    await asyncio.sleep(0.5)  # all servers of a cluster have heard of it
    before, began = sum(map(cpu_seconds, pids)), time.process_time()
    hearing = [
        asyncio.create_task(hear(layer, channel, options.messages))
        for layer, channel in zip(layers, channels, strict=True)
    ]
    message = {"type": "told", "change": "x" * BYTES}
    order = itertools.islice(itertools.cycle(groups), options.messages)
    while some := list(itertools.islice(order, together)):
        await asyncio.gather(*(layers[0].group_send(group, message) for group in some))
        await asyncio.sleep(0)
    await asyncio.wait_for(asyncio.gather(*hearing), 60)
    own, servers = time.process_time() - began, sum(map(cpu_seconds, pids)) - before
    for layer in layers:
        await layer.flush()
    return 1e6 * own / options.messages, 1e6 * servers / options.messages


async def hear(layer: Any, channel: str, count: int) -> None:
    for _ in range(count):
        await layer.receive(channel)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--together", type=int, default=11)
    options = parser.parse_args()
    with by_redis() as redis, by_nats() as nats:
        for together, round_ in itertools.product((1, options.together), range(ROUNDS)):
            spent = {}
            for name, (make, pids) in (("Redis", redis), ("NATS", nats)):
                # One after the other, and in turns, so that both see the same weather.
                spent[name] = uvloop.run(tell(make(), pids, options, together))
            (own, servers), (own_nats, servers_nats) = spent["Redis"], spent["NATS"]
            print(
                f"{together} at a time, round {round_ + 1}: processes {own:.0f} us by Redis, {own_nats:.0f} by NATS"
                f" ({own_nats / own:.2f}); servers {servers:.0f} and {servers_nats:.0f}"
                f" ({servers_nats / servers:.2f}); both {(own_nats + servers_nats) / (own + servers):.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
