from django.urls import path

from players.clubs import calendar, views

app_name = "clubs"

urlpatterns = [
    path("", views.clubs, name="list"),
    path("new/", views.found, name="found"),
    path("<int:club_id>/", views.club, name="club"),
    path("<int:club_id>/settings/", views.settings, name="settings"),
    path("<int:club_id>/evening/", views.evening, name="evening"),
    path("<int:club_id>/evenings.ics", calendar.calendar, name="calendar"),
    path("<int:club_id>/league/", views.league, name="league"),
    path("<int:club_id>/join/", views.join, name="join"),
    path("<int:club_id>/leave/", views.leave, name="leave"),
    path("<int:club_id>/told/", views.told, name="told"),
    path("<int:club_id>/link/", views.renew_link, name="renew_link"),
    path("<int:club_id>/say/", views.post_line, name="say"),
    path("<int:club_id>/lines/<int:line_id>/hide/", views.hide, name="hide"),
    path("<int:club_id>/members/<int:user_id>/", views.act, name="act"),
    path("<int:club_id>/members/<int:user_id>/report/", views.report, name="report"),
]
