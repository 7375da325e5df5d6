from collections.abc import Iterator

import pytest
from django.core.cache import cache

from core.site import content


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    """The cache outlives a test, what it says does not."""
    cache.delete("site")
    content._seen.clear()
    yield
    cache.delete("site")
    content._seen.clear()
