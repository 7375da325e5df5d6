"""The game and the model side by side: both do the same, and everything they say is compared."""

from collections.abc import Sequence
from copy import deepcopy
from fractions import Fraction
from typing import Any

from games.engine.base import Event, IllegalMove, Result
from games.engine.shares import divide
from games.indian.game import GAME
from games.indian.lab.hand_help import HELP
from games.indian.rules.ruleset import RuleSet
from tests.games.model import cards as deck
from tests.games.model import melds, shares, views
from tests.games.model.agreeing import Disagreement, same
from tests.games.model.counting import least_count
from tests.games.model.match import ModelMatch
from tests.games.model.player import Move, Refused
from tests.games.values import pair

_TEMPLATES = ("arrange", "declare", "show")
# A prize that divides into nothing, so that odd units are told apart.
_PRIZE = 100_003


class Pair:
    def __init__(
        self, rules: RuleSet, seats: tuple[int, ...], seed: bytes, now: int, *, toss: bool
    ) -> None:
        self.now = now
        self.told: list[dict[str, Any]] = []
        self.game, told = pair(
            GAME.core.start(rules=rules, seats=seats, toss=toss, seed=seed, now=now)
        )
        self.model = ModelMatch(rules, seats, seed, now, toss=toss)
        self.seats = tuple(sorted(seats))
        self.all_cards = self.count_cards()
        self.compare(told)

    def count_cards(self) -> list[str]:
        packs = self.model.deal.rules.packs_at(len(self.model.deal.order))
        return sorted(deck.packs_of(packs))

    # What both do.

    def play(self, seat: int, move: Move, seed: bytes) -> None:
        """A move that the model takes to be legal."""
        self.model.play(seat, _own(move), self.now)
        try:
            self.game, told = pair(
                GAME.core.play(self.game, seat, GAME.wire.read(move), now=self.now, seed=seed)
            )
        except IllegalMove as refused:
            raise Disagreement(f"{move} of {seat}: the game says {refused.code}") from refused
        self.compare(told)

    def refuse(self, seat: int, move: Move, seed: bytes) -> str | None:
        """A move at random: both refuse it for the same reason, or None if the model allows it."""
        code = self.refusal(seat, move)
        if code is None:
            return None
        try:
            GAME.core.play(self.game, seat, GAME.wire.read(move), now=self.now, seed=seed)
        except IllegalMove as refused:
            same(f"why {move} of {seat} is refused", refused.code, code)
        else:
            raise Disagreement(f"{move} of {seat}: the model says {code}")
        self.compare(())
        return code

    def refusal(self, seat: int, move: Move) -> str | None:
        """What the model says, without playing it."""
        trial = deepcopy(self.model)
        try:
            trial.play(seat, _own(move), self.now)
        except Refused as refused:
            return refused.code
        return None

    def expire(self, seed: bytes) -> None:
        self.model.expire(self.now, seed)
        deals = GAME.core.status(self.game).deals
        self.game, told = pair(GAME.core.expire(self.game, now=self.now, seed=seed))
        if GAME.core.status(self.game).deals > deals:
            self.all_cards = self.count_cards()
        self.compare(told)

    def propose(self) -> bool:
        proposed = GAME.core.propose(self.game, now=self.now)
        same("whether the table may ask", proposed is not None, self.model.propose(self.now))
        if proposed is None:
            return False
        self.game, told = pair(proposed)
        self.compare(told)
        return True

    def conclude(self) -> bool:
        concluded = GAME.core.conclude(self.game)
        same("whether the match can end here", concluded is not None, self.model.conclude())
        if concluded is None:
            return False
        self.game, told = pair(concluded)
        self.compare(told)
        return True

    def postpone(self, by_ms: int) -> None:
        self.game = GAME.core.postpone(self.game, by_ms=by_ms)
        self.model.postpone(by_ms)
        self.compare(())

    def compare_best(self, seat: int) -> None:
        """The arrangement that the game finds counts the least that there is."""
        player = self.model.deal.player(seat)
        assert player is not None
        if len(player.hand) != deck.HAND:
            return
        deal = self.model.deal
        groups: Any = HELP.answer(self.game, seat, {"kind": "arrange"})["groups"]
        same("best cards", sorted(card for one in groups for card in one), sorted(player.hand))
        points = melds.points_of(groups, deal.wild, deal.rules)
        same("best count", points, least_count(player.hand, deal.wild, deal.rules))
        for laid in (groups, player.groups):
            verdict: Any = HELP.answer(self.game, seat, {"kind": "judge", "groups": laid})
            judged = melds.judge(laid, deal.wild, deal.rules)
            told = {"reason": verdict["reason"], "failed_group": verdict["failed_group"]}
            same("verdict", _named_flaw(told, vars(judged)), vars(judged))
            same("verdict, valid", verdict["valid"], judged.reason is None)

    # What is compared.

    def compare(self, told: Sequence[Event]) -> None:
        self.told = [event.json() for event in told]
        compare_events(self.told, self.model.take_events())
        public = GAME.view.public(self.game)
        private = {seat: GAME.view.private(self.game, seat) for seat in self.seats}
        self.adopt_layouts(private)
        compare_public(public, views.public_view(self.model))
        for seat in self.seats:
            compare_private(seat, private[seat], self.model)
            self.compare_legal(seat)
        self.compare_clock()
        self.check_cards(public, private)
        if GAME.stored.load(GAME.stored.dump(self.game)) != self.game:
            raise Disagreement("the stored match is another one")
        self.compare_result(GAME.core.status(self.game).result)

    def adopt_layouts(self, private: dict[int, Any]) -> None:
        """R4.7: several layouts count least; the game's is taken over if it is one of them."""
        deal = self.model.deal
        for player in deal.players:
            if not player.is_laid_by_game:
                continue
            groups = private[player.seat]["groups"]
            laid = sorted(card for group in groups for card in group)
            same(f"best arrangement of {player.seat}: cards", laid, sorted(player.hand))
            same(
                f"best arrangement of {player.seat}: count",
                melds.points_of(groups, deal.wild, deal.rules),
                player.least,
            )
            player.groups, player.is_laid_by_game = groups, False

    def compare_legal(self, seat: int) -> None:
        game = [GAME.wire.write(move) for move in GAME.core.legal(self.game, seat)]
        listed = sorted(map(_short, game))
        same(f"legal moves of {seat}", listed, sorted(map(_short, views.legal(self.model, seat))))

    def compare_clock(self) -> None:
        model = self.model
        same("deadline", GAME.core.status(self.game).deadline, model.deadline)
        same("acting", list(GAME.core.status(self.game).acting), model.acting)
        same("members", list(self.game.seats), list(model.members))
        entries = {seat: one.entries for seat, one in model.members.items()}
        same("entries", dict(GAME.core.status(self.game).fees), entries)
        same("deals", GAME.core.status(self.game).deals, model.number)

    def check_cards(self, public: Any, private: dict[int, Any]) -> None:
        """No card is made or lost, and no seat is shown a card of somebody else's hand."""
        deal = self.model.deal
        cards = [public["wild"], *public["open_pile"], *deal.closed]
        cards += [card for view in private.values() for card in view["hand"]]
        cards += [public["finish"]["card"]] if public["finish"] else []
        if sorted(cards) != self.all_cards:
            raise Disagreement("cards were made or lost")
        same("closed deck", sorted(map(str, self.game.deal.closed)), sorted(deal.closed))
        if deal.phase == "over":
            return
        # Cards that were tossed, discarded or declared wrongly are known, wherever they are now.
        text = repr({**public, "toss": None, "discards": None, "declaration": None})
        for seat, view in private.items():
            if not public["players"].get(str(seat), {}).get("shown"):
                for card in view["hand"]:
                    if repr(card) in text:
                        raise Disagreement(f"everybody sees {card} in the hand of {seat}")

    def compare_result(self, result: Result | None) -> None:
        model = self.model
        same("whether it is over", result is not None, model.stage == "over")
        if result is None:
            return
        same("winners", list(result.winners), model.winners)
        same("ranks", dict(result.ranks), model.ranks())
        same("points", dict(result.points), {s: one.score for s, one in model.members.items()})
        chips = {s: one.chips for s, one in model.members.items()}
        same("chips", dict(result.scores), chips if model.rules.chips_per_deal else {})
        whole = sum(result.shares.values())
        parts = {seat: Fraction(part, whole) for seat, part in result.shares.items()}
        same("parts", parts, dict(model.parts))
        same("shares", divide(_PRIZE, result.shares), shares.in_units(model.parts, _PRIZE))
        same("next order", list(result.next_order), model.order_of_next_match())


