"""REST: upcoming, running and past leagues, and their standings."""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import get_player, read_input
from accounts.api.base import ApiView, PageQuery, PageSerializer
from games.registry import FORMATS, GAMES
from tournaments.leagues import reading
from tournaments.leagues.reading import PHASES, Standings
from tournaments.leagues.standings import FOR_BEATING, FOR_EQUAL
from tournaments.models import League, LeaguePlace
from wallet.api import cash_is_on
from wallet.money import Currency


class LeagueSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField()
    name = serializers.CharField(help_text="in the language that is asked for")
    description = serializers.CharField(help_text="may be empty")
    phase = serializers.ChoiceField(
        choices=PHASES, help_text="`counting`: it has ended, and matches that still run count"
    )
    game = serializers.ChoiceField(choices=sorted(GAMES))
    format = serializers.ChoiceField(choices=FORMATS, help_text="of the matches that count")
    house_rules = serializers.CharField(
        help_text="only tables by these rules of the house count; empty: all of the format"
    )
    currency = serializers.ChoiceField(choices=[c.value for c in Currency])
    least_stake = serializers.IntegerField(
        help_text="chips or paise: the least point value or entry fee of a table that counts"
    )
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(help_text="matches that begin before it count")
    settles_at = serializers.DateTimeField(
        help_text="those that are over before it do; then the prizes are paid"
    )
    counted = serializers.IntegerField(help_text="so many best matches of each player")
    meetings = serializers.IntegerField(
        help_text="so many matches between the same two bring them points for each other"
    )
    pool = serializers.IntegerField(help_text="the prizes together, chips or paise")
    cancel_reason = serializers.CharField(help_text="empty unless it was cancelled")


class LeaguesSerializer(PageSerializer):
    results = LeagueSerializer(many=True)


class LeaguePrizeSerializer(serializers.Serializer[object]):
    first = serializers.IntegerField(help_text="of the ranks that get it")
    last = serializers.IntegerField()
    amount = serializers.IntegerField(help_text="for each of them")


class OneLeagueSerializer(LeagueSerializer):
    for_beating = serializers.IntegerField(
        help_text="points of a match for everybody who ranks behind"
    )
    for_equal = serializers.IntegerField(help_text="and for everybody who ranks the same")
    prizes = LeaguePrizeSerializer(
        many=True, help_text="of a field that is large enough for all of them"
    )


class LeaguePlaceSerializer(serializers.Serializer[object]):
    rank = serializers.IntegerField(
        allow_null=True, help_text="null: disqualified, frozen or closed"
    )
    player = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.IntegerField()
    matches = serializers.IntegerField(help_text="that count")
    prize = serializers.IntegerField(help_text="as it stands; paid once the league is over")


class StandingsSerializer(PageSerializer):
    results = LeaguePlaceSerializer(many=True)
    own = LeaguePlaceSerializer(allow_null=True, help_text="one's own, on whatever page it is")
    players = serializers.IntegerField(help_text="with a rank")
    drawn_at = serializers.DateTimeField(allow_null=True, help_text="null: not drawn yet")


class LeaguesQuery(PageQuery):
    phase = serializers.ChoiceField(
        choices=["open", "over"], default="open", help_text="`open`: neither paid nor cancelled"
    )


class LeaguesView(ApiView):
    """Upcoming and running leagues, soonest end first, or past ones, newest first."""

    @extend_schema(operation_id="leagues", parameters=[LeaguesQuery], responses=LeaguesSerializer)
    def get(self, request: Request) -> Response:
        chosen = read_input(LeaguesQuery, request.query_params)
        page, following = reading.leagues_page(
            over=chosen["phase"] == "over", with_cash=cash_is_on(), after=chosen.get("cursor")
        )
        return Response({"results": [_league(league) for league in page], "next": following})


class LeagueView(ApiView):
    """One league: which matches count, and its prizes."""

    @extend_schema(operation_id="league", responses=OneLeagueSerializer)
    def get(self, request: Request, league_id: int) -> Response:
        league = _find(league_id)
        return Response(
            {
                **_league(league),
                "for_beating": FOR_BEATING,
                "for_equal": FOR_EQUAL,
                "prizes": [
                    {"first": line.first, "last": line.last, "amount": line.amount}
                    for line in reading.list_prize_lines(league)
                ],
            }
        )


class StandingsView(ApiView):
    """The standings as last computed, best first."""

    @extend_schema(
        operation_id="league_standings", parameters=[PageQuery], responses=StandingsSerializer
    )
    def get(self, request: Request, league_id: int) -> Response:
        league = _find(league_id)
        page = read_input(PageQuery, request.query_params).get("cursor", 1)
        user_id = get_player(request).pk
        return Response(
            _standings(league, reading.build_standings(league, user_id=user_id, page=page))
        )


def _find(league_id: int) -> League:
    league = reading.find_league(league_id, with_cash=cash_is_on())
    if league is None:
        raise NotFound("There is no such league.")
    return league


def _league(league: League) -> dict[str, Any]:
    return {
        "id": league.pk,
        "name": league.shown_name,
        "description": league.shown_description,
        "phase": reading.get_phase(league, now=timezone.now()),
        "game": league.game,
        "format": league.format,
        "house_rules": "" if league.house_rules is None else league.house_rules.shown_name,
        "currency": league.currency,
        "least_stake": league.least_stake,
        "starts_at": league.starts_at,
        "ends_at": league.ends_at,
        "settles_at": league.settles_at,
        "counted": league.counted,
        "meetings": league.meetings,
        "pool": league.pool,
        "cancel_reason": league.cancel_reason,
    }


def _standings(league: League, standings: Standings) -> Mapping[str, Any]:
    return {
        "results": [_place(place) for place in standings.places],
        "own": _place(standings.own) if standings.own else None,
        "players": standings.players,
        "drawn_at": league.drawn_at,
        "next": standings.older,
    }


def _place(place: LeaguePlace) -> dict[str, Any]:
    return {
        "rank": place.rank,
        "player": place.user_id,
        "name": place.user.player_name,
        "points": place.points,
        "matches": place.matches,
        "prize": place.prize,
    }
