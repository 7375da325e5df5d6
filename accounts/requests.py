from django.http import HttpRequest

from accounts.models import User


class PlayerRequest(HttpRequest):
    """For types alone: what a view behind `login_required` gets."""

    user: User
