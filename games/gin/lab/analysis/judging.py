"""The loss of a decision of gin: see `games.analysis.judging`."""

from collections.abc import Sequence

from games.analysis.judging import Effort, Verdict, judged
from games.gin.bots.playouts import Playouts
from games.gin.lab.analysis.options import Choice, Option
from games.gin.lab.analysis.worlds import Worlds


def verdict_on(
    choice: Choice, worlds: Worlds, playouts: Playouts, effort: Effort
) -> Verdict[Option]:
    """Return the loss of the place at turn by this choice."""

    def nets(options: Sequence[Option]) -> list[float]:
        world = worlds.imagined()
        return [option.net(playouts, world.copy()) for option in options]

    return judged(choice, nets, effort)
