"""The signals by which tables tell the app that arranges play at them, without knowing it."""

from django.dispatch import Signal

# Sent in the transaction that ends a match at a table of an event: `match_id`, `table_id` and
# `result`, a games.engine.base.Result by seat. A receiver that fails undoes the last move.
match_finished = Signal()
