from django.urls import path

from lobby import views
from lobby.table_page import views as table_page

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("tables/", views.all_tables, name="all_tables"),
    path("tables/watch/", views.watch, name="watch_tables"),
    path("tables/<int:table_id>/", table_page.table, name="table"),
    path("tables/<int:table_id>/company/", table_page.company, name="table_company"),
    path("tables/<int:table_id>/moves/", table_page.moves, name="table_moves"),
    path("tables/<int:table_id>/players/<int:seat>/", table_page.player, name="table_player"),
]
