"""The caches of a long-lived process are bounded."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MOST_MEGABYTES = 80

# Hands of all fourteen kinds of deals, as many as a clock's bots see in a few hours.
MANY_DEALS = """
import random
from pathlib import Path
from games.indian.bots.distance import distances, shape_of

def megabytes():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) // 1024

before = megabytes()
chance = random.Random(5)
unseen = {face: 2 for face in range(53)}
for wild in (None, *range(1, 14)):
    known = distances(wild)
    for _ in range(100):
        hand = chance.sample(range(106), 13)
        known.helpful(shape_of(hand, wild), unseen)
print(megabytes() - before)
"""


def test_distances_of_many_deals_stay_within_their_bound():
    done = subprocess.run(
        [sys.executable, "-c", MANY_DEALS], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert 5 < int(done.stdout) <= MOST_MEGABYTES
