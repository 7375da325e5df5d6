"""The seed of a deal and the promise that is shown before it (docs/fairness.md)."""

import hashlib
import secrets

SEED_BYTES = 32


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """Hex SHA-256 of the seed: shown before the deal, checked against the seed after it."""
    return hashlib.sha256(seed).hexdigest()
