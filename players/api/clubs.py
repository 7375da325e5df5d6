"""REST: the caller's clubs, one club, and the standings of its season."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import get_player, read_input
from accounts.api.base import ApiView, refuses
from core.refusals import Refusal
from players.clubs.season import get_current_season, rank_members, season_before
from players.clubs.selectors import ClubSeen, find_club, list_clubs, list_members, tables_of_club
from players.refusals import NO_SUCH_CLUB
from tables.models import ClubRole

_SEASONS: Final = ["this", "last"]


class ClubInListSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    about = serializers.CharField()
    members = serializers.IntegerField()


class ClubsSerializer(serializers.Serializer[object]):
    results = ClubInListSerializer(many=True)


class MemberSerializer(serializers.Serializer[object]):
    player = serializers.IntegerField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=[role.value for role in ClubRole])
    online = serializers.BooleanField(
        help_text="false too where the member does not let it be seen"
    )


class ClubSerializer(ClubInListSerializer):
    role = serializers.ChoiceField(
        choices=["", *(role.value for role in ClubRole)], help_text="the caller's; empty: none"
    )
    evening_at = serializers.DateTimeField(
        allow_null=True, help_text="when the next weekly evening begins; null for strangers too"
    )
    people = MemberSerializer(many=True, help_text="empty for strangers")
    tables = serializers.ListField(
        child=serializers.IntegerField(), help_text="open tables of the club; empty for strangers"
    )


class SeasonQuery(serializers.Serializer[Any]):
    season = serializers.ChoiceField(choices=_SEASONS, default="this")


class SeasonPlaceSerializer(serializers.Serializer[object]):
    place = serializers.IntegerField()
    player = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.IntegerField(help_text="people finished ahead of, in all matches")
    wins = serializers.IntegerField()
    matches = serializers.IntegerField()


class SeasonSerializer(serializers.Serializer[object]):
    month = serializers.DateField(help_text="the first day of the calendar month")
    results = SeasonPlaceSerializer(many=True)


class ClubsView(ApiView):
    """The caller's open clubs."""

    @extend_schema(operation_id="clubs", responses=ClubsSerializer)
    def get(self, request: Request) -> Response:
        clubs = list_clubs(get_player(request).pk)
        return Response({"results": [_club(club, vars(club)["count"]) for club in clubs]})


class ClubView(ApiView):
    """A club. Outsiders see its name, description and number of members."""

    @extend_schema(operation_id="club", responses=ClubSerializer, extensions=refuses(NO_SUCH_CLUB))
    def get(self, request: Request, club_id: int) -> Response:
        viewer = get_player(request).pk
        seen = _require_club(viewer, club_id)
        members = list_members(seen.club, viewer_id=viewer) if seen.is_member else []
        tables = tables_of_club(seen.club) if seen.is_member else []
        return Response(
            {
                **_club(seen.club, seen.count),
                "role": seen.role,
                "evening_at": seen.club.evening_at if seen.is_member else None,
                "people": [
                    {
                        "player": member.person.pk,
                        "name": member.person.player_name,
                        "role": member.role,
                        "online": member.is_online,
                    }
                    for member in members
                ],
                "tables": [table.pk for table in tables],
            }
        )


class SeasonView(ApiView):
    """The standings of a club's season, for its members."""

    @extend_schema(
        operation_id="club_season",
        parameters=[SeasonQuery],
        responses=SeasonSerializer,
        extensions=refuses(NO_SUCH_CLUB),
    )
    def get(self, request: Request, club_id: int) -> Response:
        chosen = read_input(SeasonQuery, request.query_params)
        if not _require_club(get_player(request).pk, club_id).is_member:
            raise Refusal(NO_SUCH_CLUB)
        month = get_current_season()
        if chosen["season"] == "last":
            month = season_before(month)
        lines = rank_members(club_id, month)
        return Response(
            {
                "month": month,
                "results": [
                    {
                        "place": line.place,
                        "player": line.person.pk,
                        "name": line.person.player_name,
                        "points": line.points,
                        "wins": line.wins,
                        "matches": line.matches,
                    }
                    for line in lines
                ],
            }
        )


def _require_club(viewer_id: int, club_id: int) -> ClubSeen:
    seen = find_club(viewer_id, club_id)
    if seen is None:
        raise Refusal(NO_SUCH_CLUB)
    return seen


def _club(club: Any, count: int) -> dict[str, Any]:
    return {"id": club.pk, "name": club.name, "about": club.about, "members": count}
