"""The parts of allauth's identity provider that programs need, under allauth's own URL names."""

from django.urls import include, path

from accounts.api_tokens import oauth_views

_endpoints = [
    path("authorize", oauth_views.authorize, name="authorization"),
    path("token", oauth_views.token, name="token"),
    path("revoke", oauth_views.revoke_token, name="revoke"),
    path("device", oauth_views.device_authorization, name="device_code"),
    path("userinfo", oauth_views.user_info, name="userinfo"),
    path("jwks.json", oauth_views.jwks, name="jwks"),
]

app_name = "idp"
urlpatterns = [path("oauth/", include((_endpoints, "oidc")))]
