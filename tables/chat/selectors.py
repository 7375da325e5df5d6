from django.db.models import Q

from accounts.models import User
from tables.models import (
    Block,
    ChatLine,
    IgnoredPlayer,
)
from tables.play.seat_view import View, line_view

# Of the chat, to somebody who comes.
LINES_SHOWN = 30


def chat_of(*, table_id: int, length: int) -> list[ChatLine]:
    """The newest lines that were said at a table, oldest first."""
    lines = ChatLine.objects.filter(table_id=table_id).select_related("user").order_by("-pk")
    return list(reversed(lines[:length]))


def ignored_by(user_id: int) -> frozenset[int]:
    """Whose lines this person does not want to read."""
    ignored = IgnoredPlayer.objects.filter(user_id=user_id)
    return frozenset(ignored.values_list("ignored_id", flat=True))


def apart_from(user_id: int) -> frozenset[int]:
    """With whom there is a block, whoever of the two asked for it: neither reads the other."""
    blocks = Block.objects.filter(Q(user=user_id) | Q(blocked=user_id))
    pairs = blocks.values_list("user_id", "blocked_id")
    return frozenset(person for pair in pairs for person in pair) - {user_id}


def ignored_players(user_id: int) -> list[User]:
    ignored = User.objects.filter(pk__in=ignored_by(user_id))
    return list(ignored.order_by("player_name"))


def chat_for(table_id: int, user_id: int) -> tuple[frozenset[int], list[View]]:
    """Whom this player ignores, and what the others have said lately."""
    ignored = ignored_by(user_id) | apart_from(user_id)
    lines = chat_of(table_id=table_id, length=LINES_SHOWN)
    return ignored, [line_view(line) for line in lines if line.user_id not in ignored]
