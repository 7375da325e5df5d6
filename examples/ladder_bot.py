#!/usr/bin/env python3
"""A BOT account's program: it plays Indian rummy among BOT accounts with the strategy of bot.py, match after match.

python examples/ladder_bot.py http://localhost:8000 TOKEN 10   (of a BOT account; ten matches, else one)
"""

import sys

from bot import call, choose, play
from websockets.sync.client import connect


def run(matches: int) -> None:
    address, auth = sys.argv[1], {"Authorization": f"Bearer {sys.argv[2]}"}
    account = call(address, auth, "account/")
    if not account["bot"]:
        sys.exit(
            "This is not a BOT account: its player makes it one in the profile, under API tokens."
        )
    for number in range(1, matches + 1):
        seat = call(address, auth, "bots/play/", {"game": "indian", "preset": "points"})
        socket = address.replace("http", "ws", 1) + seat["socket"]
        with connect(socket, additional_headers=auth) as ws:
            state = play(ws, choose)
        call(address, auth, f"tables/{seat['table']}/leave/", {})
        place = state["table"]["places"].get(str(state["you"]["seat"]))
        print(f"Match {number} of {account['name']}: place {place}.", flush=True)


if __name__ == "__main__":
    run(int(sys.argv[3]) if sys.argv[3:] else 1)
