from django.urls import path

from players import views

app_name = "players"

urlpatterns = [
    path("", views.people, name="people"),
    path("online/invite/", views.invite_online, name="invite_online"),
    path("news/dismiss/", views.dismiss_news, name="dismiss_news"),
    path("looks/", views.choose_looks, name="looks"),
    path("privacy/", views.privacy, name="privacy"),
    path("page/", views.show_page, name="show_page"),
    path("invitations/<int:invitation_id>/decline/", views.decline, name="decline"),
    path("<int:user_id>/", views.player, name="player"),
    path("<int:user_id>/act/", views.act, name="act"),
    path("<int:user_id>/challenge/", views.challenge, name="challenge"),
    path("<int:user_id>/invite/", views.invite, name="invite"),
]
