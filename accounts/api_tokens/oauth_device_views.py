"""The page where a player types in the code shown by a program without a browser (RFC 8628)."""

from typing import Any, Final

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.signing import BadSignature, SignatureExpired
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.api_tokens import oauth_devices
from accounts.api_tokens.oauth_forms import ConsentForm
from accounts.models import OAuthDevice
from accounts.models.users import PlayerRequest
from accounts.sessions.ending import while_signed_in
from accounts.sessions.signed_forms import read_form, sign_form
from core import throttling
from core.throttling import Rate

# Wrong codes (of 20^8 possible ones) allowed to a player, and to an address, which many players may share.
WRONG_CODES: Final = 10
WRONG_CODES_OF_AN_ADDRESS: Final = 100
_SECONDS: Final = 600
_SALT: Final = "oauth device"


@never_cache
@login_required
@reauthentication_required(enabled=lambda request: "user_code" in request.GET)  # type: ignore[untyped-decorator] # allauth has no types
@require_http_methods(["GET", "HEAD", "POST"])
@while_signed_in
def device(request: PlayerRequest) -> HttpResponse:
    """Ask for the code, then for the player's consent to the program that shows it."""
    if request.method == "POST":
        return _answer(request)
    code = request.GET.get("user_code", "").strip()
    if not code:
        return render(request, "accounts/device.html")
    taken = throttling.take(
        Rate(f"device-code:{request.user.pk}", WRONG_CODES, _SECONDS),
        Rate(
            f"device-code::{throttling.identify_household(request)}",
            WRONG_CODES_OF_AN_ADDRESS,
            _SECONDS,
        ),
    )
    if not taken.is_allowed:
        problem = _("Too many wrong codes. Try again in ten minutes.")
        return render(request, "accounts/device.html", {"problem": problem}, status=429)
    found = oauth_devices.find_device(code)
    if found is None:
        problem = _("No program is waiting for this code, or the code has expired. Check the code.")
        return render(request, "accounts/device.html", {"problem": problem, "code": code})
    throttling.give_back(taken)
    scopes = found.scope.split()
    terms = {"device": found.pk, "scopes": scopes, "code": code}
    asked = sign_form(request, terms, salt=_SALT)
    form = ConsentForm(user=request.user, requested_scopes=scopes, initial={"request": asked})
    return _ask_consent(request, form, found, code)


def _answer(request: PlayerRequest) -> HttpResponse:
    try:
        asked: dict[str, Any] = read_form(request, request.POST.get("request", ""), salt=_SALT)
    except SignatureExpired:
        return _report_expired_code(request)
    except BadSignature as error:
        raise PermissionDenied from error
    scopes: list[str] = []
    if request.POST.get("action") == "grant":
        form = ConsentForm(request.POST, user=request.user, requested_scopes=asked["scopes"])
        if not form.is_valid():
            found = oauth_devices.find_device(asked["code"])
            return (
                _report_expired_code(request)
                if found is None
                else _ask_consent(request, form, found, asked["code"])
            )
        scopes = form.cleaned_data["scopes"]
    if not oauth_devices.answer_device(asked["device"], user_id=request.user.pk, scopes=scopes):
        return _report_expired_code(request)
    if not scopes:
        messages.success(request, _("Nothing was granted."))
        return redirect("device")
    messages.success(request, _("Done. Go back to the program: it goes on in a few seconds."))
    return redirect("accounts:tokens")


def _report_expired_code(request: PlayerRequest) -> HttpResponse:
    messages.error(request, _("This code has expired. Ask the program for a new one."))
    return redirect("device")


def _ask_consent(
    request: PlayerRequest, form: ConsentForm, found: OAuthDevice, code: str
) -> HttpResponse:
    context = {"form": form, "client": found.client, "is_device": True, "code": code.upper()}
    return render(request, "accounts/oauth/consent.html", context)
