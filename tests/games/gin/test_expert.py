"""The expert of gin: the fitted value of hands, the opponent's likely hands, knocks by expected points."""

import random
from statistics import fmean

import pytest
from msgspec.structs import replace

from games.cards import CARDS
from games.gin.bots.expert import Expert, GinKnowledge, list_discards
from games.gin.bots.likelihood import choose_likely, estimate_likelihoods
from games.gin.bots.network import Network
from games.gin.bots.playouts import GinPlayouts, GinPosition, GinQuickPolicy
from games.gin.bots.sight import GinSight
from games.gin.bots.signs import GinSigns, Likely, sample_hands
from games.gin.bots.threats import Opponent
from games.gin.bots.value import GinStanding, assess_hand, estimate_value
from games.gin.bots.weights import LIKELIHOOD, WORTH
from games.gin.game import GAME
from games.gin.rules.defence import find_best_defence
from games.gin.rules.melding import BIT, cards_of, count_least, mask_of
from games.gin.rules.ruleset import POINTS, PRESETS
from tests.games.driving import bot_view
from tests.games.gin.scenes import NOTHING, TEN, TWO, draw_card, scene
from tests.games.scenes import faces, groups

ALL = (1 << 52) - 1


def hand(text):
    return mask_of(card for group in groups(text) for card in group)


def worth(text, turn=3, held=0):
    ten = hand(text)
    hidden = [BIT[card] for card in cards_of(ALL & ~ten)]
    return estimate_value(assess_hand(ten, hidden, 10), GinStanding(turn, held), 10)


def read_known(text, **fields):
    mine = hand(text)
    fields = {"signs": GinSigns(0, (), (), 3), "turn": 4, "hidden": ALL & ~mine, **fields}
    return GinKnowledge(rules=POINTS, limit=10, hand=mine, closed_count=25, **fields)


def choose_move(match, seat=0, name="same"):
    rng = random.Random(name)
    return dict(GAME.bots(bot_view(GAME, match, seat), seat, strength="expert", rng=rng))


# --- The value.


def test_a_better_hand_is_worth_more():
    melded = "5H 6H 7H|KS KD KC|9D TD|AS 2C"
    assert worth(melded) > worth("5H 6H 7H|KS KD 4C|9D 2S|AS QC") > worth(NOTHING)
    assert worth(NOTHING, turn=1) > worth(NOTHING, turn=8)
    assert worth(melded, held=0) > worth(melded, held=3)


def deal_position(order):
    """Return the position of a new deal from the 52 cards in this order (G3)."""
    return GinPosition(
        hands=[sum(BIT[card] for card in order[place:20:2]) for place in (0, 1)],
        open_pile=[order[20]],
        closed=list(order[:20:-1]),
        turns=[1, 0],
        is_offered=True,
    )


class Watching(GinQuickPolicy):
    """A policy that plays both seats. After each discard, it notes in `values` a hand above the knock limit."""

    def __init__(self, limit):
        super().__init__(limit)
        self.taken = [0, 0]
        self.values = []

    def wants(self, position, card):
        wanted = super().wants(position, card)
        self.taken[position.turn] |= BIT[card] if wanted else 0
        return wanted

    def part(self, position, kept):
        card, knocks = super().part(position, kept)
        place, rest = position.turn, position.hands[position.turn] ^ BIT[card]
        if not knocks and count_least(rest) > self.limit:
            held = self.taken[1 - place] & position.hands[1 - place]
            unseen = ALL & ~(rest | BIT[card] | held | mask_of(position.open_pile))
            hidden = [BIT[one] for one in cards_of(unseen)]
            standing = GinStanding(position.turns[place], held.bit_count())
            worth = estimate_value(assess_hand(rest, hidden, self.limit), standing, self.limit)
            self.values.append((place, worth))
        return card, knocks


def test_the_value_is_right_on_average_on_deals_that_it_was_not_fitted_to():
    points = []
    for number in range(400):
        cards = random.Random(number).sample(range(52), 52)
        playouts = GinPlayouts(POINTS, CARDS[cards[20]])
        playouts.policy = watching = Watching(playouts.limit)
        nets = playouts.play_out(deal_position(cards))
        points += [(worth, nets[place] / playouts.factor) for place, worth in watching.values]
    assert abs(fmean(worth - net for worth, net in points)) < 3
    points.sort()
    part = len(points) // 4
    assert fmean(net for _, net in points[-part:]) > fmean(net for _, net in points[:part]) + 8


