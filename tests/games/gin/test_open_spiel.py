"""Gin played in parallel with open_spiel: the same deals and moves, compared at every decision.

Only `bin/test --full` runs these tests, because they install open_spiel (`bench/peer_programs`). Each rule in
which the two differ is a row in docs/rules-sources.md.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Final

import pytest

from bench.arena import as_in_open_spiel, duel
from bench.peer_programs import Peer
from games.cards import CARDS, Card
from games.engine.state import replace, require
from games.gin.game import GAME
from games.gin.rules.defence import check_lay_offs, find_best_defence
from games.gin.rules.melding import find_best_melding
from games.gin.rules.melds import fits
from games.gin.rules.moves import Defend, Discard, Draw, Knock, PassUpcard
from games.gin.rules.ruleset import POINTS, PRESETS
from games.gin.rules.state import GinEnding, KnockKind, Match, Phase
from tests.effort import IS_FULL, share_of
from tests.games.driving import NOW, bot_move, seed_of
from tests.games.gin import exhaustive, habits
from tests.games.gin.scenes import NOTHING, TEN, draw_card, scene
from tests.games.scenes import faces

# The usual rules; open_spiel's rules, as far as fields allow; and Oklahoma.
RULE_SETS: Final = (
    POINTS,
    replace(as_in_open_spiel(POINTS), max_turns=100),
    replace(PRESETS["oklahoma"], spades_double=False),
)
DEALS: Final = share_of(4_500)
FIRST: Final = random.SystemRandom().randrange(2**32) if IS_FULL else 0

# The rules in docs/rules-sources.md in which the two differ.
RETURNS: Final = "G5 a card taken from the open pile"
BIG_GIN: Final = "G9 big gin"
EQUAL: Final = "G11 equal counts after lay-offs"
LAST_DISCARD: Final = "G12 the last discard"
REPETITION: Final = "G12 players who take only from the open pile"
SPADES: Final = "G13 a spade as the upcard"
DOCUMENT: Final = Path(__file__).resolve().parents[3] / "docs/rules-sources.md"
CHOICES: Final = (RETURNS, BIG_GIN, EQUAL, LAST_DISCARD, REPETITION, SPADES)

# Faults of open_spiel 2.0.2. It melds all eleven cards before it discards, and so reports too much deadwood
# for some hands. A row is eleven cards, its count and the least count.
TOO_MUCH: Final = (
    ("AS AD AH 2S 2C 2D 2H 3D 4H 5H 6H", 1, 0),
    ("2S 2C 3C 4C 5C 3D 4D 5D 2H 3H 5H", 4, 3),
)
FAULT: Final = "too much deadwood"
# It offers no third lay-off at the same end of a sequence: on 3S 4S 5S, not the last of these.
THREE_IN_ORDER: Final = ("6S", "7S", "8S")


@dataclass(frozen=True)
class Decision:
    """A player's options at one decision, in open_spiel's notation."""

    hand: tuple[Card, ...]
    legal: frozenset[str]
    knock_cards: frozenset[str] = frozenset()
    kept: str | None = None  # the card taken from the open pile, which may not be discarded
    best_answer: int | None = None


@dataclass
class Walk:
    """A deal played by our rules. The key of a decision is the number of moves before it."""

    number: int
    is_oklahoma: bool
    moves: list[str]
    decisions: dict[int, Decision] = field(default_factory=dict)
    returns: list[int] | None = None
    told: Counter[str] = field(default_factory=Counter)


@pytest.fixture(scope="module")
def peer() -> Iterator[Peer]:
    with Peer("open_spiel", "open_spiel_gin") as peer:
        yield peer


def name(card: Card) -> str:
    return str(card)[:2]


def name_melds(melds: Sequence[Sequence[Card]]) -> Iterator[str]:
    """Yield the melds' names. Sequences of six or more are split, since open_spiel's have at most five cards."""
    for meld in melds:
        cards = sorted(meld)
        while len(cards) > 5:
            yield " ".join(sorted(map(name, cards[:3])))
            cards = cards[3:]
        yield " ".join(sorted(map(name, cards)))


def name_move(move: Any) -> list[str]:
    if isinstance(move, Draw):
        return [move.source]
    if isinstance(move, PassUpcard):
        return ["pass"]
    if isinstance(move, Discard):
        return [name(move.card)]
    if isinstance(move, Knock):
        return ["knock", name(require(move.card)), *name_melds(move.groups), "pass"]
    return [*(name(card) for card, _ in move.lay_offs), "pass", *name_melds(move.groups), "pass"]


def list_moves(match: Match, seat: int) -> list[Any]:
    """Return the legal moves that open_spiel has, which exclude big gin."""
    kinds = (Draw, PassUpcard, Discard, Knock, Defend)
    legal = GAME.core.list_legal(match, seat)
    return [one for one in legal if isinstance(one, kinds) and getattr(one, "card", 0) is not None]


def describe(match: Match, seat: int, moves: list[Any]) -> Decision:
    deal, hand = match.deal, require(match.deal.player(seat)).hand
    if deal.phase is Phase.DEFEND:
        melds = require(deal.knock).groups
        fitting = {name(card) for card in hand if any(fits(meld, card) for meld in melds)}
        best = find_best_defence(hand, melds).deadwood
        return Decision(hand, frozenset({*fitting, "pass"}), best_answer=best)
    kept = None if deal.drawn is None else deal.find_kept_card(match.rules)
    return Decision(
        hand,
        legal=frozenset(name_move(move)[0] for move in moves),
        knock_cards=frozenset(name(require(one.card)) for one in moves if isinstance(one, Knock)),
        kept=None if kept is None else name(kept),
    )


def play_deal(number: int) -> Walk:
    rng = random.Random(number)
    rules, eager = rng.choice(RULE_SETS), rng.choice([None, None, 0.3, 1, 8])
    begun = GAME.core.start(rules=rules, seats=(0, 1), toss=False, seed=seed_of(number), now=NOW)
    match: Match = begun.state
    dealt = chain(*(player.hand for player in match.deal.players), [match.deal.upcard])
    walk = Walk(number, rules.oklahoma, [*map(name, dealt)])
    while match.deal.outcome is None:
        [seat] = GAME.core.status(match).acting
        moves = list_moves(match, seat)
        walk.decisions[len(walk.moves)] = describe(match, seat, moves)
        move = choose(match, seat, moves, rng, eager)
        if isinstance(move, Knock) and move.card is None:
            return walk  # a bot's big gin
        walk.moves += name_move(move)
        match = GAME.core.play(match, seat, move, now=NOW, seed=seed_of(number)).state
        if isinstance(move, Draw) and move.source == "closed":
            walk.moves.append(name(require(match.deal.drawn)))
    end(walk, match)
    return walk


def choose(
    match: Match, seat: int, moves: list[Any], rng: random.Random, eager: float | None
) -> Any:
    """Choose a bot's move if `eager` is None, else a random one. `eager` is the weight of moves that take the
    open card or put it back.
    """
    if eager is None:
        return GAME.wire.read(bot_move(GAME, match, seat, "medium", rng))
    drawn = match.deal.drawn if match.deal.drawn_from_open else None
    weights = [eager if is_wish(move, drawn) else 1 for move in moves]
    [move] = rng.choices(moves, weights)
    return habits.vary(match, seat, move, rng)


def is_wish(move: Any, drawn: Card | None) -> bool:
    """Return whether a move takes the open card or puts it back."""
    if isinstance(move, Discard):
        return move.card == drawn
    return isinstance(move, Draw) and move.source == "open"


def end(walk: Walk, match: Match) -> None:
    """Add the moves that open_spiel expects after our end of the deal, and the points in order of play."""
    deal, ended = match.deal, require(match.deal.outcome)
    if ended.how is GinEnding.DEAD:
        # In open_spiel the next player may still take the last discard to knock, or passes.
        walk.moves += ["pass"] if len(deal.closed) <= match.rules.wall else []
    knock, points = deal.knock, ended.points
    if knock is not None and knock.kind is KnockKind.GIN:
        other = ended.hands[1 - deal.order.index(knock.seat)]
        walk.moves += [*name_melds(other.groups), "pass"]
    if ended.how is GinEnding.UNDERCUT and points == match.rules.undercut_bonus:
        walk.told[EQUAL] += 1
        points = 0
    walk.returns = [points if seat == ended.winner else -points for seat in deal.order]


def compare(walk: Walk, said: Any) -> None:
    """Compare every decision and the result. Fail for any difference other than the known ones."""
    there, played = said["decisions"], said["played"]
    for place, decision in walk.decisions.items():
        if place < len(there) and there[place]["phase"] != "GAME_OVER":
            compare_decision(walk, decision, there[place])
    last = there[-1]
    if played < len(walk.moves):
        assert find_early_end(walk, played, last), (walk, last)
    elif walk.returns is not None:
        assert (last["phase"], said["returns"]) == ("GAME_OVER", walk.returns), walk


def compare_decision(walk: Walk, here: Decision, there: dict[str, Any]) -> None:
    about = (walk.number, here, there)
    legal, knock_cards = frozenset(there["legal"]), frozenset(there.get("knock_cards", ()))
    if here.kept is not None:
        assert here.kept in legal, about
        walk.told[RETURNS] += 1
        knock_cards -= {here.kept}
        legal -= {here.kept} if knock_cards else {here.kept, "knock"}
    least = find_best_melding(here.hand, None).deadwood
    if here.best_answer is None and least != there["deadwood"]:
        assert least == exhaustive.search_least_after_discard(here.hand) < there["deadwood"], about
        walk.told[FAULT] += 1
        if "knock" not in legal:
            legal, knock_cards = legal | (here.legal & {"knock"}), here.knock_cards
    assert (legal, knock_cards) == (here.legal, here.knock_cards), about
    assert here.best_answer == there.get("best_answer"), about
    walk.told["decisions"] += 1
    walk.told["sets of knock cards"] += bool(knock_cards)
    walk.told["best answers"] += here.best_answer is not None


def find_early_end(walk: Walk, played: int, last: dict[str, Any]) -> bool:
    """Return whether open_spiel's early end is due to one of its rules or faults."""
    before = walk.moves[:played]
    if last["phase"] == "GAME_OVER":
        walk.told[REPETITION] += 1
        is_same_card = before[-4::2] == ["open", "open"] and before[-3] == before[-1]
        return is_same_card or (before[-1] == "open" and before.count("open") >= 50)
    return bool(walk.told[FAULT]) and walk.moves[played] == "knock"


