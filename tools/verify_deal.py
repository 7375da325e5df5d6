#!/usr/bin/env python3
"""Deals a finished deal again from its seed and reports whether it was honest.

    python3 verify_deal.py deal.json          or          python3 verify_deal.py - < deal.json

Needs only Python's standard library. Exit status 0: honest; 1: not honest; 2: the file is not a record of
a deal. It checks that the server's seed is the one that was promised, and that toss, hands, open card and (in
Indian rummy) wild joker follow from it and from the players' parts of the seed. Every drawn card must be
the next one, nobody may play a card that they do not hold, and reshuffles must follow from the seed, too.

Games: indian (13-card Indian rummy), gin (gin rummy), basic (basic rummy), contract (Contract Rummy),
rummikub (Rummikub), five_hundred (500 Rum).
"""

import hashlib
import hmac
import itertools
import json
import sys

RANKS = "A23456789TJQK"
SUITS = "SHDC"
FACES = [rank + suit for suit in SUITS for rank in RANKS] + ["PJ"]
GIN_HAND = 10
RUMMIKUB_PACKS = 2
HAND_SIZE = 13


class Dishonest(Exception):
    """The record contradicts its seed or itself."""


def draw_words(seed, label):
    for block in itertools.count():
        digest = hmac.digest(seed, f"{label}:{block}".encode("ascii"), hashlib.sha256)
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")


def shuffle(cards, seed, label):
    cards, stream = list(cards), draw_words(seed, label)
    for last in range(len(cards) - 1, 0, -1):
        limit = last + 1
        accepted = 2**32 - 2**32 % limit
        other = next(word for word in stream if word < accepted) % limit
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def pack(number):
    return [f"{face}.{number}" for face in FACES]


def require(condition, message):
    if not condition:
        raise Dishonest(message)


def check_promise(record, seed):
    promised = hashlib.sha256(seed).hexdigest()
    require(promised == record["commitment"], "the seed is not the one that was promised")


def seed_of_deal(record, server_seed):
    """Return the server's seed combined with the parts of the players' browsers."""
    added = record["client_seeds"]
    if not added:
        return server_seed
    require(set(added) <= set(record["players"]), "there is a seed of nobody who played")
    parts = ",".join(f"{seat}:{added[seat]}" for seat in sorted(added))
    return hashlib.sha256(server_seed + b"|" + parts.encode("ascii")).digest()


def check_toss(record, seed):
    """Check the toss (R4.1, G2): one card each; the highest moves first, ties by spades, hearts, diamonds, clubs."""
    if record["tossed"] is None:
        require(record["toss"] is None, "there are cards of a toss that there was not")
        return
    seats = record["tossed"]
    require(sorted(seats) == sorted(record["order"]), "the toss has other players than the deal")
    drawn = shuffle([c for c in pack(0) if c != "PJ.0"], seed, "toss")[: len(seats)]
    by_card = dict(zip(drawn, seats))
    ranked = sorted(drawn, key=lambda card: (-RANKS.index(card[0]), SUITS.index(card[1])))
    if record["game"] == "rummikub":  # K2: the highest begins, the others follow as they sit
        first = drawn.index(ranked[0])
        ranked = drawn[first:] + drawn[:first]
    require([by_card[card] for card in ranked] == record["order"], "the order is not the toss's")
    shown = [(toss["seat"], toss["card"]) for toss in record["toss"]]
    require(shown == [(by_card[c], c) for c in ranked], "the toss shows other cards")


def check_hands(record, deck, size):
    """Check that the hands were dealt one card at a time in order of play. Return the number of cards in all hands."""
    order = record["order"]
    in_hands = size * len(order)
    for place, seat in enumerate(order):
        hand = deck[place : in_hands : len(order)]
        require(sorted(hand) == sorted(record["hands"][str(seat)]), f"seat {seat} got another hand")
    require(set(map(int, record["hands"])) == set(order), "there are hands of nobody")
    return in_hands


def check_open_card(record, card):
    require(card == record["open"], "the first open card is another one")


