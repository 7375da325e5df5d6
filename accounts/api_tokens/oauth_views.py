"""OAuth: the page where a player authorizes a third-party program, and the endpoints for programs."""

import json
import re
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final, cast
from urllib.parse import urlsplit

from allauth.account.decorators import reauthentication_required
from csp.decorators import csp_update
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.signing import BadSignature, SignatureExpired
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe
from django.views.generic.edit import FormView
from oauth2_provider.exceptions import FatalClientError, OAuthToolkitError
from oauth2_provider.oauth2_backends import OAuthLibCore, get_oauthlib_core
from oauthlib.oauth2.rfc6749.errors import (
    AccessDeniedError,
    ConsentRequired,
    LoginRequired,
    OAuth2Error,
)
from oauthlib.oauth2.rfc8628.errors import AuthorizationPendingError

from accounts.api_tokens.oauth_devices import store_device
from accounts.api_tokens.oauth_forms import ConsentForm
from accounts.api_tokens.oauth_grants import find_program, revoke_program
from accounts.api_tokens.oauth_identity import (
    IDENTITY,
    list_offered_scopes,
    names_player,
    openid_is_on,
)
from accounts.api_tokens.oauth_server import DeviceServer
from accounts.models import OAuthClient
from accounts.models.oauth import hash_secret
from accounts.models.users import PlayerRequest
from accounts.sessions.ending import while_signed_in
from accounts.sessions.signed_forms import read_form, sign_form
from core import throttling
from core.throttling import Rate, Taken
from core.values.hosts import to_ascii_host

# A redirect target that a content policy may name: a site, or the scheme of an app.
_SITE = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+")
_SCHEME = re.compile(r"[a-z][a-z0-9.+-]*:")

# Limits on refused token requests: per program and address, and per address, which may be a server with
# many players. A refusal counts towards both, so nobody can use up a program's limit from another address.
_SECONDS: Final = 60
REFUSED_OF_A_PROGRAM: Final = 60
REFUSED_OF_AN_ADDRESS: Final = 120
# Device requests are stored as rows until they expire.
DEVICES_OF_A_PROGRAM: Final = 20
DEVICES_OF_AN_ADDRESS: Final = 60
_CLAIMS: Final = (
    *("sub", "iss", "aud", "exp", "iat", "nonce", "name", "preferred_username"),
    *("profile", "picture", "email", "email_verified"),
)
# Descriptions for programmers of those errors to which oauthlib gives none.
_DESCRIPTIONS: Final = {
    "access_denied": "The player does not want it.",
    "authorization_pending": "The player has not answered yet. Ask again after the interval.",
    "consent_required": "The player must be asked: leave out prompt=none.",
    "expired_token": "The device code has expired. Ask for a new one.",
    "invalid_client": "There is no such program, its secret is wrong or missing, or its maker is frozen.",
    "invalid_grant": "The code or refresh token is wrong, expired or used, or of another program, or "
    "redirect_uri or code_verifier is not that of the request.",
    "invalid_request": "A parameter is missing, twice there or malformed.",
    "invalid_scope": "scope is empty, names a right that this program may not ask for, or one that the "
    "player has not granted.",
    "login_required": "The player is not signed in.",
    "slow_down": "Wait five seconds longer between two requests from now on.",
    "unauthorized_client": "This program may not use this way to a token: see its addresses to return "
    "to, and whether it has no browser.",
    "unsupported_grant_type": "grant_type is authorization_code, refresh_token or "
    "urn:ietf:params:oauth:grant-type:device_code.",
    "unsupported_response_type": "response_type is code.",
    "unsupported_token_type": "This token is of no kind that can be revoked.",
}
_PENDING: Final = AuthorizationPendingError.error
_SALT: Final = "oauth consent"
# The parameters of a program's request that the page contains, signed.
_SIGNED: Final = (
    *("client_id", "redirect_uri", "response_type", "state"),
    *("code_challenge", "code_challenge_method", "nonce"),
)


