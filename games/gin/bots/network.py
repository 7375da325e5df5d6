"""Small neural networks: one layer of hidden units besides a linear part."""

from collections.abc import Sequence
from math import tanh
from typing import NamedTuple

Weights = tuple[float, ...]


class Network(NamedTuple):
    """A network, described by its weights. Its inputs are called terms.

    `hidden` has the weights of the terms in each hidden unit. The result is the sum of the hidden units, weighted by
    `of_units`, and of the terms, weighted by `of_terms`. In both lists of weights for terms, the first weight is that
    of the constant 1.
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
        """Return the network of the remaining terms if the last terms are fixed at these values."""
        hidden = tuple([_fix(weights, terms) for weights in self.hidden])
        return Network(hidden, self.of_units, _fix(self.of_terms, terms))


def _fix(weights: Weights, terms: Sequence[float]) -> Weights:
    rest, fixed = weights[: -len(terms)], weights[-len(terms) :]
    return (rest[0] + sum(map(float.__mul__, fixed, terms)), *rest[1:])
