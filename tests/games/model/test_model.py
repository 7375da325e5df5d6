"""The game agrees with an independent model of the rules, written only from docs/rules*.md."""

from collections import Counter

from games.indian.rules.ruleset import PRESETS
from tests.effort import IS_FULL, share_of
from tests.games.model import playing as indian
from tests.games.rummikub.model import judging

# By default every third match of Indian rummy, and match 157 for events that occur in none of those: an
# unanswered rejoin offer, and an attempt to draw a discarded joker.
OF_INDIAN = range(300) if IS_FULL else sorted({*range(0, 300, 3), 157})


def test_r3_to_r10_the_game_and_the_model_agree_in_every_step():
    """Checked with every preset and with two to six players."""
    played = [indian.play_match(1, number) for number in OF_INDIAN]
    assert [match.disagreement for match in played if match.disagreement] == []
    assert sum(match.steps for match in played) > (20_000 if IS_FULL else 8_000)
    happened = sum((match.happened for match in played), Counter[str]())
    assert [what for what in indian.EXPECTED if not happened[what]] == []
    every = {(name, seats) for name in PRESETS for seats in range(2, 7)}
    assert set(indian.PRESET_MATCHES) == every
    found = {(match.name, match.seats) for match in played}
    assert {name for name, _ in found} >= PRESETS.keys()
    assert {seats for _, seats in found} == {2, 3, 4, 5, 6}
    assert not IS_FULL or found >= every


def test_k4_to_k11_the_game_and_the_model_judge_every_lay_alike():
    """Checked on crowded tables with jokers, by several rule sets."""
    told: Counter[str | None] = Counter()
    for number in range(share_of(400)):
        for what, code in judging.list_disagreements(number, 1):
            assert not what
            told[code] += 1
    assert told.pop(None) > share_of(1_000)
    assert {code for code, often in told.items() if often > share_of(20)} == {
        *("table_not_valid", "below_initial_meld", "joker_is_frozen", "tiles_missing"),
        *("card_not_held", "nothing_laid", "table_not_yours", "joker_not_laid"),
    }
