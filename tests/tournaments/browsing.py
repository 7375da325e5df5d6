"""A player's browser on the pages of tournaments and leagues."""

import re

from django.utils.translation import override


def sign_in(client, user):
    """Sign the user in, and return the client."""
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def read(answer):
    """Return the text of a page, with single spaces between its words."""
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def read_page(client, path, *, htmx=False, **query):
    headers = {"HTTP_HX_REQUEST": "true"} if htmx else {}
    return read(client.get(path, query, **headers))


def read_tournament(client, tournament, **query):
    return read_page(client, f"/tournaments/{tournament.pk}/", **query)


def read_tournament_as(client, tournament, user, language="en"):
    with override("en"):  # in a test, a request's language stays active after it
        answer = sign_in(client, user).get(
            tournament.get_absolute_url(), headers={"Accept-Language": language}
        )
    return read(answer)


def read_region(client, tournament, region):
    body = read_tournament(client, tournament)
    found = re.search(rf'data-region="{region}"[^>]*>(.*?)</p>', body)
    return "" if found is None else " ".join(re.sub("<[^>]+>", " ", found[1]).split())
