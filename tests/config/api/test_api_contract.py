"""The REST API conforms to its own description, tested with requests that schemathesis generates from it."""

from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, strategies
from hypothesis import settings as hypothesis_settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.api.access import Counted
from config.api import description
from config.api.problems import list_error_codes
from history.records import verdict_on
from tables.models import Table
from tables.seating.sitting import leave_table
from tests.api_program import Program, list_faults, person, table_for_programs
from tests.e2e.world import make_club
from tests.effort import share_of
from tests.tables.driving import make_kind, play_short_match, player_at
from tests.tournaments.leagues_driving import make_league

pytestmark = pytest.mark.django_db
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = share_of(12)
# The client that schemathesis uses cannot decompress answers.
PLAIN = {"Accept-Encoding": "identity"}


@pytest.fixture
def existing(make_tournament_of, table):
    """Values of path parameters for which there is an object, by the parameter's name."""
    return {
        "table_id": table.pk,
        "kind_id": make_kind(name="Neem", allows_api_players=True).pk,
        "tournament_id": make_tournament_of().pk,
        "league_id": make_league().pk,
        "club_id": make_club(person("Asha Club"), person("Ravi Club")).pk,
        "match_id": play_public_match().pk,
        "number": 1,
    }


def play_public_match():
    """Play a match and mark its table as a tournament's, so that every account may view it."""
    table = table_for_programs()
    match = play_short_match(table, person("Binod"), person("Chand"))
    for seat in (0, 1):
        leave_table(table_id=table.pk, user_id=player_at(table, seat).pk)
    Table.objects.filter(pk=table.pk).update(event_url="/tournaments/1/")
    return match


@pytest.fixture
def application():
    """The WSGI application, without the signals that would close the test's database connection."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield get_wsgi_application()
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def operations(application, monkeypatch):
    """The operations that the API describes, with throttling off."""
    monkeypatch.setattr(Counted, "allow_request", lambda *_: True)
    schema: Any = schemathesis.openapi.from_wsgi("/api/v1/schema/", application)
    described = [result.ok() for result in schema.get_all_operations()]
    assert len(described) >= 25
    return described


def expect_conformance(operation, headers, existing, mode):
    cases = operation.as_strategy(generation_mode=mode)

    @hypothesis_settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases, exists=strategies.booleans())
    def check(case, exists):
        if exists:
            case.path_parameters |= {key: existing[key] for key in case.path_parameters}
        case.call_and_validate(headers=headers, checks=CHECKS)

    check()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_answer_conforms_to_the_description(operations, asha, existing, mode):
    headers = {"Authorization": f"Bearer {Program(asha).text}", **PLAIN}
    for operation in operations:
        if mode is GenerationMode.POSITIVE or operation.body or operation.path_parameters:
            expect_conformance(operation, headers, existing, mode)


def test_every_answer_without_a_token_conforms_to_the_description(operations, existing):
    for operation in operations:
        expect_conformance(operation, PLAIN, existing, GenerationMode.POSITIVE)


def test_every_error_code_is_described(described):
    codes = described["components"]["schemas"]["ErrorCode"]
    assert set(codes["enum"]) == set(list_error_codes())
    apps = {"insufficient_funds", "busy", "seat_taken", "tournament_over", "nothing_to_analyse"}
    assert apps <= set(codes["enum"])
    for code, sentence in list_error_codes().items():
        assert f"`{code}`" in codes["description"]
        assert sentence, code


def bodies(described):
    """Yield (operation id, content) for each JSON body of a request, a response or a webhook."""
    for operations in (*described["paths"].values(), *described["webhooks"].values()):
        for operation in operations.values():
            for part in (operation.get("requestBody", {}), *operation["responses"].values()):
                for kind, content in part.get("content", {}).items():
                    if kind == "application/json":
                        yield operation["operationId"], content


def test_every_body_has_a_valid_example(described):
    for name, content in bodies(described):
        assert "example" in content, f"write an example of {name} into config/api/examples.json"
        faults = list_faults(content["example"], content["schema"])
        assert faults == [], f"the example of {name} in config/api/examples.json"


def test_the_record_of_the_examples_is_an_honest_deal():
    assert verdict_on(description.EXAMPLES["DealRecord"]).is_honest


def test_no_example_is_unused(described):
    shown = [content["schema"] for _, content in bodies(described) if "example" in content]
    used = {schema["$ref"].rpartition("/")[2] for schema in shown}
    assert used == set(description.EXAMPLES)


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("get", "/api/v1/tables/mine/", "read"),
        ("post", "/api/v1/tables/{table_id}/sit/", "money"),
        ("post", "/api/v1/tables/{table_id}/leave/", "play"),
        ("get", "/api/v1/wallet/", "read"),
        ("post", "/api/v1/tournaments/{tournament_id}/register/", "money"),
    ],
)
def test_an_operation_names_the_scope_it_needs(described, method, path, scope):
    assert {"token": [scope]} in described["paths"][path][method]["security"]
