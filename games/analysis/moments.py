"""The moment of a decision: what its player knew, and worlds that agree with it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass
class Moment:
    """A player who has to decide in a situation. Subclasses use only what the player could know of the situation.

    A *world* is a possible deal that agrees with everything that the player has seen.
    """

    situation: Any
    place: int
    playouts: Any
    rng: random.Random

    def sample_world(self) -> Any:
        """Return a world. Copy it before playing an option in it."""
        raise NotImplementedError

    def play_option(self, option: Any, world: Any) -> Sequence[float] | None:
        """Play an option of the current player. Return the net points by place if this ends the deal, else None."""
        if option.doing == "discard":
            nets: Sequence[float] | None = self.playouts.discard(world, option.card)
            return nets
        if option.doing == "open":
            self.playouts.take_open(world)
        else:
            self.playouts.take_closed(world)
        return None

    def play_out(self, option: Any, world: Any) -> float:
        """Return the net points of the moment's player after taking this option. Uses up `world`."""
        ended = self.play_option(option, world)
        net: float = (self.playouts.play_out(world) if ended is None else ended)[self.place]
        return net

    def nets(self, options: Sequence[Any]) -> list[float]:
        """Return the net points of each option, all of them played out in one fresh world."""
        world = self.sample_world()
        return [self.play_out(option, world.copy()) for option in options]
