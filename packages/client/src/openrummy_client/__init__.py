"""A player's own program at an OpenRummy site."""

from openrummy_client.rest import Api, Refused
from openrummy_client.table import Closed, MoveRefused, Table

__all__ = ["Api", "Closed", "MoveRefused", "Refused", "Table"]
