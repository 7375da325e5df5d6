"""Players who may not play: frozen, or excluded by themselves. What the wallet says, for tables."""

from collections.abc import Iterable

from tables.models import Seat
from tables.refusals import Refusal
from wallet import services as wallet
from wallet.limits.exclusions import barred_among


def refuse_if_barred(user_id: int) -> None:
    """Raises a Refusal. The caller has locked the table; the player is locked now."""
    try:
        wallet.refuse_if_barred(user_id)
    except wallet.WalletRefusal as refused:
        raise Refusal(str(refused), code=refused.code) from refused


def barred_of(sittings: Iterable[Seat]) -> frozenset[int]:
    """The users among these who have to go; bots never do."""
    people = [sitting.user_id for sitting in sittings if not sitting.user.is_bot]
    return barred_among(people) if people else frozenset()