def compare_events(game: list[dict[str, Any]], model: list[dict[str, Any]]) -> None:
    kinds = [event["kind"] for event in game]
    same("events", kinds, [event["kind"] for event in model])
    for told, expected in zip(game, model, strict=True):
        if expected.get("parts"):
            # Their order says who gets odd units, so that it counts too.
            parts = list(views.fractions(told["parts"]).items())
            same("parts of an offer", parts, list(expected["parts"].items()))
            same("event", {**told, "parts": None}, {**expected, "parts": None})
        else:
            same("event", _named_flaw(told, expected), expected)


def _named_flaw(told: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """Which flaw of a group is named is left open by the rules."""
    if expected.get("reason") == "flaw" and told.get("reason") in melds.FLAWS:
        return {**told, "reason": "flaw"}
    return told


def compare_private(seat: int, game: dict[str, Any], model: ModelMatch) -> None:
    expected = views.private_view(model, seat)
    if model.deal.phase != "turn":
        # How long a card counts as drawn when the deal is over makes no difference.
        over = {"drawn": None, "from_open": False}
        game, expected = {**game, **over}, {**expected, **over}
    same(f"view of {seat}", game, expected)


def compare_public(game: dict[str, Any], model: dict[str, Any]) -> None:
    same("keys of the view", sorted(game), sorted(model))
    for name, expected in model.items():
        told = game[name]
        if name == "open_drawable" and model["phase"] != "turn":
            continue
        if name == "declaration" and told and expected:
            told = _named_flaw(told, expected)
        elif name == "match" and told["split_parts"] and expected["split_parts"]:
            told = {**told, "split_parts": views.fractions(told["split_parts"])}
        same(f"view, {name}", told, expected)


def _short(move: Move) -> str:
    kind: str = move["kind"]
    if kind in _TEMPLATES:
        return kind
    return " ".join(map(str, move.values()))


def _own(move: Move) -> Move:
    """A copy whose groups the model may keep."""
    if "groups" in move:
        return {**move, "groups": [list(group) for group in move["groups"]]}
    return move
