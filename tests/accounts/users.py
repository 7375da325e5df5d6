"""Players with a password and a confirmed e-mail address."""

from allauth.account.models import EmailAddress

from accounts.models import User

PASSWORD = "nine-limes-a-day"
SIGNUP = {
    "player_name": "Asha Rao",
    "email": "asha@example.com",
    "password1": "seven-lemons-a-day",
    "adult": "on",
}


def confirm_address(user: User) -> User:
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def make_confirmed_player(name: str = "Asha") -> User:
    email = f"{name.lower()}@example.com"
    return confirm_address(User.objects.create_user(email, PASSWORD, player_name=name))
