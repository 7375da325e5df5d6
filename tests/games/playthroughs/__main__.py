"""Print everything visible after a step of a recorded match:
`python -m tests.games.playthroughs show GAME NUMBER STEP`.

Compare its output before and after a change of the code.
"""

import json
import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")

from tests.games.playthroughs.match import Match
from tests.games.playthroughs.recorded import read_recorded


def main() -> None:
    _, _show, game, number, step = sys.argv
    known = read_recorded(game)[int(number)]
    match = Match(game, known["number"], known["rules"], known["seats"])
    for taken in known["steps"][: int(step)]:
        match.take(taken)
    sys.stdout.write(json.dumps(match.look(), indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
