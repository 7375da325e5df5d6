from django.urls import path

from accounts.phone import views

urlpatterns = [
    path("phone/login/", views.enter_number, name="phone_login"),
    path("phone/code/", views.enter_code, name="phone_code"),
]
