"""Accounts whose passwords everybody knows, for local runs alone."""

from allauth.account.models import EmailAddress

from accounts.models import User


def make_demo_admin(email: str, name: str, *, password: str) -> None:
    """Unless there is an account with this address."""
    if not User.objects.filter(email=email).exists():
        _confirm(User.objects.create_superuser(email, password, player_name=name))


def make_demo_player(email: str, name: str, *, password: str) -> User | None:
    """None if there was an account with this address already."""
    if User.objects.filter(email=email).exists():
        return None
    player = User.objects.create_user(email, password, player_name=name)
    _confirm(player)
    return player


def _confirm(user: User) -> None:
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
