import json

from django import template

from accounts.models import User
from accounts.people.preferences import get_preferences, has_earned_looks

register = template.Library()


@register.filter
def preferences(user: User) -> str:
    """Return the user's id and preferences as JSON for static/js/theme.js."""
    own = {"account": str(user.pk), **get_preferences(user)}
    return json.dumps(own, separators=(",", ":"))


@register.filter
def needs_rewards_sheet(user: User) -> bool:
    """Return whether the pages of this signed-in player need static/css/rewards.css."""
    return has_earned_looks(user)
