"""A club's weekly evening: a job opens a table for the members and notifies them.

The time of the next evening is stored. A missed run is made up for within LATE; after that the evening moves
to the next week.
"""

import logging
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.push.services import EVENING, Call, filter_subscribed_players, push_after_commit
from core.database.each import act_on_each
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from core.refusals import Refusal
from core.site.features import PRIVATE_TABLES, is_on
from core.values.local_days import compute_moment
from games.engine.base import InvalidRules
from games.registry import get_format, get_game
from players.clubs.services import hint_members, lock_club
from players.refusals import NoEvening
from tables.catalog import (
    game_switch,
    has_page,
    list_offered_games,
    list_presets,
    title_of_game,
    title_of_preset,
)
from tables.models import BELONGS, LEADS, Admission, Club, ClubMember, HostBounds, HouseRules, Table
from tables.models.house_rules import get_changes, read_rules
from tables.refusals import OFFICERS_ONLY
from tables.seating.hosting.private_tables import HOUSE, HostTerms, may_be_hosted, open_club_table

logger = logging.getLogger(__name__)

LATE: Final = timedelta(hours=1)
# How far ahead the first evening may be.
FARTHEST: Final = timedelta(weeks=8)
AT_ONCE: Final = 200
_CALL_SECONDS: Final = 3_600


def compute_next_evening(weekday: int, at: time, after: datetime) -> datetime:
    """Return the first moment after `after` at this local weekday and time. Monday is 0."""
    today = timezone.localdate(after)
    day = today + timedelta(days=(weekday - today.weekday()) % 7)
    found = compute_moment(day, at)
    return found if found > after else compute_moment(day + timedelta(days=7), at)


# Suggested to a club without an evening: Friday.
_USUAL_WEEKDAY: Final = 4
_USUAL_TIME: Final = time(20)


def suggest_evening(club: Club, now: datetime) -> tuple[date, time]:
    """Return the local day and time to suggest in the form: the next evening, or next Friday at 20:00."""
    if club.evening_at is not None and club.evening_at > now:
        following = timezone.localtime(club.evening_at)
    else:
        following = timezone.localtime(compute_next_evening(_USUAL_WEEKDAY, _USUAL_TIME, now))
    return following.date(), club.evening_time or _USUAL_TIME


def list_kinds_of_evening() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the titles of the games to choose from, each with the codes and titles of the game's kinds of evening.

    A code is "game:preset", or "game:house-" and the id of house rules that hosts may use.
    """
    houses = _house_rules()
    return [
        (
            title_of_game(code),
            [
                *(
                    (f"{code}:{preset}", title_of_preset(code, preset))
                    for format in game.formats
                    for preset in list_presets(code, format.code)
                ),
                *(
                    (f"{code}:{HOUSE}{house.pk}", house.shown_name)
                    for house in houses
                    if house.game == code
                ),
            ],
        )
        for code, game in list_offered_games().items()
        if has_page(code)
    ]


def format_evening_kind(club: Club) -> str:
    """Return the code of a club's kind of evening, as in `list_kinds_of_evening`."""
    house = club.evening_house_rules_id
    return f"{club.evening_game}:{club.evening_rules if house is None else f'{HOUSE}{house}'}"


def title_of_evening(club: Club) -> str:
    """Return the title of a club's kind of evening; empty if the game is no longer offered."""
    titles = {code: title for _game, kinds in list_kinds_of_evening() for code, title in kinds}
    return titles.get(format_evening_kind(club), "")


def _house_rules() -> list[HouseRules]:
    """Return the house rules that hosts may use, of all games."""
    bounds = dict(HostBounds.objects.values_list("game", "names"))
    used = HouseRules.objects.filter(table_templates__is_open=True).distinct()
    return [house for house in used if may_be_hosted(house, bounds.get(house.game))]


@transaction.atomic
def set_evening(
    *, club_id: int, user_id: int, first: date, at: time, kind: str, seats: int
) -> None:
    """Set an evening for every week, beginning on this local day. Raises OFFICERS_ONLY or NoEvening."""
    club = _as_leader(club_id, user_id)
    offered = {code for _title, kinds in list_kinds_of_evening() for code, _name in kinds}
    begins_at, now = compute_moment(first, at), timezone.now()
    if not now < begins_at <= now + FARTHEST or kind not in offered:
        raise NoEvening
    game, _colon, rules = kind.partition(":")
    house = None
    if rules.startswith(HOUSE):
        house = HouseRules.objects.get(pk=int(rules.removeprefix(HOUSE)))
    preset = rules if house is None else house.preset
    club.evening_weekday, club.evening_time = first.weekday(), at
    club.evening_game, club.evening_rules, club.evening_house_rules = game, preset, house
    club.evening_seats = _seats_within(game, read_rules(game, preset, get_changes(house)), seats)
    club.evening_at = begins_at
    _save_evening(club)