def test_gin_is_what_open_spiel_plays(peer):
    told: Counter[str] = Counter()
    for number in range(FIRST, FIRST + DEALS):
        walk = play_deal(number)
        compare(walk, peer.ask("walk", walk.moves, walk.is_oklahoma))
        told += walk.told
    assert told["decisions"] > 40 * DEALS, told
    assert told["sets of knock cards"] > told["best answers"] > DEALS // 4, told
    assert {RETURNS, EQUAL, REPETITION} <= {*told}, told
    assert told[FAULT] < told["decisions"] / 2_000, told


def test_its_simple_bot_plays_whole_deals_here():
    """open_spiel's bot makes only legal moves here, and wins a fair share of the duel."""
    found = duel(GAME, as_in_open_spiel(POINTS), "hard", "open_spiel", deals=100, seed=FIRST)
    assert found.played == 200
    assert 0.3 < found.share < 0.8


def deal(*hands: str) -> list[str]:
    """Return a deck's order: these hands, each filled up to ten cards, then all other cards."""
    dealt = [hand.split() for hand in hands]
    left = [text for text in map(name, CARDS[:52]) if text not in chain(*dealt)]
    for hand in dealt:
        while len(hand) < 10:
            hand.append(left.pop())
    return [*chain(*dealt), *left]


