from django.urls import path

from accounts import identity_views, views

app_name = "accounts"
urlpatterns = [
    path("profile/", views.profile, name="profile"),
    path("identity/", identity_views.identity, name="identity"),
    # In front of allauth's page at the same place, which everybody links to by its name.
    path("signup/", views.SignupView.as_view(), name="signup"),
]
