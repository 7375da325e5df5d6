"""The real web server on the test database, for sockets and browsers."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from config.run.joined_frames import JoinedFrames
from tables.live import presence
from tables.live.clock import Clock


@contextmanager
def serve() -> Iterator[str]:
    """Run uvicorn in a thread, with production's options. Yield its address."""
    from config.asgi import application  # noqa: PLC0415 - needs the settings

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(
            application,
            log_level="warning",
            lifespan="off",
            loop="asyncio",
            ws=JoinedFrames,
            ws_max_size=16_384,
            ws_per_message_deflate=False,
        )
    )

    async def serve() -> None:
        await server.serve(sockets=[listener])
        await presence.close()

    thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


@contextmanager
def run_clock() -> Iterator[None]:
    """Run a clock in a thread."""
    clock = Clock()
    runner = asyncio.Runner()
    loop = runner.get_loop()

    def run() -> None:
        with runner:
            runner.run(clock.run())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(clock.stop)
        thread.join(10)
