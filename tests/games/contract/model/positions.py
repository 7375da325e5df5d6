"""Random positions of Contract Rummy, and what somebody might try to lay in them."""

import random
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from games.cards import CARD_TEXT, CARDS, Card, card_texts, parse_face
from games.contract.game import GAME
from games.contract.rules.match import Match
from games.contract.rules.melds import Laid, as_meld
from games.contract.rules.ruleset import PRESETS, ContractRules
from games.engine.base import IllegalMove
from tests.games.contract.model.layings import RANKS, Laying, Position, rank
from tests.games.driving import NOW, SEED

SUITS = "SHDC"


class Hoard:
    """A deck from which melds are taken, jokers in some places."""

    def __init__(self, rules: ContractRules, players: int, rng: random.Random) -> None:
        self.rules, self.rng = rules, rng
        self.left = list(rules.deck(players))
        rng.shuffle(self.left)

    def take(self, face: str) -> Card | None:
        wanted = parse_face(face)
        wild = [card for card in self.left if self.rules.is_wild(card)]
        own = [card for card in self.left if card.face == wanted]
        found = wild if wild and (not own or self.rng.random() < 0.2) else own
        if not found:
            return None
        self.left.remove(found[0])
        return found[0]

    def meld(self, kind: str, size: int) -> Laying:
        """Of this kind, as well as the deck has it; perhaps too many jokers, or a card short."""
        rng, suit = self.rng, self.rng.choice(SUITS)
        start = rng.randrange(1, 15 - size + 1)
        faces = [RANKS[(start + place - 1) % 13] + suit for place in range(size)]
        if kind == "set":
            value = rng.choice(RANKS)
            faces = [value + rng.choice(SUITS) for _ in range(size)]
        pairs = [(card, face) for face in faces if (card := self.take(face)) is not None]
        return {"cards": [CARD_TEXT[card] for card, _ in pairs], "as": [face for _, face in pairs]}

    def take_stood_for(self, wire: Laying) -> Iterator[Card]:
        """What the jokers of a meld stand for, as far as it is left."""
        for text, face in zip(wire["cards"], wire["as"], strict=True):
            found = [card for card in self.left if card.face == parse_face(face)]
            if text[:2] != face and found:
                self.left.remove(found[0])
                yield found[0]

    def cards(self, number: int) -> list[Card]:
        taken, self.left = self.left[:number], self.left[number:]
        return taken


def rules_of(rng: random.Random) -> ContractRules:
    return replace(
        PRESETS[rng.choice(["contract", "pagat", "deuces_wild"])],
        exact_contract=rng.random() < 0.7,
        lay_off_same_turn=rng.random() < 0.3,
        may_return_open_card=rng.random() < 0.2,
        must_go_out_by_laying=rng.random() < 0.4,
        whole_hand_last=rng.random() < 0.7,
    )


def position(rng: random.Random) -> tuple[Match, Position, list[Laying]]:
    """A match after a draw, the same for the model, and melds that are held."""
    rules = rules_of(rng)
    number = rng.randrange(7)
    seats = tuple(range(rng.choice([3, 3, 6, 8])))
    hoard = Hoard(rules, len(seats), rng)
    is_whole = rules.whole_hand_last and number == 6
    long = is_whole or not rules.exact_contract
    sizes = {"set": 3 + rng.randrange(2) * long, "run": 4 + rng.randrange(2) * long}
    held = [hoard.meld(kind, sizes[kind]) for kind in rules.contracts[number]]
    lying = [hoard.meld(rng.choice(["set", "run"]), 4 + rng.randrange(2)) for _ in range(3)]
    melds = [
        (wire, meld) for wire in lying if (meld := as_meld(_read_laid(wire), rules)) is not None
    ]
    cards = [card for wire in held for card in _read_laid(wire).cards]
    if rng.random() < 0.4:
        cards = rng.sample(cards, rng.randrange(min(len(cards), 4)))
    cards += hoard.cards(rng.choice([0, 0, 1, 2, 3]))
    cards += [card for wire in lying if rng.random() < 0.7 for card in hoard.take_stood_for(wire)]
    cards = cards or hoard.cards(1)
    drawn, from_open = rng.choice(cards), rng.random() < 0.5
    met = rng.choice([None, None, "earlier", "earlier", "earlier", "now"])
    match = GAME.core.start(rules=rules, seats=seats, toss=False, seed=SEED, now=NOW).state
    laid_in = {None: None, "earlier": 1, "now": 4}[met]
    first = replace(match.deal.players[0], groups=(tuple(cards),), laid_in=laid_in)
    others = tuple(
        replace(player, groups=(tuple(hoard.cards(5)),)) for player in match.deal.players[1:]
    )
    deal = replace(
        match.deal,
        players=(first, *others),
        closed=tuple(hoard.left[1:]),
        open_pile=tuple(hoard.left[:1]),
        melds=tuple(meld for _, meld in melds),
        contract=rules.contracts[number],
        is_whole=is_whole,
        turn_number=4,
        drawn=drawn,
        drawn_from_open=from_open,
    )
    kept = CARD_TEXT[drawn] if from_open and not rules.may_return_open_card else None
    seen: Any = GAME.view.public(replace(match, deal=deal))["melds"]
    table = [{"cards": meld["cards"], "as": meld["as"]} for meld in seen]
    texts = card_texts(cards)
    told = Position(rules, rules.contracts[number], is_whole, texts, table, met, kept)
    return replace(match, deal=deal, number=number + 1), told, held


