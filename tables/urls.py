from django.urls import path

from tables.chat import views as chat_views
from tables.learning.views import table_rules, welcome
from tables.seating.hosting import views as host_views
from tables.seating.views import (
    bots,
    leave,
    play,
    queue,
    sit,
    sit_as_guest,
)

app_name = "tables"

urlpatterns = [
    path("play/<int:template_id>/", play, name="play"),
    path("private/<slug:game>/", host_views.host, name="host"),
    path("<int:table_id>/rules/", table_rules, name="rules"),
    path("<int:table_id>/welcome/", welcome, name="welcome"),
    path("<int:table_id>/queue/", queue, name="queue"),
    path("<int:table_id>/sit/", sit, name="sit"),
    path("<int:table_id>/guest/", sit_as_guest, name="sit_as_guest"),
    path("<int:table_id>/pass-on/", host_views.pass_on, name="pass_on"),
    path("<int:table_id>/send-away/", host_views.send_away, name="send_away"),
    path("<int:table_id>/renew-link/", host_views.renew_link, name="renew_link"),
    path("<int:table_id>/change/", host_views.change_rules, name="change_rules"),
    path("<int:table_id>/not-ready/", host_views.take_back_ready, name="not_ready"),
    path("<int:table_id>/rename/", host_views.rename, name="rename"),
    path("<int:table_id>/close/", host_views.close, name="close"),
    path("<int:table_id>/bots/", bots, name="bots"),
    path("<int:table_id>/ignore/", chat_views.ignore, name="ignore"),
    path("<int:table_id>/report/", chat_views.report, name="report"),
    path("<int:table_id>/leave/", leave, name="leave"),
]
