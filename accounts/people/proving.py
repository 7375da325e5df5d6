"""The page on which a player without a password proves that the account is theirs.

Instead of a password they enter a code from a text message or e-mail, or sign in at the other site again.
"""

from typing import Any, Final, NamedTuple

from allauth.account.views import BaseReauthenticateView
from allauth.socialaccount.models import SocialAccount, SocialApp
from allauth.socialaccount.providers.base import AuthAction, AuthProcess
from django import forms
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise

from accounts.models import User
from accounts.phone.codes import mail_code, send_code
from accounts.phone.provider import PhoneProvider
from accounts.sessions.proof import has_recent_proof
from core.emails.sending import may_be_written_to
from core.refusals import Refusal
from core.sms import sms_is_on

_MAIL: Final = "mail"


class SignInSite(NamedTuple):
    """Another site with which the player signs in, and the address that leads there and back."""

    name: str | Promise
    url: str


class ProveView(LoginRequiredMixin, BaseReauthenticateView):  # type: ignore[misc] # allauth has no types
    """Offers the kinds of proof, sends a code, and continues the player's request after a successful proof."""

    template_name = "accounts/prove.html"
    form_class = forms.Form

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer: HttpResponse
        if has_recent_proof(request):
            answer = super().form_valid(self.get_form())
        else:
            answer = super().get(request, *args, **kwargs)
        return answer

    def form_valid(self, form: forms.Form) -> HttpResponse:
        """Send a code to the address or number whose button was pressed."""
        way = self.request.POST.get("way", "")
        state = {"process": AuthProcess.REDIRECT, "next": self.request.get_full_path()}
        try:
            if way == _MAIL and _get_mailbox(self.request.user):
                mail_code(self.request, _get_mailbox(self.request.user), **state)
            elif way in _list_numbers(self.request.user):
                send_code(self.request, way, **state)
            else:
                return redirect(self.request.get_full_path())
        except Refusal as refusal:
            messages.error(self.request, str(refusal))
            return redirect(self.request.get_full_path())
        return redirect("phone_code")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return {
            **context,
            "mailbox": _get_mailbox(self.request.user),
            "numbers": _list_numbers(self.request.user),
            "sites": _list_sites(self.request),
        }


def _get_mailbox(user: User) -> str:
    """Return the player's address if it is known to be theirs, or an empty string."""
    return user.own_email if may_be_written_to(user.pk) else ""


def _list_numbers(user: User) -> list[str]:
    phones = SocialAccount.objects.filter(user=user, provider=PhoneProvider.id)
    return list(phones.values_list("uid", flat=True)) if sms_is_on() else []


def _list_sites(request: HttpRequest) -> list[SignInSite]:
    query = {
        "process": AuthProcess.REDIRECT,
        "next": request.get_full_path(),
        "action": AuthAction.REAUTHENTICATE,
        "auth_params": "prompt=login",  # ask even if the browser is signed in there
    }
    sites = []
    for account in SocialAccount.objects.filter(user=request.user).exclude(
        provider=PhoneProvider.id
    ):
        try:
            provider = account.get_provider(request)
        except SocialApp.DoesNotExist:  # no longer offered
            continue
        sites.append(SignInSite(provider.name, provider.get_login_url(request, **query)))
    return sites
