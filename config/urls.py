from django.contrib import admin
from django.contrib.sitemaps.views import sitemap
from django.urls import include, path

from accounts.api_tokens.oauth_device_views import device
from accounts.api_tokens.oauth_views import metadata, openid_configuration
from accounts.legal_pages import views as site_pages
from accounts.people.views import face_picture
from accounts.sessions.views import SessionsView
from config.account_data import views as own_account
from config.assets import pwa, well_known
from config.assets.embedding import oembed
from config.assets.sitemap import SITEMAPS
from config.documents import views as documents
from config.monitoring import script_errors
from wallet.payments.providers import list_provider_pages

urlpatterns = [
    path("", include("lobby.urls")),
    path("tables/", include("tables.urls")),
    path("", include("tables.learning.urls")),
    path("", include("history.urls")),
    path("players/", include("players.urls")),
    path("clubs/", include("players.clubs.urls")),
    path("leaderboards/", include("players.ranking.urls")),
    path("tournaments/", include("tournaments.urls")),
    path("wallet/", include("wallet.urls")),
    *list_provider_pages(),
    path("accounts/", include("accounts.urls")),
    path("accounts/data/", own_account.data, name="account_data"),
    path("accounts/data/export/", own_account.export, name="account_export"),
    path("accounts/data/file/", own_account.export_file, name="account_export_file"),
    path("accounts/data/close/", own_account.close, name="account_close"),
    path("accounts/sessions/", SessionsView.as_view(), name="usersessions_list"),
    path("accounts/", include("allauth.urls")),
    path("oauth/", include("accounts.api_tokens.oauth_urls")),
    path(".well-known/oauth-authorization-server", metadata, name="oauth_metadata"),
    path(".well-known/openid-configuration", openid_configuration, name="openid_configuration"),
    path("device", device, name="device"),
    path("faces/<slug:code>.svg", face_picture, name="face_picture"),
    path(".well-known/change-password", well_known.change_password, name="well_known_password"),
    path(".well-known/security.txt", well_known.security_text, name="security_text"),
    path(".well-known/assetlinks.json", well_known.asset_links, name="asset_links"),
    path("sitemap.xml", sitemap, {"sitemaps": SITEMAPS}, name="sitemap"),
    path("oembed", oembed, name="oembed"),
    path("robots.txt", well_known.robots, name="robots"),
    path("docs/", documents.index, name="documents"),
    path("docs/file/<str:name>", documents.document_file, name="document_file"),
    path("docs/<path:slug>/", documents.document, name="document"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("api/v1/", include("config.api.errors")),
    path("admin/", admin.site.urls),
    path("script-errors/", script_errors.script_error, name="script_error"),
    path("manifest.webmanifest", pwa.manifest, name="manifest"),
    path("sw.js", pwa.service_worker, name="service_worker"),
    path("offline/<str:language>/", pwa.offline, name="offline"),
    path("favicon.ico", pwa.favicon, name="favicon"),
    path("site/accept/", site_pages.accept_terms, name="accept_terms"),
    path("site/<slug:kind>/", site_pages.site_page, name="site_page"),
    path("site/<slug:kind>/<int:number>/", site_pages.site_page, name="site_page_version"),
    path("site/colours/<slug:colours>.css", pwa.site_colours, name="site_colours"),
    path("site/logo/<slug:mark>.png", pwa.site_logo, name="site_logo"),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.page_not_found"
handler500 = "config.errors.server_error"
