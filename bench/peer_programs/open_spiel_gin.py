"""Gin as open_spiel plays it. Moves are strings: `open`, `closed`, `pass`, `knock`, a card, the cards of a meld."""

import random
import time
from typing import Any, Final

import pyspiel  # type: ignore[import-not-found]

from bench.peer_programs import answer

GAME: Final = pyspiel.load_game("gin_rummy")
OKLAHOMA: Final = pyspiel.load_game("gin_rummy(oklahoma=true)")
OPEN, CLOSED, PASS, KNOCK, MELDS = 52, 53, 54, 55, 56
TEXTS: Final = {OPEN: "open", CLOSED: "closed", PASS: "pass", KNOCK: "knock"}


def _name(action: int) -> str:
    if OPEN <= action <= KNOCK:
        return TEXTS[action]
    written = GAME.new_initial_state().action_to_string(0, action).split()[-1].upper()
    return " ".join(sorted(written[place : place + 2] for place in range(0, len(written), 2)))


NAMES: Final = [_name(action) for action in range(GAME.num_distinct_actions())]
ACTIONS: Final = {name: action for action, name in enumerate(NAMES)}


def walk(moves: list[str], is_oklahoma: bool) -> dict[str, Any]:  # noqa: FBT001 - from JSON
    """Play these moves, dealt and drawn cards included, as long as they are legal.

    Return the known facts before each move and after the last one.
    """
    state = (OKLAHOMA if is_oklahoma else GAME).new_initial_state()
    decisions, played = [], 0
    for move in moves:
        decisions.append(_describe(state))
        if state.is_terminal() or ACTIONS[move] not in state.legal_actions():
            break
        state.apply_action(ACTIONS[move])
        played += 1
    else:
        decisions.append(_describe(state))
    return {"decisions": decisions, "played": played, "returns": state.returns()}


def _describe(state: Any) -> dict[str, Any]:
    phase, player = state.current_phase().name, state.current_player()
    legal = state.legal_actions()
    told = {"phase": phase, "player": player, "legal": sorted(NAMES[action] for action in legal)}
    if state.is_terminal() or state.is_chance_node():
        return told
    told["deadwood"] = state.deadwood()[player]
    if phase == "DISCARD" and KNOCK in legal:
        told["knock_cards"] = sorted(NAMES[action] for action in state.child(KNOCK).legal_actions())
    if phase == "LAYOFF" and not state.layoffs() and not state.layed_melds()[player]:
        told["best_answer"] = _find_best_answer(state, player, {})
    return told


def _find_best_answer(state: Any, player: int, found: dict[Any, int]) -> int:
    """Return the lowest deadwood that lay-offs and melds can leave, by trying all of them."""
    if state.is_terminal():
        return int(state.deadwood()[player])
    key = (state.finished_layoffs(), *sorted(state.hands()[player]), -1, *state.layoffs())
    if key not in found:
        children = map(state.child, state.legal_actions())
        found[key] = min(_find_best_answer(child, player, found) for child in children)
    return found[key]


def play(seconds: float, how: str) -> float:
    """Return the moves per second of random players, each played `in place` or on a clone of the state."""
    rng, moves, state = random.Random(1), 0, GAME.new_initial_state()  # noqa: S311 - the same deals
    began = time.process_time()
    while (took := time.process_time() - began) < seconds:
        if state.is_terminal():
            state = GAME.new_initial_state()
        is_move = not state.is_chance_node()
        action = rng.choice(state.legal_actions())
        if how == "cloned" and is_move:
            state = state.child(action)
        else:
            state.apply_action(action)
        moves += is_move
    return moves / took


def choose(moves: list[str]) -> list[str]:
    """Return the moves of open_spiel's simple bot after these moves, until its turn ends."""
    state, chosen = GAME.new_initial_state(), []
    for move in moves:
        state.apply_action(ACTIONS[move])
    player = state.current_player()
    bot = pyspiel.make_simple_gin_rummy_bot(GAME.get_parameters(), player)
    while state.current_player() == player:
        action = bot.step(state)
        state.apply_action(action)
        chosen.append(NAMES[action])
    return chosen


if __name__ == "__main__":
    answer(walk=walk, play=play, choose=choose)
