"""The game and the model side by side: both do the same, and everything they say is compared."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from games.basic.game import GAME
from games.engine.moves import Event
from tests.games.basic.model.match import ModelMatch
from tests.games.basic.model.melds import count
from tests.games.model import driver
from tests.games.model.driver import assert_same


class Pair(driver.Pair):
    parts, model_type = GAME, ModelMatch

    def expire_model(self, seed: bytes, told: Sequence[Event]) -> None:
        """Which loose card a missed turn throws is left open by the rules."""
        thrown = [event.json()["card"] for event in told if event.kind == "discarded"]
        self.model.expire(self.now, seed, thrown=str(thrown[0]) if thrown else None)

    def compare_events(self) -> None:
        self.told = [_strip_faces(event) for event in self.told]
        super().compare_events()

    def compare_views(self) -> None:
        self._compare_public(GAME.view.public(self.game))
        for seat in range(6):
            self._compare_private(seat, GAME.view.private(self.game, seat))
        result = GAME.core.status(self.game).result
        if result is not None:
            is_race = self.model.rules.target is not None
            assert_same("scores", dict(result.scores), self.model.scores if is_race else {})

    def _compare_public(self, told: Any) -> None:
        model, deal = self.model, self.model.deal
        in_turn, is_between = model.stage == "deal", model.stage == "between"
        assert_same(
            "melds",
            [{name: meld[name] for name in ("kind", "cards", "by")} for meld in told["melds"]],
            deal.melds,
        )
        assert_same(
            "view",
            {name: value for name, value in told.items() if name not in ("melds", "result")},
            {
                "deal": model.number,
                "phase": "turn" if in_turn else model.stage,
                "step": ("draw" if deal.drawn is None else "discard") if in_turn else None,
                "order": [one.seat for one in deal.seats],
                "dealer": deal.seats[-1].seat,
                "turn": deal.at_turn.seat if in_turn else None,
                "turn_number": deal.turn_number,
                "toss": model.toss,
                "open_pile": deal.open_pile,
                "discards": deal.discards,
                "closed_count": len(deal.closed),
                "restocks": deal.restocks,
                "taken": {str(one.seat): one.taken for one in deal.seats},
                "laid": deal.laid,
                "due_at": deal.due_at if in_turn else model.due_at if is_between else None,
                "deadline": deal.deadline if in_turn else model.due_at if is_between else None,
                "players": {str(one.seat): self._player(one) for one in deal.seats},
                "match": {
                    "target": model.rules.target,
                    "deals": model.rules.deals,
                    "scores": {str(seat): score for seat, score in model.scores.items()},
                    "sheet": model.sheet,
                    "left": model.left,
                    "winners": model.winners,
                },
            },
        )
        assert_same("whether there is a result", told["result"] is None, deal.how is None)
        if deal.how is not None:
            self._compare_end(told["result"])

    def _player(self, one: Any) -> dict[str, Any]:
        return {
            "status": "left" if one.seat in self.model.left else one.status,
            "cards": len(one.hand),
            "has_laid": one.laid_in is not None,
            "score": self.model.scores[one.seat],
            "missed": one.missed,
            "extra_ms": one.extra_ms,
            "points": one.points,
        }

    def _compare_end(self, told: dict[str, Any]) -> None:
        deal = self.model.deal
        assert_same("how", told["how"], deal.how)
        assert_same("points", told["points"], {str(one.seat): one.points for one in deal.seats})
        for shown, one in zip(told["hands"], deal.seats, strict=True):
            assert_same("hand shown", sorted(chain(*shown["groups"])), sorted(one.hand))
            assert_same("its count", shown["count"], count(one.hand))

    def _compare_private(self, seat: int, told: Any) -> None:
        deal = self.model.deal
        one = deal.seat(seat)
        if one is None:
            assert_same("nothing", told, dict(GAME.view.nothing_private))
            return
        is_turn = one is deal.at_turn
        assert_same(f"hand of {seat}", sorted(told["hand"]), sorted(one.hand))
        assert_same(f"groups of {seat}", sorted(chain(*told["groups"])), sorted(one.hand))
        assert_same(f"count of {seat}", told["count"], count(one.hand))
        assert_same(f"revision of {seat}", told["rev"], one.rev)
        assert_same(f"drawn by {seat}", told["drawn"], deal.drawn if is_turn else None)
        assert_same(f"where from, {seat}", told["from_open"], is_turn and deal.from_open)


def _strip_faces(event: dict[str, Any]) -> dict[str, Any]:
    """Without what cards stand for: in this game each for itself, which is asserted."""
    if event["kind"] == "laid_off":
        assert_same("as", event.pop("as"), [card[:2] for card in event["cards"]])
    for meld in event.get("melds", []):
        assert_same("as", meld.pop("as"), [card[:2] for card in meld["cards"]])
    return event
