"""A phone number as a way to sign in. allauth treats it like an account of another site."""

from typing import Any

from allauth.socialaccount.providers.base import Provider, ProviderAccount
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _


class PhoneAccount(ProviderAccount):  # type: ignore[misc] # allauth has no types
    def get_user_data(self) -> dict[str, Any]:
        return {"email": self.account.uid}  # as the list of ways to sign in shows it

    def to_str(self) -> str:
        return str(self.account.uid)


class PhoneProvider(Provider):  # type: ignore[misc] # allauth has no types
    id = "phone"
    name = _("your phone number")
    account_class = PhoneAccount
    uses_apps = False

    def get_login_url(self, request: HttpRequest, **query: str) -> str:
        return f"{reverse('phone_login')}?{urlencode(query)}"

    def extract_uid(self, data: dict[str, str]) -> str:
        return data["number"]


provider_classes = [PhoneProvider]
