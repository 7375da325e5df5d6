"""The games as environments of PettingZoo, turn by turn (AEC): `pip install openrummy-engine[pettingzoo]`.

    from openrummy_engine.pettingzoo import env

    rummy = env("gin")
    rummy.reset(seed=1)
    for agent in rummy.agent_iter():
        observation, reward, termination, truncation, info = rummy.last()
        over = termination or truncation
        action = None if over else rummy.action_space(agent).sample(observation["action_mask"])
        rummy.step(action)

**Actions** have the same meaning in every position: `action_names(game)` has a name for each number, such as "discard
7H". Two legal moves share an action if they differ only in the copy of a card, or in the card that a joker stands for.
The first of them in the list of legal moves is then played. The engine's solvers choose the groups of a hand (README).

**Observations** contain only what the seat may see: they are made from its view, which a client at a site gets, too.
`observation` has counts of cards by face and a few numbers, in the order of `OBSERVED`. Seats are counted from the
agent's own. `action_mask` is 1 for each legal action, and all 0 for an agent that is not to move.

**Rewards** are the points of a deal when it ends. Losers lose their points, and winners share them, so rewards add up
to zero.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from games.cards import CARD_BY_TEXT, FACE_TEXT, FACES, RANKS
from games.engine.base import DEAL_ENDS, Strength, divide
from games.engine.core import Outcome
from games.registry import GAMES

Observation: TypeAlias = dict[str, NDArray[Any]]

SEATS: Final = 8
PHASES: Final = (
    *("upcard", "turn", "buy", "declare", "show", "defend"),
    *("rejoin", "split", "between", "over"),
)

# The parts of an observation and how many numbers each has.
OBSERVED: Final[Mapping[str, int]] = {
    "own hand, by face": FACES,
    "cards drawn in this turn, by face": FACES,
    "top of the open pile, by face": FACES,
    "open pile, by face": FACES,
    "discards of the deal, by face": FACES,
    "cards on the table or shown in a knock, by face": FACES,
    "cards that others took from the open pile, by face": FACES,
    "wild rank": len(RANKS),
    "phase": len(PHASES),
    "to discard": 1,
    "cards in hand, by seat": SEATS,
    "score, by seat": SEATS,
    "still in the deal, by seat": SEATS,
    "melds to lay: sets and runs": 2,
    "turn, deal, cards in the closed deck, knock limit or initial meld": 4,
}
SIZE: Final = sum(OBSERVED.values())
_LIMIT: Final = 100_000.0

_EVERY: Final = FACE_TEXT
_MELDS: Final = tuple(map(" ".join, product(("set", "run"), FACE_TEXT)))
# By game, kinds of moves and what they are told apart by.
_ACTIONS: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "indian": {
        "draw": ("closed", "open"),
        "drop": ("",),
        "discard": _EVERY,
        "finish": _EVERY,
        "declare": ("",),
        "show": ("",),
        "rejoin": ("yes", "no"),
        "offer_split": ("",),
        "answer_split": ("yes", "no"),
    },
    "gin": {
        "draw": ("closed", "open"),
        "pass": ("",),
        "discard": _EVERY,
        "knock": (*_EVERY, "none"),
        "defend": ("",),
    },
    "basic": {
        "draw": ("closed", "open"),
        **dict.fromkeys(("meld", "lay_off"), _MELDS),
        "discard": _EVERY,
    },
    "contract": {
        "draw": ("closed", "open"),
        "buy": ("",),
        "pass": ("",),
        "contract": ("",),
        "lay_off": _MELDS,
        "swap_joker": tuple(map(" ".join, product(("hand", "front", "back"), FACE_TEXT))),
        "discard": _EVERY,
    },
    "rummikub": {"lay": ("",), "draw": ("",), "pass": ("",)},
    "five_hundred": {
        "draw": ("closed",),
        "take": _EVERY,
        **dict.fromkeys(("meld", "lay_off"), _MELDS),
        "discard": _EVERY,
    },
}
# Legal moves that are no actions: they end the match for a seat, or prepare something.
_LEFT_OUT: Final = frozenset({"leave", "arrange", "never_buy"})
# Moves for which the list of legal ones has the player's own groups: the best ones are laid instead.
_ARRANGED: Final = frozenset({"declare", "show"})


@cache
def action_names(game: str) -> tuple[str, ...]:
    """Return the name of each action of a game, by its number. Raises KeyError for an unknown game."""
    kinds = _ACTIONS[game].items()
    return tuple(f"{kind} {part}".strip() for kind, parts in kinds for part in parts)


@cache
def _number_actions(game: str) -> dict[str, int]:
    return {name: number for number, name in enumerate(action_names(game))}


def _name_move(state: Any, move: Any) -> str:
    """Return the name of the action to which a move belongs."""
    words = [move.kind]
    for field in ("source", "to"):
        words += [value] if (value := getattr(move, field, None)) else []
    if move.kind == "lay_off":
        cards = move.cards if hasattr(move, "cards") else move.laid.cards
        words += ["set" if state.deal.melds[move.meld].is_set else "run", FACE_TEXT[cards[0].face]]
    elif move.kind == "meld":
        cards = move.groups[0]
        first = min(card.face for card in cards)
        is_set = len({card.rank for card in cards if card.rank}) == 1
        words += ["set" if is_set else "run", FACE_TEXT[first]]
    elif hasattr(move, "card"):
        words.append("none" if move.card is None else FACE_TEXT[move.card.face])
    elif hasattr(move, "accept"):
        words.append("yes" if move.accept else "no")
    return " ".join(words)


class raw_env(AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # noqa: N801 - PettingZoo's name
    """A match between agents `player_0`, `player_1` and so on, who sit in this order."""

    metadata: dict[str, Any] = {
        "render_modes": [],
        "name": "openrummy_v0",
        "is_parallelizable": False,
    }

    def __init__(self, game: str = "gin", *, seats: int = 2, preset: str | None = None) -> None:
        super().__init__()
        self.game = GAMES[game]
        self.rules = self.game.rules.preset(preset or next(iter(self.game.rules.presets)))
        if seats not in self.game.core.seats or seats > SEATS:
            raise ValueError(f"{game} is not played by {seats}.")
        self.metadata = {**self.metadata, "name": f"openrummy_{game}_v0"}
        self.render_mode = None
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self._numbers = _number_actions(game)
        self._written = self.game.rules.json(self.rules)
        self._action_space = spaces.Discrete(len(self._numbers))
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-_LIMIT, _LIMIT, (SIZE,), np.float32),
                "action_mask": spaces.Box(0, 1, (len(self._numbers),), np.int8),
            }
        )
        self._chance: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_space

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a match. The same seed and actions produce the same match."""
        if seed is not None or self._chance is None:
            self._chance, _seed = seeding.np_random(seed)
        self._seed = self._chance.bytes(32)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        seats = range(len(self.agents))
        self._now = 0
        self._go_on(
            self.game.core.start(
                rules=self.rules, seats=seats, toss=True, seed=self._seed_of(1), now=self._now
            )
        )

    def step(self, action: int | None) -> None:
        """Play an action. Raises ValueError if it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = self._legal.get(-1 if action is None else int(action))
        if move is None:
            raise ValueError(f"{action} is no legal action of {agent} now.")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        fresh = self._seed_of(self._outcome.status.deals + 1)
        core, seat = self.game.core, self._seat_of(agent)
        self._go_on(core.play(self._outcome.state, seat, move, now=self._now, seed=fresh))
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """Return the observation of this agent's seat."""
        mask = np.zeros(len(self._numbers), np.int8)
        if agent == self.agent_selection and not self.terminations.get(agent, True):
            mask[list(self._legal)] = 1
        return {
            "observation": _observe(self.view(agent), self._seat_of(agent)),
            "action_mask": mask,
        }

    def view(self, agent: str) -> dict[str, Any]:
        """Return the view of this agent's seat as JSON, as the engine's bots and a site's clients get it."""
        state, seat = self._outcome.state, self._seat_of(agent)
        return {
            "public": self.game.view.public(state),
            "you": self.game.view.private(state, seat),
            "rules": self._written,
        }

    def ask_bot(self, strength: Strength, rng: Random) -> int:
        """Return the action that one of the engine's bots chooses for the agent to move."""
        seat = self._seat_of(self.agent_selection)
        chosen = self.game.bots(self.view(self.agent_selection), seat, strength=strength, rng=rng)
        name = _name_move(self._outcome.state, self.game.wire.read(chosen))
        number = self._numbers.get(name, -1)
        # A bot may lay another meld than those that are listed: then the first that is of its kind.
        alike = (one for one, move in self._legal.items() if move.kind == chosen["kind"])
        return number if number in self._legal else next(alike)

    def close(self) -> None:
        """Do nothing. There is nothing to close."""

    def _seat_of(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    def _seed_of(self, deal: int) -> bytes:
        return hashlib.sha256(self._seed + deal.to_bytes(4, "big")).digest()

    def _go_on(self, outcome: Outcome) -> None:
        """Apply this outcome, give the rewards, and go on to the next seat that may move or to the end of the match."""
        core = self.game.core
        self._reward(outcome)
        while outcome.status.result is None and not outcome.status.acting:
            self._now = max(self._now, outcome.status.deadline or self._now)
            fresh = self._seed_of(outcome.status.deals + 1)
            outcome = core.expire(outcome.state, now=self._now, seed=fresh)
            self._reward(outcome)
        self._outcome: Outcome = outcome
        self._legal: dict[int, Any] = {}
        if outcome.status.result is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            return
        seat = outcome.status.acting[0]
        self.agent_selection = self.possible_agents[seat]
        self._legal = self._list_legal(outcome.state, seat)

    def _list_legal(self, state: Any, seat: int) -> dict[int, Any]:
        """Return the legal moves of a seat by the number of their action."""
        legal: dict[int, Any] = {}
        for move in self.game.core.list_legal(state, seat):
            if move.kind not in _LEFT_OUT:
                number = self._numbers[_name_move(state, move)]
                legal.setdefault(number, self._arrange(state, seat, move))
        return legal

    def _arrange(self, state: Any, seat: int, move: Any) -> Any:
        """Return the move with the best groups in place of the player's own, or unchanged if it has no groups."""
        if move.kind not in _ARRANGED or self.game.hand_help is None:
            return move
        best = self.game.hand_help.answer(state, seat, {"kind": "arrange"})
        return self.game.wire.read({"kind": move.kind, "groups": best["groups"]})

    def _reward(self, outcome: Outcome) -> None:
        for event in outcome.events:
            if event.kind == DEAL_ENDS:
                for seat, points in _share_points(event.json()).items():
                    self.rewards[self.possible_agents[seat]] += points


def env(game: str = "gin", *, seats: int = 2, preset: str | None = None) -> Any:
    """Return a match as an environment that refuses calls in the wrong order and numbers that are not actions."""
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(raw_env(game, seats=seats, preset=preset))
    )


