from django.urls import include, path

from history.pages import deal_views
from history.pages import views as history
from history.pages.views import open_data, open_data_month
from history.puzzles import views as puzzles

urlpatterns = [
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
    path("support/", include("history.support.urls")),
]
