"""OAuth: the page where a player authorizes a third-party program, and the endpoints for programs."""

import json
import re
from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

from allauth.account.decorators import reauthentication_required
from allauth.core.internal.httpkit import extract_basic_auth
from allauth.idp.oidc import app_settings
from allauth.idp.oidc.internal.oauthlib.utils import (
    convert_response,
    extract_params,
    respond_html_error,
)
from allauth.idp.oidc.models import Client
from allauth.idp.oidc.views import AuthorizationView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.signing import BadSignature, SignatureExpired
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe
from django.views.generic.edit import FormView
from oauthlib.oauth2.rfc6749.errors import AccessDeniedError, FatalClientError, OAuth2Error
from oauthlib.oauth2.rfc8628.errors import AuthorizationPendingError

from accounts.api_tokens.oauth_forms import ConsentForm
from accounts.api_tokens.oauth_grants import revoke_program
from accounts.api_tokens.oauth_identity import (
    IDENTITY,
    list_offered_scopes,
    list_public_keys,
    openid_is_on,
)
from accounts.api_tokens.oauth_server import DeviceServer, make_server, make_userinfo_server
from accounts.models.users import PlayerRequest
from accounts.sessions.ending import while_signed_in
from accounts.sessions.signed_forms import read_form, sign_form
from core import throttling
from core.throttling import Rate, Taken

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
_PENDING: Final = AuthorizationPendingError.error
_SALT: Final = "oauth consent"


class _Authorization(AuthorizationView):  # type: ignore[misc] # allauth has no types
    """allauth's consent page, on this site's server, which stores codes in PostgreSQL."""

    form_class = ConsentForm

    def get(self, request: HttpRequest) -> HttpResponse:
        try:
            checked = make_server().validate_authorization_request(*extract_params(request))
        except FatalClientError as error:
            return _page_of(request, error)
        except OAuth2Error as error:
            return _lead_back(error.in_uri(error.redirect_uri))
        self._scopes, self._request_info = checked
        page: HttpResponse = FormView.get(self, request)
        return page

    def get_initial(self) -> dict[str, Any]:
        super().get_initial()  # leaves in `_request_info` what can be signed
        asked = [self._scopes, self._request_info]
        return {"request": sign_form(self.request, asked, salt=_SALT)}

    def post(self, request: HttpRequest) -> HttpResponse:
        answer: HttpResponse
        if "request" not in request.POST:  # a program's request, which allauth repeats by GET
            answer = super().post(request)
            return answer
        try:
            asked = read_form(request, request.POST["request"], salt=_SALT)
        except SignatureExpired:
            told = _("This took too long, and nothing was granted. Start again in the program.")
            messages.error(request, told)
            return redirect("lobby")
        except BadSignature as error:
            raise PermissionDenied from error
        self._scopes, self._request_info = asked
        if request.POST.get("action") != "grant":
            denied = AccessDeniedError(state=self._request_info["state"])
            return _lead_back(denied.in_uri(self._request_info["redirect_uri"]))
        answer = FormView.post(self, request)
        return answer

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            answer = make_server().create_authorization_response(
                *extract_params(self.request),
                scopes=form.cleaned_data["scopes"],
                credentials={"user": self.request.user, **self._request_info},
            )
        except FatalClientError as error:
            return _page_of(self.request, error)
        return _convert(answer)


def _page_of(request: HttpRequest, error: FatalClientError) -> HttpResponse:
    page: HttpResponse = respond_html_error(request, error=error)
    return page


def _lead_back(address: str) -> HttpResponse:
    """Redirect to a program; its scheme may be an app's own."""
    return HttpResponse(status=HTTPStatus.FOUND, headers={"Location": address})


def _convert(answer: Any) -> HttpResponse:
    response: HttpResponse = convert_response(*answer)
    return response


def _asks_to_act(request: HttpRequest) -> bool:
    scopes = set(request.GET.get("scope", "").split())
    return not scopes or not scopes <= IDENTITY


_page = _Authorization.as_view()
_ask = login_required(reauthentication_required(_page, enabled=_asks_to_act))
_answer = login_required(while_signed_in(_page))


@csrf_exempt  # allauth's view checks it where the player answers
@never_cache
def authorize(request: HttpRequest) -> HttpResponseBase:
    """Ask the player for consent, then redirect to the program. The page is protected like the page of API tokens."""
    if "prompt" in request.GET:
        if "none" in request.GET["prompt"].split() and (error := _refuse_silence(request)):
            return error
        # Always ask the player: allauth's silent mode would accept any scope that some program was granted
        # before.
        asked = request.GET.copy()
        del asked["prompt"]
        return redirect(f"{request.path}?{asked.urlencode()}")
    answer: HttpResponseBase = (_answer if request.method == "POST" else _ask)(request)
    if isinstance(answer, TemplateResponse):  # the page that asks, for an address that was entered
        # Browsers apply `form-action` to the redirect after the form, too.
        _allow_form_to_lead_to(answer, request.GET.get("redirect_uri", ""))
    elif answer.status_code == HTTPStatus.OK:  # allauth's page of what is wrong
        answer.status_code = HTTPStatus.BAD_REQUEST
    return answer


def _refuse_silence(request: HttpRequest) -> HttpResponse | None:
    """Return OpenID's answer to `prompt=none`, or None if the request does not ask for it."""
    try:
        make_server().validate_authorization_request(*extract_params(request))
    except FatalClientError:
        return None  # the page says so
    except OAuth2Error as error:
        return _lead_back(error.in_uri(error.redirect_uri))
    return None


