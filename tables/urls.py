from django.urls import path

from tables.chat import views as chat_views
from tables.learning.views import table_rules
from tables.lobby.views import all_tables
from tables.page.views import moves, player, table
from tables.seating.views import (
    bots,
    leave,
    open_private_table,
    play,
    queue,
    sit,
    sit_as_guest,
    start,
)

app_name = "tables"

urlpatterns = [
    path("", all_tables, name="all"),
    path("play/<int:template_id>/", play, name="play"),
    path("private/<int:template_id>/", open_private_table, name="open_private"),
    path("<int:table_id>/", table, name="table"),
    path("<int:table_id>/moves/", moves, name="moves"),
    path("<int:table_id>/players/<int:seat>/", player, name="player"),
    path("<int:table_id>/rules/", table_rules, name="rules"),
    path("<int:table_id>/queue/", queue, name="queue"),
    path("<int:table_id>/sit/", sit, name="sit"),
    path("<int:table_id>/guest/", sit_as_guest, name="sit_as_guest"),
    path("<int:table_id>/start/", start, name="start"),
    path("<int:table_id>/bots/", bots, name="bots"),
    path("<int:table_id>/ignore/", chat_views.ignore, name="ignore"),
    path("<int:table_id>/report/", chat_views.report, name="report"),
    path("<int:table_id>/leave/", leave, name="leave"),
]
