from django.urls import path

from tables.learning import views

urlpatterns = [
    path("rules/", views.rules, name="rules"),
    path("rules/<slug:name>/", views.show_rules, name="rules_of"),
    path("rules/<slug:game>/<slug:format>/", views.rules_of_format, name="rules_of_format"),
    path("learn/", views.learn, name="learn"),
    path("learn/begin/", views.begin, name="begin_lesson"),
    path("learn/<slug:game>/", views.learn, name="learn_game"),
]
