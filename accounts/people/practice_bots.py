"""The practice bots: accounts that nobody can log in to, marked as bots on every page."""

from django.contrib.auth.hashers import make_password

from accounts.models import User, skeleton_of

NAMES = ("Asha", "Bharat", "Chitra", "Dev", "Esha", "Farhan", "Gita", "Harish")
_BATCH = 1_000


def practice_bots() -> list[User]:
    """All of them; those that are missing are made."""
    return so_many_bots(len(NAMES))


def so_many_bots(number: int) -> list[User]:
    """This many, always the same ones first; those that are missing are made."""
    wanted = [_who(place) for place in range(number)]
    addresses = [address for address, _name in wanted]
    bots = _by_address(addresses)
    missing = [
        User(
            email=address,
            player_name=name,
            name_skeleton=skeleton_of(name),
            is_bot=True,
            password=make_password(None),
        )
        for address, name in wanted
        if address not in bots
    ]
    if missing:
        # Somebody else may be making the same ones at this moment.
        User.objects.bulk_create(missing, ignore_conflicts=True, batch_size=_BATCH)
        bots = _by_address(addresses)
    return [bots[address] for address in addresses]


def _by_address(addresses: list[str]) -> dict[str, User]:
    return {bot.email: bot for bot in User.objects.filter(is_bot=True, email__in=addresses)}


def _who(place: int) -> tuple[str, str]:
    """The first ones go by their names alone, the others have a number as well."""
    generation, number = divmod(place, len(NAMES))
    name = NAMES[number]
    if generation == 0:
        return f"{name.lower()}@bots.invalid", f"{name} (bot)"
    return f"{name.lower()}{generation + 1}@bots.invalid", f"{name} {generation + 1} (bot)"
