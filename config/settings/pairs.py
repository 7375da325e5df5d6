"""A pair of servers, PostgreSQL and Valkey, for each worker of `pytest -n`, so that workers share nothing."""

import json
from collections.abc import Mapping, Sequence

COUNT = "TEST_PROCESSES"
# The environment of each pair of servers, as JSON.
_PAIRS = "SERVERS_OF_TEST_PROCESSES"
_WORKER = "PYTEST_XDIST_WORKER"


class NoServersError(Exception):
    """There are more workers than pairs of servers."""


def pairs_wanted(given: Mapping[str, str]) -> int:
    """Return the number of pairs to start. It is 1 if the environment names a server, which workers could not share."""
    is_given = any(given.get(name) for name in ("DATABASE_URL", "REDIS_URL"))
    return 1 if is_given else int(given.get(COUNT) or 1)


def as_environment(pairs: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return the environment of a command. The command itself uses the first pair, each worker a pair of its own."""
    return {**pairs[0], COUNT: str(len(pairs)), _PAIRS: json.dumps(pairs)}


def servers_of_worker(given: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of this worker's pair. Empty outside of `pytest -n`.

    Raises NoServersError.
    """
    worker = given.get(_WORKER)
    if worker is None:
        return {}
    pairs = json.loads(given.get(_PAIRS, "[]"))
    number = int(worker.removeprefix("gw"))
    if number >= len(pairs):
        raise NoServersError(
            f"pytest -n {number + 1} or more needs a pair of servers for each worker: "
            f"{COUNT}={number + 1} bin/test pytest -n {number + 1}."
        )
    return dict(pairs[number])
