"""A player in a browser."""

import pytest


@pytest.fixture
def signed_in(client, make_player):
    player = make_player()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    client.player = player
    return client
