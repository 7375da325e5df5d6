"""allauth's adapter, and the page that a person wanted before signing up, which is remembered in their session.

The sign-in form's `next` holds the same page, but is lost when the person visits another page.
"""

import secrets
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as allauth_context
from allauth.core.exceptions import ReauthenticationRequired
from django import forms
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from accounts import sign_in_limits
from accounts.legal_pages.services import accept_pages
from accounts.models import User
from accounts.people.closing import account_opened
from accounts.people.first_proof import end_claims
from accounts.people.guests import find_guest, forget_guest, lock_guest
from accounts.people.sign_in_emails import OF_TEMPLATES
from accounts.sessions.proof import has_recent_proof
from accounts.sign_in_limits import forget_attempts, take_attempt
from core.emails import NOWHERE, build_headers, refuse_unwritable, to_mailbox
from core.emails.texts import format_own_mail
from core.site.content import site
from core.site.features import REGISTRATION, is_on
from core.throttling import get_address, give_back

MAIL_LINK_SESSION_KEY = "mail_link"
# Mails whose link the next page may show, with the context key that holds it.
_LINKS = {
    "account/email/email_confirmation": "activate_url",
    "account/email/email_confirmation_signup": "activate_url",
    "account/email/password_reset_key": "password_reset_url",
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc] # allauth has no types
    error_messages = DefaultAccountAdapter.error_messages | {
        "email_taken": _(
            "There is an account with this e-mail address: sign in to it, or ask for a "
            "new password."
        )
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return is_on(REGISTRATION)

    def new_user(self, request: HttpRequest) -> User:
        """Return this browser's guest, who keeps their table and chips, or else a new account."""
        number = find_guest(request.session)
        return User() if number is None else User.objects.get(pk=number)

    def save_user(
        self,
        request: HttpRequest,
        user: User,
        form: forms.Form,
        commit: bool = True,  # noqa: FBT001, FBT002 - allauth's signature
    ) -> User:
        # Set before the first save: the database refuses an account without a name.
        user.player_name = form.cleaned_data["player_name"]
        user.language = translation.get_language() or settings.LANGUAGE_CODE
        if not form.cleaned_data["email"]:  # of a person who signs up by phone
            form.cleaned_data["email"] = f"{secrets.token_hex(16)}@phones{NOWHERE}"
        if form.cleaned_data.get("adult"):
            user.adult_confirmed_at = timezone.now()
        # With a savepoint, a refusal by the database leaves the transaction around it usable
        # (accounts/people/views.py).
        with transaction.atomic():
            if user.pk is not None:
                self._make_own(user)
            saved: User = super().save_user(request, user, form, commit)
            if commit and form.cleaned_data.get("terms"):
                accept_pages(user_id=saved.pk, terms=form.cleaned_data["terms_version"])
            if commit:
                end_claims(user=saved)
                account_opened.send(sender=None, user_id=saved.pk, request=request)
        return saved

    @staticmethod
    def _make_own(guest: User) -> None:
        """Turn the guest's row into the account of the person who registers.

        If the guest has been deleted meanwhile, make it a new row.
        """
        if not lock_guest(guest.pk):
            guest.pk = None
            guest._state.adding = True  # as Django documents it for a copy  # noqa: SLF001
        guest.is_guest = False
        guest.date_joined = timezone.now()

    def clean_email(self, email: str) -> str:
        refuse_unwritable(email)
        return email

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Apply our own sign-in limits instead of allauth's.

        allauth's limit by account would let anybody lock the account's owner out.
        """
        self._attempt = take_attempt(request, str(credentials.get("email", "")))
        if not self._attempt.is_allowed:
            raise self.validation_error("too_many_login_attempts")

    def _rollback_login_failed_rl_usage(self) -> None:
        """Reset the limit on failed sign-ins; allauth calls this after a correct password."""
        give_back(self._attempt)

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        """Reset the limit on failed sign-ins; allauth calls this after a new password was set."""
        forget_attempts(request, str(credentials.get("email", "")))

    def post_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponseBase:
        response: HttpResponseBase = super().post_login(request, user, **options)
        sign_in_limits.remember(request, response, user_id=user.pk)
        forget_guest(request.session)
        return response

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Ask players without a password for another proof of identity. Raises ReauthenticationRequired.

        It raises because allauth lets such players through whatever this method returns.
        """
        is_required: bool = super().is_reauthentication_required(app=app, **kwargs)
        user = self.request.user
        if is_required and not (
            user.has_usable_password()
            or has_recent_proof(self.request)
            or super().get_reauthentication_methods(user)  # a second factor
        ):
            raise ReauthenticationRequired
        return is_required

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if methods or not user.is_authenticated:
            return methods
        told = _("Prove that it is you")
        return [{"id": "prove", "description": told, "url": reverse("accounts:prove")}]

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return the page that the person wanted before signing up, unless the form has a `next`."""
        usual: str = super().get_login_redirect_url(request)
        return get_remembered_path(request.session) or usual

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        return self.get_login_redirect_url(request)

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that our own limits use, for which the proxy's header has already been evaluated."""
        return get_address(request) or "0.0.0.0"  # noqa: S104 - a unix socket has no address

    def render_mail(
        self,
        template_prefix: str,
        email: str | list[str],
        context: dict[str, Any],
        headers: dict[str, str] | None = None,
    ) -> EmailMessage:
        """Render an e-mail with the site's name and address, using the operator's own text if there is one."""
        domain = urlsplit(settings.SITE_URL).netloc
        named = {**context, "current_site": SimpleNamespace(name=site().name, domain=domain)}
        headers = {**build_headers(), **(headers or {})}
        mail: EmailMessage = super().render_mail(template_prefix, email, named, headers)
        if (known := OF_TEMPLATES.get(template_prefix)) is not None:
            kind, link = known
            own = format_own_mail(kind, name=context["user"].player_name, link=context[link])
            if own is not None:
                mail.subject, mail.body = self.format_email_subject(own[0]), own[1]
        return mail

    def format_email_subject(self, subject: str) -> str:
        return f"[{site().name}] {subject}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an e-mail whose links begin with the site's own address, not with the request's Host."""
        if allauth_context.request is not None:
            asked = allauth_context.request.build_absolute_uri("/")
            context = {
                name: f"{settings.SITE_URL}/{value.removeprefix(asked)}"
                if isinstance(value, str) and value.startswith(asked)
                else value
                for name, value in context.items()
            }
        super().send_mail(template_prefix, to_mailbox(email), context)
        if settings.SHOW_MAIL_LINKS and allauth_context.request is not None:
            link = context.get(_LINKS.get(template_prefix, ""))
            allauth_context.request.session[MAIL_LINK_SESSION_KEY] = link


_KEY = "return_path"


def remember_path(session: SessionBase, path: str) -> None:
    """Remember which page to open after signing in. `path` is a path of this site, with its query."""
    if session.get(_KEY) != path:
        session[_KEY] = path


def get_remembered_path(session: SessionBase) -> str:
    """Return the path to open after signing in, or an empty string if there is none."""
    return str(session.get(_KEY, ""))


def forget_path(session: SessionBase) -> None:
    session.pop(_KEY, None)