def _share_points(ended: Mapping[str, Any]) -> dict[int, int]:
    """Return the points that each seat wins or loses in a deal. Their sum is zero."""
    lost = {int(seat): int(points) for seat, points in ended["points"].items()}
    winners = [seat for seat in ended["winners"] if lost.get(seat, 0) == 0]
    if not winners:
        return dict.fromkeys(lost, 0)
    won = divide(sum(lost.values()), dict.fromkeys(winners, 1))
    return {seat: won.get(seat, -points) for seat, points in lost.items()}


# --- Observations.


def _observe(view: Mapping[str, Any], own: int) -> NDArray[np.float32]:
    parts = list(_list_parts(view["public"], view["you"], own))
    seen = np.concatenate([np.asarray(part, np.float32) for part in parts])
    return seen.clip(-_LIMIT, _LIMIT)


def _list_parts(public: Mapping[str, Any], you: Mapping[str, Any], own: int) -> Iterator[Any]:
    """Yield the parts of `OBSERVED`, in its order."""
    pile = public.get("open_pile") or []
    yield _count_faces(you["hand"])
    yield _count_faces(_as_list(you.get("drawn")))
    yield _count_faces(pile[-1:])
    yield _count_faces(pile)
    yield _count_faces(_list_cards(public.get("discards")))
    yield _count_faces(_list_cards([public.get("melds"), public.get("table"), public.get("knock")]))
    taken = public.get("taken") or {}
    yield _count_faces(_list_cards([cards for seat, cards in taken.items() if int(seat) != own]))
    yield [float(rank == public.get("wild_rank")) for rank in RANKS]
    yield [float(phase == public["phase"]) for phase in PHASES]
    yield [float(public.get("step") == "discard")]
    players = {int(seat): player for seat, player in public["players"].items()}
    around = [players.get((own + number) % SEATS) for number in range(SEATS)]
    yield [0 if one is None else one.get("cards", one.get("tiles", 0)) for one in around]
    standings = public["match"].get("standings", {})
    totals = [
        _find_score(players.get(seat), standings.get(str(seat)))
        for seat in ((own + number) % SEATS for number in range(SEATS))
    ]
    yield totals
    yield [float(one is not None and one["status"] == "playing") for one in around]
    contract = public.get("contract") or []
    yield [contract.count("set"), contract.count("run")]
    closed = public.get("closed_count", public.get("pool_count", 0))
    limit = public.get("knock_limit", public.get("initial_meld", 0))
    yield [public["turn_number"], public["deal"], closed, limit or 0]


def _find_score(player: Mapping[str, Any] | None, standing: Mapping[str, Any] | None) -> int:
    for one in (player, standing):
        for name in ("score", "total"):
            if one is not None and name in one:
                return int(one[name])
    return 0


def _as_list(drawn: Any) -> list[str]:
    return drawn if isinstance(drawn, list) else [drawn] if drawn else []


def _list_cards(shown: Any) -> list[str]:
    """Return all cards in a part of a view, whatever its form."""
    if isinstance(shown, str):
        return [shown] if shown in CARD_BY_TEXT else []
    parts = shown.values() if isinstance(shown, Mapping) else shown
    if not isinstance(parts, Iterable):
        return []
    return [card for part in parts for card in _list_cards(part)]


def _count_faces(cards: Sequence[str]) -> NDArray[np.float32]:
    counted = np.zeros(FACES, np.float32)
    for card in cards:
        counted[CARD_BY_TEXT[card].face] += 1
    return counted
