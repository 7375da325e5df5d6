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
from config.assets.sitemap import SITEMAPS
from config.documents import views as documents
from config.monitoring import script_errors
from tables.history import deal_views
from tables.history import views as history
from tables.history.puzzles import views as puzzles
from tables.history.views import open_data, open_data_month
from tables.learning import views as lesson_views
from tables.learning.views import rules, rules_of, rules_of_format
from tables.lobby import views as lobby_views
from tables.ranking import views as leaderboard_views
from tables.support import report_views as reports
from tables.support import views as support
from wallet.payments.providers import list_provider_pages

urlpatterns = [
    path("", lobby_views.lobby, name="lobby"),
    path("rules/", rules, name="rules"),
    path("rules/<slug:name>/", rules_of, name="rules_of"),
    path("rules/<slug:game>/<slug:format>/", rules_of_format, name="rules_of_format"),
    path("learn/", lesson_views.learn, name="learn"),
    path("learn/begin/", lesson_views.begin, name="begin_lesson"),
    path("learn/<slug:game>/", lesson_views.learn, name="learn_game"),
    path("tables/", include("tables.urls")),
    path("matches/", history.my_matches, name="my_matches"),
    path("matches/decisions/", deal_views.mistakes, name="my_decisions"),
    path("matches/<int:match_id>/", history.match, name="match"),
    path("matches/<int:match_id>/share/", deal_views.share, name="match_share"),
    path("matches/<int:match_id>/unshare/", deal_views.unshare, name="match_unshare"),
    path("matches/<int:match_id>/deals/<int:number>/", deal_views.replay, name="deal_replay"),
    path("matches/<int:match_id>/deals/<int:number>.json", history.record, name="deal_record"),
    path(
        "matches/<int:match_id>/deals/<int:number>/analysis/",
        deal_views.analysis,
        name="deal_analysis",
    ),
    path(
        "matches/<int:match_id>/deals/<int:number>/verify/", deal_views.verify, name="deal_verify"
    ),
    path("open-data/", open_data, name="open_data"),
    path("open-data/<str:month>.jsonl.gz", open_data_month, name="open_data_month"),
    path("puzzles/", puzzles.puzzles, name="puzzles"),
    path("puzzles/daily/", puzzles.daily, name="daily_puzzle"),
    path("puzzles/next/", puzzles.next_puzzle, name="next_puzzle"),
    path("puzzles/rush/", puzzles.rush, name="puzzle_rush"),
    path("puzzles/<int:puzzle_id>/", puzzles.puzzle, name="puzzle"),
    path("shared/<str:token>/", history.shared_match, name="shared_match"),
    path("shared/<str:token>/picture.png", deal_views.shared_picture, name="shared_picture"),
    path("shared/<str:token>/deals/<int:number>/", deal_views.shared_replay, name="shared_replay"),
    path(
        "shared/<str:token>/deals/<int:number>/embed/",
        deal_views.embedded_replay,
        name="shared_embed",
    ),
    path(
        "shared/<str:token>/deals/<int:number>.png",
        deal_views.shared_picture,
        name="shared_deal_picture",
    ),
    path("shared/<str:token>/deals/<int:number>.json", history.shared_record, name="shared_record"),
    path(
        "shared/<str:token>/deals/<int:number>/verify/",
        deal_views.shared_verify,
        name="shared_verify",
    ),
    path("support/", support.support, name="support"),
    path("support/<int:case_id>/", support.case, name="support_case"),
    path("support/<int:case_id>/close/", support.close, name="support_close"),
    path(
        "support/matches/<int:match_id>/deals/<int:number>/", support.dispute, name="support_deal"
    ),
    path(
        "support/matches/<int:match_id>/players/", reports.report_in_match, name="report_in_match"
    ),
    path("support/players/<int:user_id>/", reports.report_person, name="report_person"),
    path("support/tables/<int:table_id>/", support.dispute_at_table, name="support_table"),
    path("players/", include("tables.players.urls")),
    path("clubs/", include("tables.players.clubs.urls")),
    path("leaderboards/", leaderboard_views.leaderboards, name="leaderboards"),
    path("leaderboards/bots/", leaderboard_views.bots, name="bot_ladder"),
    path("leaderboards/season/", leaderboard_views.season, name="season_ranks"),
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
    path("", include("accounts.api_tokens.oauth_urls")),
    path(".well-known/oauth-authorization-server", metadata, name="oauth_metadata"),
    path(".well-known/openid-configuration", openid_configuration, name="openid_configuration"),
    path("device", device, name="device"),
    path("faces/<slug:code>.svg", face_picture, name="face_picture"),
    path(".well-known/change-password", well_known.change_password, name="well_known_password"),
    path(".well-known/security.txt", well_known.security_text, name="security_text"),
    path(".well-known/assetlinks.json", well_known.asset_links, name="asset_links"),
    path("sitemap.xml", sitemap, {"sitemaps": SITEMAPS}, name="sitemap"),
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
