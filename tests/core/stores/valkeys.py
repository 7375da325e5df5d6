"""A real Valkey server that a test may stop."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.run.embedded.place import EmbeddedFolders
from config.run.embedded.valkey import Valkey


@contextmanager
def run_valkey() -> Iterator[Valkey]:
    with tempfile.TemporaryDirectory(prefix="ort-") as folder:
        Path(folder).chmod(0o755)
        server = Valkey(EmbeddedFolders.under(Path(folder) / "var"))
        server.start()
        try:
            yield server
        finally:
            server.stop()
