"""`python -m tests.games.playthroughs record [GAME ...]` writes the recorded matches anew.

`show GAME NUMBER STEP` prints what was to be seen after a step as this code plays it: run it with
the code before a change and with the code after it, and compare.
"""

import json
import lzma
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")

from games.registry import GAMES
from tests.games.playthroughs.match import Match, record
from tests.games.playthroughs.recorded import FOLDER, MATCHES, read_recorded


def main() -> None:
    if sys.argv[1:2] == ["record"]:
        with ProcessPoolExecutor() as processes:
            for game in sys.argv[2:] or GAMES:
                matches = processes.map(partial(record, game), range(MATCHES), chunksize=5)
                lines = [json.dumps(match, separators=(",", ":")) for match in matches]
                written = lzma.compress("\n".join(lines).encode(), preset=9)
                (FOLDER / f"{game}.jsonl.xz").write_bytes(written)
                sys.stdout.write(f"{game} {len(written)}\n")
        return
    _, game, number, step = sys.argv[1:]
    known = read_recorded(game)[int(number)]
    match = Match(game, known["number"], known["rules"], known["seats"])
    for taken in known["steps"][: int(step)]:
        match.take(taken)
    sys.stdout.write(json.dumps(match.look(), indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
