"""Recorded matches of every game are replayed, and everything visible in them is unchanged."""

import base64
import zlib

import pytest

from tests.effort import IS_FULL
from tests.games.driving import CODES, GAMES
from tests.games.playthroughs.match import Match
from tests.games.playthroughs.recorded import FOLDER, MATCHES, read_recorded

PARTS = 5
RECORDED = [code for code in CODES if (FOLDER / f"{code}.jsonl.xz").exists()]
# Without --full, one in this many matches is replayed, as the search for lays at every step takes long.
EVERY = {"rummikub": 60, "indian": 5}
# Rule sets that are newer than the records.
YOUNGER = {"rummikub": {"tournament"}}


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", RECORDED)
def test_a_recorded_match_is_replayed_alike(game, part):
    for known in read_recorded(game)[part::PARTS]:
        number = zlib.crc32(f"{game}{known['number']}".encode())
        if not IS_FULL and number % EVERY.get(game, 20):
            continue
        match = Match(game, known["number"], known["rules"], known["seats"])
        assert match.digest() == known["seen"][0], replay(game, known, 0)
        for number, step in enumerate(known["steps"], start=1):
            match.take(step)
            assert match.digest() == known["seen"][number], replay(game, known, number)
            if stored := known["stored"].get(str(number)):
                match.state = match.game.stored.load(base64.b64decode(stored))
                assert match.digest() == known["seen"][number], "a state stored before is read"
                assert match.game.stored.load(match.game.stored.dump(match.state)) == match.state


def replay(game, known, number):
    step = known["steps"][number - 1]["do"] if number else "the start"
    return (
        f"{step} came to something else:"
        f" python -m tests.games.playthroughs show {game} {known['number']} {number}"
    )


@pytest.mark.parametrize("game", RECORDED)
def test_every_preset_is_among_the_records(game):
    matches = read_recorded(game)
    assert len(matches) == MATCHES
    known = {match["rules"]["name"] for match in matches}
    assert known == set(GAMES[game].rules.presets) - YOUNGER.get(game, set())
