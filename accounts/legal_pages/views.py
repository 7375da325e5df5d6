"""Legal pages, and the page that asks players to accept newer terms at their next visit."""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.sessions.backends.base import SessionBase
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import sync_only_middleware
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.legal_pages.services import accept_terms as accept
from accounts.legal_pages.services import get_accepted_terms, get_text, list_versions, render_html
from accounts.models.users import PlayerRequest
from accounts.refusals import TermsHaveChanged
from core.models.site import PageKind
from core.site.content import site


@require_safe
def site_page(request: HttpRequest, kind: str, number: int | None = None) -> HttpResponse:
    """Show the current version of a page, or an older one by its number."""
    versions = list(list_versions(kind).defer("text", "words"))
    shown = next((one for one in versions if number in {None, one.number}), None)
    if shown is None:
        raise Http404
    context = {
        "version": shown,
        "title": PageKind(kind).label,
        "text": render_html(get_text(shown)),
        "newest": versions[0],
        "older": versions[1:],
    }
    return render(request, "site_pages/page.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def accept_terms(request: PlayerRequest) -> HttpResponse:
    """Ask the player to accept the newest terms before the visit continues."""
    version = list_versions(PageKind.TERMS).first()
    if version is None:
        raise Http404
    onward = request.POST.get("next") or request.GET.get("next", "/")
    if not url_has_allowed_host_and_scheme(onward, {request.get_host()}, request.is_secure()):
        onward = "/"
    form = AcceptForm(request.POST or None)
    if form.is_valid():
        number = form.cleaned_data["number"]
        try:
            accept(user_id=request.user.pk, number=number)
        except TermsHaveChanged as refusal:
            messages.warning(request, str(refusal))
        else:
            record_acceptance(request.session, number)
            return redirect(onward)
    context = {
        "version": version,
        "text": render_html(get_text(version)),
        "next": onward,
        "form": form,
    }
    return render(request, "site_pages/accept.html", context)


class AcceptForm(forms.Form):
    """The version of the terms that the player was shown, and the box to accept it."""

    number = forms.IntegerField(widget=forms.HiddenInput)
    accepted = forms.BooleanField(
        error_messages={"required": _("Accept the terms to go on, or sign out.")}
    )


# Session key of the version known to be accepted.
_KEY: Final = "accepted_terms"
# Players are not interrupted in play, support, withdrawals, signing out, or reading the terms.
_NOT_HERE: Final = (
    *("/site/", "/accounts/", "/admin/", "/api/", "/i18n/", "/docs/", "/static/"),
    *("/tables/", "/support/", "/wallet/withdrawals/", "/offline/"),
)


@sync_only_middleware
def ask_for_terms(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Any:
    """Middleware: redirect a player to newer terms, if there are any, before showing the requested page."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        if _is_visit(request) and _has_to_accept(request):
            query = urlencode({"next": request.get_full_path()})
            return HttpResponseRedirect(f"{reverse('accept_terms')}?{query}")
        return get_response(request)

    return handle


def record_acceptance(session: SessionBase, number: int) -> None:
    session[_KEY] = number


def _is_visit(request: HttpRequest) -> bool:
    return (
        request.method in {"GET", "HEAD"}
        and settings.SESSION_COOKIE_NAME in request.COOKIES
        and "text/html" in request.headers.get("Accept", "")
        and "HX-Request" not in request.headers
        and not request.path.startswith(_NOT_HERE)
    )


def _has_to_accept(request: HttpRequest) -> bool:
    wanted = site().terms
    if not wanted or request.session.get(_KEY, 0) >= wanted:
        return False
    if not request.user.is_authenticated or request.user.is_staff:
        return False
    accepted = get_accepted_terms(request.user.pk)
    if accepted < wanted:
        return True
    record_acceptance(request.session, accepted)
    return False
