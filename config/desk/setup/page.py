"""The page "Set up your site": open and finished items, a trial e-mail, and decisions to go without something."""

from functools import partial

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from config.desk.setup.mail import TRIED, MailNotAccepted, name_server, send_trial
from config.desk.setup.notes import PUT_AWAY, drop_note, keep_note
from config.desk.setup.site import CHECKS, MAY_CHANGE_SITE, is_put_away, list_rows
from core.administration.audit import build_staff


def setup_urls(site: AdminSite) -> list[URLPattern]:
    return [
        path("setup/", site.admin_view(partial(setup_page, site)), name="setup"),
        path("setup/mail/", site.admin_view(try_mail), name="setup_mail"),
        path("setup/decide/<slug:code>/", site.admin_view(decide), name="setup_decide"),
        path("setup/away/", site.admin_view(put_away), name="setup_away"),
    ]


def setup_page(site: AdminSite, request: HttpRequest) -> HttpResponse:
    rows = list_rows(request.user, timezone.now())
    if not rows:
        raise PermissionDenied
    may_change = request.user.has_perm(MAY_CHANGE_SITE)
    left = [row for row in rows if not row.is_done]
    context = {
        **site.each_context(request),
        "title": _("Set up your site"),
        "left": left,
        "done": [row for row in rows if row.is_done],
        "number": len(rows),
        "mail_code": TRIED,
        "address": _find_address(request),
        "may_put_away": may_change and not left and not is_put_away(),
    }
    return render(request, "admin/setup.html", context)


@require_POST
def try_mail(request: HttpRequest) -> HttpResponse:
    """Send a trial e-mail to the staff member, and record that the server has accepted it."""
    _require(request, MAY_CHANGE_SITE)
    address = _find_address(request)
    if not address:
        told = _("Your account has no e-mail address. Add one, then send yourself an e-mail.")
        messages.error(request, told)
        return redirect("admin:setup")
    try:
        send_trial(address)
    except MailNotAccepted as refusal:
        told = _("The mail server did not accept the e-mail: %(reason)s")
        messages.error(request, told % {"reason": refusal})
        return redirect("admin:setup")
    keep_note(TRIED, name_server(), by=build_staff(request), action="try mail")
    told = _("The mail server has accepted an e-mail to %(address)s. Please check that it arrives.")
    messages.success(request, told % {"address": address})
    return redirect("admin:setup")


@require_POST
def decide(request: HttpRequest, code: str) -> HttpResponse:
    """Store the decision that the site goes without an item of the page, or take that decision back."""
    check = next((one for one in CHECKS if one.code == code and one.decline), None)
    if check is None:
        raise PermissionDenied
    _require(request, check.permission)
    if "back" in request.POST:
        drop_note(code, by=build_staff(request))
    else:
        keep_note(code, "", by=build_staff(request), action="go without")
    return redirect("admin:setup")


@require_POST
def put_away(request: HttpRequest) -> HttpResponse:
    """Remove the link to "Set up your site" from the administration's first page, if nothing is left to do."""
    _require(request, MAY_CHANGE_SITE)
    if any(not row.is_done for row in list_rows(request.user, timezone.now())):
        messages.error(request, _("Some steps are not done yet."))
        return redirect("admin:setup")
    keep_note(PUT_AWAY, "", by=build_staff(request), action="put away")
    return redirect("admin:index")


def _find_address(request: HttpRequest) -> str:
    assert request.user.is_authenticated  # noqa: S101 - the administration asks for it
    return str(request.user.email)


def _require(request: HttpRequest, permission: str) -> None:
    if not request.user.has_perm(permission):
        raise PermissionDenied
