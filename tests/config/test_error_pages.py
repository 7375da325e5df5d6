"""Pages of errors before the real server."""

import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from accounts.models import User


def open_connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return int(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
def test_a_page_that_is_not_there_keeps_no_connection(live_site: str, client: Client) -> None:
    """It shows the header, so it asks for the player and the balance, in a thread of its own."""
    client.force_login(User.objects.create_user("asha@example.com", player_name="Asha"))
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    before = open_connections()
    for _time in range(3):
        request = Request(f"{live_site}/nowhere/", headers={"Cookie": cookie})  # noqa: S310
        with pytest.raises(HTTPError) as answer, urlopen(request, timeout=30):  # noqa: S310
            pass
        assert answer.value.code == 404
        assert "Asha" in answer.value.read().decode()
        answer.value.close()
    until = time.monotonic() + 30
    while open_connections() > before and time.monotonic() < until:
        time.sleep(0.05)
    assert open_connections() <= before
