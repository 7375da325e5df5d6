"""The seed of a deal: what the server promises before it, and what the players add.

docs/fairness.md explains it; tools/verify_deal.py does it again from a record.
"""

import hashlib
import re
import secrets
from collections.abc import Mapping
from typing import Final

SEED_BYTES = 32
CLIENT_SEED: Final = re.compile(r"[0-9a-f]{32}")


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """Hex SHA-256 of the server's seed: shown before the deal, checked against the seed after."""
    return hashlib.sha256(seed).hexdigest()


def deal_seed(server_seed: bytes, client_seeds: Mapping[str, str]) -> bytes:
    """Return the seed of a deal. `client_seeds` are 32 hex digits by seat.

    The server promised its part before it knew the players' parts, and they chose theirs without
    knowing its part. Without theirs it is the server's seed alone.
    """
    if not client_seeds:
        return server_seed
    added = ",".join(f"{seat}:{client_seeds[seat]}" for seat in sorted(client_seeds))
    return hashlib.sha256(server_seed + b"|" + added.encode("ascii")).digest()
