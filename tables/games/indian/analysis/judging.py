"""The loss of a decision of Indian rummy: see `tables.games.analysis.judging`."""

import random
from collections.abc import Sequence

from tables.games.analysis.judging import Effort, Verdict, judged
from tables.games.indian.analysis.options import Choice, Option
from tables.games.indian.analysis.reading import Situation
from tables.games.indian.analysis.worlds import imagined
from tables.games.indian.playouts import Playouts


def verdict_on(
    choice: Choice,
    situation: Situation,
    playouts: Playouts,
    rng: random.Random,
    effort: Effort,
) -> Verdict[Option]:
    """What the place at turn gave away by this choice."""

    def nets(options: Sequence[Option]) -> list[float]:
        world = imagined(situation, situation.position.turn, rng)
        return [option.net(playouts, world.copy(), choice.drop_points) for option in options]

    return judged(choice, nets, effort)
