"""Stand-ins for external servers, such as a payment provider's, in a thread of the tests."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseServer
from typing import Any

# With Python's default, the end of each test would wait up to half a second.
SECONDS_BETWEEN_CHECKS = 0.01


class Handler(BaseHTTPRequestHandler):
    """Calls `respond` for each request. Logs nothing."""

    def do_POST(self) -> None:
        self.respond()

    do_GET = do_HEAD = do_PUT = do_DELETE = do_POST  # noqa: N815 - the names of http.server

    def respond(self) -> None:
        raise NotImplementedError

    def read_body(self) -> bytes:
        return self.rfile.read(int(self.headers["Content-Length"]))

    def answer(self, status: int, content: bytes = b"", **headers: str) -> None:
        """Answer with this content and `headers`. Write `_` for `-` in their names."""
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def answer_json(self, status: int, value: Any) -> None:
        self.answer(status, json.dumps(value).encode(), Content_Type="application/json")

    def log_message(self, *_arguments: object) -> None:
        """Discard the message, to keep the tests' output clean."""


@contextmanager
def serve(server: BaseServer) -> Iterator[None]:
    """Serve until the end of the block."""
    thread = threading.Thread(target=server.serve_forever, args=(SECONDS_BETWEEN_CHECKS,))
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()


@contextmanager
def run_server(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Run a server with this handler on a free port. Yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    with serve(server):
        yield f"http://127.0.0.1:{server.server_port}"
