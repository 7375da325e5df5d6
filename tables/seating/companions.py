"""Players who may not sit together (docs/fair-play.md).

Staff keep some pairs of players apart. The site keeps apart accounts of one browser or address, and two players of whom
one has won as many chips from the other as they may in a day. One person with two accounts sees two hands, and can lose
chips from one account to the other on purpose. Bots, and players of unknown origin, are kept apart from nobody.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import date

from django.conf import settings
from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from accounts.models.sessions import Origin
from core.refusals import Refusal
from core.site.numbers import number
from tables.models import ChipsPassed, OneAccountPer, Seat, SeatStatus, Table
from tables.play.seats import is_apart_from_any
from tables.refusals import ADDRESS_IS_SEATED, DEVICE_IS_SEATED, KEPT_APART, PairIsDone
from wallet.money import Currency

# From this many seats on, two players could team up against a third.
_SIDES = 3


def get_one_account_per(row: Table) -> OneAccountPer:
    """Return the table's limit on accounts of one origin.

    The limit is the table's setting. At a cash table where two accounts could play together against others, the site
    can impose the strictest limit (CASH_ONE_ACCOUNT_PER_ADDRESS).
    """
    is_for_cash = row.currency != Currency.CHIPS and row.max_seats >= _SIDES
    if is_for_cash and settings.CASH_ONE_ACCOUNT_PER_ADDRESS:
        return OneAccountPer.ADDRESS
    return OneAccountPer(row.one_account_per)


def refuse_company(row: Table, *, user_id: int, origin: Origin, is_guest: bool = False) -> None:
    """Raise KEPT_APART, DEVICE_IS_SEATED, ADDRESS_IS_SEATED or PairIsDone if this player may not join.

    A guest never sits with another account of the same browser, whatever the table allows. The caller has locked the
    table, so that of two players who join at the same time only one sits down.
    """
    seats = row.sittings.filter(left_at__isnull=True, user__is_bot=False).exclude(user=user_id)
    seated = list(seats.select_related("user"))
    if not seated:
        return
    if is_apart_from_any(user_id, [seat.user_id for seat in seated]):
        raise Refusal(KEPT_APART)
    rule = get_one_account_per(row)
    if (is_guest or rule != OneAccountPer.ANYTHING) and any(
        origin.shares_device(s.origin) for s in seated
    ):
        raise Refusal(DEVICE_IS_SEATED)
    if rule == OneAccountPer.ADDRESS and any(origin.shares_address(s.origin) for s in seated):
        raise Refusal(ADDRESS_IS_SEATED)
    if row.currency == Currency.CHIPS and not row.is_free:
        _refuse_done_pairs(user_id, origin, seated)


def _refuse_done_pairs(user_id: int, origin: Origin, seated: Sequence[Seat]) -> None:
    today = timezone.localdate()
    own = {user_id: origin}
    for seat in seated:
        if is_pair_done({**own, seat.user_id: seat.origin}, day=today):
            raise PairIsDone(seat.user.player_name)


def is_pair_done(pair: dict[int, Origin], *, day: date) -> bool:
    """Return whether one of these two players has won the day's limit from the other.

    If both have the same origin, all accounts of that origin are treated as one player. The net winnings of each of the
    two from all accounts of that origin are then compared with the limit.
    """
    bound = number("CHIPS_BETWEEN_TWO_A_DAY")
    if not bound:
        return False
    low, high = sorted(pair)
    between = ChipsPassed.objects.filter(day=day, low=low, high=high)
    if any(abs(chips) >= bound for chips in between.values_list("chips", flat=True)):
        return True
    if not pair[low].is_shared(pair[high]):
        return False
    return any(sum_won_at_home(user_id, day=day) >= bound for user_id in pair)


def get_last_origins(user_ids: Collection[int]) -> dict[int, Origin]:
    """Return the origin from which each of these users last sat down; users without a known origin are left out."""
    seats = Seat.objects.filter(user__in=user_ids).exclude(device_mark="", address_mark="")
    newest = seats.order_by("user_id", "-pk").distinct("user_id")
    return {seat.user_id: seat.origin for seat in newest}


def sum_won_at_home(user_id: int, *, day: date) -> int:
    """Return a player's net winnings on this day, in chips, from accounts of the player's own browser or address."""
    rows = ChipsPassed.objects.filter(day=day, one_origin=True)
    won = rows.filter(low=user_id).aggregate(chips=Sum("chips"))["chips"] or 0
    lost = rows.filter(high=user_id).aggregate(chips=Sum("chips"))["chips"] or 0
    return won - lost


def list_tables_of_done_pairs() -> list[int]:
    """Return the ids of tables for chips at which a pair has reached today's limit, so that one of them must leave."""
    bound = number("CHIPS_BETWEEN_TWO_A_DAY")
    if not bound:
        return []
    far = Q(chips__gte=bound) | Q(chips__lte=-bound) | Q(one_origin=True)
    pairs = ChipsPassed.objects.filter(far, day=timezone.localdate()).values_list("low", "high")
    seats = _filter_seats_for_chips().filter(user__in={user for pair in pairs for user in pair})
    seated: dict[int, list[Seat]] = {}
    for seat in seats.select_related("user").order_by("pk"):
        seated.setdefault(seat.table_id, []).append(seat)
    return sorted(table for table, company in seated.items() if list_later_of_done_pairs(company))


def _filter_seats_for_chips() -> QuerySet[Seat]:
    """Return the sittings at tables for chips whose players are not about to leave."""
    seats = Seat.objects.filter(left_at__isnull=True, table__currency=Currency.CHIPS)
    seats = seats.exclude(table__point_value=0, table__entry_fee=0)
    seats = seats.exclude(status=SeatStatus.LEAVING)
    return seats.exclude(status=SeatStatus.PLAYING, is_last_deal=True)


def list_later_of_done_pairs(seated: Iterable[Seat]) -> list[Seat]:
    """Return the sittings of players who must leave: in each pair that has reached today's limit, the later sitting."""
    today = timezone.localdate()
    people = [seat for seat in seated if not seat.user.is_bot]
    going: list[Seat] = []
    for place, seat in enumerate(people):
        staying = [other for other in people[:place] if other not in going]
        pairs = ({seat.user_id: seat.origin, other.user_id: other.origin} for other in staying)
        if any(is_pair_done(pair, day=today) for pair in pairs):
            going.append(seat)
    return going
