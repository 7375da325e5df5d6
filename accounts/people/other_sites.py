"""Sign-in with accounts of other sites (Google, Apple, Facebook, Discord, an OpenID provider) and by phone.

A person who signs in for the first time chooses a player name and accepts the site's terms. A matching e-mail
address never opens an existing account: its player must sign in and then connect the other site.
"""

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import requests
from allauth.account.models import EmailAddress
from allauth.socialaccount import views as allauth_views
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from django.conf import settings
from django.contrib import messages
from django.core.handlers.exception import response_for_exception
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.decorators import sync_only_middleware
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.people.adapter import AccountAdapter
from accounts.people.views import PlayerSignupMixin
from accounts.phone.provider import PhoneProvider
from accounts.sessions.proof import record_proof
from core.sms import sms_is_on

_log = logging.getLogger(__name__)


class OtherSitesAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc] # allauth has no types
    error_messages = DefaultSocialAccountAdapter.error_messages | {
        "email_taken": _(
            "There is an account with this e-mail address. Sign in to it, then connect %s under"
            " “Ways to sign in”."
        ),
        "no_password": _("This is your only way to sign in. Set a password first."),
    }

    def new_user(self, request: HttpRequest, sociallogin: SocialLogin) -> User:
        """Return an empty account. A guest's row is taken over only when the form is submitted."""
        return User()

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Record the proof when a player comes back from the other site, where they proved their identity.

        The page that sends them there is in accounts/people/proving.py.
        """
        if sociallogin.state.get("process") != AuthProcess.REDIRECT:
            return
        if request.user.is_authenticated and sociallogin.account.user_id == request.user.pk:
            record_proof(request)
        else:
            messages.error(
                request, _("You do not sign in to your account that way. Choose another one.")
            )

    @transaction.atomic
    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        """Create the account. If this browser has a guest, the guest becomes the account."""
        sociallogin.user = AccountAdapter(request).new_user(request)
        saved: User = super().save_user(request, sociallogin, form)
        if not saved.own_email:
            # allauth would store this as an address and write to it.
            EmailAddress.objects.filter(user=saved).delete()
            EmailAddress.objects.fill_cache_for_user(saved, [])
            saved.email = ""  # of this object, not of its row
        return saved

    def list_providers(self, request: HttpRequest) -> list[Any]:
        """Return the providers that are offered: other sites, and phone numbers if text messages can be sent."""
        ways = super().list_providers(request)
        return [way for way in ways if way.id != PhoneProvider.id or sms_is_on()]

    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """Return the sites configured in the environment. The database table is not used."""
        apps = [
            SocialApp(provider=site, **app)
            for site, options in settings.SOCIALACCOUNT_PROVIDERS.items()
            for app in options.get("APPS", ())
        ]
        return [
            app
            for app in apps
            if provider in {None, app.provider, app.provider_id}
            and client_id in {None, app.client_id}
        ]


class OtherSiteSignupView(PlayerSignupMixin, allauth_views.SignupView):  # type: ignore[misc] # no types
    """Asks for a player name after the other site has identified the person."""

    def form_valid(self, form: Any) -> HttpResponse:
        pending = self.sociallogin.serialize()
        try:
            answer: HttpResponse = super().form_valid(form)
        except IntegrityError:
            account = pending["account"]
            known = SocialAccount.objects.filter(provider=account["provider"], uid=account["uid"])
            if not known.exists():
                raise
            return redirect("account_login")  # another window has sent the form first
        if form.errors:
            self.request.session["socialaccount_sociallogin"] = (
                pending  # so that it can be sent again
            )
        return answer


@sync_only_middleware
def answer_failures(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Any:
    """Middleware: answer 404 if the other site is not offered, and show an error page if it does not respond."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        return get_response(request)

    def process_exception(request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, SocialApp.DoesNotExist):
            return response_for_exception(request, Http404())
        if isinstance(exception, requests.RequestException):
            _log.warning("A site that people sign in with does not answer: %s", exception)
            page = "socialaccount/authentication_error.html"
            return render(request, page, status=HTTPStatus.BAD_GATEWAY)
        return None

    handle.process_exception = process_exception  # type: ignore[attr-defined] # as Django asks for it
    return handle
