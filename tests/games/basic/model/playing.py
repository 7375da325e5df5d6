"""One match after another, by players of all kinds, with what happened in them counted."""

import random
from typing import Any

from msgspec.structs import replace

from games.basic.game import GAME
from games.basic.lab.hand import HELP
from games.basic.rules.ruleset import PRESETS, BasicRules, adapt_to_event
from tests.games.basic.model.melds import grow, list_melds
from tests.games.basic.model.pair import Pair
from tests.games.driving import NOW, bot_move, seed_of
from tests.games.model import driver
from tests.games.model.driver import Played

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
        return adapt_to_event(made_up, deals=rng.choice([1, 2]), qualifiers=1)
    return made_up


def play_match(seed: int, number: int) -> Played:
    def begin(rng: random.Random) -> Table:
        rules = rules_of(number, rng)
        seats = tuple(rng.sample(range(6), rng.choice([2, 2, 3, 4, 5, 6])))
        pair = Pair(rules, seats, seed_of(number), NOW, toss=rng.random() < 0.7)
        return Table(pair, rng, number)

    return driver.play_match(begin, seed, number)


class Table(driver.Table):
    anything = 0.2
    draw = {"kind": "draw", "source": "closed"}

    def __init__(self, pair: Pair, rng: random.Random, number: int) -> None:
        self.cleverness = rng.choice([0.1, 0.6, 0.95])
        # A player who hoards lays nothing before everything can be laid.
        self.hoards = rng.random() < 0.4
        super().__init__(pair, rng, number)

    def play(self, seat: int, move: dict[str, Any]) -> str | None:
        before = sum(one.extra_ms for one in self.pair.model.deal.seats)
        code = super().play(seat, move)
        after = sum(one.extra_ms for one in self.pair.model.deal.seats)
        self.seen["extra time"] += move["kind"] == "discard" and not code and after < before
        return code

    def choose_own_move(self) -> dict[str, Any]:
        """What a bot would do, or anything that could be meant."""
        rng, deal = self.rng, self.pair.model.deal
        one = deal.at_turn
        if self.hoards and deal.drawn is not None and rng.random() < 0.95:
            return self.lay_all_at_once(one.seat)
        if rng.random() < self.cleverness:
            return dict(bot_move(GAME, self.pair.game, one.seat, "hard", rng))
        if deal.drawn is None:
            return {"kind": "draw", "source": rng.choice(["closed", "open"])}
        if rng.random() < 0.5 and (laying := self.choose_laying(one.hand)):
            return laying
        return {"kind": "discard", "card": rng.choice(one.hand)}

    def lay_all_at_once(self, seat: int) -> dict[str, Any]:
        answer: Any = HELP.answer(self.pair.game, seat, {"kind": "arrange"})
        if answer["points"] == 0 and answer["melds"]:
            return {"kind": "meld", "groups": answer["melds"]}
        if answer["points"] == 0 and answer["lay_offs"]:
            card, meld = answer["lay_offs"][0]
            return {"kind": "lay_off", "meld": meld, "cards": [card]}
        hand = self.pair.model.deal.at_turn.hand
        return {"kind": "discard", "card": answer["discard"] or hand[0]}

    def choose_laying(self, hand: list[str]) -> dict[str, Any] | None:
        rng, model = self.rng, self.pair.model
        melds = [list(meld) for meld in list_melds(hand, model.rules)]
        if melds and rng.random() < 0.6:
            return {"kind": "meld", "groups": [rng.choice(melds)]}
        for number in rng.sample(range(len(model.deal.melds)), len(model.deal.melds)):
            for card in hand:
                if grow(model.deal.melds[number], [card], model.rules):
                    return {"kind": "lay_off", "meld": number, "cards": [card]}
        return None

    def choose_any_move(self) -> tuple[int, dict[str, Any]]:
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
                {"kind": "meld", "groups": [list(m) for m in list_melds(hand, model.rules)][:2]},
                {"kind": "lay_off", "meld": meld, "cards": cards},
                {"kind": "discard", "card": rng.choice([*hand, "7S.0"])},
                {"kind": "arrange", "rev": rng.randrange(4), "groups": [hand] if hand else []},
                {"kind": "arrange", "rev": rng.randrange(4), "groups": [cards] if cards else []},
            ]
        )
