from collections.abc import Iterator

import pytest
from django.core.cache import cache

from core.site import content


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    """Clear the cached site before and after each test, since its rows are rolled back but the cache is not."""
    cache.delete("site")
    content._seen.clear()
    yield
    cache.delete("site")
    content._seen.clear()
