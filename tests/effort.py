"""The effort of models and laws: a part by default, all with `bin/test --full`."""

import os

IS_FULL = os.environ.get("TESTS_FULL") == "1"


def share_of(whole: int) -> int:
    """The part of a whole number of matches, positions or examples that this run tries."""
    return whole if IS_FULL else -(-whole // 3)


def sample_of(whole: int) -> int:
    """A tenth by default: of hands that an exhaustive search arranges."""
    return whole if IS_FULL else -(-whole // 10)
