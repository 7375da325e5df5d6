"""Small neural networks: one layer of hidden units besides a linear part."""

from collections.abc import Sequence
from math import tanh
from typing import NamedTuple

Weights = tuple[float, ...]


class Network(NamedTuple):
    """A network as its weights: of the inputs to each hidden unit, of the hidden units, and of the inputs themselves.

    The inputs are called terms. The first weight for the terms is that of the constant 1.
    """

    hidden: tuple[Weights, ...]
    of_units: Weights
    of_terms: Weights

    def compute(self, terms: Sequence[float]) -> float:
        given = (1.0, *terms)
        units = [tanh(sum(map(float.__mul__, weights, given))) for weights in self.hidden]
        linear = sum(map(float.__mul__, self.of_terms, given))
        return linear + sum(map(float.__mul__, self.of_units, units))

    def fix(self, terms: Sequence[float]) -> "Network":
        """Return a network of the other terms, in which the last terms have these values."""
        hidden = tuple([_fix(weights, terms) for weights in self.hidden])
        return Network(hidden, self.of_units, _fix(self.of_terms, terms))


def _fix(weights: Weights, terms: Sequence[float]) -> Weights:
    rest, fixed = weights[: -len(terms)], weights[-len(terms) :]
    return (rest[0] + sum(map(float.__mul__, fixed, terms)), *rest[1:])
