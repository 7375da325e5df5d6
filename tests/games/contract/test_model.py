"""What is laid and bought agrees with rules that were written a second time (`model`)."""

from collections import Counter

from tests.effort import share_of
from tests.games.contract.model import windows
from tests.games.contract.model.positions import disagreements

SEED = 1
POSITIONS = share_of(1_500)
WINDOWS = share_of(600)
# Each kind of laying is played, and refused for every reason there is.
EXPECTED = {
    f"{kind}: {code}"
    for kind, codes in {
        "contract": (
            "played contract_already_met contract_not_met groups_not_your_hand "
            "must_keep_a_discard not_a_meld"
        ),
        "lay_off": (
            "played contract_not_met does_not_fit must_keep_a_discard no_such_meld not_in_this_turn"
        ),
        "swap_joker": (
            "played contract_not_met does_not_fit joker_is_dead must_keep_a_discard "
            "no_such_joker no_such_meld not_in_this_turn"
        ),
    }.items()
    for code in codes.split()
}


def test_the_game_and_the_model_agree_on_every_laying():
    """C3 to C5, C9 to C13"""
    said: Counter[str] = Counter()
    for number in range(POSITIONS):
        for what, code in disagreements(number, SEED):
            assert not what
            said[code] += 1
    assert said.keys() >= EXPECTED
    assert said["contract: played"] > share_of(300)
    assert said["lay_off: played"] > share_of(1_000)
    assert said["swap_joker: played"] > share_of(100)


def test_the_game_and_the_model_agree_on_every_buying():
    """C6 to C8, C20"""
    assert [what for number in range(WINDOWS) for what in windows.disagreements(number, SEED)] == []