def test_g7_too_much_deadwood_is_a_fault_of_open_spiel(peer):
    for hand, said, least in TOO_MUCH:
        *ten, drawn = hand.split()
        there = peer.ask("walk", [*deal(" ".join(ten), "")[:20], drawn, "open"], False)
        assert there["decisions"][-1]["deadwood"] == said
        assert exhaustive.search_least_after_discard(faces(hand)) == least
        assert find_best_melding(faces(hand), None).deadwood == least


def test_g9_big_gin_is_a_knock_there(peer):
    """In our rules, big gin is a separate kind of knock."""
    ten, drawn = "5H 6H 7H 8H KS KD KC 9D TD JD", "KH"
    there = peer.ask("walk", [*deal(ten, "")[:20], drawn, "open"], False)
    assert there["decisions"][-1]["legal"] == sorted([*ten.split(), drawn, "knock"])
    match = draw_card(scene(ten, NOTHING, open_pile="2S", next_closed=drawn))
    assert None in [m.card for m in GAME.core.list_legal(match, 0) if isinstance(m, Knock)]


def test_g10_no_third_card_is_laid_off_there(peer):
    """In our rules the eight fits, too. The best answer is the same, since three in order are a meld."""
    knocker, other = "3S 4S 5S 5H 6H 7H KS KD KC 2C", " ".join(THREE_IN_ORDER)
    moves = [*deal(knocker, other)[:20], "AD", "open", "knock", "AD"]
    moves += ["3S 4S 5S", "5H 6H 7H", "KC KD KS", "pass", *THREE_IN_ORDER]
    there = peer.ask("walk", moves, False)
    assert there["played"] == len(moves) - 1
    assert THREE_IN_ORDER[2] not in there["decisions"][-1]["legal"]
    lay_offs = tuple((card, 0) for card in faces(other))
    assert check_lay_offs([faces("3S 4S 5S")], lay_offs)


def test_g12_the_last_discard_may_be_knocked_with_there(peer):
    """In our rules the deal is dead (`test_rules.py`)."""
    *dealt, upcard = deal(NOTHING, TEN.replace("|", " "))[:21]
    drawn = deal(NOTHING, TEN.replace("|", " "))[21:50]
    turns = chain.from_iterable(("closed", card, card) for card in drawn)
    there = peer.ask("walk", [*dealt, upcard, "pass", "pass", *turns], False)
    assert there["decisions"][-1]["phase"] == "WALL"
    assert there["decisions"][-1]["legal"] == ["knock", "pass"]


def test_every_choice_is_a_row_of_the_sources():
    rows = DOCUMENT.read_text().partition("## Gin")[2].partition("\n## ")[0]
    assert [choice for choice in CHOICES if f"\n| {choice} | " not in rows] == []
