"""One match after another, by players of all kinds, with what happened in them counted."""

import random
from collections import Counter
from typing import Any

from msgspec.structs import replace

from games.basic.game import GAME
from games.basic.lab.hand_help import HELP
from games.basic.rules.ruleset import PRESETS, BasicRules, for_event, rules_changes
from tests.games.basic.model.melds import grown, melds_in
from tests.games.basic.model.pair import Pair
from tests.games.driving import NOW, bot_view, seed_of
from tests.games.model.agreeing import Disagreement
from tests.games.model.laid import Played

# Each has to come up in the matches that a run of the tests plays.
EXPECTED = {
    *("toss", "dealt", "turn", "drawn", "discarded", "melded", "laid_off", "missed_turn"),
    *("dropped", "left", "reshuffled", "turned_over", "deal_over", "deal_due", "match_over"),
    *("ended: out", "ended: rummy", "ended: blocked", "ended: limit", "ended: last_player"),
    *("postponed", "arranged", "shared deal", "left: between", "left: deal", "extra time"),
    *("refused: match_over", "refused: deal_over", "refused: not_in_deal"),
    *("refused: not_your_turn", "refused: wrong_step", "refused: time_is_up"),
    *("refused: not_a_meld", "refused: does_not_fit", "refused: no_such_meld"),
    *("refused: nothing_laid", "refused: groups_not_your_hand", "refused: card_not_held"),
    *("refused: may_not_return_open_card", "refused: must_keep_a_discard"),
    *("refused: too_many_melds",),
}


def rules_of(number: int, rng: random.Random) -> BasicRules:
    """Every preset in turn, and rules made up."""
    names = [name for name in PRESETS if name != "lesson"]
    base = PRESETS[names[number % len(names)]]
    if number < 3 * len(names):
        return base
    made_up = replace(
        base,
        ace=rng.choice(["low", "both"]),
        melds_a_turn=rng.choice([None, None, None, 1, 2]),
        may_return_open_card=rng.random() < 0.3,
        must_discard_last=rng.random() < 0.4,
        rummy_factor=rng.choice([1, 2, 3]),
        max_points=rng.choice([None, 5, 40]),
        leave_points=rng.choice([0, 30]),
        restock=rng.choice(["shuffle", "turn", "block"]),
        max_restocks=rng.choice([0, 1, 2]),
        max_turns=rng.choice([1, 8, 40, 40]),
        max_minutes=rng.choice([2, 20, 60]),
        max_missed_turns=rng.choice([1, 2, 3]),
        extra_seconds=rng.choice([0, 10, 60]),
        target=None if base.target is None else rng.choice([15, 40, 100]),
    )
    if made_up.target is not None and rng.random() < 0.4:
        return for_event(made_up, deals=rng.choice([1, 2]), qualifiers=1)
    return made_up


def play_match(seed: int, number: int) -> Played:
    rng = random.Random(f"{seed}/{number}")
    rules = rules_of(number, rng)
    seats = tuple(rng.sample(range(6), rng.choice([2, 2, 3, 4, 5, 6])))
    log: list[str] = []
    played = Played()
    try:
        pair = Pair(rules, seats, seed_of(number), NOW, toss=rng.random() < 0.7)
        table = _Table(pair, rng, number, log, played.happened)
        table.count()
        while pair.model.stage != "over":
            played.steps += 1
            table.step()
        for kind in ({"kind": "draw", "source": "closed"}, {"kind": "leave"}):
            table.play(seats[0], kind)
    except Disagreement as found:
        what = f"match {number} of seed {seed}: {rules_changes(rules)}"
        played.disagree(what, log, str(found))
    return played