class Table:
    """The piles and hands from step to step. The class of each game overrides what differs."""

    hand_size = 0

    def __init__(self, record, seed):
        self.seed = seed
        self.closed = self.deal(record, seed)
        self.open = [record["open"]] if "open" in record else []
        self.hands = {seat: list(record["hands"][str(seat)]) for seat in record["order"]}
        self.reshuffles = 0

    def deal(self, record, seed):
        """Check the dealt cards. Return the closed deck, beginning with its next card."""
        raise NotImplementedError

    def follow(self, step):
        for event in step["events"]:
            handler = getattr(self, "on_" + event["kind"], None)
            if handler is not None:
                handler(event, step)

    def on_drawn(self, event, step):
        pile = self.open if event["source"] == "open" else self.closed
        require(pile, "a card was drawn from an empty pile")
        card = pile.pop() if event["source"] == "open" else pile.pop(0)
        drew = step.get("drew", event.get("card"))
        require(card == drew, f"{drew} was drawn, {card} was next")
        require(event.get("card", card) == card, "the card shown is not the card drawn")
        self.hands[event["seat"]].append(card)

    def play(self, seat, card):
        require(card in self.hands[seat], f"seat {seat} played {card} without holding it")
        drawn = len(self.hands[seat]) == self.hand_size + 1
        require(drawn, f"seat {seat} played without drawing")
        self.hands[seat].remove(card)
        return card

    def on_reshuffled(self, event, _step):
        # R4.6, B10: all open cards but the last one.
        self.reshuffles += 1
        require(not self.closed, "the closed deck was not empty")
        self.closed = shuffle(self.open[:-1], self.seed, f"reshuffle:{self.reshuffles}")
        self.closed.reverse()
        self.open = self.open[-1:]
        require(event["count"] == len(self.closed), "the reshuffle has another number of cards")


class Gin(Table):
    """Gin rummy: ten cards each of one pack, no reshuffle."""

    hand_size = GIN_HAND

    def deal(self, record, seed):
        """Check the dealt cards (G3)."""
        cards = [card for card in pack(0) if card != "PJ.0"]
        require(record["deck"] == cards, "the deck is not a pack of 52 cards")
        deck = shuffle(cards, seed, "deal")
        in_hands = check_hands(record, deck, GIN_HAND)
        check_open_card(record, deck[in_hands])
        return deck[in_hands + 1 :]

    def on_discarded(self, event, _step):
        self.open.append(self.play(event["seat"], event["card"]))

    def on_knocked(self, event, step):
        """Take the eleventh card, which goes face down (G7). With big gin there is none (G9)."""
        seat, card = event["seat"], step["move"]["card"]
        if card is not None:
            self.play(seat, card)
        shown = [*itertools.chain(*event["groups"]), *event["loose"]]
        require(sorted(shown) == sorted(self.hands[seat]), f"seat {seat} showed other cards")

    def on_defended(self, event, _step):
        laid = [card for card, _meld in event["lay_offs"]]
        shown = [*itertools.chain(*event["groups"]), *laid, *event["loose"]]
        hand = self.hands[event["seat"]]
        require(sorted(shown) == sorted(hand), f"seat {event['seat']} showed other cards")


class Indian(Table):
    """13-card Indian rummy."""

    hand_size = HAND_SIZE

    def __init__(self, record, seed):
        super().__init__(record, seed)
        self.finish = None  # the seat and the card in the finish slot
        self.refused = None  # the same after a wrong declaration, until the card is discarded

    def deal(self, record, seed):
        """Check the dealt cards (R4.2)."""
        rules = record["rules"]
        packs = rules["packs_for_two"] if len(record["order"]) == 2 else rules["packs"]
        deck = shuffle([card for number in range(packs) for card in pack(number)], seed, "deal")
        in_hands = check_hands(record, deck, HAND_SIZE)
        check_open_card(record, deck[in_hands])
        require(deck[in_hands + 1] == record["wild"], "the wild joker is another one")
        return deck[in_hands + 2 :]

    def on_discarded(self, event, _step):
        if self.refused is None:
            self.open.append(self.play(event["seat"], event["card"]))
            return
        # R3.4: after a wrong declaration the finish card goes to the open pile.
        require(
            self.refused == (event["seat"], event["card"]),
            "another card than the finish card was discarded",
        )
        self.refused = None
        self.open.append(event["card"])

    def on_finished(self, event, _step):
        self.finish = (event["seat"], self.play(event["seat"], event["card"]))

    def on_declared(self, event, _step):
        require(self.finish is not None, "a declaration without a finish card")
        require(
            self.finish[0] == event["seat"],
            "a declaration by another player than the one who finished",
        )
        if not event["valid"]:
            self.refused = self.finish
        self.finish = None


