"""A client for players' own programs at an OpenRummy site."""

from openrummy_client.rest import Api, BlockingApi, Refused
from openrummy_client.table import Closed, MoveRefused, Table, Unreachable
from openrummy_client.version import __version__

__all__ = [
    "Api",
    "BlockingApi",
    "Closed",
    "MoveRefused",
    "Refused",
    "Table",
    "Unreachable",
    "__version__",
]
