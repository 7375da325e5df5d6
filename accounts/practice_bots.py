"""The practice bots: accounts that nobody can log in to, marked as bots wherever they are shown."""

from accounts.models import User

NAMES = ("Asha", "Bharat", "Chitra", "Dev", "Esha", "Farhan", "Gita", "Harish")


def practice_bots() -> list[User]:
    """All of them; those that are missing are made."""
    known = {bot.email: bot for bot in User.objects.filter(is_bot=True)}
    return [known.get(_address(name)) or _make(name) for name in NAMES]


def _make(name: str) -> User:
    bot, _made = User.objects.get_or_create(
        email=_address(name), defaults={"player_name": f"{name} (bot)", "is_bot": True}
    )
    return bot


def _address(name: str) -> str:
    return f"{name.lower()}@bots.invalid"
