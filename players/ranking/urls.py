from django.urls import path

from players.ranking import views

urlpatterns = [
    path("", views.leaderboards, name="leaderboards"),
    path("bots/", views.bots, name="bot_ladder"),
    path("season/", views.season, name="season_ranks"),
]
