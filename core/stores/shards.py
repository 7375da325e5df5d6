"""Several Redis servers that share the names between them.

Each name, of a table, a rate, a cached value or a group of sockets, lives on one of them. What dies
with a server is what was on it alone: hints, marks and counts, never the truth
(docs/adr/0014-replica-and-shards.md).
"""

from redis.crc import key_slot


class Shards(tuple[str, ...]):
    """The addresses of the servers, in the same order in every process."""

    __slots__ = ()

    def of(self, name: str) -> str:
        """The address of the server that has this name."""
        return self[shard_of(name, len(self))]


def shard_of(name: str, count: int) -> int:
    """The place among `count` servers, by the hash slot that Redis itself gives the name."""
    return 0 if count == 1 else key_slot(name.encode()) % count
