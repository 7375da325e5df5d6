from allauth.account import views as allauth_views
from allauth.account.decorators import reauthentication_required
from django.urls import path, re_path
from django.views.generic import RedirectView

from accounts.api_tokens import oauth_views, program_views
from accounts.api_tokens import views as token_views
from accounts.identity import views as identity_views
from accounts.identity import views as region_views
from accounts.people import mail_stop, other_sites, views
from accounts.people.proving import ProveView
from accounts.push import views as push_views
from accounts.sessions import views as session_views

app_name = "accounts"
urlpatterns = [
    path("settings/", views.profile_settings, name="settings"),
    path("settings/look/", views.appearance_settings, name="look"),
    path("settings/notices/", views.notice_settings, name="notices"),
    # The address of the settings before they had tabs.
    path("profile/", RedirectView.as_view(pattern_name="accounts:settings", permanent=True)),
    path("face/", views.choose_face, name="face"),
    path("preferences/", views.choose_preferences, name="preferences"),
    path("absence/", views.choose_absence_notice, name="absence_notice"),
    path("absence/stop/<str:token>/", mail_stop.stop_mails, name="stop_mails"),
    path("tokens/", token_views.tokens, name="tokens"),
    path("tokens/<int:token_id>/revoke/", token_views.revoke, name="revoke_token"),
    path("bot/", token_views.make_bot, name="become_bot"),
    path("programs/<str:client_id>/revoke/", oauth_views.revoke, name="revoke_program"),
    path("programs/", program_views.programs, name="own_programs"),
    path("programs/new/", program_views.new_program, name="new_program"),
    path("programs/<str:client_id>/", program_views.program, name="own_program"),
    path("programs/<str:client_id>/secret/", program_views.renew_secret, name="program_secret"),
    path("programs/<str:client_id>/delete/", program_views.delete_program, name="delete_program"),
    path("webhooks/new/", program_views.new_webhook, name="new_webhook"),
    path("webhooks/<int:webhook_id>/", program_views.webhook, name="own_webhook"),
    path(
        "webhooks/<int:webhook_id>/secret/",
        program_views.renew_webhook_secret,
        name="webhook_secret",
    ),
    path("webhooks/<int:webhook_id>/delete/", program_views.delete_webhook, name="delete_webhook"),
    path(
        "webhooks/<int:webhook_id>/deliveries/<int:delivery_id>/again/",
        program_views.deliver_again,
        name="deliver_again",
    ),
    path("sessions/<int:session_id>/end/", session_views.end_session, name="end_session"),
    path("sessions/end/", session_views.sign_out_everywhere, name="sign_out_everywhere"),
    path("push/on/", push_views.push_on, name="push_on"),
    path("push/renew/", push_views.push_renew, name="push_renew"),
    path("push/off/", push_views.push_off, name="push_off"),
    path("push/off/everywhere/", push_views.push_off_everywhere, name="push_off_everywhere"),
    path("region/", region_views.region, name="region"),
    path("identity/", identity_views.identity, name="identity"),
    path("login/again/", ProveView.as_view(), name="prove"),
    # Listed before allauth's pages, which have the same addresses and names.
    path("signup/", views.SignupView.as_view(), name="signup"),
    path(
        "password/set/",
        reauthentication_required(allauth_views.password_set),
        name="set_password",
    ),
    re_path(
        r"^confirm-email/(?P<key>[-:\w]+)/$",
        views.ConfirmEmailView.as_view(),
        name="confirm_email",
    ),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.PasswordResetFromKeyView.as_view(),
        name="reset_password_from_key",
    ),
    path("3rdparty/signup/", other_sites.OtherSiteSignupView.as_view(), name="other_site_signup"),
]
