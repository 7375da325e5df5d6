"""Messages to one person, on any page: a hint through Redis, after the commit."""

from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer


def group_of(user_id: int) -> str:
    """The group of all sockets of a person."""
    return f"user.{user_id}"


async def tell(user_id: int, message: dict[str, Any]) -> None:
    """Send `message`, an object with a `type`, to every open page of this person.

    Raises RedisError or OSError without Redis.
    """
    layer = get_channel_layer()
    assert layer is not None  # noqa: S101 - the settings name one
    await layer.group_send(group_of(user_id), {"type": "me.message", "message": message})


tell_from_thread = async_to_sync(tell)