# --- The opponent's hands.


def test_likely_hands_hold_the_taken_cards_and_no_visible_ones():
    mine = hand(TEN)
    held = hand("QH QS")
    found = sample_hands(
        GinSigns(held, (), (), 6), ALL & ~(mine | held), 10, random.Random(1), count=40
    )
    for likely in found:
        assert likely.hand.bit_count() == 10
        assert likely.hand & held == held
        assert not likely.hand & mine
        assert likely.deadwood == count_least(likely.hand)
    in_meld = sum(likely.hand & hand("QD QC") != 0 for likely in found)
    assert in_meld > 20, "two queens that were taken are likely to be in a set"


def test_a_player_who_threw_similar_cards_is_unlikely_to_want_one():
    mine = hand(NOTHING)
    hidden = ALL & ~(mine | hand("5C 5H"))

    def given(signs):
        expert = Expert(read_known(NOTHING, hidden=hidden, signs=signs), random.Random(2))
        return expert.opponent.reply(faces("5D")[0]).saved

    cards = faces("5C 5H")
    shy = GinSigns(0, thrown=(cards[0],), refused=(cards[1],), draws=3)
    assert given(shy) < given(GinSigns(0, (), (), 3))
    collecting = GinSigns(hand("6D 7D"), (), (), 3)
    assert given(collecting) > 1.4 * given(GinSigns(0, (), (), 3))


@pytest.mark.parametrize(
    ("hides", "thrown", "refused"),
    [("8D 8C 4S 7D", "JD 8H", ""), ("KD KS 2C 7D", "JD TS", "KC")],
    ids=["thrown", "refused"],
)
def test_a_hand_is_less_likely_if_its_cards_were_thrown_or_passed_up(hides, thrown, refused):
    def compare(thrown, refused):
        signs = GinSigns(hand("QH"), faces(thrown), faces(refused), 2)
        hands = [hand(f"QH QD QS|3H 4H 5H|{loose}") for loose in ("9D 9C 4S 7D", hides)]
        likelier, other = estimate_likelihoods(hands, signs, 10)
        assert likelier.weight + other.weight == pytest.approx(1)
        return likelier.weight / other.weight

    assert compare(thrown, refused) > 2 * compare("JD TS", "")


def test_hands_are_chosen_as_often_as_they_are_likely():
    hands = [Likely(number, number, weight) for number, weight in enumerate((0.5, 0.3, 0.2, 0))]
    chosen = choose_likely(hands, 10, random.Random(1))
    assert [(likely.deadwood, likely.weight) for likely in chosen] == [(0, 0.5), (1, 0.3), (2, 0.2)]
    rare = [choose_likely(hands, 1, random.Random(number))[0].deadwood for number in range(400)]
    assert 160 < rare.count(0) < 240
    assert rare.count(2) > 50


# --- The networks.


def test_a_network_with_fixed_terms_computes_the_same():
    network = Network(
        ((0.5, 1.0, -2.0, 0.25), (0.1, 0.0, 3.0, -1.0)), (2.0, -1.0), (1.0, 2.0, 3.0, 4.0)
    )
    assert network.fix([0.3, 0.7]).compute([0.2]) == pytest.approx(network.compute([0.2, 0.3, 0.7]))
    assert network.compute([0.2, 0.3, 0.7]) != pytest.approx(network.compute([0.2, 0.3, 0.8]))


def test_every_term_has_its_weights():
    expert = Expert(read_known(f"{TEN}|9C"), random.Random(1))
    (nine,) = faces("9C")
    assert len(expert.list_terms(hand(TEN), nine)) + 1 == len(WORTH.of_terms)
    for network in (WORTH, LIKELIHOOD):
        assert {len(weights) for weights in network.hidden} == {len(network.of_terms)}
        assert len(network.hidden) == len(network.of_units)


# --- The opponent's next move.


def likely(text, weight):
    return Likely(hand(text), count_least(hand(text)), weight)


def reply_of(card, *texts):
    hands = [likely(text, 1 / len(texts)) for text in texts]
    hidden = ALL & ~hand(TEN) & ~BIT[card]
    return Opponent(hands, hidden, 10, random.Random(1)).reply(card)


