"""Skeletons of names that were stored before there were any."""

from accounts.models import User, skeleton_of

FILLED_AT_ONCE = 1_000


def fill_name_skeletons() -> int:
    """Fill some rows that have none; return how many. Other rows are left as they are."""
    rows = User.objects.filter(name_skeleton="").only("pk", "player_name").order_by("pk")
    some = list(rows[:FILLED_AT_ONCE])
    for user in some:
        user.name_skeleton = skeleton_of(user.player_name)
    # A name that was changed meanwhile has got its own.
    for user in some:
        row = User.objects.filter(pk=user.pk, player_name=user.player_name, name_skeleton="")
        row.update(name_skeleton=user.name_skeleton)
    return len(some)
