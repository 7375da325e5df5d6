"""One match after another, by players of all kinds, with what happened in them counted."""

import random
from typing import Any

from games.engine.state import replace
from games.rummikub.lab.hand_help import HELP
from games.rummikub.rules.laying import Stand, lay_without_moving
from games.rummikub.rules.melds import melds_json
from games.rummikub.rules.ruleset import PRESETS, RummikubRules, adapt_to_event
from tests.games.driving import NOW, seed_of
from tests.games.model import driver
from tests.games.model.driver import Played
from tests.games.rummikub.model.pair import Pair
from tests.games.rummikub.model.tables import build

# Each has to come up in the matches that a run of the tests plays.
EXPECTED = {
    *("toss", "dealt", "turn", "laid", "opened", "drawn", "passed", "missed_turn", "out", "left"),
    *("deal_over", "deal_due", "match_over", "postponed", "arranged"),
    *("ended: laid_out", "ended: blocked", "ended: limit", "ended: last_player"),
    *("drawn: turn", "drawn: overtime", "drawn: invalid", "left: between"),
    *("refused: match_over", "refused: deal_over", "refused: not_in_deal"),
    *("refused: not_your_turn", "refused: time_is_up", "refused: pool_empty"),
    *("refused: pool_not_empty", "refused: card_not_held", "refused: table_not_valid"),
    *("refused: tiles_missing", "refused: nothing_laid", "refused: below_initial_meld"),
    *("refused: table_not_yours", "refused: joker_is_frozen"),
}


def rules_of(number: int, rng: random.Random) -> RummikubRules:
    """Every preset in turn, and rules made up."""
    names = [name for name in PRESETS if name != "lesson"]
    base = PRESETS[names[number % len(names)]]
    if number < 2 * len(names):
        return replace(base, max_turns=rng.choice([6, 40]))
    made_up = replace(
        base,
        initial_meld=rng.choice([0, 10, 20, 30, 50]),
        open_then_play=rng.random() < 0.6,
        joker_melds=rng.choice(["frozen", "free"]),
        swap_from=rng.choice(["rack", "anywhere"]),
        group_swap=rng.choice(["one", "both"]),
        rack_size=rng.choice([5, 14, 20, 26]),
        max_points=rng.choice([None, 20, 200]),
        overtime_tiles=rng.choice([0, 1, 2]),
        invalid_tiles=rng.choice([0, 3]),
        max_missed_turns=rng.choice([1, 2, 3, 4]),
        max_turns=rng.choice([2, 8, 40]),
        max_minutes=rng.choice([1, 10, 60]),
        deals=rng.choice([1, 2, 3]) if base.deals > 1 else 1,
    )
    if made_up.deals > 1 and rng.random() < 0.5:
        return adapt_to_event(made_up, deals=rng.choice([1, 2]), qualifiers=1)
    return made_up


def play_match(seed: int, number: int) -> Played:
    def begin(rng: random.Random) -> Table:
        rules = rules_of(number, rng)
        seats = tuple(rng.sample(range(5), rng.choice([2, 2, 3, 4])))
        pair = Pair(rules, seats, seed_of(number), NOW, toss=rng.random() < 0.7)
        return Table(pair, rng, number)

    return driver.play_match(begin, seed, number)


class Table(driver.Table):
    silences = (0.02, 0.02, 0.25)
    leavings = (0, 0, 0.01, 0.03)

    def __init__(self, pair: Pair, rng: random.Random, number: int) -> None:
        self.laying = rng.choice([0.2, 0.8, 0.95])
        super().__init__(pair, rng, number)

    def pass_time(self) -> None:
        pair = self.pair
        if self.rng.random() < 0.02:
            pair.now = max(pair.now, pair.due)
        else:
            pair.now = max(pair.now, min(pair.now + self.rng.randrange(9_000), pair.due - 1))

    def count(self) -> None:
        super().count()
        for event in self.pair.told:
            if event["kind"] == "drawn":
                self.seen[f"drawn: {event['why']}"] += 1

    def choose_own_move(self) -> dict[str, Any]:
        rng, deal = self.rng, self.pair.model.deal
        if rng.random() < 0.2:
            return {
                "kind": "arrange",
                "rev": deal.at_turn.rev + rng.randrange(2),
                "table": self.choose_draft(),
            }
        if rng.random() < self.laying and (table := self.choose_table()) is not None:
            return {"kind": "lay", "table": table}
        return {"kind": "draw" if deal.pool else "pass"}

    def choose_table(self) -> list[dict[str, Any]] | None:
        """The best lay at times; more often what fits without moving anything, or anything."""
        player = self.pair.game.deal.at_turn
        rules, chance = self.pair.model.rules, self.rng.random()
        lying = self.pair.game.deal.table
        stand = Stand(lying, tuple(sorted(player.rack)), player.has_opened, rules)
        if not player.has_opened or chance < 0.04:
            if chance < 0.5:
                answer: Any = HELP.answer(self.pair.game, player.seat, {"kind": "lay"})
                return answer["table"]  # type: ignore[no-any-return]
            return next(build(lying, stand.rack, self.rng, 3), None)
        if chance < 0.5:
            return next(build(lying, stand.rack, self.rng, 4), None)
        still = lay_without_moving(stand)
        return None if still is None else melds_json(still.table)  # type: ignore[return-value]

    def choose_draft(self) -> list[dict[str, Any]] | None:
        deal = self.pair.model.deal
        lying = [dict(meld) for meld in deal.table]
        chance = self.rng.random()
        if chance < 0.2:
            return None
        if chance < 0.4:
            return lying[::-1]
        if chance < 0.7:
            return [*lying[1:], {"cards": deal.at_turn.rack[:2], "as": None}]
        return self.choose_table()

    def choose_any_move(self) -> tuple[int, dict[str, Any]]:
        """By whoever, and whether or not it can be."""
        rng = self.rng
        seat = rng.randrange(5)
        kind = rng.choice(["draw", "pass", "lay", "arrange"])
        if kind in ("draw", "pass"):
            return seat, {"kind": kind}
        table = [dict(meld) for meld in self.pair.model.deal.table]
        if self.pair.model.stage == "deal" and rng.random() < 0.6:
            table = self.choose_table() or table
        elif rng.random() < 0.5:
            table = [*table[1:], {"cards": ["7S.0"], "as": ["7S"]}]
            if any("7S.0" in meld["cards"] for meld in table[:-1]):
                table.pop()
        rev = {"rev": rng.randrange(9)} if kind == "arrange" else {}
        return seat, {"kind": kind, **rev, "table": table}
