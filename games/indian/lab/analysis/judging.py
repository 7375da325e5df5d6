"""The loss of a decision of Indian rummy: see `games.analysis.judging`."""

import random
from collections.abc import Sequence

from games.analysis.judging import Effort, Verdict, judged
from games.indian.bots.playouts import Playouts
from games.indian.lab.analysis.options import Choice, Option
from games.indian.lab.analysis.reading import Situation
from games.indian.lab.analysis.worlds import imagined


def verdict_on(
    choice: Choice, situation: Situation, playouts: Playouts, rng: random.Random, effort: Effort
) -> Verdict[Option]:
    """Return the loss of the place at turn by this choice."""

    def nets(options: Sequence[Option]) -> list[float]:
        world = imagined(situation, situation.position.turn, rng)
        return [option.net(playouts, world.copy(), choice.drop_points) for option in options]

    return judged(choice, nets, effort)
