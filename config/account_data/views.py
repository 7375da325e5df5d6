"""The page of the player's own data, where they export it or close the account."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models.users import PlayerRequest
from accounts.names import tidy_player_name
from accounts.people.exports import ask_for_export, find_export
from config.account_data.closing import NotYet, close_account, list_obstacles_to_closing
from core import private_files
from core.refusals import Refusal


@never_cache
@login_required
@require_safe
def data(request: PlayerRequest) -> HttpResponse:
    context = {
        "export": find_export(request.user.pk),
        "obstacles": list_obstacles_to_closing(request.user),
    }
    return render(request, "accounts/data.html", context)


@login_required
@require_POST
def export(request: PlayerRequest) -> HttpResponse:
    try:
        ask_for_export(user_id=request.user.pk)
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(
            request, _("We are making your file and will write to you when it is ready.")
        )
    return redirect("account_data")


@never_cache
@login_required
@require_safe
@reauthentication_required  # type: ignore[untyped-decorator] # allauth has no types
def export_file(request: PlayerRequest) -> HttpResponse:
    """Send the export file, after a recent proof of identity."""
    account_export = find_export(request.user.pk)
    if account_export is None or not account_export.stored_as:
        raise Http404
    try:
        content = private_files.read(account_export.stored_as)
    except FileNotFoundError as error:
        raise Http404 from error
    name = f"openrummy-{request.user.pk}.json"
    return HttpResponse(
        content,
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required  # type: ignore[untyped-decorator] # allauth has no types
def close(request: PlayerRequest) -> HttpResponse:
    """Explain what closing does, and close the account once the player has typed their name."""
    if list_obstacles_to_closing(request.user):
        return redirect("account_data")
    if request.method == "POST":
        if tidy_player_name(request.POST.get("player_name", "")) != request.user.player_name:
            messages.error(request, _("Enter your player name exactly as it is spelled."))
            return redirect("account_close")
        try:
            close_account(user_id=request.user.pk)
        except NotYet as refusal:
            messages.error(request, str(refusal))
            return redirect("account_data")
        logout(request)
        messages.success(request, _("Your account is closed permanently."))
        return redirect("lobby")
    return render(request, "accounts/close.html")
