"""OAuth: the page where a player admits a program of others, and what programs ask beforehand."""

import re
from http import HTTPStatus
from urllib.parse import urlsplit

from allauth.account.decorators import reauthentication_required
from allauth.idp.oidc import views as provider
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from accounts.api_tokens.oauth import revoke_program
from accounts.models import Scope
from accounts.requests import PlayerRequest

# What a policy may name: a site, or the scheme of an app.
_SITE = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+")
_SCHEME = re.compile(r"[a-z][a-z0-9.+-]*:")

_ask = login_required(reauthentication_required(provider.authorization))
_answer = login_required(provider.authorization)


@csrf_exempt  # allauth's view checks it where the player answers
@never_cache
def authorize(request: HttpRequest) -> HttpResponseBase:
    """Asks the player, as surely as the page of tokens, and goes back to the program."""
    if "prompt" in request.GET:
        # The player is always asked: allauth's silent way takes what any program was granted.
        asked = request.GET.copy()
        del asked["prompt"]
        return redirect(f"{request.path}?{asked.urlencode()}")
    answer: HttpResponseBase = (_answer if request.method == "POST" else _ask)(request)
    if isinstance(answer, TemplateResponse):  # the page that asks, for an address that was entered
        # Browsers hold the form to where its answer leads, too.
        _allow_form_to_lead_to(answer, request.GET.get("redirect_uri", ""))
    elif answer.status_code == HTTPStatus.OK:  # allauth's page of what is wrong
        answer.status_code = HTTPStatus.BAD_REQUEST
    return answer


def _allow_form_to_lead_to(answer: HttpResponseBase, address: str) -> None:
    parts = urlsplit(address)
    source = f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"
    if (_SITE if parts.scheme in {"http", "https"} else _SCHEME).fullmatch(source):
        vars(answer)["_csp_update"] = {"form-action": [source]}  # as csp's own decorator does it


@require_safe
def metadata(request: HttpRequest) -> HttpResponse:
    """RFC 8414: where what is, and what there is."""
    answer = JsonResponse(
        {
            "issuer": request.build_absolute_uri("/").rstrip("/"),
            "authorization_endpoint": _address(request, "idp:oidc:authorization"),
            "token_endpoint": _address(request, "idp:oidc:token"),
            "revocation_endpoint": _address(request, "idp:oidc:revoke"),
            "scopes_supported": list(Scope.values),
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": [
                "client_secret_basic",
                "client_secret_post",
                "none",
            ],
            "service_documentation": _address(request, "document", "oauth"),
        }
    )
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


def _address(request: HttpRequest, name: str, *arguments: str) -> str:
    return request.build_absolute_uri(reverse(name, args=arguments))


@login_required
@require_POST
def revoke(request: PlayerRequest, client_id: str) -> HttpResponse:
    revoke_program(user_id=request.user.pk, client_id=client_id)
    messages.success(request, _("The program can do nothing for you any more."))
    return redirect("accounts:tokens")
