from datetime import datetime

from wallet.bonuses.campaigns.codes import code_for_friends
from wallet.models import Campaign


def codes_for_friends(user_id: int, *, now: datetime) -> list[tuple[Campaign, str]]:
    """The campaigns that players invite friends with now, each with this player's own code."""
    running = Campaign.objects.filter(is_open=True, inviter_amount__gt=0)
    open_now = running.filter(valid_from__lte=now, valid_until__gt=now).order_by("pk")
    return [(one, code_for_friends(one.code, user_id)) for one in open_now]
