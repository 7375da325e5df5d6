"""Progress lines of `bin/run`: each phase of a start with its seconds, as in bin/environment.sh."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def phase(name: str) -> Iterator[None]:
    """Print the phase when it begins, and its seconds when it has succeeded."""
    began = time.monotonic()
    _write(f"openrummy: {name} ...")
    try:
        yield
    except BaseException:
        _write("\n")
        raise
    _write(f" {time.monotonic() - began:.1f} s\n")


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