class Laid(Table):
    """A game in which melds lie on the table and hands have any size. Only the player who drew a card may discard."""

    def __init__(self, record, seed):
        super().__init__(record, seed)
        self.drawn_by = None

    def on_drawn(self, event, step):
        super().on_drawn(event, step)
        self.drawn_by = event["seat"]

    def lay(self, seat, cards):
        for card in cards:
            require(card in self.hands[seat], f"seat {seat} laid {card} without holding it")
            self.hands[seat].remove(card)

    def on_melded(self, event, _step):
        for meld in event["melds"]:
            self.lay(event["seat"], meld["cards"])

    def on_laid_off(self, event, _step):
        self.lay(event["seat"], event["cards"])

    def on_discarded(self, event, _step):
        seat = event["seat"]
        require(self.drawn_by == seat, f"seat {seat} discarded without drawing")
        self.lay(seat, [event["card"]])
        self.open.append(event["card"])
        self.drawn_by = None


class Basic(Laid):
    """Basic rummy: one pack of 52 cards."""

    def deal(self, record, seed):
        """Check the dealt cards (B3)."""
        cards = [card for card in pack(0) if card != "PJ.0"]
        require(record["deck"] == cards, "the deck is not a pack of 52 cards")
        deck = shuffle(cards, seed, "deal")
        size = record["rules"]["hand_sizes"][len(record["order"]) - 2]
        in_hands = check_hands(record, deck, size)
        check_open_card(record, deck[in_hands])
        return deck[in_hands + 1 :]

    def on_turned_over(self, event, _step):
        """Turn the open pile over (B10): the first discards are drawn first."""
        require(not self.closed, "the closed deck was not empty")
        self.closed, self.open = self.open[:-1], self.open[-1:]
        require(event["count"] == len(self.closed), "another number of cards was turned over")


class FiveHundred(Laid):
    """500 Rum: one pack or two, and an open pile from which several cards may be taken at once."""

    def deal(self, record, seed):
        """Check the dealt cards (F1, F2)."""
        rules, place = record["rules"], len(record["order"]) - 2
        packs = range(rules["packs"][place])
        cards = [f"{face}.{number}" for number in packs for face in FACES[:-1]]
        require(record["deck"] == cards, "the deck is not that of these rules")
        deck = shuffle(cards, seed, "deal")
        in_hands = check_hands(record, deck, rules["hand_sizes"][place])
        check_open_card(record, deck[in_hands])
        return deck[in_hands + 1 :]

    def on_drawn(self, event, step):
        """Take a card of the open pile and all cards above it (F6)."""
        if event["source"] == "closed":
            super().on_drawn(event, step)
            return
        require(event["card"] in self.open, "a card was taken that did not lie in the open pile")
        place = self.open.index(event["card"])
        require(self.open[place:] == event["cards"], "other cards lay above the card taken")
        self.hands[event["seat"]] += self.open[place:]
        del self.open[place:]
        self.drawn_by = event["seat"]


class Contract(Laid):
    """Contract Rummy: two or three packs, and jokers besides."""

    def deal(self, record, seed):
        """Check the dealt cards (C1, C2)."""
        rules, players = record["rules"], len(record["order"])
        packs = rules["packs"][min(players, 5) - 2]
        jokers = {"per_players": players - 1, "all_printed": 4, "two_a_pack": 2 * packs}
        cards = [f"{face}.{number}" for number in range(packs) for face in FACES[:-1]]
        cards += [f"PJ.{number}" for number in range(jokers[rules["jokers"]])]
        require(record["deck"] == cards, "the deck is not that of these rules")
        deck = shuffle(cards, seed, "deal")
        size = record["hand_size"]
        require(size in rules["hand_sizes"], "no deal has so many cards")
        in_hands = check_hands(record, deck, size)
        check_open_card(record, deck[in_hands])
        return deck[in_hands + 1 :]

    def follow(self, step):
        """Follow a step. `drew` has the step's cards from the closed deck, in their order."""
        self.drew = list(step.get("drew", []))
        super().follow(step)
        require(not self.drew, "more cards are recorded than were drawn")

    def from_closed(self):
        require(self.closed, "a card was drawn from an empty pile")
        require(self.drew, "a drawn card is not recorded")
        card, drew = self.closed.pop(0), self.drew.pop(0)
        require(card == drew, f"{drew} was drawn, {card} was next")
        return card

    def on_drawn(self, event, step):
        if event["source"] == "closed":
            self.hands[event["seat"]].append(self.from_closed())
            self.drawn_by = event["seat"]
        else:
            super().on_drawn(event, {})

    def on_bought(self, event, _step):
        """Take the upcard and a closed card (C7)."""
        require(self.open and self.open[-1] == event["card"], "another card was sold")
        self.hands[event["seat"]] += [self.open.pop(), self.from_closed()]

    def on_contract_laid(self, event, step):
        self.on_melded(event, step)

    def on_swapped_joker(self, event, _step):
        """Swap a joker on the table for a card of the hand (C11)."""
        self.lay(event["seat"], [event["card"]])
        if event["to"] == "hand":
            self.hands[event["seat"]].append(event["joker"])


