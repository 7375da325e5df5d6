#!/usr/bin/env python3
"""A player's own program: it sits at a table for chips that allows API players, and plays a match of Indian rummy.

python examples/bot.py http://localhost:8000 TOKEN   (made in the profile, with all rights)
"""

import json
import sys
import urllib.request
import uuid
from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any

from websockets.sync.client import ClientConnection, connect

Cards = list[str]
Chooser = Callable[[dict[str, Any]], dict[str, Any] | None]
RANKS, TURNS, HIGHEST = "A23456789TJQK", 60, 10  # the bot drops after so many turns


def call(address: str, auth: dict[str, str], path: str, body: Any = None) -> Any:
    """Send a GET request, or a POST request if there is a body. The key makes a repeated request take effect once."""
    headers = {**auth, "Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{address}/api/v1/{path}", data, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read() or "null")


def is_run(cards: Cards, places: int) -> bool:
    low = [RANKS.find(card[0]) for card in cards]  # a printed joker is -1
    fits = [max(ranks) - min(ranks) < places for ranks in (low, [rank or 13 for rank in low])]
    is_one_suit = len({card[1] for card in cards}) == 1 and len(set(low)) == len(low)
    return is_one_suit and min(low) >= 0 and any(fits)


def kind_of(cards: Cards, jokers: Cards) -> str:
    """Return "pure" for a pure run, "run", "set", or "" if the cards are no meld (docs/rules.md, R2)."""
    natural = [card for card in cards if card not in jokers]
    for kind, some in (("pure", cards), ("run", natural)):
        if some and is_run(some, len(cards)):
            return kind
    is_one_rank = len({card[0] for card in natural}) == 1
    return "set" if is_one_rank and len({card[1] for card in natural}) == len(natural) else ""


def arrange(cards: Cards, wild: str) -> tuple[int, list[Cards], Cards]:
    """Return the cost of the hand, its melds (a pure sequence first), and the loose cards, highest last."""
    jokers = [card for card in cards if card[0] in ("P", wild)]
    points = {card: 10 if card[0] in "ATJQK" else int(card[0]) for card in set(cards) - {*jokers}}
    melds: dict[str, list[tuple[Cards, str]]] = {card: [] for card in cards}
    for group in map(list, (*combinations(cards, 3), *combinations(cards, 4))):
        melds[group[0]].append((group, kind_of(group, jokers)))

    @cache
    def search(left: frozenset[str], pure: int, runs: int) -> tuple[int, list[Cards]]:
        if not left:
            return 40 * (pure == 0) + 20 * (runs < 2), []  # noqa: PLR2004 - R3.1
        card = next(card for card in cards if card in left)
        cost, groups = search(left - {card}, pure, runs)
        found = [(cost + points.get(card, 0), groups)]
        for group, kind in melds[card]:
            if kind and left.issuperset(group):
                counts = pure | (kind == "pure"), min(2, runs + (kind != "set"))
                cost, groups = search(left - {*group}, *counts)
                found.append((cost, [group, *groups]))
        return min(found, key=lambda one: one[0])

    cost, groups = search(frozenset(cards), 0, 0)
    groups = sorted(groups, key=lambda group: kind_of(group, jokers) != "pure")
    rest = sorted({*cards}.difference(*groups), key=lambda card: (points.get(card, 0), card))
    if cost == 0:  # only jokers are left, and they lengthen any meld
        groups, rest = [*groups[:-1], groups[-1] + rest], []
    return cost, groups, rest


def choose(state: dict[str, Any]) -> dict[str, Any] | None:
    """Return the move to make now, or None when it is not our turn."""
    game, you = state["game"], state["you"]
    me, cards, wild = game["players"].get(str(you["seat"])), you.get("hand"), game["wild_rank"]
    phase, is_mine = game["phase"], game["turn"] == you["seat"]
    is_asked = not me["shown"] if me and phase == "show" else is_mine
    if not me or me["status"] != "playing" or not cards or not is_asked:
        return None
    cost, groups, rest = arrange(cards, wild)
    if phase in ("declare", "show"):
        return {"kind": phase, "groups": [group for group in (*groups, rest) if group]}
    if game["step"] == "draw":
        if game["turn_number"] > TURNS:
            return {"kind": "drop"}
        top = game["open_pile"][-1:] if game["open_drawable"] else []
        lower, _groups, others = arrange(cards + top, wild)
        is_useful = top and lower < cost and top[0] not in others
        return {"kind": "draw", "source": "open" if is_useful else "closed"}
    free = [card for card in cards if not (you["from_open"] and card == you["drawn"])]
    for card in free if cost <= HIGHEST else []:
        if arrange([other for other in cards if other != card], wild)[0] == 0:
            return {"kind": "finish", "card": card}
    return {"kind": "discard", "card": ([card for card in rest if card in free] or free)[-1]}


def update_state(state: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    """Return the state of the table after a message. `v` is its version."""
    if message["type"] == "snap":
        return {**message["state"], "v": message["v"]}
    for change in message.get("changes", []):
        for key, new in {"you": change.get("you", {}), **change["patch"]}.items():
            state[key] = {**state[key], **new} if type(new) is type(state[key]) is dict else new
        state["v"] = change["v"]
    return state


def play(socket: ClientConnection, choose: Chooser) -> dict[str, Any]:
    """Play one match to its end. Return the state of the table after it."""
    state: dict[str, Any] = {"table": {"status": None}, "v": 0}
    seen, has_begun = 0.0, False
    socket.send('{"type": "hello", "epoch": "", "v": 0}')
    while True:
        try:
            message = json.loads(socket.recv(timeout=2.5))
        except TimeoutError:  # who is silent for seven seconds is shown to the others as away
            socket.send('{"type": "ping", "c": 0}')
            continue
        if message["type"] in ("bye", "error", "rej"):
            raise SystemExit(message["message"])
        state = update_state(state, message)
        seen = message["v"] - 1 if message["type"] == "ack" else seen
        is_played = state["table"]["status"] == "playing"
        if has_begun and not is_played:
            return state
        has_begun |= is_played
        if is_played and state["v"] > seen and (move := choose(state)):
            seen = float("inf")  # until this move is acknowledged
            act = {"type": "act", "id": str(uuid.uuid4()), "v": state["v"], "move": move}
            socket.send(json.dumps(act))


def run(game: str, choose: Chooser) -> None:
    """Sit down at a table with a free seat, play one match, and leave."""
    address, auth = sys.argv[1], {"Authorization": f"Bearer {sys.argv[2]}"}
    lobby = call(address, auth, f"lobby/?currency=CHIPS&format=POINTS&game={game}")["tables"]
    free = [t for t in lobby if t["allows_api_players"] and t["seated"] < t["max_seats"]]
    table = free[0] if free else sys.exit("There is no free seat where API players may sit.")
    call(address, auth, f"tables/{table['id']}/sit/", {"amount": table["min_buy_in"]})
    with connect(address.replace("http", "ws", 1) + table["socket"], additional_headers=auth) as ws:
        state = play(ws, choose)
    call(address, auth, f"tables/{table['id']}/leave/", {})
    amount = state["table"]["settlement"]["amounts"].get(str(state["you"]["seat"]), 0)
    print(f"The match is over: {amount:+} chips.")


if __name__ == "__main__":
    run("indian", choose)