def _allow_form_to_lead_to(answer: HttpResponseBase, address: str) -> None:
    parts = urlsplit(address)
    source = f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"
    if (_SITE if parts.scheme in {"http", "https"} else _SCHEME).fullmatch(source):
        vars(answer)["_csp_update"] = {"form-action": [source]}  # as csp's own decorator does it


@never_cache
@csrf_exempt
@require_POST
def token(request: HttpRequest) -> HttpResponse:
    """Issue tokens for a code, a device code or a refresh token."""
    return _answer_program(request, make_server().create_token_response)


@never_cache
@csrf_exempt
@require_POST
def revoke_token(request: HttpRequest) -> HttpResponse:
    """Revoke a token that the program no longer needs (RFC 7009)."""
    return _answer_program(request, make_server().create_revocation_response)


@never_cache
@csrf_exempt
def user_info(request: HttpRequest) -> HttpResponse:
    """Return the claims about the signed-in player that the granted scopes allow."""
    if not openid_is_on():
        raise Http404
    return _answer_program(request, make_userinfo_server().create_userinfo_response)


@never_cache
@csrf_exempt
@require_POST
def device_authorization(request: HttpRequest) -> HttpResponse:
    """Issue the codes for a program without a browser (RFC 8628)."""
    taken = throttling.take(
        *_rates_of(request, "oauth-device", DEVICES_OF_A_PROGRAM, DEVICES_OF_AN_ADDRESS)
    )
    if not taken.is_allowed:
        return _refuse_too_many(taken)
    return _answer_program(request, DeviceServer().answer)


def _answer_program(request: HttpRequest, endpoint: Callable[..., Any]) -> HttpResponse:
    """Answer a program within its rate limits, which are checked before any secret."""
    taken = throttling.take(*_list_rates(request))
    if not taken.is_allowed:
        return _refuse_too_many(taken)
    try:
        with transaction.atomic():
            response = _convert(endpoint(*extract_params(request)))
    except OAuth2Error as error:  # of a token that is shown, not exchanged
        response = HttpResponse(
            error.json,
            status=error.status_code,
            headers=error.headers,
            content_type="application/json",
        )
    # A waiting device polls again and again, no faster than its interval.
    if response.status_code == HTTPStatus.OK or json.loads(response.content)["error"] == _PENDING:
        throttling.give_back(taken)
    return response


def _refuse_too_many(taken: Taken) -> HttpResponse:
    too_many = {"error": "temporarily_unavailable", "error_description": "Too many requests."}
    return JsonResponse(
        too_many,
        status=HTTPStatus.TOO_MANY_REQUESTS,
        headers={"Retry-After": str(int(taken.pause_seconds) + 1)},
    )


def _list_rates(request: HttpRequest) -> tuple[Rate, Rate]:
    return _rates_of(request, "oauth", REFUSED_OF_A_PROGRAM, REFUSED_OF_AN_ADDRESS)


def _rates_of(
    request: HttpRequest, kind: str, of_a_program: int, of_an_address: int
) -> tuple[Rate, Rate]:
    by_header, _secret = extract_basic_auth(
        {"Authorization": request.headers.get("Authorization", "")}
    )
    program = by_header or request.POST.get("client_id", "")
    name = sha256(program.encode(errors="surrogatepass")).hexdigest()
    return (
        Rate(f"{kind}:{name}:{throttling.identify_household(request)}", of_a_program, _SECONDS),
        Rate(f"{kind}::{throttling.identify_site(request)}", of_an_address, _SECONDS),
    )


@require_safe
def metadata(_request: HttpRequest) -> HttpResponse:
    """Return the server's metadata (RFC 8414): endpoints and features."""
    return _answer_json(_build_description())


@require_safe
def openid_configuration(_request: HttpRequest) -> HttpResponse:
    """Return OpenID's discovery document, if the site has a signing key."""
    if not openid_is_on():
        raise Http404
    return _answer_json(_build_description())


@require_safe
def jwks(_request: HttpRequest) -> HttpResponse:
    """Return the keys that verify ID tokens."""
    answer = _answer_json({"keys": list_public_keys()})
    answer["Cache-Control"] = f"public, max-age={app_settings.JWKS_CACHE_CONTROL}"
    return answer


def _answer_json(data: dict[str, Any]) -> HttpResponse:
    return JsonResponse(data, headers={"Access-Control-Allow-Origin": "*"})


def _build_description() -> dict[str, Any]:
    openid = {
        "userinfo_endpoint": _build_address("idp:oidc:userinfo"),
        "jwks_uri": _build_address("idp:oidc:jwks"),
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "claims_supported": _CLAIMS,
        "claims_parameter_supported": False,
        "request_parameter_supported": False,
        "request_uri_parameter_supported": False,
    }
    return {
        "issuer": settings.SITE_URL,
        "authorization_endpoint": _build_address("idp:oidc:authorization"),
        "token_endpoint": _build_address("idp:oidc:token"),
        "revocation_endpoint": _build_address("idp:oidc:revoke"),
        "device_authorization_endpoint": _build_address("idp:oidc:device_code"),
        "scopes_supported": list_offered_scopes(),
        "response_types_supported": ["code"],
        "grant_types_supported": [
            "authorization_code",
            "refresh_token",
            Client.GrantType.DEVICE_CODE.value,
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
    messages.success(request, _("The program can do nothing for you any more."))
    return redirect("accounts:tokens")
