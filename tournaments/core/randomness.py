"""A tournament's own chance: drawn anew from its stored seed, the same every time."""

import random

from tournaments.models import Tournament


def chance_of(tournament: Tournament, purpose: str) -> random.Random:
    """Return the random numbers for one purpose, such as the seating of round 2."""
    return random.Random(f"{bytes(tournament.seed).hex()}:{purpose}")  # noqa: S311 - seeded from secrets
