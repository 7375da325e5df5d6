from django.urls import path

from tournaments.pages import feeds, leagues, private, views

app_name = "tournaments"
urlpatterns = [
    path("", views.tournaments, name="list"),
    path("calendar.ics", feeds.calendar, name="calendar"),
    path("results.atom", feeds.results, name="results"),
    path("mine/", views.mine, name="mine"),
    path("leagues/", leagues.leagues, name="leagues"),
    path("leagues/<int:league_id>/", leagues.league, name="league"),
    path("new/", private.open_for_friends, name="new"),
    path("<int:tournament_id>/", views.tournament, name="tournament"),
    path("<int:tournament_id>/register/", views.enter, name="register"),
    path("<int:tournament_id>/withdraw/", views.leave, name="withdraw"),
    path("<int:tournament_id>/rebuy/", views.pay_again, name="rebuy"),
    path("<int:tournament_id>/begin/", private.begin, name="begin"),
    path("<int:tournament_id>/call-off/", private.call_off, name="call_off"),
]