@transaction.atomic
def end_evening(*, club_id: int, user_id: int) -> None:
    """Cancel the weekly evening permanently. Raises OFFICERS_ONLY."""
    club = _as_leader(club_id, user_id)
    club.evening_weekday = club.evening_time = club.evening_at = None
    _save_evening(club)


def _save_evening(club: Club) -> None:
    club.save(
        update_fields=[
            "evening_weekday", "evening_time", "evening_game", "evening_rules",
            "evening_house_rules", "evening_seats", "evening_at",
        ]
    )  # fmt: skip
    hint_members(club)


def _as_leader(club_id: int, user_id: int) -> Club:
    club = lock_club(club_id)
    if not club.members.filter(user=user_id, role__in=LEADS, user__is_active=True).exists():
        raise Refusal(OFFICERS_ONLY)
    return club


def _seats_within(game: str, rules: Any, seats: int) -> int:
    """Return the number of seats that is nearest to `seats`, of those that the format allows."""
    allowed = get_format(game, get_game(game).money.get_format_code(rules)).seats
    return min(max(seats, allowed[0]), allowed[-1])


def open_evenings(*, now: datetime) -> int:
    """Open the tables of all due evenings. Return how many were opened."""
    due = Club.objects.filter(evening_at__lte=now).order_by("evening_at")
    ids = list(due.values_list("pk", flat=True)[:AT_ONCE])
    return act_on_each(ids, lambda pk: _open(pk, now), doing="opening a club's table")


@transaction.atomic
def _open(club_id: int, now: datetime) -> bool:
    """Open the table of one evening.

    Return whether it was opened. The club's lock keeps a second run from opening another.
    """
    due = Club.objects.select_for_update(no_key=True, skip_locked=True)
    club = due.filter(pk=club_id, evening_at__lte=now, closed_at=None).first()
    if club is None or club.evening_at is None:
        return False
    assert club.evening_weekday is not None  # noqa: S101 - set with the moment
    assert club.evening_time is not None  # noqa: S101
    is_late = club.evening_at < now - LATE
    club.evening_at = compute_next_evening(club.evening_weekday, club.evening_time, now)
    club.save(update_fields=["evening_at"])
    table = None if is_late else _open_table(club)
    if table is None:
        return False
    _notify(club, table)
    return True


def _open_table(club: Club) -> Table | None:
    if club.evening_game not in list_offered_games():
        return None
    if not (is_on(PRIVATE_TABLES) and is_on(game_switch(club.evening_game))):
        return None
    house = club.evening_house_rules
    terms = HostTerms(
        game=club.evening_game,
        preset=club.evening_rules if house is None else house.preset,
        changes=get_changes(house),
        house_rules=house,
        seats=club.evening_seats,
        admission=Admission.CLUB,
        club_id=club.pk,
    )
    try:
        with transaction.atomic():
            return open_club_table(terms)
    except (
        InvalidRules,
        Refusal,
        KeyError,
    ) as refusal:  # the game or its rules are no longer offered
        logger.warning("club %s: no table for its evening: %s", club.pk, refusal)
        return None


def _notify(club: Club, table: Table) -> None:
    members = ClubMember.objects.filter(
        club=club, role__in=BELONGS, is_told=True, user__is_active=True
    ).select_related("user")
    people = {member.user_id: member.user for member in members}
    reached = filter_subscribed_players(people)
    call = Call(
        kind=EVENING,
        name=club.name,
        url=reverse("table", args=[table.pk]),
        tag=f"club-{club.pk}",
        seconds=_CALL_SECONDS,
    )
    push_after_commit(reached, call)
    for user_id, user in people.items():
        if user_id not in reached:
            write_mail(EVENING_MAIL, user=user, hint="club", club=club.name)
    hint_members(club)


def _compose_mail(values: Values) -> tuple[str, str]:
    lines = [
        render_greeting(values),
        "",
        _("the evening of %(club)s begins, and a table is open for its members.") % values,
        _("To get there, open “Your clubs” in the lobby."),
        _("You choose on the club's page whether you are told."),
    ]
    return _("%(club)s plays now") % values, "\n".join(lines)


EVENING_MAIL = register_mail_kind(
    "club_evening",
    gettext_lazy("Club evening begins"),
    _compose_mail,
    club=gettext_lazy("the club's name"),
)
