"""Accounts whose passwords everybody knows, for local runs alone."""

from functools import cache

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password

from accounts.models import User


def make_demo_admin(email: str, name: str, *, password: str) -> None:
    """Unless there is an account with this address."""
    if not User.objects.filter(email=email).exists():
        _finish(User.objects.create_superuser(email, player_name=name), password)


def make_demo_player(email: str, name: str, *, password: str) -> User | None:
    """None if there was an account with this address already."""
    if User.objects.filter(email=email).exists():
        return None
    player = User.objects.create_user(email, player_name=name)
    _finish(player, password)
    return player


def _finish(user: User, password: str) -> None:
    user.password = _hash_once(password)
    user.save(update_fields=["password"])
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)


@cache
def _hash_once(password: str) -> str:
    """Hash the password that all demo accounts share. Each hash takes a third of a second."""
    return make_password(password)
