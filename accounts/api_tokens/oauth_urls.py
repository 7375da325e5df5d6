"""Of allauth's identity provider what a program needs to act for a player, by allauth's own names."""

from django.urls import include, path

from accounts.api_tokens import oauth_views

_endpoints = [
    path("authorize", oauth_views.authorize, name="authorization"),
    path("token", oauth_views.token, name="token"),
    path("revoke", oauth_views.revoke_token, name="revoke"),
]

app_name = "idp"
urlpatterns = [path("oauth/", include((_endpoints, "oidc")))]
