from typing import Any

from django.urls import path

from tables.live.consumers import TableConsumer

websocket_urlpatterns: list[Any] = [  # the stubs of path() know views alone
    path("ws/tables/<int:table_id>/", TableConsumer.as_asgi())  # type: ignore[arg-type]
]