def _read_laid(wire: Laying) -> Laid:
    by_text = dict(zip(CARD_TEXT, CARDS, strict=True))
    return Laid(
        tuple(by_text[card] for card in wire["cards"]), tuple(parse_face(f) for f in wire["as"])
    )


def list_tries(told: Position, held: list[Laying], rng: random.Random) -> Iterator[dict[str, Any]]:
    """The contract as it is held, whole or spoiled; lay offs and swaps of what may fit."""
    for _ in range(4):
        melds = [{"cards": [*meld["cards"]], "as": [*meld["as"]]} for meld in held]
        if rng.random() < 0.6:
            _spoil(melds, told, rng)
        if all(meld["cards"] for meld in melds):
            yield {"kind": "contract", "melds": melds}
    for _ in range(8):
        number = rng.randrange(len(told.melds) + 1)
        cards = rng.sample(told.hand, min(len(told.hand), rng.choice([1, 1, 1, 2, 3])))
        if number < len(told.melds) and rng.random() < 0.7:
            near = _list_near(told.melds[number])
            fitting = [card for card in told.hand if card[:2] in near or told.is_wild(card)]
            cards = rng.sample(fitting, min(len(fitting), rng.choice([1, 1, 2]))) or cards
        said = [_find_difference(told, card, number, rng) for card in cards]
        yield {"kind": "lay_off", "meld": number, "laid": {"cards": cards, "as": said}}
    for _ in range(6):
        number = rng.randrange(len(told.melds) + 1)
        card = rng.choice(told.hand)
        if number < len(told.melds) and rng.random() < 0.9:
            meld = told.melds[number]
            pairs = zip(meld["cards"], meld["as"], strict=True)
            faces = [said for lying, said in pairs if lying[:2] != said]
            card = next((one for one in told.hand if one[:2] in faces), card)
        to = rng.choice(["hand", "front", "back"])
        yield {"kind": "swap_joker", "meld": number, "card": card, "to": to}


def _list_near(meld: Laying) -> set[str]:
    """Faces of the same rank, or beside a run."""
    first, last = meld["as"][0], meld["as"][-1]
    before = RANKS[(rank(first) - 2) % 13] + first[1]
    after = RANKS[rank(last) % 13] + last[1]
    return {before, after, *(first[0] + suit for suit in SUITS)}


def _find_difference(told: Position, card: str, number: int, rng: random.Random) -> str:
    if not told.is_wild(card) and rng.random() < 0.97:
        return card[:2]
    near = sorted(_list_near(told.melds[number])) if number < len(told.melds) else ["7H"]
    return rng.choice(near)


def _spoil(melds: list[Laying], told: Position, rng: random.Random) -> None:
    meld = rng.choice(melds)
    if not meld["cards"]:
        return
    place = rng.randrange(len(meld["cards"]))
    how = rng.choice(["stands", "gone", "more", "other", "twice", "fewer"])
    if how == "stands":
        meld["as"][place] = rng.choice(RANKS) + rng.choice(SUITS)
    elif how == "gone":
        del meld["cards"][place], meld["as"][place]
    elif how == "more":
        card = rng.choice(told.hand)
        face = card[:2] if not card.startswith("PJ") else "7H"
        meld["cards"].append(card)
        meld["as"].append(face)
    elif how == "other" and not told.hand[0].startswith("PJ"):
        meld["cards"][place], meld["as"][place] = told.hand[0], told.hand[0][:2]
    elif how == "twice":
        melds[0] = {"cards": [*meld["cards"]], "as": [*meld["as"]]}
    elif how == "fewer":
        melds.remove(meld)


def list_disagreements(number: int, seed: int) -> Iterator[tuple[str, str]]:
    """What is said differently in one position, and what the game said to each try."""
    rng = random.Random(f"{seed}/{number}")
    match, told, held = position(rng)
    for move in list_tries(told, held, rng):
        codes = told.find_objections(move)
        what = ""
        try:
            GAME.core.play(match, 0, GAME.wire.read(move), now=NOW, seed=SEED)
            code = "played"
            what = f"the model says {codes}" if codes else ""
        except IllegalMove as refused:
            code = refused.code
            what = "" if code in codes else f"game {code}, model {codes or None}"
        if what:
            what = f"{seed}/{number}: {what}: {move} {told}"
        yield what, f"{move['kind']}: {code}"
