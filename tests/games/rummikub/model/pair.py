"""The game and the model side by side: both do the same, and everything they say is compared."""

from collections.abc import Sequence
from typing import Any

from games.engine.base import IllegalMove
from games.rummikub.game import GAME
from tests.games.model import driver
from tests.games.model.driver import Disagreement, assert_same
from tests.games.rummikub.model.lays import Meld
from tests.games.rummikub.model.match import ModelMatch


class Pair(driver.Pair):
    parts, model_type = GAME, ModelMatch

    def code_of(self, refused: IllegalMove) -> str:
        return "joker" if refused.code.startswith("joker_") else refused.code

    def compare_events(self) -> None:
        kinds, expected = [event["kind"] for event in self.told], self.model.events
        assert_same("events", kinds, [event["kind"] for event in expected])
        for told, wanted in zip(self.told, expected, strict=True):
            if told["kind"] == "laid":
                assert_same(
                    "table of a lay", _sort_lying(told["table"]), _sort_lying(self.model.deal.table)
                )
                self._compare_lay(told, wanted)
            else:
                assert_same("event", told, wanted)

    def compare_views(self) -> None:
        self._compare_public(GAME.view.public(self.game))
        for seat in range(5):
            self._compare_private(seat, GAME.view.private(self.game, seat))

    def _compare_lay(self, told: dict[str, Any], wanted: dict[str, Any]) -> None:
        assert_same("who laid", told["seat"], wanted["seat"])
        assert_same("laid from the rack", sorted(told["from_rack"]), sorted(wanted["from_rack"]))
        assert_same("points of a lay", told["points"] in wanted["points"], True)

    def _compare_public(self, told: Any) -> None:
        model, deal = self.model, self.model.deal
        in_turn = model.stage == "deal"
        due = deal.due_at if in_turn else model.due_at
        assert_same(
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
        assert_same("table", _sort_lying(told["table"]), _sort_lying(deal.table))
        kinds = sorted((Meld.of(one).kind or "", Meld.of(one).points) for one in deal.table)
        assert_same("kinds", sorted((one["kind"], one["points"]) for one in told["table"]), kinds)
        last = told["last_lay"]
        assert_same("whether there was a lay", last is None, deal.last_lay is None)
        if deal.last_lay is not None:
            self._compare_lay(last, deal.last_lay)
            # K18: what has moved had lain there; what was brought had not.
            assert_same("brought and moved", set(last["moved"]) & set(last["from_rack"]), set())

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
            assert_same("tiles shown", sorted(told["tiles"]), sorted(one.rack))
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
            assert_same("nothing", told, dict(GAME.view.nothing_private))
            return
        assert_same(f"rack of {seat}", sorted(told["hand"]), sorted(one.rack))
        assert_same(f"drawn by {seat}", told["drawn"], one.drawn)
        assert_same(f"count of {seat}", told["points"], deal.count(one))
        assert_same(f"revision of {seat}", told["rev"], one.rev)
        assert_same(f"draft of {seat}", told["draft"] is None, one.draft is None)
        if one.draft is None:
            return
        judge = deal.judge(one, one.draft)
        draft = told["draft"]
        if not judge.allows(draft["refusal"]):
            raise Disagreement(f"draft of {seat}: game {draft['refusal']}, model {judge.broken}")
        used = {card for meld in one.draft for card in meld["cards"]}
        missing = [card for meld in deal.table for card in meld["cards"] if card not in used]
        assert_same(f"missing on {seat}'s draft", sorted(draft["missing"]), sorted(missing))
        assert_same(f"tiles of {seat}'s draft", draft["tiles"], judge.from_rack.total())


def _sort_lying(table: Sequence[dict[str, Any]]) -> list[list[tuple[str, str]]]:
    """Melds in any order, and tiles in any order in them."""
    return sorted(sorted(zip(one["cards"], one["as"], strict=True)) for one in table)
