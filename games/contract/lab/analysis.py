"""The analysis of a deal of Contract Rummy: what could be decided, and why something was better."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.analysis.judging import Effort
from games.analysis.laid import UNLIMITED, Option
from games.analysis.laid_reasons import Telling
from games.analysis.laid_report import Choice, Event, LaidAnalysis, Situation, begin_position
from games.analysis.report import Step, write_card
from games.cards import CARD_BY_TEXT, CARDS, FACES
from games.contract.bots.playouts import NEAR, Playouts
from games.contract.rules.melds import swap_joker
from games.contract.rules.ruleset import SET, Contract, load_rules
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.engine.laid import Meld
from games.engine.moves import Refusal

# A playout takes two to four milliseconds.
EFFORT: Final = Effort(first=40, second=80, last=250, confirming=500, orders=500, deals=150)


@dataclass
class ContractSituation(Situation):
    contract: Contract = ()
    is_whole: bool = False

    def on_swapped_joker(self, event: Event, _step: Step) -> None:
        place, card = self.place_of(event), CARD_BY_TEXT[event["card"]]
        joker = CARD_BY_TEXT[event["joker"]]

        def change(meld: Meld) -> Meld:
            changed = swap_joker(meld, card, event["to"], seat=event["seat"])
            assert not isinstance(changed, Refusal)  # noqa: S101 - it was played
            return changed[0]

        self.change_meld(event["meld"], change)
        self.lay(event, [event["card"]])
        if event["to"] == "hand":
            self.position.hands[place].append(joker)
            self.taken[place].append(joker)


class ContractAnalysis(LaidAnalysis):
    laying = ("contract", "lay_off")
    kinds = {
        "pick": text(_("Draws")),
        "buy": text(_("Buying")),
        "lay": text(_("Melds and lay-offs")),
        "discard": text(_("Discards")),
    }
    told = {
        "closed": _("Draw from the closed deck"),
        "open": _("Take the %(card)s"),
        "buy": _("Buy the %(card)s"),
        "pass": _("Pass"),
        "lay": _("Lay what can be laid"),
        "wait": _("Lay nothing, discard the %(card)s"),
        "discard": _("Discard the %(card)s"),
    }

    def begin(self, record: Mapping[str, Any]) -> ContractSituation:
        rules, places = load_rules(record["rules"]), len(record["order"])
        contract: Contract = tuple(record["contract"])
        begun = begin_position(record)
        most = UNLIMITED if rules.max_buys is None else rules.max_buys
        begun["position"].buys = [most if rules.buying else 0] * places
        return ContractSituation(
            rules=rules,
            deck=rules.deck(places),
            contract=contract,
            # C4: only the last contract takes more cards than a hand has; it consists of runs.
            is_whole=rules.whole_hand_last and contract == rules.contracts[-1],
            **begun,
        )

    def make_playouts(self, situation: Situation, rng: random.Random) -> Playouts:
        assert isinstance(situation, ContractSituation)  # noqa: S101 - made above
        return Playouts(situation.rules, situation.contract, situation.is_whole, rng)

    def note(self, record: Mapping[str, Any]) -> Text:
        contract = record["contract"]
        sets = contract.count(SET)
        return text(
            _("Contract: sets %(sets)s, runs %(runs)s"), sets=sets, runs=len(contract) - sets
        )

    def find_choice(self, situation: Situation, step: Step, playouts: Any) -> Choice | None:
        move = step.get("move") or {}
        if move.get("kind") in ("buy", "pass"):
            chosen = Option(move["kind"])
            return Choice("buy", chosen, (Option("pass" if chosen.doing == "buy" else "buy"),))
        return super().find_choice(situation, step, playouts)

    def make_telling(self, *seen: Any) -> Telling:
        return _Telling(*seen)


class _Telling(Telling):
    def count_points(self, card: int) -> int:
        points: int = self.playouts.points[card % FACES]
        return points

    def is_near(self, card: int, other: int) -> bool:
        if self._is_wild(card) or self._is_wild(other):
            return False
        one, two = card % FACES, other % FACES
        contract = self.situation.contract
        is_set = SET in contract and one % 13 == two % 13
        is_run = contract.count(SET) < len(contract) and bool(NEAR[one] >> two & 1)
        return is_set or is_run

    def _is_wild(self, card: int) -> bool:
        return bool(self.situation.rules.is_wild(CARDS[card]))

    def _count_lacking(self, hand: list[int]) -> int:
        lacking: int = self.playouts.measure_need(hand).lacking
        return lacking

    def explain_draw(self, card: int) -> Iterator[Text]:
        before, after = self._count_lacking(self.held), self._count_lacking([*self.held, card])
        takes = self.best.doing in ("open", "buy")
        if self.position.has_laid[self.known.place]:
            if takes:
                yield from self.explain_fit(card)
        elif takes and after < before:
            yield text(
                _(
                    "Cards that your contract lacked with the %(card)s: %(after)s instead of "
                    "%(before)s."
                ),
                card=write_card(card),
                after=after,
                before=before,
            )
        elif not takes and after >= before:
            yield text(_("The %(card)s brought your contract no nearer."), card=write_card(card))
        if takes:
            yield from self.explain_kin(card)
        elif self.chosen.doing == "buy":
            yield text(
                _(
                    "With a bought card comes another one, and both count against you until "
                    "you go out."
                )
            )
        else:
            yield self.explain_open_draw()

    def explain_lay(self) -> Iterator[Text]:
        yield text(_("The others can lay off on what you lay down."))

    def explain_discard(self, card: int, better: int) -> Iterator[Text]:
        if self._is_wild(card):
            yield text(
                _("The %(card)s is a joker: it fits into any sequence and any set."),
                card=write_card(card),
            )
        fits = self.playouts.is_fitting
        if fits(self.state, card) and not fits(self.state, better):
            yield from self.explain_fit(card)
        if not self.position.has_laid[self.known.place]:
            after, instead = (
                self._count_lacking([other for other in self.held if other != one])
                for one in (card, better)
            )
            if after > instead:
                yield text(
                    _(
                        "Cards that your contract lacks without the %(card)s: %(after)s, without "
                        "the %(better)s: %(instead)s."
                    ),
                    card=write_card(card),
                    after=after,
                    better=write_card(better),
                    instead=instead,
                )
        yield from self.explain_next_player(card)
        yield from self.explain_points(card, better)
        yield from self.explain_company(card, better)


ANALYSIS: Final = ContractAnalysis(effort=EFFORT)
