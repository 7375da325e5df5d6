"""A fast hash for secrets that this site makes at random."""

from hashlib import sha256
from typing import Any

from django.contrib.auth.hashers import BasePasswordHasher, mask_hash
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_noop


class RandomSecretHasher(BasePasswordHasher):
    """SHA-256 without a salt. Never for passwords: only 256 random bits cannot be guessed.

    Slow hashes protect short secrets. Here one would only let strangers spend processor time.
    """

    algorithm = "random_secret"

    def salt(self) -> str:
        return ""

    def encode(self, password: str, salt: str) -> str:
        return f"{self.algorithm}${sha256(password.encode()).hexdigest()}"

    def decode(self, encoded: str) -> dict[str, Any]:
        algorithm, digest = encoded.split("$", 1)
        return {"algorithm": algorithm, "hash": digest, "salt": ""}

    def verify(self, password: str, encoded: str) -> bool:
        return constant_time_compare(encoded, self.encode(password, ""))

    def must_update(self, encoded: str) -> bool:
        return False

    def safe_summary(self, encoded: str) -> dict[Any, Any]:
        return {gettext_noop("hash"): mask_hash(self.decode(encoded)["hash"])}

    def harden_runtime(self, password: str, encoded: str) -> None:
        """Do nothing: there is no work factor to make up for."""
