from django.urls import path

from tables import chat_views, views

app_name = "tables"

urlpatterns = [
    path("play/<int:template_id>/", views.play, name="play"),
    path("private/<int:template_id>/", views.open_private_table, name="open_private"),
    path("<int:table_id>/", views.table, name="table"),
    path("<int:table_id>/queue/", views.queue, name="queue"),
    path("<int:table_id>/sit/", views.sit, name="sit"),
    path("<int:table_id>/top-up/", views.bring_more, name="top_up"),
    path("<int:table_id>/ignore/", chat_views.ignore, name="ignore"),
    path("<int:table_id>/report/", chat_views.report, name="report"),
    path("<int:table_id>/leave/", views.leave, name="leave"),
]
