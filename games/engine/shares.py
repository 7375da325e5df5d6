"""Sharing a whole number of units by weights (R8.5)."""

from collections.abc import Mapping


def divide(amount: int, shares: Mapping[int, int]) -> dict[int, int]:
    """Divide whole units in proportion to `shares`, by seat. Odd units go round from the first."""
    whole = sum(shares.values())
    divided = {seat: amount * share // whole for seat, share in shares.items()}
    odd = amount - sum(divided.values())
    return {seat: units + (place < odd) for place, (seat, units) in enumerate(divided.items())}
