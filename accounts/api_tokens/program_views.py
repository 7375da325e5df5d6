"""The pages where players make OAuth programs and webhooks of their own."""

from collections.abc import Callable

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.api_tokens import own_programs
from accounts.api_tokens.program_forms import OwnProgramForm, OwnWebhookForm
from accounts.models import OAuthClient
from accounts.models.users import PlayerRequest
from accounts.refusals import TooManyPrograms
from accounts.sessions.ending import while_signed_in
from core.models import Webhook


def _protect(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Require the password again, as the page of API tokens does, because a program may act for others."""
    protected: Callable[..., HttpResponse] = login_required(
        reauthentication_required(never_cache(while_signed_in(view)))
    )
    return protected


@_protect
def programs(request: PlayerRequest) -> HttpResponse:
    """List the player's programs and webhooks."""
    shown = {
        "programs": own_programs.list_own_programs(request.user.pk),
        "webhooks": own_programs.list_own_webhooks(request.user.pk),
        "may_make_programs": own_programs.may_make_programs(),
        "may_make_webhooks": own_programs.may_make_webhooks(),
    }
    return render(request, "accounts/programs/list.html", shown)


@_protect
def new_program(request: PlayerRequest) -> HttpResponse:
    """Make a program. Only the response to the form contains its secret."""
    if not own_programs.may_make_programs():
        raise Http404
    form = OwnProgramForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            client, secret = own_programs.make_program(user_id=request.user.pk, **form.cleaned_data)
        except TooManyPrograms as refusal:
            messages.error(request, str(refusal))
        else:
            return _show_program(request, client, secret=secret, is_new=True)
    return render(request, "accounts/programs/program.html", {"form": form})


@_protect
def program(request: PlayerRequest, client_id: str) -> HttpResponse:
    """Show and change a program."""
    client = own_programs.find_own_program(request.user.pk, client_id)
    if request.method != "POST":
        return _show_program(request, client)
    form = OwnProgramForm(request.POST, instance=client)
    if not form.is_valid():
        return _show_program(request, client, form=form)
    own_programs.change_program(user_id=request.user.pk, client_id=client_id, **form.cleaned_data)
    messages.success(request, _("Saved"))
    return redirect("accounts:own_program", client_id)


@require_POST
@_protect
def renew_secret(request: PlayerRequest, client_id: str) -> HttpResponse:
    secret = own_programs.renew_program_secret(user_id=request.user.pk, client_id=client_id)
    client = own_programs.find_own_program(request.user.pk, client_id)
    return _show_program(request, client, secret=secret)


@require_POST
@_protect
def delete_program(request: PlayerRequest, client_id: str) -> HttpResponse:
    own_programs.delete_own_program(user_id=request.user.pk, client_id=client_id)
    messages.success(
        request, _("The program is deleted: it can no longer do anything for anybody.")
    )
    return redirect("accounts:own_programs")


def _show_program(
    request: PlayerRequest,
    client: OAuthClient,
    *,
    form: OwnProgramForm | None = None,
    secret: str = "",
    is_new: bool = False,
) -> HttpResponse:
    shown = {
        "client": client,
        "form": form or OwnProgramForm(instance=client),
        "secret": secret,
        "is_new": is_new,
        "keeps_secret": client.client_type == client.CLIENT_CONFIDENTIAL,
    }
    return render(request, "accounts/programs/program.html", shown)


@_protect
def new_webhook(request: PlayerRequest) -> HttpResponse:
    """Make a webhook. Only the response to the form contains its secret."""
    if not own_programs.may_make_webhooks():
        raise Http404
    form = OwnWebhookForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            webhook = own_programs.make_webhook(user_id=request.user.pk, **form.cleaned_data)
        except TooManyPrograms as refusal:
            messages.error(request, str(refusal))
        else:
            return _show_webhook(request, webhook, secret=webhook.secret)
    return render(request, "accounts/programs/webhook.html", {"form": form})


@_protect
def webhook(request: PlayerRequest, webhook_id: int) -> HttpResponse:
    """Show a webhook with its deliveries, and change it. Saving turns it on again."""
    found = own_programs.find_own_webhook(request.user.pk, webhook_id)
    if request.method != "POST":
        return _show_webhook(request, found)
    form = OwnWebhookForm(request.POST, instance=found)
    if not form.is_valid():
        return _show_webhook(request, found, form=form)
    is_active = request.POST.get("action") != "off"
    own_programs.change_webhook(
        user_id=request.user.pk, webhook_id=webhook_id, is_active=is_active, **form.cleaned_data
    )
    messages.success(request, _("Saved"))
    return redirect("accounts:own_webhook", webhook_id)


@require_POST
@_protect
def renew_webhook_secret(request: PlayerRequest, webhook_id: int) -> HttpResponse:
    secret = own_programs.renew_webhook_secret(user_id=request.user.pk, webhook_id=webhook_id)
    found = own_programs.find_own_webhook(request.user.pk, webhook_id)
    return _show_webhook(request, found, secret=secret)


@require_POST
@_protect
def delete_webhook(request: PlayerRequest, webhook_id: int) -> HttpResponse:
    own_programs.delete_webhook(user_id=request.user.pk, webhook_id=webhook_id)
    messages.success(request, _("The webhook is deleted."))
    return redirect("accounts:own_programs")


@require_POST
@_protect
def deliver_again(request: PlayerRequest, webhook_id: int, delivery_id: int) -> HttpResponse:
    sent = own_programs.deliver_again(
        user_id=request.user.pk, webhook_id=webhook_id, delivery_id=delivery_id
    )
    if sent:
        messages.success(request, _("The delivery will be sent again within a minute."))
    else:
        messages.error(request, _("Too many requests. Try again in a minute."))
    return redirect("accounts:own_webhook", webhook_id)


def _show_webhook(
    request: PlayerRequest,
    webhook: Webhook,
    *,
    form: OwnWebhookForm | None = None,
    secret: str = "",
) -> HttpResponse:
    shown = {
        "webhook": webhook,
        "form": form or OwnWebhookForm(instance=webhook),
        "secret": secret,
        "deliveries": own_programs.list_deliveries(webhook),
    }
    return render(request, "accounts/programs/webhook.html", shown)
