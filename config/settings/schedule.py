"""The schedule of beat's jobs. `expires` is the number of seconds after which a job that has not begun is dropped."""

from typing import Any, Final

# Each queue has its own workers (Procfile), so that jobs that wait for other servers or take long do not
# delay the next step of a tournament. Workers of `slow` also serve `history`, in turn, until a site has
# workers for it (SLOW_QUEUES, HISTORY_PROCESSES).
LIVE: Final = "live"
MAIL: Final = "mail"  # jobs that talk to other servers
SLOW: Final = "slow"  # jobs that take longer as the site grows
HISTORY: Final = "history"  # work on every finished match, which may be late
COACH: Final = "coach"  # players' requests that take a core for seconds
QUEUES: Final = (LIVE, MAIL, SLOW, HISTORY, COACH)
_QUEUES: Final = {
    "core.send_emails": MAIL,
    "accounts.send_push": MAIL,
    "core.send_sms": MAIL,
    "core.send_webhooks": MAIL,
    # Players' addresses may be slow on purpose. In this queue they delay no e-mail and no webhook of the operator.
    "core.send_webhooks_of_players": SLOW,
    "config.check_alerts": MAIL,
    "wallet.send_payouts": MAIL,
    "wallet.send_refunds": MAIL,
    "wallet.payments.*": MAIL,  # requests to payment providers
    "accounts.forget_what_has_expired": SLOW,
    "config.remove_guests": SLOW,
    "config.forget_origins": SLOW,
    "config.maintain_exports": SLOW,
    "config.compute_reports": SLOW,
    "history.analyse_deals": COACH,
    "history.archive_matches": HISTORY,
    "players.count_matches": SLOW,
    "players.draw_leaderboards": SLOW,
    "history.find_puzzles": COACH,
    "history.publish_deals": SLOW,
    "tables.notify_absent": SLOW,
    "players.open_evenings": SLOW,
    "tables.maintain_slow_games": SLOW,
    "history.trace_matches": HISTORY,
    "history.turn_days": SLOW,
    "players.turn_season": SLOW,
    "history.score_pairs": SLOW,
    "players.wind_up_clubs": SLOW,
    "wallet.check_ledger": SLOW,
    "wallet.settle_last_year": SLOW,
    "wallet.maintain_bonuses": SLOW,
}
CELERY_TASK_ROUTES: Final = {task: {"queue": queue} for task, queue in _QUEUES.items()}

CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "keep-tables-supplied": {
        "task": "tables.keep_supplied",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    # Tables between two matches adopt a changed fee and announce it.
    "follow-fees": {
        "task": "tables.follow_fees",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    # A lost run is made up by the next: a step of a tournament is at most this late.
    "tick-tournaments": {
        "task": "tournaments.tick",
        "schedule": 2.0,
        "options": {"expires": 10},
    },
    # An offer opens a little after its deal; one that would come too late is not made.
    "open-split-offers": {
        "task": "tables.open_split_offers",
        "schedule": 1.0,
        "options": {"expires": 5},
    },
    # A job continues as long as deals are waiting; a further job finds nothing.
    "analyse-deals": {
        "task": "history.analyse_deals",
        "schedule": 2.0,
        "options": {"expires": 2},
    },
    # One deal each time, and none while analyses are waiting.
    "find-puzzles": {
        "task": "history.find_puzzles",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "maintain-queues": {
        "task": "tables.maintain_queues",
        "schedule": 2.0,
        "options": {"expires": 5},
    },
    # Frozen and self-excluded players who were not stood up right away.
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
    # A lost run makes a reminder half a minute late.
    "remind-entrants": {
        "task": "tournaments.remind_entrants",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    # Ratings and leaderboards. A match is counted once, so a lost run costs seconds.
    "count-matches": {
        "task": "players.count_matches",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    # Evidence of collusion in finished matches. Each is traced once, so a lost run costs seconds. A run
    # continues for up to a minute while matches are waiting, so that thirty runs share the work where there
    # are enough workers.
    "trace-matches": {
        "task": "history.trace_matches",
        "schedule": 2.0,
        "options": {"expires": 2},
    },
    # Once a night; further runs find that it is done.
    "weigh-pairs": {
        "task": "history.score_pairs",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "archive-matches": {
        "task": "history.archive_matches",
        # The same, with twelve runs. Each waits no longer than a trace, because the longest waiting job
        # gets the next worker: with too few workers neither kind takes them all.
        "schedule": 5.0,
        "options": {"expires": 2},
    },
    # Tomorrow's partition is opened a day ahead, so many runs may fail.
    "turn-days": {
        "task": "history.turn_days",
        "schedule": 1200.0,
        "options": {"expires": 1200},
    },
    "draw-leaderboards": {
        "task": "players.draw_leaderboards",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    # A job continues as long as webhooks are due.
    "send-webhooks": {
        "task": "core.send_webhooks",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "send-webhooks-of-players": {
        "task": "core.send_webhooks_of_players",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    # Alert players who are to move and are away from their table, once.
    "call-players": {
        "task": "tables.call_players",
        "schedule": 2.0,
        "options": {"expires": 5},
    },
    # Notify seated players who have had no page open for a minute.
    "tell-absent": {
        "task": "tables.notify_absent",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    # Club evenings; a lost run is made up.
    "open-evenings": {
        "task": "players.open_evenings",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    # Tables of closed clubs; a lost run is made up.
    "wind-up-clubs": {
        "task": "players.wind_up_clubs",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    # Every three months; further runs find that it is done.
    "turn-season": {
        "task": "players.turn_season",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    # Remind the player who is to move in a slow game, once a turn.
    "maintain-slow-games": {
        "task": "tables.maintain_slow_games",
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
    "maintain-exports": {
        "task": "config.maintain_exports",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    # A page that was read during a change may stay cached for a minute at most.
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
    "collect-held": {
        "task": "wallet.collect_held",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "maintain-bonuses": {
        "task": "wallet.maintain_bonuses",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "publish-deals": {
        "task": "history.publish_deals",
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
