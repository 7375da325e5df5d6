"""Of allauth's identity provider what a program needs to act for a player, by allauth's own names."""

from allauth.idp.oidc import views as provider
from django.urls import include, path

from accounts.api_tokens.oauth_views import authorize

_endpoints = [
    path("authorize", authorize, name="authorization"),
    path("token", provider.token, name="token"),
    path("revoke", provider.revoke, name="revoke"),
]

app_name = "idp"
urlpatterns = [path("oauth/", include((_endpoints, "oidc")))]
