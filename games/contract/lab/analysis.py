"""The analysis of a deal of Contract Rummy: the choices that the player had, and why another option was better."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.analysis.judging import Choice, Effort, Option
from games.analysis.laid import UNLIMITED
from games.analysis.laid_reasons import LaidExplanation
from games.analysis.laid_report import LaidAnalysis, LaidSituation, begin_laid
from games.analysis.situations import Event, Move, Step
from games.cards import CARD_BY_TEXT, CARDS, FACES
from games.contract.bots.playouts import NEAR, ContractPlayouts
from games.contract.rules.melds import swap_joker
from games.contract.rules.ruleset import SET, Contract, load_rules
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.engine.laid import Meld
from games.engine.moves import MoveRefusal

# A playout takes two to four milliseconds.
EFFORT: Final = Effort(first=40, second=80, last=250, confirming=500, orders=500, deals=150)


@dataclass
class ContractSituation(LaidSituation):
    contract: Contract = ()
    is_whole: bool = False

    def on_swapped_joker(self, event: Event, _step: Step) -> None:
        place, card = self.get_place(event), CARD_BY_TEXT[event["card"]]
        joker = CARD_BY_TEXT[event["joker"]]

        def change(meld: Meld) -> Meld:
            changed = swap_joker(meld, card, event["to"], seat=event["seat"])
            assert not isinstance(changed, MoveRefusal)  # noqa: S101 - it was played
            return changed[0]

        self.change_meld(event["meld"], change)
        self.lay(event, [event["card"]])
        if event["to"] == "hand":
            self.position.hands[place].append(joker)
            self.taken[place].append(joker)


class _ContractExplanation(LaidExplanation):
    """Measures a hand by the number of cards that its contract lacks, until the contract is laid."""

    lowered = _(
        "Cards that your contract lacked with the %(card)s: %(after)s instead of %(before)s."
    )
    left = _(
        "Cards that your contract lacks without the %(card)s: %(after)s, without the "
        "%(better)s: %(instead)s."
    )
    useless = _("The %(card)s brought your contract no nearer.")

    def __init__(self, *decided: Any) -> None:
        super().__init__(*decided)
        self.has_laid: bool = self.position.has_laid[self.place]

    def count_points(self, card: int) -> int:
        points: int = self.playouts.points[card % FACES]
        return points

    def is_near(self, card: int, other: int) -> bool:
        if self.is_wild(card) or self.is_wild(other):
            return False
        one, two = card % FACES, other % FACES
        contract = self.situation.contract
        is_set = SET in contract and one % 13 == two % 13
        is_run = contract.count(SET) < len(contract) and bool(NEAR[one] >> two & 1)
        return is_set or is_run

    def is_wild(self, card: int) -> bool:
        return bool(self.situation.rules.is_wild(CARDS[card]))

    def is_fitting(self, card: int) -> bool:
        return bool(self.playouts.is_fitting(self.state, card))

    def measure(self) -> int:
        return self._count_lacking(self.held)

    def measure_with(self, card: int) -> int:
        return self._count_lacking([*self.held, card])

    def measure_without(self, card: int) -> int:
        return self._count_lacking([other for other in self.held if other != card])

    def _count_lacking(self, hand: Sequence[int]) -> int:
        return 0 if self.has_laid else int(self.playouts.measure_need(hand).lacking)

    def is_useless(self, card: int) -> bool:
        return not self.has_laid and super().is_useless(card)

    def explain_use(self, card: int) -> Iterator[Text]:
        if self.has_laid:
            yield self.explain_fit(card)
        yield from super().explain_use(card)

    def explain_taking(self) -> Text:
        if self.chosen.doing != "buy":
            return super().explain_taking()
        return text(
            _("With a bought card comes another one, and both count against you until you go out.")
        )


class ContractAnalysis(LaidAnalysis):
    laying = ("contract", "lay_off")
    kinds = {
        "pick": text(_("Draws")),
        "buy": text(_("Buying")),
        "lay": text(_("Melds and lay-offs")),
        "discard": text(_("Discards")),
    }
    option_texts = {
        "closed": _("Draw from the closed deck"),
        "open": _("Take the %(card)s"),
        "buy": _("Buy the %(card)s"),
        "pass": _("Pass"),
        "lay": _("Lay what can be laid"),
        "wait": _("Lay nothing, discard the %(card)s"),
        "discard": _("Discard the %(card)s"),
    }
    explanation = _ContractExplanation

    def begin(self, record: Mapping[str, Any]) -> ContractSituation:
        rules, places = load_rules(record["rules"]), len(record["order"])
        contract: Contract = tuple(record["contract"])
        most = UNLIMITED if rules.max_buys is None else rules.max_buys
        return ContractSituation(
            rules=rules,
            deck=rules.deck(places),
            contract=contract,
            # C4: only the last contract takes more cards than a hand has; it consists of runs.
            is_whole=rules.whole_hand_last and contract == rules.contracts[-1],
            **begin_laid(record, buys=[most if rules.buying else 0] * places),
        )

    def make_playouts(self, begun: ContractSituation, rng: random.Random) -> ContractPlayouts:
        return ContractPlayouts(begun.rules, begun.contract, begun.is_whole, rng)

    def describe_deal(self, record: Mapping[str, Any]) -> Text:
        contract = record["contract"]
        sets = contract.count(SET)
        return text(
            _("Contract: sets %(sets)s, runs %(runs)s"), sets=sets, runs=len(contract) - sets
        )

    def find_choice(self, situation: Any, move: Move, playouts: Any) -> Choice[Option] | None:
        if move["kind"] in ("buy", "pass"):
            chosen = Option(move["kind"])
            return Choice("buy", chosen, (Option("pass" if chosen.doing == "buy" else "buy"),))
        return super().find_choice(situation, move, playouts)


ANALYSIS: Final = ContractAnalysis(effort=EFFORT)