class _Authorization(FormView):  # type: ignore[type-arg] # not subscriptable
    """The consent page. Its form contains the checked request, signed, so that the player's answer brings it back."""

    form_class = ConsentForm
    template_name = "accounts/oauth/consent.html"
    _scopes: Sequence[str]
    _asked: Mapping[str, Any]

    def get(self, request: HttpRequest) -> HttpResponse:
        try:
            self._scopes, checked = get_oauthlib_core().validate_authorization_request(request)
        except FatalClientError as error:
            return _report(request, error)
        except OAuthToolkitError as error:
            return _lead_back(error.oauthlib_error)
        hint = checked.get("id_token_hint")
        if hint and not names_player(hint, user=request.user, client_id=checked["client_id"]):
            return _lead_back(_turn_into(LoginRequired, checked))
        self._asked = {name: checked.get(name) for name in _SIGNED}
        return super().get(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        try:
            asked = read_form(request, request.POST["request"], salt=_SALT)
        except SignatureExpired:
            told = _(
                "You took too long to answer, so nothing was granted. Start again in the program."
            )
            messages.error(request, told)
            return redirect("lobby")
        except BadSignature as error:
            raise PermissionDenied from error
        self._scopes, self._asked = asked
        if request.POST.get("action") != "grant":
            return _lead_back(_turn_into(AccessDeniedError, self._asked))
        return super().post(request)

    def get_initial(self) -> dict[str, Any]:
        return {"request": sign_form(self.request, [self._scopes, self._asked], salt=_SALT)}

    def get_form_kwargs(self) -> dict[str, Any]:
        more = {"requested_scopes": self._scopes, "user": self.request.user}
        return {**super().get_form_kwargs(), **more}

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        client = find_program(self._asked["client_id"])
        back = describe_address(self._asked["redirect_uri"])
        return super().get_context_data(client=client, back=back, **more)

    def form_valid(self, form: ConsentForm) -> HttpResponse:
        try:
            address, *_more = get_oauthlib_core().create_authorization_response(
                self.request, form.cleaned_data["scopes"], {**self._asked}, allow=True
            )
        except FatalClientError as error:
            return _report(self.request, error)
        return _redirect(address)


def _report(request: HttpRequest, error: FatalClientError) -> HttpResponse:
    """Show the error on a page of this site, because the address to return to is not one of the program's."""
    shown = {"error": error.oauthlib_error}
    return render(request, "accounts/oauth/error.html", shown, status=HTTPStatus.BAD_REQUEST)


def _turn_into(kind: type[OAuth2Error], asked: Mapping[str, Any]) -> OAuth2Error:
    error = kind(state=asked["state"])
    error.redirect_uri = asked["redirect_uri"]
    return error


def _lead_back(error: OAuth2Error) -> HttpResponse:
    error.description = error.description or _DESCRIPTIONS.get(error.error, "")
    return _redirect(error.in_uri(error.redirect_uri))


def _redirect(address: str) -> HttpResponse:
    """Redirect to a program. Its address may use a scheme of its own, as apps do."""
    return HttpResponse(status=HTTPStatus.FOUND, headers={"Location": address})


def _asks_to_act(request: HttpRequest) -> bool:
    scopes = set(request.GET.get("scope", "").split())
    return not scopes or not scopes <= IDENTITY


_page = _Authorization.as_view()
_ask = login_required(reauthentication_required(_page, enabled=_asks_to_act))
_answer = login_required(csrf_protect(while_signed_in(_page)))


@csrf_exempt  # a program may ask by POST; the player's answer is protected
@never_cache
def authorize(request: HttpRequest) -> HttpResponseBase:
    """Ask the player for consent, then redirect to the program.

    Asks for the password, as the page of API tokens does.
    """
    if request.method == "POST":
        if "request" in request.POST:
            return cast("HttpResponseBase", _answer(request))
        return redirect(f"{request.path}?{request.POST.urlencode()}")
    if "prompt" in request.GET:
        if "none" in request.GET["prompt"].split() and (error := _refuse_silence(request)):
            return error
        # The player is always asked.
        asked = request.GET.copy()
        del asked["prompt"]
        return redirect(f"{request.path}?{asked.urlencode()}")
    answer: HttpResponseBase = _ask(request)
    # Only a request whose address was entered gets a page with a form.
    if isinstance(answer, TemplateResponse) and (source := _read_origin(request)):
        # Browsers apply `form-action` to the redirect after the form, too.
        return csp_update({"form-action": [source]})(lambda _request: answer)(request)
    return answer


def _refuse_silence(request: HttpRequest) -> HttpResponse | None:
    """Return the redirect that refuses `prompt=none`: consent is always asked for.

    Return None if the request has no valid address to return to; the page then shows the error.
    """
    try:
        get_oauthlib_core().validate_authorization_request(request)
    except FatalClientError:
        return None  # the page shows the error
    except OAuthToolkitError as refusal:
        error = refusal.oauthlib_error
        if isinstance(error, ConsentRequired) and not request.user.is_authenticated:
            asked = {"state": error.state, "redirect_uri": error.redirect_uri}
            error = _turn_into(LoginRequired, asked)
        return _lead_back(error)
    return None


def describe_address(address: str) -> str:
    """Return the destination of a redirect address in ASCII: its host, or the scheme of an app."""
    parts = urlsplit(address)
    return to_ascii_host(parts.hostname) if parts.hostname else f"{parts.scheme}:"


def _read_origin(request: HttpRequest) -> str | None:
    parts = urlsplit(request.GET.get("redirect_uri", ""))
    source = f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"
    is_plain = (_SITE if parts.scheme in {"http", "https"} else _SCHEME).fullmatch(source)
    return source if is_plain else None


@never_cache
@csrf_exempt
@require_POST
def token(request: HttpRequest) -> HttpResponse:
    """Issue tokens for a code, a device code or a refresh token."""
    return _answer_program(request, get_oauthlib_core().create_token_response)


@never_cache
@csrf_exempt
@require_POST
def revoke_token(request: HttpRequest) -> HttpResponse:
    """Revoke a token that the program no longer needs (RFC 7009)."""
    return _answer_program(request, get_oauthlib_core().create_revocation_response)


@never_cache
@csrf_exempt
def user_info(request: HttpRequest) -> HttpResponse:
    """Return the claims that the scopes of the request's token allow, about the player who granted it."""
    if not openid_is_on():
        raise Http404
    return _answer_program(request, get_oauthlib_core().create_userinfo_response)


@never_cache
@csrf_exempt
@require_POST
def device_authorization(request: HttpRequest) -> HttpResponse:
    """Issue the codes for a program without a browser (RFC 8628)."""
    taken = throttling.take(
        *_build_rates(request, "oauth-device", DEVICES_OF_A_PROGRAM, DEVICES_OF_AN_ADDRESS)
    )
    if not taken.is_allowed:
        return _refuse_too_many(taken)
    return _answer_program(request, _issue_device_code)


def _issue_device_code(request: HttpRequest) -> tuple[str | None, dict[str, str], Any, int]:
    headers, codes, status = OAuthLibCore(DeviceServer()).create_device_authorization_response(
        request
    )
    if status == HTTPStatus.OK:
        store_device(
            codes["device_code"],
            codes["user_code"],
            client_id=request.POST.get("client_id") or request.GET["client_id"],
            scopes=codes["scope"].split(),
        )
        codes = json.dumps(codes)
    return None, headers, codes, status


def _answer_program(request: HttpRequest, endpoint: Callable[[HttpRequest], Any]) -> HttpResponse:
    """Answer a program's request within its rate limits, which are checked before any secret."""
    taken = throttling.take(*_list_rates(request))
    if not taken.is_allowed:
        return _refuse_too_many(taken)
    with transaction.atomic():
        _address, headers, body, status = endpoint(request)
    if status != HTTPStatus.OK:
        body = _describe_error(body)
    response = HttpResponse(body or "", status=status, content_type="application/json")
    for name, value in headers.items():
        response[name] = value
    # A waiting device polls again and again, no faster than its interval.
    if status == HTTPStatus.OK or json.loads(body)["error"] == _PENDING:
        throttling.give_back(taken)
    return response


def _describe_error(body: str) -> str:
    """Return the body of oauthlib's error response, with a description if it has none."""
    told = json.loads(body)
    described = {"error": told["error"], "error_description": _DESCRIPTIONS.get(told["error"], "")}
    return json.dumps({**described, **told})


def _refuse_too_many(taken: Taken) -> HttpResponse:
    too_many = {"error": "temporarily_unavailable", "error_description": "Too many requests."}
    return JsonResponse(
        too_many,
        status=HTTPStatus.TOO_MANY_REQUESTS,
        headers={"Retry-After": str(int(taken.pause_seconds) + 1)},
    )


def _list_rates(request: HttpRequest) -> tuple[Rate, Rate]:
    return _build_rates(request, "oauth", REFUSED_OF_A_PROGRAM, REFUSED_OF_AN_ADDRESS)


def _build_rates(
    request: HttpRequest, kind: str, of_a_program: int, of_an_address: int
) -> tuple[Rate, Rate]:
    name = hash_secret(_name_of_program(request))
    return (
        Rate(f"{kind}:{name}:{throttling.identify_household(request)}", of_a_program, _SECONDS),
        Rate(f"{kind}::{throttling.identify_site(request)}", of_an_address, _SECONDS),
    )


def _name_of_program(request: HttpRequest) -> str:
    scheme, _space, credentials = request.headers.get("Authorization", "").partition(" ")
    if scheme.title() == "Basic":
        with suppress(ValueError):
            return b64decode(credentials).partition(b":")[0].decode()
    return request.POST.get("client_id", "")


@require_safe
def metadata(_request: HttpRequest) -> HttpResponse:
    """Return the server's metadata (RFC 8414): endpoints and features."""
    return _answer_json(_build_description())


@require_safe
def openid_configuration(_request: HttpRequest) -> HttpResponse:
    """Return OpenID's discovery document. Raises Http404 if the site has no signing key."""
    if not openid_is_on():
        raise Http404
    return _answer_json(_build_description())


def _answer_json(data: dict[str, Any]) -> HttpResponse:
    return JsonResponse(data, headers={"Access-Control-Allow-Origin": "*"})


def _build_description() -> dict[str, Any]:
    openid = {
        "userinfo_endpoint": _build_address("oauth:userinfo"),
        "jwks_uri": _build_address("oauth:jwks"),
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "claims_supported": _CLAIMS,
        "claims_parameter_supported": False,
        "request_parameter_supported": False,
        "request_uri_parameter_supported": False,
    }
    return {
        "issuer": settings.SITE_URL,
        "authorization_endpoint": _build_address("oauth:authorization"),
        "token_endpoint": _build_address("oauth:token"),
        "revocation_endpoint": _build_address("oauth:revoke"),
        "device_authorization_endpoint": _build_address("oauth:device_code"),
        "scopes_supported": list_offered_scopes(),
        "response_types_supported": ["code"],
        "grant_types_supported": [
            "authorization_code",
            "refresh_token",
            OAuthClient.GRANT_DEVICE_CODE,
        ],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": [
            "client_secret_basic",
            "client_secret_post",
            "none",
        ],
        "service_documentation": _build_address("document", "oauth"),
        **(openid if openid_is_on() else {}),
    }


def _build_address(name: str, *arguments: str) -> str:
    return settings.SITE_URL + reverse(name, args=arguments)


@login_required
@require_POST
def revoke(request: PlayerRequest, client_id: str) -> HttpResponse:
    revoke_program(user_id=request.user.pk, client_id=client_id)
    messages.success(request, _("The program can no longer do anything for you."))
    return redirect("accounts:tokens")
