"""The settings of a streaming copy of the database."""

from typing import Any

from config.settings import env
from core.database.pool import PATIENCE


def replica_database(url: str, *, role: str) -> dict[str, Any]:
    """Return the settings of the replica. Where it is away nobody waits: the primary answers then."""
    limits = f"-c statement_timeout=5000 -c default_transaction_read_only=on -c role={role}"
    options: dict[str, Any] = {**PATIENCE, "options": limits}
    if env.flag("DATABASE_POOL", default=True):
        options["pool"] = {
            "min_size": 0,
            "max_size": env.number("DATABASE_POOL_SIZE", 8),
            "timeout": 0.5,
        }
    return env.database(url, options=options)