class Rummikub(Table):
    """Rummikub: a pool to draw from, and one table for all."""

    def __init__(self, record, seed):
        super().__init__(record, seed)
        self.laid = set()

    def deal(self, record, seed):
        """Check the dealt cards (K1, K3)."""
        tiles = [tile for number in range(RUMMIKUB_PACKS) for tile in pack(number)]
        require(record["deck"] == tiles, "the deck is not two packs with their jokers")
        deck = shuffle(tiles, seed, "deal")
        return deck[check_hands(record, deck, record["rules"]["rack_size"]) :]

    def on_drawn(self, event, step):
        drew, count = step["drew"], event["count"]
        require(len(drew) == count <= len(self.closed), "more tiles were drawn than there were")
        require(drew == self.closed[:count], f"{drew} were drawn, {self.closed[:count]} were next")
        del self.closed[:count]
        self.hands[event["seat"]] += drew

    def on_laid(self, event, _step):
        """Check that the new table has all earlier tiles, and new ones only from this player's rack (K6)."""
        seat, rack = event["seat"], self.hands[event["seat"]]
        table = [tile for meld in event["table"] for tile in meld["cards"]]
        require(len(set(table)) == len(table), "a tile lies on the table twice")
        require(self.laid <= set(table), "tiles of the table have gone")
        require(set(event["from_rack"]) <= set(rack), f"seat {seat} laid tiles of somebody else")
        require(set(table) - self.laid == set(event["from_rack"]), "other tiles were laid")
        self.hands[seat] = [tile for tile in rack if tile not in event["from_rack"]]
        self.laid = set(table)


GAMES = {
    "indian": Indian,
    "gin": Gin,
    "basic": Basic,
    "contract": Contract,
    "rummikub": Rummikub,
    "five_hundred": FiveHundred,
}


def check_ending(record):
    kinds = [event["kind"] for step in record["steps"] for event in step["events"]]
    require("deal_over" in kinds, "the deal has no end")


def verify(record):
    """Check a record. Return a sentence if the deal was honest, otherwise raise Dishonest with the reason."""
    server_seed = bytes.fromhex(record["seed"])
    check_promise(record, server_seed)
    seed = seed_of_deal(record, server_seed)
    check_toss(record, seed)
    require(record["game"] in GAMES, f"the game {record['game']} is not known here")
    table = GAMES[record["game"]](record, seed)
    for step in record["steps"]:
        table.follow(step)
    check_ending(record)
    return f"honest: {len(record['steps'])} steps, {table.reshuffles} reshuffles"


def main(arguments):
    if len(arguments) != 1:
        print(__doc__)
        return 2
    try:
        text = sys.stdin.read() if arguments[0] == "-" else open(arguments[0]).read()
        record = json.loads(text)
        if not isinstance(record, dict) or record.get("format") != "openrummy-deal-3":
            raise ValueError("not a record of a deal")
    except (OSError, ValueError) as error:
        print(f"no record: {error}")
        return 2
    try:
        print(verify(record))
    except Dishonest as reason:
        print(f"NOT HONEST: {reason}")
        return 1
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        print(f"NOT HONEST: the record is broken ({type(error).__name__}: {error})")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