class _Table:
    def __init__(
        self, pair: Pair, rng: random.Random, number: int, log: list[str], seen: Counter[str]
    ) -> None:
        self.pair, self.rng, self.number, self.log, self.seen = pair, rng, number, log, seen
        self.cleverness = rng.choice([0.1, 0.6, 0.95])
        # Who hoards lays nothing before everything can be laid.
        self.hoards = rng.random() < 0.4
        self.silence = rng.choice([0.02, 0.02, 0.2])
        self.leaving = rng.choice([0, 0, 0.005, 0.02])

    @property
    def seed(self) -> bytes:
        return seed_of(self.number, self.pair.model.number)

    def step(self) -> None:
        pair, rng, model = self.pair, self.rng, self.pair.model
        chance = rng.random()
        if chance < 0.2:
            self.play(*self.any_move())
        elif chance < 0.22:
            self.seen["postponed"] += 1
            pair.postpone(rng.randrange(60_000))
        elif rng.random() < self.leaving * (10 if model.stage == "between" else 1):
            where = model.stage
            if self.play(rng.choice(pair.seats), {"kind": "leave"}) is None:
                self.seen[f"left: {where}"] += 1
        elif model.stage == "between" or rng.random() < self.silence:
            self.expire()
        else:
            self.pass_time()
            self.play(model.deal.at_turn.seat, self.own_move())
        # What is told is told whatever the clock says.
        if rng.random() < 0.1 and pair.now < model.deal.deadline:
            pair.compare_legal()

    def play(self, seat: int, move: dict[str, Any]) -> str | None:
        self.log.append(f"{self.pair.now - NOW} ms, {seat}: {move}")
        extra = sum(one.extra_ms for one in self.pair.model.deal.seats)
        code = self.pair.play(seat, move, self.seed)
        if code:
            self.seen[f"refused: {code}"] += 1
        elif move["kind"] == "arrange":
            self.seen["arranged"] += 1
        elif move["kind"] == "discard":
            now = sum(one.extra_ms for one in self.pair.model.deal.seats)
            self.seen["extra time"] += now < extra
        self.count()
        return code

    def expire(self) -> None:
        model = self.pair.model
        due = model.deal.deadline if model.stage == "deal" else model.due_at
        assert due is not None
        self.pair.now = max(self.pair.now, due + self.rng.choice([-1, 0, 0, 900]))
        self.log.append(f"{self.pair.now - NOW} ms: the time is up")
        self.pair.expire(self.seed)
        self.count()

    def pass_time(self) -> None:
        deal, rng = self.pair.model.deal, self.rng
        later = self.pair.now + rng.randrange(rng.choice([4_000, 4_000, 4_000, 60_000]))
        last = deal.deadline - (rng.random() > 0.02)
        self.pair.now = max(self.pair.now, min(later, last))

    def count(self) -> None:
        for event in self.pair.told:
            self.seen[event["kind"]] += 1
            if event["kind"] == "deal_over":
                self.seen[f"ended: {event['how']}"] += 1
                self.seen["shared deal"] += len(event["winners"]) > 1

    def own_move(self) -> dict[str, Any]:
        """What a bot would do, or anything that could be meant."""
        rng, deal = self.rng, self.pair.model.deal
        one = deal.at_turn
        if self.hoards and deal.drawn is not None and rng.random() < 0.95:
            return self.all_at_once(one.seat)
        if rng.random() < self.cleverness:
            view = bot_view(GAME, self.pair.game, one.seat)
            return dict(GAME.bots(view, one.seat, strength="hard", rng=rng))
        if deal.drawn is None:
            return {"kind": "draw", "source": rng.choice(["closed", "open"])}
        if rng.random() < 0.5 and (laying := self.some_laying(one.hand)):
            return laying
        return {"kind": "discard", "card": rng.choice(one.hand)}

    def all_at_once(self, seat: int) -> dict[str, Any]:
        answer: Any = HELP.answer(self.pair.game, seat, {"kind": "arrange"})
        if answer["points"] == 0 and answer["melds"]:
            return {"kind": "meld", "groups": answer["melds"]}
        if answer["points"] == 0 and answer["lay_offs"]:
            card, meld = answer["lay_offs"][0]
            return {"kind": "lay_off", "meld": meld, "cards": [card]}
        hand = self.pair.model.deal.at_turn.hand
        return {"kind": "discard", "card": answer["discard"] or hand[0]}

    def some_laying(self, hand: list[str]) -> dict[str, Any] | None:
        rng, model = self.rng, self.pair.model
        melds = [list(meld) for meld in melds_in(hand, model.rules)]
        if melds and rng.random() < 0.6:
            return {"kind": "meld", "groups": [rng.choice(melds)]}
        for number in rng.sample(range(len(model.deal.melds)), len(model.deal.melds)):
            for card in hand:
                if grown(model.deal.melds[number], [card], model.rules):
                    return {"kind": "lay_off", "meld": number, "cards": [card]}
        return None

    def any_move(self) -> tuple[int, dict[str, Any]]:
        """By whoever, and whether or not it can be."""
        rng, model = self.rng, self.pair.model
        seat = rng.choice([*range(6), *[model.deal.at_turn.seat] * 6])
        one = model.deal.seat(seat)
        hand = list(one.hand) if one is not None else []
        cards = rng.sample(hand, min(len(hand), rng.randrange(5)))
        if rng.random() < 0.1:
            cards = [*cards, "5H.0"] if "5H.0" not in cards else cards
        meld = rng.randrange(len(model.deal.melds) + 1)
        return seat, rng.choice(
            [
                {"kind": "draw", "source": rng.choice(["open", "closed"])},
                {"kind": "meld", "groups": [cards] if cards else []},
                {"kind": "meld", "groups": [list(m) for m in melds_in(hand, model.rules)][:2]},
                {"kind": "lay_off", "meld": meld, "cards": cards},
                {"kind": "discard", "card": rng.choice([*hand, "7S.0"])},
                {"kind": "arrange", "rev": rng.randrange(4), "groups": [hand] if hand else []},
                {"kind": "arrange", "rev": rng.randrange(4), "groups": [cards] if cards else []},
            ]
        )
