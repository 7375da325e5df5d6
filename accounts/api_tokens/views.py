"""The page where a player makes and revokes tokens for programs."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.api_tokens import services
from accounts.api_tokens.oauth_grants import list_programs
from accounts.models import Scope
from accounts.models.users import PlayerRequest
from accounts.people.bot_accounts import become_bot, may_become_bot
from accounts.people.forms import TokenForm
from accounts.refusals import NoBotAccount, TokenNotWanted
from accounts.sessions.ending import while_signed_in


@login_required
@reauthentication_required  # type: ignore[untyped-decorator] # allauth has no types
@never_cache
@while_signed_in
def tokens(request: PlayerRequest) -> HttpResponse:
    """Show the player's tokens. Only the response to the form contains a new token's text."""
    form, made = TokenForm(request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        try:
            _token, made = services.make_token(
                user_id=request.user.pk,
                name=form.cleaned_data["name"],
                scopes=[Scope(scope) for scope in form.cleaned_data["scopes"]],
            )
        except TokenNotWanted as refusal:
            messages.error(request, str(refusal))
        else:
            form = TokenForm()
    own = request.user.api_tokens.filter(access_token=None).order_by("-pk")
    shown = {
        "form": form,
        "tokens": own,
        "made": made,
        "programs": list_programs(request.user.pk),
        "may_become_bot": may_become_bot(request.user),
    }
    return render(request, "accounts/tokens.html", shown)


@login_required
@require_POST
def revoke(request: PlayerRequest, token_id: int) -> HttpResponse:
    services.revoke_token(user_id=request.user.pk, token_id=token_id)
    messages.success(request, _("The token is revoked: no program can use it any more."))
    return redirect("accounts:tokens")


@login_required
@require_POST
@reauthentication_required  # type: ignore[untyped-decorator] # allauth has no types
def make_bot(request: PlayerRequest) -> HttpResponse:
    """Make this a BOT account permanently. The player must tick the box."""
    if request.POST.get("sure") != "yes":
        return redirect("accounts:tokens")
    try:
        user = become_bot(user_id=request.user.pk)
    except NoBotAccount as refusal:
        messages.error(request, str(refusal))
    else:
        told = _("This is a BOT account now, and its name is %(name)s.")
        messages.success(request, told % {"name": user.player_name})
    return redirect("accounts:tokens")
