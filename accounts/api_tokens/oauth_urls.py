"""The endpoints of OAuth and OpenID. The toolkit's other pages are not served."""

from django.urls import path
from oauth2_provider.views import JwksInfoView

from accounts.api_tokens import oauth_views

app_name = "oauth"
urlpatterns = [
    path("authorize", oauth_views.authorize, name="authorization"),
    path("token", oauth_views.token, name="token"),
    path("revoke", oauth_views.revoke_token, name="revoke"),
    path("device", oauth_views.device_authorization, name="device_code"),
    path("userinfo", oauth_views.user_info, name="userinfo"),
    path("jwks.json", JwksInfoView.as_view(), name="jwks"),
]
