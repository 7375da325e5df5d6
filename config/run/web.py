"""One web process: pages and sockets on the listener that the supervisor opened.

All web processes share that listener, so one can be replaced while the others answer and no connection is refused.
Run directly (`python -m config.run.web`), it listens on HOST and PORT.
"""

import asyncio
import gc
import os
import resource
import socket
import sys

import uvicorn
from django.conf import settings

from config.run.forking import LISTEN_FD, READY_FD
from config.run.http_heads import BoundedHttp
from config.run.joined_frames import JoinedFrames
from config.run.listening import open_listener

SECONDS_TO_END = 5
# For a request on a connection that was accepted just before shutdown.
SECONDS_TO_READ = 0.2
# Thread switch interval. Python's default of 5 ms would delay every step of a move while another thread
# computes an answer.
SWITCH_SECONDS = 0.001
# Connections for pages; sockets are counted separately (config/sockets/socket_limits.py).
PAGES_AT_MOST = 5_000
LARGEST_MESSAGE = 16_384
# Garbage collection thresholds. Python's defaults of 700, 10 and 10 would traverse thousands of idle
# sockets again and again: a fifth of the work of a process with 4,000 of them.
GARBAGE_THRESHOLDS = (50_000, 20, 50)


def serve(application: str = "config.asgi:application") -> None:
    """Serve until SIGTERM. Then ask sockets to reconnect, and give them SECONDS_TO_END to close."""
    _check_the_login()
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")
    sys.setswitchinterval(SWITCH_SECONDS)
    _open_many_files()
    listener = get_inherited_listener() or open_listener(
        os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8000"))
    )
    config = uvicorn.Config(
        application,
        loop="uvloop",
        http=BoundedHttp,
        ws=JoinedFrames,
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        # Browsers send pings, and the kernel detects vanished peers (listening.py). Pings to thousands of idle
        # sockets would cost more than everything else that is done for them.
        ws_ping_interval=None,
        ws_ping_timeout=None,
        limit_concurrency=settings.SOCKETS_AT_MOST + PAGES_AT_MOST,
        timeout_graceful_shutdown=SECONDS_TO_END,
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,
        callback_notify=report_ready,
        timeout_notify=10**9,
    )
    _Server(config).run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that, before it ends, answers requests on connections that it has just accepted.

    uvicorn would close every connection on which it has read no request yet.
    """

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        await asyncio.sleep(SECONDS_TO_READ)
        await super().shutdown(sockets)


def _check_the_login() -> None:
    """Check the database login. Prints a sentence instead of a traceback, because the operator reads it."""
    # Import here: they read the settings, which may be those of production.
    import django  # noqa: PLC0415
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")
    django.setup()
    from wallet.api import refuse_to_serve_with_a_wrong_login  # noqa: PLC0415 - needs the apps

    try:
        refuse_to_serve_with_a_wrong_login()
    except ImproperlyConfigured as error:
        sys.exit(f"openrummy: {error}")


def _open_many_files() -> None:
    """Raise the limit on open files, because each socket is one."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def get_inherited_listener() -> socket.socket | None:
    number = os.environ.get(LISTEN_FD)
    return None if number is None else socket.socket(fileno=int(number))


async def report_ready() -> None:
    """Tell the supervisor that this process is ready; uvicorn calls it once it accepts connections."""
    number = os.environ.get(READY_FD)
    if number is not None:
        os.write(int(number), b"1")


if __name__ == "__main__":
    serve()
