"""When beat has which job done; how late a job may be at most is its `expires`, in seconds."""

from typing import Any

CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "keep-tables-supplied": {
        "task": "tables.keep_supplied",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    # What is lost is found by the next one: a step of a tournament is at most this late.
    "tick-tournaments": {
        "task": "tournaments.tick",
        "schedule": 2.0,
        "options": {"expires": 10},
    },
    # An offer opens a little after its deal; one that comes too late is not made.
    "open-offers": {
        "task": "tables.open_offers",
        "schedule": 1.0,
        "options": {"expires": 5},
    },
    "tend-queues": {
        "task": "tables.tend_queues",
        "schedule": 2.0,
        "options": {"expires": 5},
    },
    # Ratings and leaderboards; a match is counted once, so a lost run costs seconds.
    "count-matches": {
        "task": "tables.count_matches",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "archive-matches": {
        "task": "tables.archive_matches",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "draw-leaderboards": {
        "task": "tables.draw_leaderboards",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    # Who is at turn and not at his table is called, once.
    "call-players": {
        "task": "tables.call_players",
        "schedule": 2.0,
        "options": {"expires": 5},
    },
    "check-ledger": {
        "task": "wallet.check_ledger",
        "schedule": 3600.0,
        "options": {"expires": 1800},
    },
    "seal-ledger": {
        "task": "wallet.seal_ledger",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "send-letters": {
        "task": "accounts.send_letters",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "tend-exports": {
        "task": "config.tend_exports",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "send-payouts": {
        "task": "wallet.send_payouts",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "tend-bonuses": {
        "task": "wallet.tend_bonuses",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "settle-last-year": {
        "task": "wallet.settle_last_year",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "expire-holds": {
        "task": "wallet.expire_holds",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
}
