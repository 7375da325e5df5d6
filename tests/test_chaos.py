"""A minute and a half of bin/chaos: a whole site with servers of its own, each kind of kill."""

import re
import subprocess
import sys
from pathlib import Path

from bench.chaos.faults import KILLS

ROOT = Path(__file__).resolve().parents[1]
# Once each where nothing else runs; on a busy machine it stops in time.
MINUTES = 1.3


def test_nothing_is_lost_whatever_is_killed() -> None:
    options = ["--tables", "4", "--minutes", str(MINUTES), "--quiet", "0.5"]
    kills = ["--kills", str(len(KILLS)), "--kinds", *KILLS]
    ran = subprocess.run(
        [sys.executable, "-m", "bench.chaos", *options, *kills],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    said = re.search(
        r"(\d+) kills and \d+ other faults; (\d+) moves acknowledged: 0 lost, 0 doubled; ledger 0"
        r" times off; secrets seen 0; (\d+) checks, 0 things wrong",
        ran.stdout,
    )
    assert said is not None, ran.stdout
    killed, moves, checks = (int(number) for number in said.groups())
    assert killed >= 3
    assert moves > 20
    assert checks >= 1
