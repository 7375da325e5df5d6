"""Legal layings, found by trying every place of an ace (C3 to C5, C9 to C13)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import Any

from games.contract.rules.ruleset import ContractRules

RANKS = "A23456789TJQK"
Laying = dict[str, Any]


def rank(face: str) -> int:
    return RANKS.index(face[0]) + 1


def face_of(card: str) -> str:
    return card.partition(".")[0]


@dataclass
class Position:
    """What somebody sees who has drawn; `met` is the turn of their contract: earlier, now, None."""

    rules: ContractRules
    contract: Sequence[str]
    is_whole: bool
    hand: list[str]
    melds: list[Laying]
    met: str | None
    # C13: what may not be discarded in this turn.
    kept: str | None

    def is_wild(self, card: str) -> bool:
        """C1."""
        return card.startswith("PJ") or (self.rules.deuces_wild and card[0] == "2")

    def stands(self, laying: Laying) -> bool:
        pairs = zip(laying["cards"], laying["as"], strict=True)
        return all(face_of(card) == said or self.is_wild(card) for card, said in pairs)

    def read_new_meld(self, laying: Laying) -> tuple[str, list[int]] | None:
        """C3, C4: its kind, and of a run the places of its cards."""
        rules, said = self.rules, laying["as"]
        if not self.stands(laying):
            return None
        own = sum(face_of(c) == f for c, f in zip(laying["cards"], said, strict=True))
        if len({face[0] for face in said}) == 1:
            is_meld = len(said) >= rules.min_set and own >= rules.min_naturals_set
            return ("set", []) if is_meld else None
        for places in runs(said, []):
            if len(said) >= rules.min_run and own >= rules.min_naturals_run:
                return "run", sorted(places)
        return None

    def find_objections(self, move: dict[str, Any]) -> set[str]:
        """The codes of all that speaks against a move; empty if nothing does."""
        cards = _cards_of(move)
        codes: set[str] = set()
        if not cards:
            codes.add("nothing_laid")
        elif len(set(cards)) < len(cards) or not set(cards) <= set(self.hand):
            codes |= {"groups_not_your_hand", "card_not_held"}
        if move["kind"] == "contract":
            return codes | self._check_contract(move["melds"], cards)
        if self.met is None:
            codes.add("contract_not_met")
        elif self.met == "now" and not self.rules.lay_off_same_turn:
            codes.add("not_in_this_turn")  # C9
        if move["meld"] >= len(self.melds):
            return codes | {"no_such_meld"}
        if move["kind"] == "lay_off":
            return codes | self._check_lay_off(move["meld"], move["laid"], cards)
        return codes | self._check_swap(move["meld"], move["card"], move["to"])

    def _check_contract(self, layings: Sequence[Laying], cards: list[str]) -> set[str]:
        codes = {"contract_already_met"} if self.met else set()
        made = [self.read_new_meld(laying) for laying in layings]
        if None in made:
            codes.add("not_a_meld")
        melds = [meld for meld in made if meld is not None]
        sizes = {"set": self.rules.min_set, "run": self.rules.min_run}
        exact = self.rules.exact_contract and not self.is_whole
        for (kind, _), laying in zip(melds, layings, strict=False):
            if exact and len(laying["cards"]) != sizes[kind]:
                codes.add("contract_not_met")
        if sorted(kind for kind, _ in melds) != sorted(self.contract) or _has_touching(
            made, layings
        ):
            codes.add("contract_not_met")
        rest = [card for card in self.hand if card not in cards]
        if self.is_whole:
            return codes | ({"contract_not_met"} if rest else set())
        lying = self.melds if self.rules.lay_off_same_turn else []
        new = list(layings) if self.rules.lay_off_same_turn and not codes else []
        return codes if codes or self._can_end(rest, [*lying, *new]) else {"must_keep_a_discard"}

    def _check_lay_off(self, number: int, laying: Laying, cards: list[str]) -> set[str]:
        if not self.stands(laying) or not self.grows(self.melds[number], laying["as"]):
            return {"does_not_fit"}
        rest = [card for card in self.hand if card not in cards]
        longer = _join(self.melds[number], laying)
        lying = [longer if n == number else meld for n, meld in enumerate(self.melds)]
        return set() if self._can_end(rest, lying) else {"must_keep_a_discard"}

    def _check_swap(self, number: int, card: str, to: str) -> set[str]:
        """C11."""
        meld = self.melds[number]
        if is_set(meld):
            return {"joker_is_dead"}
        jokers = [
            lying
            for lying, said in zip(meld["cards"], meld["as"], strict=True)
            if said == face_of(card) != face_of(lying)
        ]
        if not jokers:
            return {"no_such_joker"}
        start = 1 if meld["as"][0][0] == "A" else rank(meld["as"][0])
        end = start + len(meld["as"]) - 1
        if (to == "front" and start == 1) or (to == "back" and end == 14):
            return {"does_not_fit"}
        rest = [one for one in self.hand if one != card]
        held = [*rest, jokers[0]] if to == "hand" else rest
        changed = dict(meld)
        if to != "hand":
            step = start - 1 if to == "front" else end + 1
            said = RANKS[(step - 1) % 13] + meld["as"][0][1]
            changed["as"] = [said, *meld["as"]] if to == "front" else [*meld["as"], said]
        lying = [changed if n == number else other for n, other in enumerate(self.melds)]
        return set() if self._can_end(held, lying) else {"must_keep_a_discard"}

    def grows(self, meld: Laying, said: Sequence[str]) -> bool:
        """C10."""
        if not said:
            return False
        if is_set(meld):
            return {face[0] for face in said} == {meld["as"][0][0]}
        start = 1 if meld["as"][0][0] == "A" else rank(meld["as"][0])
        held = list(range(start, start + len(meld["as"])))
        same = {face[1] for face in said} == {meld["as"][0][1]}
        return same and next(runs(said, held), None) is not None

    def _can_end(self, rest: list[str], lying: Sequence[Laying]) -> bool:
        """C12, C13: a card may be discarded, or the last one laid."""
        if not rest:
            return True
        may_discard = len(rest) > 1 or not self.rules.must_go_out_by_laying
        if may_discard and set(rest) - {self.kept}:
            return True
        return len(rest) == 1 and any(self._takes(meld, rest[0]) for meld in lying)

    def _takes(self, meld: Laying, card: str) -> bool:
        faces = [r + s for r in RANKS for s in "SHDC"] if self.is_wild(card) else [face_of(card)]
        return any(self.grows(meld, [face]) for face in faces)


def is_set(meld: Laying) -> bool:
    return len({face[0] for face in meld["as"]}) == 1


def runs(said: Sequence[str], held: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """C3: the places that these faces could have in a run with those that are held already."""
    if len({face[1] for face in said}) != 1:
        return
    ways = [(1, 14) if face[0] == "A" else (rank(face),) for face in said]
    for places in product(*ways):
        taken = sorted([*held, *places])
        if taken == list(range(taken[0], taken[0] + len(taken))):
            yield places


def _has_touching(made: Sequence[tuple[str, list[int]] | None], layings: Sequence[Laying]) -> bool:
    """C5: two runs of one suit that overlap or follow on each other."""
    found = [
        (laying["as"][0][1], meld[1])
        for meld, laying in zip(made, layings, strict=True)
        if meld is not None and meld[0] == "run"
    ]
    return any(
        suit == other and places[0] <= others[-1] + 1 and others[0] <= places[-1] + 1
        for (suit, places), (other, others) in combinations(found, 2)
    )


def _join(meld: Laying, laying: Laying) -> Laying:
    """In order, so that its first face says where a run begins."""
    said = [*meld["as"], *laying["as"]]
    if is_set(meld):
        return {"cards": [], "as": said}
    places = next(runs(said, []))
    return {
        "cards": [],
        "as": [said[place] for place in sorted(range(len(said)), key=places.__getitem__)],
    }


def _cards_of(move: dict[str, Any]) -> list[str]:
    if move["kind"] == "contract":
        return list(chain.from_iterable(laying["cards"] for laying in move["melds"]))
    return list(move["laid"]["cards"]) if move["kind"] == "lay_off" else [move["card"]]
