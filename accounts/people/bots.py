"""Practice bots and demo accounts.

Nobody can sign in as a practice bot; every page marks them as bots. The passwords of demo accounts are
public, so they exist in local runs only.
"""

from functools import cache

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password

from accounts.faces import BOT_FACES
from accounts.models import User, compute_stored_skeleton

NAMES = ("Asha", "Bharat", "Chitra", "Dev", "Esha", "Farhan", "Gita", "Harish")
_BATCH = 1_000


def get_practice_bots() -> list[User]:
    """Return all practice bots. Create those that are missing."""
    return get_first_bots(len(NAMES))


def get_first_bots(number: int) -> list[User]:
    """Return the first `number` bots, in an order that never changes. Create those that are missing."""
    wanted = [_name_bot(place) for place in range(number)]
    addresses = [address for address, _name in wanted]
    bots = _get_bots_by_address(addresses)
    missing = [
        User(
            email=address,
            player_name=name,
            name_skeleton=compute_stored_skeleton(name),
            face=BOT_FACES[place % len(BOT_FACES)],
            is_bot=True,
            password=make_password(None),
        )
        for place, (address, name) in enumerate(wanted)
        if address not in bots
    ]
    if missing:
        # Another process may be creating the same bots.
        User.objects.bulk_create(missing, ignore_conflicts=True, batch_size=_BATCH)
        bots = _get_bots_by_address(addresses)
    return [bots[address] for address in addresses]


def _get_bots_by_address(addresses: list[str]) -> dict[str, User]:
    return {bot.email: bot for bot in User.objects.filter(is_bot=True, email__in=addresses)}


def _name_bot(place: int) -> tuple[str, str]:
    """Return the address and name of the bot with this index. The first bots have no number in their names."""
    generation, number = divmod(place, len(NAMES))
    name = NAMES[number]
    if generation == 0:
        return f"{name.lower()}@bots.invalid", f"{name} (bot)"
    return f"{name.lower()}{generation + 1}@bots.invalid", f"{name} {generation + 1} (bot)"


def make_demo_admin(email: str, name: str, *, password: str) -> None:
    """Create a demo administrator. Does nothing if the address is taken."""
    if not User.objects.filter(email=email).exists():
        _finish(User.objects.create_superuser(email, player_name=name), password)


def make_demo_player(email: str, name: str, *, password: str) -> User | None:
    """Create a demo player, or return None if the address is taken."""
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
    """Hash the password that all demo accounts share. The hash is cached, because each takes a third of a second."""
    return make_password(password)
