"""Reading finished matches: the people who may see a match, a player's matches, the deals of a match."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from accounts.models import User
from games.engine.base import DEAL_ENDS, JSON
from history.archiving import read_changes
from history.models import MatchCorrection, MatchLink
from tables.models import Deal, Match, MatchStatus, Table
from tables.seating.events import is_in_audience
from tables.seating.selectors import has_code
from wallet.money import Currency

# Events of the table that contain amounts.
_OF_MONEY = frozenset({"settled", "topped_up"})


@dataclass(frozen=True, slots=True)
class Viewing:
    """A match as one person may see it.

    If they opened it by a link, `token` is the link's, and amounts are left out.
    """

    match: Match
    is_player: bool
    token: str = ""

    @property
    def sees_money(self) -> bool:
        return not self.token


def find_viewing(
    user: User, *, match_id: int, invitation: Callable[[str], str] = lambda _event_url: ""
) -> Viewing | None:
    """Return the match if this user may see it, otherwise None.

    The players of a match may see it, and so may staff with the right to view matches.

    Tournaments are public: every account sees their matches. Matches of a private tournament are for its players and
    for holders of its code. `invitation` maps a tournament's address to the code that the user has entered for it
    before.
    """
    match = _filter_matches().filter(pk=match_id).first()
    if match is None:
        return None
    is_player = user.pk in match.participants
    if is_player or _may_look(user) or _is_shown_to(user, match.table, invitation):
        return Viewing(match, is_player)
    return None


def _is_shown_to(user: User, table: Table, invitation: Callable[[str], str]) -> bool:
    return table.is_of_event and (
        not table.is_private
        or has_code(table, invitation(table.event_url))
        or is_in_audience(table_id=table.pk, user_id=user.pk)
    )


def _may_look(user: User) -> bool:
    return user.is_staff and user.has_perm("tables.view_match")


def find_viewing_by_link(token: str) -> Viewing | None:
    """Return the match for the holder of a player's link, or None if the link was withdrawn."""
    match = _filter_matches().filter(links__token=token).first()
    return None if match is None else Viewing(match, is_player=False, token=token)


def _filter_matches() -> Any:
    # Defer the table's state: it is not needed here, and the largest part of the row.
    return Match.objects.select_related("table").defer("table__state", "table__next_seed")


def find_faces(match: Match) -> dict[int, str]:
    """Return a mapping from user id to the current face of each player of a match."""
    users = User.objects.filter(pk__in=[player["user"] for player in match.players.values()])
    return {user.pk: user.shown_face for user in users.only("face", "is_bot")}


def find_seat(match: Match, user_id: int | None) -> int | None:
    """Return this person's seat in the match, or None if they did not play in it."""
    for seat, player in match.players.items():
        if user_id is not None and player["user"] == user_id:
            return int(seat)
    return None


def find_link(*, match_id: int, user_id: int) -> str:
    """Return the token of this player's link to the match; empty if there is none."""
    links = MatchLink.objects.filter(match_id=match_id, made_by_id=user_id)
    return links.values_list("token", flat=True).first() or ""


def list_matches(
    *,
    user_id: int,
    before: int | None,
    length: int,
    game: str = "",
    format: str = "",
    currency: str = "",
) -> list[Match]:
    """Return this person's newest finished matches with ids below `before`."""
    matches = _filter_matches().filter(participants__contains=[user_id])
    matches = matches.exclude(status=MatchStatus.RUNNING)
    if before is not None:
        matches = matches.filter(pk__lt=before)
    if game:
        matches = matches.filter(table__game=game)
    if format:
        matches = matches.filter(Q(own_format=format) | Q(own_format="", table__format=format))
    if currency:
        matches = matches.filter(table__currency=currency)
    return list(matches.order_by("-pk")[:length])


@dataclass(frozen=True, slots=True)
class FinishedDeal:
    """A finished deal, whose cards may be shown with the match.

    `points` maps seats to points. It is empty if the match was cancelled during this deal.
    """

    number: int
    commitment: str
    points: Mapping[str, int]
    winners: Sequence[int]


def list_finished_deals(match: Match) -> list[FinishedDeal]:
    """Return the finished deals. In a running match these are all but the last."""
    deals = list(Deal.objects.filter(match=match).order_by("number"))
    if match.status == MatchStatus.RUNNING:
        deals = deals[:-1]
    over = [
        event
        for change in read_changes(match, only=["events"])
        for event in change.events
        if event["kind"] == DEAL_ENDS
    ]
    over += [{"points": {}, "winners": []}] * (len(deals) - len(over))
    return [
        FinishedDeal(deal.number, deal.commitment, end["points"], end["winners"])
        for deal, end in zip(deals, over, strict=False)
    ]


def list_ended_deals(match: Match) -> frozenset[int]:
    """Return the numbers of the deals that may be shown. In a running match these are all but the last."""
    numbers = set(Deal.objects.filter(match=match).values_list("number", flat=True))
    if match.status == MatchStatus.RUNNING:
        numbers -= {max(numbers, default=0)}
    return frozenset(numbers)


def strip_money(record: Mapping[str, JSON]) -> dict[str, Any]:
    """Return the record of a deal without payments, as holders of a link may see it."""
    steps: Any = record["steps"]
    kept = [
        {**step, "events": [e for e in step["events"] if e["kind"] not in _OF_MONEY]}
        for step in steps
    ]
    return {**record, "steps": kept}


def find_last_deal(*, user_id: int, table_id: int) -> tuple[int, int] | None:
    """Return the match id and the deal number of the player's newest finished deal at a table, or None."""
    matches = Match.objects.filter(table_id=table_id, participants__contains=[user_id])
    for match in matches.order_by("-pk")[:2]:
        if ended := list_ended_deals(match):
            return match.pk, max(ended)
    return None


def list_corrections(match: Match) -> list[MatchCorrection]:
    """Return the approved corrections of a match, the oldest first."""
    if match.table.currency != Currency.INR:
        return []
    made = match.corrections.filter(state=MatchCorrection.State.APPROVED).select_related(
        "payer", "payee"
    )
    return list(made.order_by("pk"))
