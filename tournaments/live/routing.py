from typing import Any

from django.urls import path

from tournaments.live.consumers import TournamentConsumer

websocket_urlpatterns: list[Any] = [  # the stubs of path() know views alone
    path("ws/tournaments/<int:tournament_id>/", TournamentConsumer.as_asgi())  # type: ignore[arg-type]
]
