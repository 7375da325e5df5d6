"""The game and the model side by side. All their views, events and results are compared."""

from collections.abc import Sequence
from copy import deepcopy
from fractions import Fraction
from typing import Any

from games.engine.base import IllegalMove, divide
from games.indian.game import GAME
from games.indian.lab.hand_help import HELP
from games.indian.rules.ruleset import RuleSet
from tests.games.model import cards as deck
from tests.games.model import melds, ranks, views
from tests.games.model.counting import count_least
from tests.games.model.deal import Move, Refused
from tests.games.model.match import ModelMatch

# A prize that hardly ever divides evenly.
PRIZE = 100_003


class Disagreement(AssertionError):  # noqa: N818 - says what it is
    """Raised when the game and the model differ."""


def assert_same(what: str, game: object, model: object) -> None:
    if game == model:
        return
    if isinstance(game, dict) and isinstance(model, dict) and game.keys() == model.keys():
        for name, told in game.items():
            assert_same(f"{what}, {name}", told, model[name])
    raise Disagreement(f"{what}: game {game!r}, model {model!r}")


class Pair:
    """The same match in the game and in the model. Every step is made in both, and the outcomes are compared."""

    def __init__(
        self, rules: RuleSet, seats: tuple[int, ...], seed: bytes, now: int, *, toss: bool
    ) -> None:
        self.now, self.seats = now, seats
        self.told: list[dict[str, Any]] = []
        self.model = ModelMatch(rules, seats, seed, now, toss=toss)
        self._take(GAME.core.start(rules=rules, seats=seats, toss=toss, seed=seed, now=now))

    def _take(self, outcome: Any) -> None:
        self.game = outcome.state
        self.compare(outcome.events)

    @property
    def all_cards(self) -> list[str]:
        packs = self.model.deal.rules.packs_at(len(self.model.deal.order))
        return sorted(deck.packs_of(packs))

    # Steps of both.

    def play(self, seat: int, move: dict[str, Any], seed: bytes) -> str | None:
        """Play the move in both. If both refuse it for the same reason, return its code."""
        code = None
        try:
            self.model.play(seat, deepcopy(move), self.now)
        except Refused as refused:
            code = refused.code
        try:
            parsed = GAME.wire.read(move)
            outcome = GAME.core.play(self.game, seat, parsed, now=self.now, seed=seed)
        except IllegalMove as refused:
            assert_same(f"refusal of {move} of {seat}", refused.code, code)
            # Check that the refused move changed neither of them.
            self.compare(())
            return refused.code
        assert_same(f"refusal of {move} of {seat}", None, code)
        self._take(outcome)
        return None

    def expire(self, seed: bytes) -> None:
        outcome = GAME.core.expire(self.game, now=self.now, seed=seed)
        self.model.expire(self.now, seed)
        self._take(outcome)

    def postpone(self, by_ms: int) -> None:
        self.game = GAME.core.postpone(self.game, by_ms=by_ms)
        self.model.postpone(by_ms)
        self.compare(())

    def refuse(self, seat: int, move: Move, seed: bytes) -> str | None:
        """Try a move that the model refuses in both, and return the code. Return None if the model allows it."""
        try:
            deepcopy(self.model).play(seat, deepcopy(move), self.now)
        except Refused:
            return self.play(seat, move, seed)
        return None

    def propose(self) -> bool:
        outcome = GAME.core.offer_split(self.game, now=self.now)
        assert_same("whether the table may ask", outcome is not None, self.model.propose(self.now))
        if outcome is not None:
            self._take(outcome)
        return outcome is not None

    def conclude(self) -> None:
        outcome = GAME.core.conclude(self.game)
        assert_same("whether the match can end here", outcome is not None, self.model.conclude())
        if outcome is not None:
            self._take(outcome)

    def compare_best(self, seat: int) -> None:
        """Check that the arrangement found by the game has the least possible count."""
        player = self.model.deal.player(seat)
        assert player is not None
        if len(player.hand) != deck.HAND:
            return
        deal = self.model.deal
        groups: Any = HELP.answer(self.game, seat, {"kind": "arrange"})["groups"]
        assert_same(
            "best cards", sorted(card for one in groups for card in one), sorted(player.hand)
        )
        points = melds.points_of(groups, deal.wild, deal.rules)
        assert_same("best count", points, count_least(player.hand, deal.wild, deal.rules))
        for laid in (groups, player.groups):
            verdict: Any = HELP.answer(self.game, seat, {"kind": "judge", "groups": laid})
            judged = melds.judge(laid, deal.wild, deal.rules)
            told = {"reason": verdict["reason"], "failed_group": verdict["failed_group"]}
            assert_same("verdict", _adopt_flaw(told, vars(judged)), vars(judged))
            assert_same("verdict, valid", verdict["valid"], judged.reason is None)

    # Comparisons.

    def compare(self, told: Sequence[Any]) -> None:
        self.told = [event.json() for event in told]
        compare_events(self.told, self.model.events)
        self.model.events = []
        self.compare_views()
        model, status = self.model, GAME.core.status(self.game)
        assert_same("deadline", status.deadline, model.deadline)
        assert_same("deals", status.deals, model.number)
        assert_same("whether it is over", status.result is not None, model.stage == "over")
        if status.result is not None:
            self.compare_result(status.result)

    def compare_views(self) -> None:
        model, status = self.model, GAME.core.status(self.game)
        public = GAME.view.public(self.game)
        private = {seat: GAME.view.private(self.game, seat) for seat in sorted(self.seats)}
        self.adopt_layouts(private)
        compare_public(public, views.public_view(model))
        for seat, view in private.items():
            compare_private(seat, view, model)
        assert_same("acting", list(status.acting), model.acting)
        assert_same("members", list(self.game.seats), list(model.members))
        entries = {seat: one.entries for seat, one in model.members.items()}
        assert_same("entries", dict(status.fees), entries)
        assert_same(
            "closed deck", sorted(map(str, self.game.deal.closed)), sorted(model.deal.closed)
        )

    def adopt_layouts(self, private: dict[int, Any]) -> None:
        """R4.7: check that the game's layouts have the least count, and copy them, as several layouts may."""
        deal = self.model.deal
        for player in deal.players:
            if not player.is_laid_by_game:
                continue
            groups = private[player.seat]["groups"]
            laid = sorted(card for group in groups for card in group)
            assert_same(f"best arrangement of {player.seat}: cards", laid, sorted(player.hand))
            assert_same(
                f"best arrangement of {player.seat}: count",
                melds.points_of(groups, deal.wild, deal.rules),
                player.least,
            )
            player.groups, player.is_laid_by_game = groups, False

    def compare_result(self, result: Any) -> None:
        model = self.model
        assert_same("winners", list(result.winners), model.winners)
        assert_same("ranks", dict(result.ranks), model.rank_seats())
        assert_same(
            "points", dict(result.points), {s: one.score for s, one in model.members.items()}
        )
        chips = {s: one.chips for s, one in model.members.items()}
        assert_same("chips", dict(result.scores), chips if model.rules.chips_per_deal else {})
        whole = sum(result.shares.values())
        parts = {seat: Fraction(part, whole) for seat, part in result.shares.items()}
        assert_same("parts", parts, dict(model.parts))
        assert_same(
            "shares",
            divide(PRIZE, result.shares),
            ranks.round_to_units(model.parts, PRIZE),
        )
        assert_same("next order", list(result.next_order), model.find_order_of_next_match())


