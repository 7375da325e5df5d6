"""The REST API's routes, and one format for all errors."""

from typing import Any
from urllib.parse import quote

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import path, re_path, resolve, reverse
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import exception_handler, set_rollback

from accounts.api.access import ScopeMissing
from accounts.api.base import ApiView
from accounts.api.views import AccountView
from config.api.pages import api_docs, swagger
from config.api.problems import OF_REQUESTS, PROBLEM_JSON, list_error_codes
from config.errors import is_busy, is_unusable, log_given_up
from core.database.outage import is_away
from core.refusals import Refusal
from history import api as matches
from lobby import api as lobby
from players.api import clubs, leaderboards
from tables.api import seats, tables
from tournaments.api import leagues, tournaments
from wallet import rest as wallet

_NOTHING = exceptions.NotFound("There is nothing here.")
_UNUSABLE = exceptions.ParseError("This holds what cannot be stored or looked for.")


class NothingView(ApiView):
    """Answers 404 in the API's format for addresses of the API that no other view serves, even without a token.

    A request whose address only lacks the last slash is redirected to the address with the slash. The redirect keeps
    the method.
    """

    authentication_classes = ()
    permission_classes = ()

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        whole = f"{request.path_info}/"
        found: Any = resolve(whole).func
        if not request.path_info.endswith("/") and found.cls is not type(self):
            query = request.META.get("QUERY_STRING", "")
            target = quote(f"{request.path}/") + (f"?{query}" if query else "")
            return HttpResponse(status=308, headers={"Location": target})
        return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise _NOTHING

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        raise _NOTHING

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
    path("tables/practice/", seats.PracticeView.as_view()),
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
    path("bots/", leaderboards.BotLadderView.as_view()),
    path("bots/play/", seats.PlayAmongBotsView.as_view()),
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
    """Return the problem response (RFC 9457) for an error, with its code and fields.

    A refusal adds its own data, such as the `tables` of a player who sits at too many. Returns None for a bug, which
    Django reports.
    """
    if isinstance(error, Refusal):
        refused = Response(status=error.status)
        return _build_problem(refused, error.code, str(error), **error.data())
    if is_busy(error) or is_away(error):
        return _answer_given_up(error)
    if is_unusable(error):
        in_path = "\0" in context["request"].path
        error = _NOTHING if in_path else _UNUSABLE
    elif isinstance(error, Http404):
        error = _NOTHING
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied("Not allowed.")
    answer = exception_handler(error, context)
    if answer is None or not isinstance(error, exceptions.APIException):
        return None
    if isinstance(error, exceptions.ValidationError):
        fields = error.detail if isinstance(error.detail, dict) else {"": error.detail}
        return _build_problem(answer, "invalid", "Some fields are wrong.", fields=fields)
    codes = error.get_codes()
    code = codes if isinstance(codes, str) else "error"
    return _build_problem(answer, code, str(error.detail), **_name_scope(error, answer))


def _name_scope(error: Exception, answer: Response) -> dict[str, str]:
    """Return the field `scope` of a problem: the scope that the token lacks. Empty for any other error.

    The scope is also named in the header `WWW-Authenticate` of the response (RFC 6750, 3).
    """
    if not isinstance(error, ScopeMissing):
        return {}
    scope = error.scope.value
    answer["WWW-Authenticate"] = f'Bearer error="insufficient_scope", scope="{scope}"'
    return {"scope": scope}


def _answer_given_up(error: Exception) -> Response:
    seconds = log_given_up("a call", error)
    set_rollback()
    code = "busy" if is_busy(error) else "unavailable"
    answer = Response(status=503, headers={"Retry-After": str(seconds)})
    return _build_problem(answer, code, OF_REQUESTS[code])


def _build_problem(answer: Response, code: str, detail: str, **more: Any) -> Response:
    answer.content_type = PROBLEM_JSON
    answer.data = {
        "type": f"{reverse('api-docs')}#{code}",
        "title": list_error_codes().get(code, code),
        "status": answer.status_code,
        "detail": detail,
        "code": code,
        "fields": {},
        **more,
    }
    return answer
