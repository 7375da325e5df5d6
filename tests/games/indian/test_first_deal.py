"""The lesson's fixed deal is won with ordinary care, and its bot never ends it."""

import random

import pytest

from games.indian.bots import choose as bots
from games.indian.bots.choose import IndianBot, Skill
from games.indian.bots.sight import IndianSight
from games.indian.game import LESSON_SEED
from games.indian.rules.match import CORE
from games.indian.rules.moves import Draw, move_json
from games.registry import get_game
from tests.given import require

GAME = get_game("indian")
RULES = GAME.rules.preset("lesson")
CAREFUL = Skill(by="count")


class FromTheDeckAlone(IndianBot):
    """A player who never draws from the open pile."""

    def draw(self):
        return Draw("closed")


class ThrowsTheDearest(IndianBot):
    """A player who discards the unmelded card with the most points, whatever it could become."""

    def choose_discard(self):
        sight = self.sight
        melded = {card for group in self.arrange_least(sight.hand).groups for card in group}
        naturals = [card for card in sight.discardable if not sight.is_joker(card)]
        loose = [card for card in naturals if card not in melded]
        return max(loose or naturals, key=lambda card: (card.rank == 1 or card.rank, card.face))


def play(player, *, skill=CAREFUL, seed=LESSON_SEED, turns=40):
    """Play the deal against a waiting bot. Return the result and the number of draws of seat 0."""
    rng, now, draws, written = random.Random(3), 0, 0, GAME.rules.json(RULES)
    state = GAME.core.start(rules=RULES, seats=(0, 1), toss=True, seed=seed, now=now).state
    while GAME.core.status(state).result is None and draws <= turns:
        seat = GAME.core.status(state).acting[0]
        you = GAME.view.private(state, seat)
        view = {"public": GAME.view.public(state), "you": you, "rules": written}
        if seat == 0:
            move = move_json(player(IndianSight.of(view, seat), skill, rng).choose())
            draws += move["kind"] == "draw"
        else:
            move = GAME.bots(view, seat, strength="waiting", rng=rng)
            assert move["kind"] != "finish"
        now += 1_000
        state = GAME.core.play(state, seat, GAME.wire.read(move), now=now, seed=seed).state
    return GAME.core.status(state).result, draws


@pytest.mark.parametrize(
    ("player", "skill"),
    [
        (IndianBot, CAREFUL),
        (IndianBot, bots.SKILLS["hard"]),
        (FromTheDeckAlone, CAREFUL),
        (ThrowsTheDearest, CAREFUL),
    ],
)
def test_any_style_of_play_wins_the_first_deal_within_six_turns(player, skill):
    result, draws = play(player, skill=skill)
    assert result.winners == (0,)
    assert 3 <= draws <= 6


def test_the_player_of_the_first_seat_begins():
    """R4.1: the seed determines the toss, so it is known."""
    order, _toss = CORE.toss((0, 1), seed=LESSON_SEED)
    assert order == (0, 1)


@pytest.mark.parametrize("number", range(5))
def test_a_bot_that_waits_never_ends_a_deal(number):
    """`play` fails if the bot finishes. The player overlooks its own chances to end the deal."""
    idle = Skill(overlooks=100, by="count")
    result, draws = play(IndianBot, skill=idle, seed=bytes([number]) * 32, turns=12)
    assert draws == 13 or 0 in result.winners


def test_only_indian_rummy_has_a_chosen_deal():
    chosen = {code: require(get_game(code).lesson).seed for code in ("indian", "gin")}
    assert chosen == {"indian": LESSON_SEED, "gin": None}
