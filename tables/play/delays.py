"""The pauses that a table makes by itself, in milliseconds."""

import secrets

from games.engine.base import Instant

START_PAUSE: Instant = 5_000
ENTRY_PAUSE: Instant = 20_000
BETWEEN_PAUSE: Instant = 15_000
# Time to leave after the table has said that its fee is another one now.
FEE_PAUSE: Instant = 15_000
# After a deal people look at its result before they are asked whether to share the prize.
OFFER_PAUSE: Instant = 2_000
# Practice bots take about as long as people do, and a waiting player meets one within 3 seconds.
BOT_MOVE_PAUSE = (800, 2_500)
BOT_SITS_PAUSE = (300, 600)


def pause_within(bounds: tuple[Instant, Instant]) -> Instant:
    shortest, longest = bounds
    return shortest + secrets.randbelow(longest - shortest + 1)
