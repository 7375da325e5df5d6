"""Reconnection of the pool of database connections after an outage."""

from typing import Final

from psycopg_pool.base import AttemptWithBackoff

SECONDS_BETWEEN_TRIES: Final = 0.5

# libpq's parameters. They give up a vanished server after about ten seconds; the defaults wait for a
# quarter of an hour.
CONNECTION_TIMEOUTS: Final = {
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}


def try_again_soon() -> None:
    """Make pools retry a lost database twice a second.

    By default a pool doubles the pause after each failed attempt, and no setting changes that. After an outage of 15
    seconds the pool would reconnect only after 31 seconds.
    """
    AttemptWithBackoff.INITIAL_DELAY = SECONDS_BETWEEN_TRIES
    AttemptWithBackoff.DELAY_BACKOFF = 1.0
