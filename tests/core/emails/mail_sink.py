"""A mail server that accepts all mail, except to addresses that a test refuses, and forwards none."""

import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile

from tests.stand_in import serve


class MailSink(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, port: int, host: str) -> None:
        super().__init__((host, port), _Client)
        self.connections = 0
        self.recipients: list[str] = []
        self.messages: list[str] = []
        # The answers to refused addresses.
        self.refusals: dict[str, str] = {}


class _Client(socketserver.StreamRequestHandler):
    server: MailSink

    def handle(self) -> None:
        self.server.connections += 1
        self.answer("220 ready")
        while line := self.rfile.readline().decode().strip():
            command = line.upper()
            if command.startswith("RCPT TO:"):
                recipient = line.partition("<")[2].partition(">")[0]
                if refusal := self.server.refusals.get(recipient):
                    self.answer(refusal)
                    continue
                self.server.recipients.append(recipient)
            if command == "DATA":
                self.answer("354 go on")
                lines = iter(self.rfile.readline, b"")
                self.server.messages.append(b"".join(takewhile(b".\r\n".__ne__, lines)).decode())
            self.answer("221 bye" if command == "QUIT" else "250 ok")
            if command == "QUIT":
                return

    def answer(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


@contextmanager
def mail_sink(port: int = 0, host: str = "127.0.0.1") -> Iterator[MailSink]:
    """Serve on this port of this machine, any free one by default."""
    server = MailSink(port, host)
    with serve(server):
        yield server
