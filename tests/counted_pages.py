"""Every page that can be opened, for tests that count its database queries."""

from collections import defaultdict
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator

from accounts.api_tokens.services import make_token
from accounts.models import Scope, User
from core.models import SiteIdentity, SiteNumbers
from tests.e2e.site_map import (
    LEELA,
    NILA,
    NOBODY,
    RAVI,
    STAFF,
    SWAGGER,
    Place,
    admin_places,
    places,
)
from tests.e2e.world import World, open_session
from wallet.models import LedgerAccount

PROGRAM = "program"
# Only needed inside the test's own transaction; a real request has no savepoint here.
NO_QUESTIONS = ("SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK TO SAVEPOINT")


class Visitors:
    """The people of the site map, each with a browser that is kept from one count to the next."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._clients = {who: _sign_in(getattr(world, who)) for who in (NILA, RAVI, LEELA, STAFF)}
        _token, text = make_token(user_id=world.nila.pk, name="Counting", scopes=[Scope.READ])
        # The browsers by page.
        self._opened: dict[str, Client] = {}
        self._clients[PROGRAM] = Client(headers={"Authorization": f"Bearer {text}"})

    def count_queries(self) -> dict[str, int | tuple[int, ...]]:
        """Return the number of queries by the page's name. A page that the site map lists several
        times, for several people or objects, has several numbers, in the site map's order.

        The first visit is a HEAD request, as monitors and link checkers send: it must answer like a
        GET, without a body.
        """
        counted: dict[str, list[int]] = defaultdict(list)
        for place in list_pages(self.world):
            numbers = counted[place.name]
            client, is_known = self._client_for(place, len(numbers))
            if not is_known:
                answer = client.head(place.path)
                assert answer.content == b"", place
                # Some pages redirect at the first visit, such as the link for a new password.
                assert answer.status_code in {place.status, HTTPStatus.FOUND}, place
            numbers.append(queries_of(client, place.path, status=place.status))
        return {
            name: tuple(numbers) if len(numbers) > 1 else numbers[0]
            for name, numbers in counted.items()
        }

    def _client_for(self, place: Place, number: int) -> tuple[Client, bool]:
        """Return the browser for this page, and whether it has opened the page before.

        Without an account each page gets a new browser, so that the order of the pages does not matter.
        """
        page = f"{place.name} {number}"
        is_known = page in self._opened
        if place.who != NOBODY:
            self._opened[page] = self._clients[place.who]
        return self._opened.setdefault(page, Client()), is_known


def _sign_in(user: User) -> Client:
    client = Client()
    client.cookies["sessionid"] = open_session(user)
    return client


def list_pages(world: World) -> Iterator[Place]:
    """Yield the pages of the site and of the administration, and the GET operations of the API."""
    yield from places(world)
    yield Place(SWAGGER, NOBODY, reverse(SWAGGER))
    yield from admin_places()
    yield from _pages_of_objects(world)
    yield from _of_the_api(world)


def _pages_of_objects(world: World) -> Iterator[Place]:
    """Yield the administration's page of one object per model; a named object of `world` if there is one."""
    chosen = {
        "user": world.nila,
        "table": world.playing,
        "match": world.match,
        "tournament": world.registering,
        "league": world.league,
        "club": world.club,
        "ledgeraccount": LedgerAccount.objects.get(
            kind="PLAYER", owner_id=world.nila.pk, currency="CHIPS"
        ),
    }
    for model in admin.site._registry:
        name, app = str(model._meta.model_name), model._meta.app_label
        row: Any = chosen.get(name) or model._default_manager.order_by("pk").first()
        assert row is not None, f"the world has no {name}"
        address = f"admin:{app}_{name}_change"
        yield Place(address, STAFF, reverse(address, args=[row.pk]))
    deal = "admin:tables_match_deal"
    yield Place(deal, STAFF, reverse(deal, args=[world.match.pk, 1]))
    sanction = "admin:tables_sanction_about"
    yield Place(sanction, STAFF, reverse(sanction, args=[world.nila.pk]))
    money = "admin:tournaments_tournament_money"
    yield Place(money, STAFF, reverse(money, args=[world.running.pk]))
    calendar = "admin:tournaments_tournament_calendar"
    yield Place(calendar, STAFF, reverse(calendar))


def _of_the_api(world: World) -> Iterator[Place]:
    ids = {
        "table_id": world.playing.pk,
        "match_id": world.match.pk,
        "number": 1,
        "tournament_id": world.registering.pk,
        "league_id": world.league.pk,
        "club_id": world.club.pk,
    }
    generator: Any = SchemaGenerator  # drf-spectacular has no type hints here
    for path, operations in generator().get_schema(request=None, public=True)["paths"].items():
        if "get" in operations:
            # No analysis was requested in this world.
            status = 404 if path.endswith("/analysis/") else 200
            yield Place(f"GET {path}", PROGRAM, path.format(**ids), status)


def queries_of(client: Client, path: str, *, status: int = 200) -> int:
    """Count the queries of a page, without savepoints."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
    # allauth redirects away from an address that contains a secret.
    assert answer.status_code in {status, 302}, f"{path}: {answer.status_code}"
    asked = [query["sql"] for query in queries if not query["sql"].startswith(NO_QUESTIONS)]
    return len(asked)


def rows_of_lists() -> dict[str, int]:
    """Count the rows behind each list of the administration. Models with a single row are left out."""
    return {
        model._meta.label: model._default_manager.count()
        for model in admin.site._registry
        if model not in (SiteIdentity, SiteNumbers)
    }
