from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.run.embedded.migrated import short_folder


@pytest.fixture
def var() -> Iterator[Path]:
    with short_folder() as folder:
        yield folder
