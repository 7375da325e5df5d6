"""Several real Valkeys for a test, each of which can be killed and started again."""

import os
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from config.run.embedded.place import Place
from config.run.embedded.valkey import Valkey


@dataclass
class Server:
    valkey: Valkey
    pid_file: Path

    @property
    def url(self) -> str:
        return self.valkey.url

    def kill(self) -> None:
        os.kill(int(self.pid_file.read_text()), signal.SIGKILL)
        until = time.monotonic() + 10
        while not self.valkey.is_gone():
            assert time.monotonic() < until
            time.sleep(0.01)

    def start(self) -> None:
        self.valkey.start()


@contextmanager
def running_valkeys(count: int) -> Iterator[list[Server]]:
    with tempfile.TemporaryDirectory(prefix="ort-") as folder, ExitStack() as at_the_end:
        Path(folder).chmod(0o755)
        servers = []
        for number in range(count):
            place = Place.under(Path(folder) / f"v{number}")
            server = Server(Valkey(place), place.var / "valkey/valkey.pid")
            at_the_end.callback(server.valkey.stop)
            server.start()
            servers.append(server)
        yield servers
