"""The loss of a decision of gin: see `tables.games.analysis.judging`."""

from collections.abc import Sequence

from tables.games.analysis.judging import Effort, Verdict, judged
from tables.games.gin.bots.playouts import Playouts
from tables.games.gin.lab.analysis.options import Choice, Option
from tables.games.gin.lab.analysis.worlds import Worlds


def verdict_on(
    choice: Choice, worlds: Worlds, playouts: Playouts, effort: Effort
) -> Verdict[Option]:
    """What the place at turn gave away by this choice."""

    def nets(options: Sequence[Option]) -> list[float]:
        world = worlds.imagined()
        return [option.net(playouts, world.copy()) for option in options]

    return judged(choice, nets, effort)
