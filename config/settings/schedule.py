"""When beat has which job done; how late a job may be at most is its `expires`, in seconds."""

from typing import Any, Final

# Each queue has workers of its own (Procfile), so that what waits for another server, or takes its
# time, keeps no tournament from its next step. The workers of `slow` do `history` too, in turn, until
# a site has workers for it alone (SLOW_QUEUES, HISTORY_PROCESSES).
LIVE: Final = "live"
MAIL: Final = "mail"  # what talks to other servers
SLOW: Final = "slow"  # what grows with the site
HISTORY: Final = "history"  # what is done with every match that is over, however late
COACH: Final = "coach"  # what players ask for that takes a core for seconds
QUEUES: Final = (LIVE, MAIL, SLOW, HISTORY, COACH)
_QUEUES: Final = {
    "core.send_emails": MAIL,
    "accounts.send_push": MAIL,
    "core.send_sms": MAIL,
    "core.send_webhooks": MAIL,
    "config.check_alerts": MAIL,
    "wallet.send_payouts": MAIL,
    "wallet.send_refunds": MAIL,
    "wallet.payments.*": MAIL,  # of the providers
    "accounts.forget_what_has_expired": SLOW,
    "config.remove_guests": SLOW,
    "config.forget_origins": SLOW,
    "config.tend_exports": SLOW,
    "config.compute_reports": SLOW,
    "tables.analyse_deals": COACH,
    "tables.archive_matches": HISTORY,
    "tables.count_matches": SLOW,
    "tables.draw_leaderboards": SLOW,
    "tables.find_puzzles": COACH,
    "tables.publish_deals": SLOW,
    "tables.tell_absent": SLOW,
    "tables.open_evenings": SLOW,
    "tables.tend_slow_games": SLOW,
    "tables.trace_matches": HISTORY,
    "tables.turn_days": SLOW,
    "tables.turn_season": SLOW,
    "tables.weigh_pairs": SLOW,
    "tables.wind_up_clubs": SLOW,
    "wallet.check_ledger": SLOW,
    "wallet.settle_last_year": SLOW,
    "wallet.tend_bonuses": SLOW,
}
CELERY_TASK_ROUTES: Final = {task: {"queue": queue} for task, queue in _QUEUES.items()}

CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "keep-tables-supplied": {
        "task": "tables.keep_supplied",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    # Tables between two matches take a fee that has changed, and say so.
    "follow-fees": {
        "task": "tables.follow_fees",
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
    # A job goes on with what waits for as long as there is any; one more finds nothing.
    "analyse-deals": {
        "task": "tables.analyse_deals",
        "schedule": 2.0,
        "options": {"expires": 2},
    },
    # One deal each time, and none while analyses wait.
    "find-puzzles": {
        "task": "tables.find_puzzles",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "tend-queues": {
        "task": "tables.tend_queues",
        "schedule": 2.0,
        "options": {"expires": 5},
    },
    # Frozen and self-excluded players; those whom the act itself did not stand up.
    "stand-up-barred": {
        "task": "tables.stand_up_barred",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "withdraw-barred": {
        "task": "tournaments.withdraw_barred",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    # Ratings and leaderboards; a match is counted once, so a lost run costs seconds.
    "count-matches": {
        "task": "tables.count_matches",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    # What players did for each other in a match; likewise. A run goes on for up to a minute while there
    # are matches, so that thirty of them share what there is where workers have places for so many.
    "trace-matches": {
        "task": "tables.trace_matches",
        "schedule": 2.0,
        "options": {"expires": 2},
    },
    # Once a night; the others find that it is done.
    "weigh-pairs": {
        "task": "tables.weigh_pairs",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "archive-matches": {
        "task": "tables.archive_matches",
        # Likewise, twelve of them. It waits no longer than a trace does, as who has waited longest gets
        # the next place: where there are too few of them, neither takes all.
        "schedule": 5.0,
        "options": {"expires": 2},
    },
    # Tomorrow is open for a day by then, so that many runs may fail.
    "turn-days": {
        "task": "tables.turn_days",
        "schedule": 1200.0,
        "options": {"expires": 1200},
    },
    "draw-leaderboards": {
        "task": "tables.draw_leaderboards",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    # A job goes on for as long as something is due.
    "send-webhooks": {
        "task": "core.send_webhooks",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    # Who is at turn and not at their table is alerted, once.
    "call-players": {
        "task": "tables.call_players",
        "schedule": 2.0,
        "options": {"expires": 5},
    },
    # Who sits at a table and has no page open is told after a minute.
    "tell-absent": {
        "task": "tables.tell_absent",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    # The evenings of clubs; a run that is lost is made up.
    "open-evenings": {
        "task": "tables.open_evenings",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    # Tables of closed clubs; likewise.
    "wind-up-clubs": {
        "task": "tables.wind_up_clubs",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    # Every three months; the others find that it is done.
    "turn-season": {
        "task": "tables.turn_season",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    # Who is waited for in a slow game is told once a turn.
    "tend-slow-games": {
        "task": "tables.tend_slow_games",
        "schedule": 60.0,
        "options": {"expires": 60},
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
    "send-emails": {
        "task": "core.send_emails",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "forget-what-has-expired": {
        "task": "accounts.forget_what_has_expired",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "tend-exports": {
        "task": "config.tend_exports",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    # What a page stored while it was changed is there for a minute at most.
    "refresh-site": {
        "task": "core.refresh_site",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "check-alerts": {
        "task": "config.check_alerts",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "compute-reports": {
        "task": "config.compute_reports",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "forget-origins": {
        "task": "config.forget_origins",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "remove-guests": {
        "task": "config.remove_guests",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "send-payouts": {
        "task": "wallet.send_payouts",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "expire-deposits": {
        "task": "wallet.expire_deposits",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "send-refunds": {
        "task": "wallet.send_refunds",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "tend-bonuses": {
        "task": "wallet.tend_bonuses",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "publish-deals": {
        "task": "tables.publish_deals",
        "schedule": 6 * 3_600.0,
        "options": {"expires": 6 * 3_600},
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
