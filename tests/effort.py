"""How many examples the long tests run: a part by default, all with `bin/test --full`."""

import os

IS_FULL = os.environ.get("TESTS_FULL") == "1"


def share_of(whole: int) -> int:
    """Return how many of `whole` matches, positions or examples this run tries: a third by default."""
    return whole if IS_FULL else -(-whole // 3)


def sample_of(whole: int) -> int:
    """Return how many of `whole` hands to arrange by an exhaustive search: a tenth by default."""
    return whole if IS_FULL else -(-whole // 10)