def test_a_discard_is_taken_for_a_meld_or_a_knock():
    """Taking the five of hearts saves one hand nine points, and lets the other knock with eight."""
    (five,) = faces("5H")
    melding = reply_of(five, "2H 3H 4H|9S 8D 6C 3C 2S AD AC")
    assert (melding.taken, melding.saved) == (1, 9)
    knocking = reply_of(five, "6H 7H 8H|2S 2D 2C|AS 3D 4C TS")
    assert (knocking.taken, knocking.saved, knocking.knocks) == (1, 10, 1)
    assert [threat.points for threat in knocking.threats] == [8]
    useless = reply_of(five, "KS QD JC TH 9S 8D 7C 3H 2S AD")
    assert (useless.taken, useless.saved, useless.knocks) == (0, 0, 0)
    both = "KS QD JC TH 9S 8D 7C 3H 2S AD", "2H 3H 4H|9S 8D 6C 3C 2S AD AC"
    assert reply_of(five, *both).taken == 0.5


def test_a_threat_is_answered_as_well_as_can_be():
    rng, laid_off = random.Random(1), 0
    for _ in range(60):
        cards = rng.sample(range(52), 51)
        ten, *hands = (mask_of(cards[place : place + 10]) for place in range(0, 50, 10))
        likely = [Likely(one, count_least(one), 0.25) for one in hands]
        opponent = Opponent(likely, ALL & ~ten, 50, rng)
        for threat in opponent.reply(cards[50]).threats:
            best = find_best_defence(cards_of(ten), threat.melds)
            assert threat.answer(ten, count_least(ten)) == best.deadwood
            laid_off += bool(best.lay_offs)
    assert laid_off > 5


# --- Decisions.


def test_a_knock_is_valued_against_likely_hands():
    """An early knock with two gains points against any hand; a late one with ten is risky."""
    early = Expert(read_known(f"{TWO}|4C", signs=GinSigns(0, (), (), 1)), random.Random(1))
    thrown, refused = hand("KH QH QD JS TS 9S 8S 8D 7C"), hand("QC QS JC JH TC TH 8H 8C")
    hidden = ALL & ~(hand(f"{TEN}|9C") | thrown | refused)
    signs = GinSigns(0, cards_of(thrown), cards_of(refused), 9)
    late = Expert(read_known(f"{TEN}|9C", hidden=hidden, signs=signs), random.Random(1))
    four, nine = faces("4C 9C")
    assert early.estimate_knock(four, 2) > 15
    assert late.estimate_knock(nine, 10) < early.estimate_knock(four, 2) - 10


def test_an_expert_knocks_early():
    assert choose_move(draw_card(scene(TWO, NOTHING, next_closed="KH")))["kind"] == "knock"


def test_candidate_discards_are_held_and_may_be_discarded():
    eleven = hand(f"{TEN}|9C")
    kept = hand("9C")
    for count in (1, 4):
        found = list_discards(eleven, kept, count)
        assert len(found) in (count, count + 1)
        assert all(BIT[card] & eleven & ~kept for card in found)


def test_no_card_is_hidden_when_every_card_is_known():
    match = scene(NOTHING, TEN, closed_count=1, rules=replace(POINTS, wall=0))
    other = match.deal.players[1]
    match = replace(match, deal=match.deal.with_player(replace(other, taken=other.hand)))
    assert GinSight.of(bot_view(GAME, draw_card(match), 0), 0).known.hidden == 0


def test_g4_the_upcard_is_no_sign_before_the_other_was_asked():
    match = scene(NOTHING, TEN, open_pile="KH")
    assert GinSight.of(bot_view(GAME, match, 0), 0).known.signs.refused == ()


# --- Playouts.


@pytest.mark.parametrize("name", ["points", "oklahoma", "classic"])
def test_a_playout_keeps_its_cards_and_its_points(name):
    rng = random.Random(name)
    for _ in range(40):
        cards = rng.sample(range(52), 52)
        position = deal_position(cards)
        before = position.copy()
        playing = GinPlayouts(PRESETS[name], next(iter(cards_of(BIT[cards[20]]))))
        nets = playing.play_out(position)
        assert nets[0] == -nets[1]
        assert before.hands[0].bit_count() == before.hands[1].bit_count() == 10
        left = [
            *position.closed,
            *position.open_pile,
            *cards_of(position.hands[0] | position.hands[1]),
        ]
        assert sorted(left) == list(range(52))
