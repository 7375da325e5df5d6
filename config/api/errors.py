"""The REST API: its routes, and one shape for everything that goes wrong."""

import logging
from typing import Any

from django.http import Http404
from django.urls import path, re_path
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView, exception_handler, set_rollback

from accounts.api.views import AccountView
from accounts.refusals import AccountRefusal
from config.api.pages import api_docs, swagger
from config.errors import SECONDS_TO_COME_BACK, is_busy, is_unusable
from tables.api import clubs, leaderboards, lobby, matches, seats, tables
from tables.refusals import Refusal as TableRefusal
from tournaments.api import leagues, tournaments
from tournaments.refusals import Refusal as TournamentRefusal
from wallet import rest as wallet
from wallet.refusals import WalletRefusal

logger = logging.getLogger(__name__)

REFUSED = 409
_UNUSABLE = exceptions.ParseError("This holds what cannot be stored or looked for.")
_NOT_FOUND = {"no_such_club", "table_not_found", "tournament_not_found"}


class NothingView(APIView):
    """Any other address: a program gets the same error as everywhere, and no page. Nobody has to sign
    in to hear that there is nothing."""

    authentication_classes = ()
    permission_classes = ()

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        raise exceptions.NotFound("There is nothing here.")

    post = put = patch = delete = get


urlpatterns = [
    path("account/", AccountView.as_view()),
    path("wallet/", wallet.BalancesView.as_view()),
    path("wallet/statement/", wallet.StatementView.as_view()),
    path("wallet/limits/", wallet.LimitsView.as_view()),
    path("wallet/limits/deposits/", wallet.DepositLimitView.as_view()),
    path("wallet/limits/losses/", wallet.LossLimitView.as_view()),
    path("lobby/", lobby.LobbyView.as_view()),
    path("tables/play/<int:kind_id>/", seats.PlayNowView.as_view()),
    path("tables/private/<int:kind_id>/", tables.OpenPrivateView.as_view()),
    path("tables/mine/", tables.OwnTablesView.as_view()),
    path("tables/<int:table_id>/", tables.TableView.as_view()),
    path("tables/<int:table_id>/queue/", tables.QueueView.as_view()),
    path("tables/<int:table_id>/sit/", seats.SitView.as_view()),
    path("tables/<int:table_id>/top-up/", seats.TopUpView.as_view()),
    path("tables/<int:table_id>/leave/", seats.LeaveView.as_view()),
    path("matches/", matches.MatchesView.as_view()),
    path("matches/<int:match_id>/", matches.MatchView.as_view()),
    path("matches/<int:match_id>/deals/<int:number>/", matches.DealView.as_view()),
    path(
        "matches/<int:match_id>/deals/<int:number>/analysis/",
        matches.AnalysisView.as_view(),
    ),
    path("clubs/", clubs.ClubsView.as_view()),
    path("clubs/<int:club_id>/", clubs.ClubView.as_view()),
    path("clubs/<int:club_id>/season/", clubs.SeasonView.as_view()),
    path("leaderboards/", leaderboards.LeaderboardView.as_view()),
    path("achievements/", leaderboards.AchievementsView.as_view()),
    path("tournaments/", tournaments.TournamentsView.as_view()),
    path("tournaments/<int:tournament_id>/", tournaments.TournamentView.as_view()),
    path("tournaments/<int:tournament_id>/register/", tournaments.RegisterView.as_view()),
    path("tournaments/<int:tournament_id>/withdraw/", tournaments.WithdrawView.as_view()),
    path("tournaments/<int:tournament_id>/rebuy/", tournaments.RebuyView.as_view()),
    path("leagues/", leagues.LeaguesView.as_view()),
    path("leagues/<int:league_id>/", leagues.LeagueView.as_view()),
    path("leagues/<int:league_id>/standings/", leagues.StandingsView.as_view()),
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", api_docs, name="api-docs"),
    path("docs/try/", swagger, name="api-swagger"),
    re_path("", NothingView.as_view()),
]


def answer_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """`{"code", "message", "fields"}`, and `tables` of who sits at too many; None for a bug, which
    Django reports."""
    if isinstance(error, TableRefusal | TournamentRefusal | WalletRefusal | AccountRefusal):
        status = 404 if error.code in _NOT_FOUND else REFUSED
        more = error.data() if isinstance(error, TableRefusal) else {}
        return Response({**_body(error.code, str(error)), **more}, status=status)
    if is_busy(error):
        return _busy(error)
    if is_unusable(error):
        in_path = "\0" in context["request"].path
        error = exceptions.NotFound("There is nothing here.") if in_path else _UNUSABLE
    answer = exception_handler(error, context)
    if answer is None:
        return None
    if isinstance(error, exceptions.ValidationError):
        body = _body("invalid", "Some fields are wrong.")
        body["fields"] = error.detail if isinstance(error.detail, dict) else {"": error.detail}
    elif isinstance(error, exceptions.APIException):
        codes = error.get_codes()
        body = _body(codes if isinstance(codes, str) else "error", str(error.detail))
    else:
        code = "not_found" if isinstance(error, Http404) else "permission_denied"
        body = _body(code, "There is nothing here." if code == "not_found" else "Not allowed.")
    answer.data = body
    return answer


def _busy(error: Exception) -> Response:
    logger.warning("a call was given up: %s", str(error).strip().splitlines()[0])
    set_rollback()
    body = _body("busy", "Somebody else changes this right now. Nothing was done; try again.")
    return Response(body, status=503, headers={"Retry-After": str(SECONDS_TO_COME_BACK)})


def _body(code: str, message: str) -> dict[str, Any]:
    return {"code": code, "message": message, "fields": {}}
