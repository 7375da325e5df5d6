from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.people.site_pages.asking import note_accepted
from accounts.people.site_pages.forms import AcceptForm
from accounts.people.site_pages.rendering import html_of
from accounts.people.site_pages.selectors import text_of, versions_of
from accounts.people.site_pages.services import accept_terms as accept
from accounts.refusals import TermsHaveChanged
from accounts.requests import PlayerRequest
from core.models.site import PageKind


@require_safe
def site_page(request: HttpRequest, kind: str, number: int | None = None) -> HttpResponse:
    """The version that counts, or an older one by its number."""
    versions = list(versions_of(kind).defer("text", "text_hi"))
    shown = next((one for one in versions if number in {None, one.number}), None)
    if shown is None:
        raise Http404
    context = {
        "version": shown,
        "title": PageKind(kind).label,
        "text": html_of(text_of(shown)),
        "newest": versions[0],
        "older": versions[1:],
    }
    return render(request, "site_pages/page.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def accept_terms(request: PlayerRequest) -> HttpResponse:
    """The newest terms, to be accepted before the visit goes on."""
    version = versions_of(PageKind.TERMS).first()
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
            note_accepted(request.session, number)
            return redirect(onward)
    context = {"version": version, "text": html_of(text_of(version)), "next": onward, "form": form}
    return render(request, "site_pages/accept.html", context)
