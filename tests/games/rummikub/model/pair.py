"""The game and the model side by side: both do the same, and everything they say is compared."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from games.engine.base import Event, IllegalMove
from games.engine.shares import divide
from games.rummikub.game import GAME
from games.rummikub.rules.ruleset import RummikubRules
from tests.games.model.agreeing import Disagreement, same
from tests.games.model.laid import Refused
from tests.games.rummikub.model.lays import Meld
from tests.games.rummikub.model.match import TILES, ModelMatch
from tests.games.values import pair

# A prize that divides into nothing.
_PRIZE = 100_003


class Pair:
    def __init__(
        self, rules: RummikubRules, seats: tuple[int, ...], seed: bytes, now: int, *, toss: bool
    ) -> None:
        self.now, self.seats = now, seats
        self.told: list[dict[str, Any]] = []
        self.game, told = pair(
            GAME.core.start(rules=rules, seats=seats, toss=toss, seed=seed, now=now)
        )
        self.model = ModelMatch(rules, seats, seed, now, toss=toss)
        self.compare(told)

    def play(self, seat: int, move: dict[str, Any], seed: bytes) -> str | None:
        """By both, or refused by both for the same reason: its code."""
        trial = deepcopy(self.model)
        codes: tuple[str, ...] = ()
        try:
            trial.play(seat, deepcopy(move), self.now)
        except Refused as refused:
            codes = refused.codes
        else:
            self.model = trial
        try:
            parsed = GAME.wire.read(move)
            self.game, told = pair(GAME.core.play(self.game, seat, parsed, now=self.now, seed=seed))
        except IllegalMove as refused:
            code = refused.code
            if ("joker" if code.startswith("joker_") else code) not in codes:
                raise Disagreement(f"{move} of {seat}: game {code}, model {codes}") from refused
            self.compare(())
            return code
        if codes:
            raise Disagreement(f"{move} of {seat}: the model says {codes}")
        self.compare(told)
        return None

    def expire(self, seed: bytes) -> None:
        self.model.expire(self.now, seed)
        self.game, told = pair(GAME.core.expire(self.game, now=self.now, seed=seed))
        self.compare(told)

    def postpone(self, by_ms: int) -> None:
        self.game = GAME.core.postpone(self.game, by_ms=by_ms)
        self.model.postpone(by_ms)
        self.compare(())

    # What is compared.

    def compare(self, told: Sequence[Event]) -> None:
        self.told = [event.json() for event in told]
        self._compare_events(self.model.events)
        self.model.events = []
        self._compare_public(GAME.view.public(self.game))
        for seat in range(5):
            self._compare_private(seat, GAME.view.private(self.game, seat))
            same(f"legal of {seat}", GAME.core.legal_view(self.game, seat), self._legal(seat))
        due = self.model.deal.due_at if self.model.stage == "deal" else self.model.due_at
        same("deadline", GAME.core.status(self.game).deadline, due)
        tiles = [card for one in self.model.deal.seats for card in one.rack]
        tiles += [card for meld in self.model.deal.table for card in meld["cards"]]
        same("tiles", sorted([*tiles, *self.model.deal.pool]), sorted(TILES))
        if GAME.stored.load(GAME.stored.dump(self.game)) != self.game:
            raise Disagreement("the stored match is another one")
        self._compare_result()

    def _compare_events(self, expected: Sequence[dict[str, Any]]) -> None:
        kinds = [event["kind"] for event in self.told]
        same("events", kinds, [event["kind"] for event in expected])
        for told, wanted in zip(self.told, expected, strict=True):
            if told["kind"] == "laid":
                same("table of a lay", _lying(told["table"]), _lying(self.model.deal.table))
                self._compare_lay(told, wanted)
            else:
                same("event", told, wanted)

    def _compare_lay(self, told: dict[str, Any], wanted: dict[str, Any]) -> None:
        same("who laid", told["seat"], wanted["seat"])
        same("laid from the rack", sorted(told["from_rack"]), sorted(wanted["from_rack"]))
        same("points of a lay", told["points"] in wanted["points"], True)

    def _compare_public(self, told: Any) -> None:
        model, deal = self.model, self.model.deal
        in_turn = model.stage == "deal"
        due = deal.due_at if in_turn else model.due_at
        same(
            "view",
            {name: value for name, value in told.items() if name not in ("table", "last_lay")},
            {
                "deal": model.number,
                "phase": "turn" if in_turn else model.stage,
                "order": [one.seat for one in deal.seats],
                "turn": deal.at_turn.seat if in_turn else None,
                "turn_number": deal.turn_number,
                "toss": model.toss,
                "pool_count": len(deal.pool),
                "initial_meld": model.rules.initial_meld,
                "due_at": due,
                "deadline": due,
                "players": {str(seat): self._player(seat) for seat in sorted(self.seats)},
                "result": self._result(),
                "match": {
                    "deals": model.rules.deals,
                    "scores": {str(seat): total for seat, total in model.totals.items()},
                    "sheet": model.sheet,
                    "winners": model.winners,
                },
            },
        )
        same("table", _lying(told["table"]), _lying(deal.table))
        kinds = sorted((Meld.of(one).kind or "", Meld.of(one).points) for one in deal.table)
        same("kinds", sorted((one["kind"], one["points"]) for one in told["table"]), kinds)
        last = told["last_lay"]
        same("whether there was a lay", last is None, deal.last_lay is None)
        if deal.last_lay is not None:
            self._compare_lay(last, deal.last_lay)
            # K18: what has moved had lain there; what was brought had not.
            same("brought and moved", set(last["moved"]) & set(last["from_rack"]), set())

    def _player(self, seat: int) -> dict[str, Any]:
        one = self.model.deal.seat(seat)
        score = self.model.totals[seat]
        if one is None:
            return {"status": "left", "tiles": 0, "opened": False, "missed": 0, "score": score}
        return {
            "status": "left" if seat in self.model.left else one.status,
            "tiles": len(one.rack),
            "opened": one.opened,
            "missed": one.missed,
            "score": score,
        }

    def _result(self) -> Any:
        deal = self.model.deal
        if deal.how is None:
            return None
        view: Any = GAME.view.public(self.game)
        racks: list[Any] = view["result"]["racks"]
        for told, one in zip(racks, deal.seats, strict=True):
            same("tiles shown", sorted(told["tiles"]), sorted(one.rack))
        return {
            "how": deal.how,
            "winners": [one.seat for one in deal.seats if one.status == "won"],
            "points": sum(one.lost for one in deal.seats),
            "racks": [
                {
                    "seat": one.seat,
                    "tiles": told["tiles"],
                    "count": deal.count(one),
                    "lost": one.lost,
                }
                for told, one in zip(racks, deal.seats, strict=True)
            ],
        }

    def _compare_private(self, seat: int, told: Any) -> None:
        deal = self.model.deal
        one = deal.seat(seat)
        if one is None:
            same("nothing", told, dict(GAME.view.nothing_private))
            return
        same(f"rack of {seat}", sorted(told["hand"]), sorted(one.rack))
        same(f"drawn by {seat}", told["drawn"], one.drawn)
        same(f"count of {seat}", told["points"], deal.count(one))
        same(f"revision of {seat}", told["rev"], one.rev)
        same(f"draft of {seat}", told["draft"] is None, one.draft is None)
        if one.draft is None:
            return
        judge = deal.judge(one, one.draft)
        draft = told["draft"]
        if not judge.allows(draft["refusal"]):
            raise Disagreement(f"draft of {seat}: game {draft['refusal']}, model {judge.broken}")
        used = {card for meld in one.draft for card in meld["cards"]}
        missing = [card for meld in deal.table for card in meld["cards"] if card not in used]
        same(f"missing on {seat}'s draft", sorted(draft["missing"]), sorted(missing))
        same(f"tiles of {seat}'s draft", draft["tiles"], judge.from_rack.total())

    def _legal(self, seat: int) -> list[dict[str, Any]]:
        model, deal = self.model, self.model.deal
        one = deal.seat(seat)
        leaving = [{"kind": "leave"}]
        if model.stage == "over" or seat not in model.staying:
            return []
        if model.stage == "between" or one is None or one is not deal.at_turn:
            return leaving
        other = {"kind": "draw"} if deal.pool else {"kind": "pass"}
        lay = {"kind": "lay", "table": None}
        return [lay, other, {"kind": "arrange", "rev": None, "table": None}, *leaving]

    def _compare_result(self) -> None:
        model, result = self.model, GAME.core.status(self.game).result
        same("whether it is over", result is not None, model.stage == "over")
        if result is None:
            return
        same("winners", list(result.winners), sorted(model.winners))
        lost = {
            seat: sum(max(0, -line["scores"].get(str(seat), 0)) for line in model.sheet)
            for seat in model.members
        }
        same("points", dict(result.points), lost)
        same("first", {s for s, rank in result.ranks.items() if rank == 1}, set(model.winners))
        whole, odd = divmod(_PRIZE, len(model.winners))
        parts = {seat: whole + (at < odd) for at, seat in enumerate(model.winners)}
        same("shares", divide(_PRIZE, result.shares), parts)
        same("next order", list(result.next_order), model.next_order())


def _lying(table: Sequence[dict[str, Any]]) -> list[list[tuple[str, str]]]:
    """Melds in any order, and tiles in any order in them."""
    return sorted(sorted(zip(one["cards"], one["as"], strict=True)) for one in table)
