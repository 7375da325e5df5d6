"""A run of bin/chaos for a minute or two (its checks are tested in tests/tables/play/test_chaos_checks.py)."""

import re

from bench.chaos.faults import KILLS, KINDS
from tests.programs import run_python

# Enough for each fault once on an idle machine; a busy one gets through fewer. Replacing all
# processes takes half a minute by itself.
MINUTES = 0.9
WEATHER = [kind for kind in KINDS if kind not in KILLS and kind != "replaced"]


def test_nothing_is_lost_when_processes_are_killed() -> None:
    options = ["--tables", "4", "--minutes", str(MINUTES), "--quiet", "0.5"]
    kills = ["--kills", str(len(KILLS)), "--kinds", *WEATHER, *KILLS]
    ran = run_python("-m", "bench.chaos", *options, *kills, check=True, timeout=300)
    said = re.search(
        r"(\d+) kills and [1-9] other faults; (\d+) moves acknowledged: 0 lost, 0 doubled; ledger 0"
        r" times off; secrets seen 0; (\d+) checks, 0 things wrong",
        ran.stdout,
    )
    assert said is not None, ran.stdout
    killed, moves, checks = (int(number) for number in said.groups())
    assert killed >= 3
    assert moves > 20
    assert checks >= 1
