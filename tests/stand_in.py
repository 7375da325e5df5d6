"""Servers of others, such as a payment provider, in a thread of the tests."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseServer

# Python's own half second would be waited for at the end of each test.
SECONDS_BETWEEN_LOOKS = 0.01


@contextmanager
def serve(server: BaseServer) -> Iterator[None]:
    """Serve until the end of the block."""
    thread = threading.Thread(target=server.serve_forever, args=(SECONDS_BETWEEN_LOOKS,))
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()
