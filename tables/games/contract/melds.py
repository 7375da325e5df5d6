"""What may be laid in Contract Rummy: contracts, lay offs and jokers (C3 to C5, C9 to C11)."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from tables.games.cards import FACE_RANK, FACE_SUIT, Card
from tables.games.contract.moves import Laid, SwapJoker
from tables.games.contract.rulesets import RUN, SET, Contract, ContractRules
from tables.games.rummy.melds import HIGH_ACE, LOW_ACE, Meld, extended, face_at, meld_of
from tables.games.rummy.refusals import Refusal


def stands(laid: Laid, rules: ContractRules) -> bool:
    """C3: only jokers stand for other cards."""
    pairs = zip(laid.cards, laid.faces, strict=True)
    return all(card.face == face or rules.is_wild(card) for card, face in pairs)


def as_meld(laid: Laid, rules: ContractRules, *, seat: int = 0) -> Meld | None:
    """C3, C4: a new meld, with cards enough that stand for themselves."""
    meld = meld_of(laid.cards, laid.faces, rules.shape, seat=seat) if stands(laid, rules) else None
    if meld is None:
        return None
    least = rules.min_naturals_set if meld.is_set else rules.min_naturals_run
    return meld if meld.naturals >= least else None


def contract_refusal(
    melds: Sequence[Meld], contract: Contract, rules: ContractRules, *, is_whole: bool
) -> Refusal | None:
    """C4, C5: whether these melds are the contract."""
    kinds = sorted(SET if meld.is_set else RUN for meld in melds)
    if kinds != sorted(contract):
        return Refusal.CONTRACT_NOT_MET
    sizes = [(len(meld.cards), rules.min_set if meld.is_set else rules.min_run) for meld in melds]
    if rules.exact_contract and not is_whole and any(size > least for size, least in sizes):
        return Refusal.CONTRACT_NOT_MET
    runs = [meld for meld in melds if not meld.is_set]
    touching = any(touch(one, other) for one, other in combinations(runs, 2))
    return Refusal.CONTRACT_NOT_MET if touching else None


def touch(one: Meld, other: Meld) -> bool:
    """C5: two runs of one suit that overlap, or follow on each other."""
    if FACE_SUIT[one.faces[0]] != FACE_SUIT[other.faces[0]]:
        return False
    return one.start <= other.end + 1 and other.start <= one.end + 1


def laid_onto(meld: Meld, laid: Laid, rules: ContractRules, *, seat: int = 0) -> Meld | None:
    """C10"""
    if not stands(laid, rules) or len(set(laid.cards)) < len(laid.cards):
        return None
    return extended(meld, laid.cards, laid.faces, rules.shape, seat=seat)


def faces_onto(meld: Meld, card: Card, rules: ContractRules) -> Iterator[int]:
    """What the card may stand for on this meld, alone."""
    if meld.is_set:
        rank = FACE_RANK[meld.faces[0]]
        if card.rank == rank:
            yield card.face
        elif rules.is_wild(card):
            yield rank - 1
        return
    suit = FACE_SUIT[meld.faces[0]]
    for step in (meld.start - 1, meld.end + 1):
        if LOW_ACE <= step <= HIGH_ACE:
            face = face_at(suit, step)
            if card.face == face or rules.is_wild(card):
                yield face


def fits_somewhere(card: Card, melds: Sequence[Meld], rules: ContractRules) -> bool:
    return any(list(faces_onto(meld, card, rules)) for meld in melds)


def swapped(
    meld: Meld, move: SwapJoker, rules: ContractRules, *, seat: int
) -> tuple[Meld, Card] | Refusal:
    """C11: the meld after the swap and its joker, or why not."""
    if meld.is_set:
        return Refusal.JOKER_IS_DEAD
    place = meld.joker_for(move.card.face)
    if place is None:
        return Refusal.NO_SUCH_JOKER
    joker, faces = meld.cards[place], meld.faces
    cards = (*meld.cards[:place], move.card, *meld.cards[place + 1 :])
    by = (*meld.by[:place], seat, *meld.by[place + 1 :])
    natural = Meld(cards, faces, by, meld.start)
    if move.to == "hand":
        return natural, joker
    step = meld.start - 1 if move.to == "front" else meld.end + 1
    if not LOW_ACE <= step <= HIGH_ACE:
        return Refusal.DOES_NOT_FIT
    face = face_at(FACE_SUIT[faces[0]], step)
    if move.to == "front":
        moved = Meld((joker, *cards), (face, *faces), (meld.by[place], *by), step)
    else:
        moved = Meld((*cards, joker), (*faces, face), (*by, meld.by[place]), meld.start)
    return moved, joker