def compare_events(game: list[dict[str, Any]], model: list[dict[str, Any]]) -> None:
    kinds = [event["kind"] for event in game]
    assert_same("events", kinds, [event["kind"] for event in model])
    for told, expected in zip(game, model, strict=True):
        if expected.get("parts"):
            # Their order decides which seats get odd units, so it is compared, too.
            parts = list(views.fractions(told["parts"]).items())
            assert_same("parts of an offer", parts, list(expected["parts"].items()))
            assert_same("event", {**told, "parts": None}, {**expected, "parts": None})
        else:
            assert_same("event", _adopt_flaw(told, expected), expected)


def _adopt_flaw(told: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """Replace the game's flaw by the model's general one. The rules leave open which flaw is named."""
    if expected.get("reason") == "flaw" and told.get("reason") in melds.FLAWS:
        return {**told, "reason": "flaw"}
    return told


def compare_private(seat: int, game: dict[str, Any], model: ModelMatch) -> None:
    expected = views.private_view(model, seat)
    if model.deal.phase != "turn":
        # Outside a turn it does not matter whether a card is still shown as drawn.
        over = {"drawn": None, "from_open": False}
        game, expected = {**game, **over}, {**expected, **over}
    assert_same(f"view of {seat}", game, expected)


def compare_public(game: dict[str, Any], model: dict[str, Any]) -> None:
    assert_same("keys of the view", sorted(game), sorted(model))
    for name, expected in model.items():
        told = game[name]
        if name == "open_drawable" and model["phase"] != "turn":
            continue
        if name == "declaration" and told and expected:
            told = _adopt_flaw(told, expected)
        elif name == "match" and told["split_parts"] and expected["split_parts"]:
            told = {**told, "split_parts": views.fractions(told["split_parts"])}
        assert_same(f"view, {name}", told, expected)
