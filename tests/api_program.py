"""A player's own program that calls the REST API, for tests."""

import json
import re
from functools import cache
from typing import Any

from django.test import Client
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from jsonschema_rs import Draft202012Validator

from accounts.api_tokens.services import make_token
from accounts.models import Scope, User
from config.api.problems import PROBLEM_JSON, list_codes, list_error_codes
from tables.models import Table
from tests.points_tables import open_points_table
from wallet import api as wallet
from wallet.ledger.balances import get_player_balances

EVERYTHING = (Scope.READ, Scope.PLAY, Scope.MONEY)
WELCOME = 10_000


class Program:
    """A client that authenticates with an API token and sends JSON."""

    def __init__(self, user: User, *scopes: Scope) -> None:
        _token, self.text = make_token(user_id=user.pk, name="test", scopes=scopes or EVERYTHING)
        self.client = Client(headers={"Authorization": f"Bearer {self.text}"})

    def get(self, path, **query):
        return check_described(self.client.get(f"/api/v1/{path}", query))

    def post(self, path, body=None, *, key=None):
        headers = {"Idempotency-Key": key} if key else {}
        return check_described(
            self.client.post(
                f"/api/v1/{path}", json.dumps(body or {}), "application/json", headers=headers
            )
        )

    def patch(self, path, body):
        return check_described(
            self.client.patch(f"/api/v1/{path}", json.dumps(body), "application/json")
        )

    def delete(self, path):
        return check_described(self.client.delete(f"/api/v1/{path}"))


class Browser(Program):
    """The same client, signed in through a browser session instead of a token."""

    def __init__(self, user: User) -> None:
        self.client = Client()
        self.client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")


@cache
def describe_api() -> Any:
    """Return the API's OpenAPI description."""
    generator: Any = SchemaGenerator  # drf-spectacular has no type hints here
    return generator().get_schema(request=None, public=True)


def close(schema: Any) -> Any:
    """Return a schema that rejects undeclared fields, except where it allows them explicitly."""
    if isinstance(schema, list):
        return [close(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {} if "properties" not in schema else {"additionalProperties": False}
    return {**closed, **{name: close(part) for name, part in schema.items()}}


@cache
def _describe_closed_components() -> Any:
    return close({"components": describe_api()["components"]})


def list_faults(value: Any, schema: Any) -> list[str]:
    """Return the validation errors of a value against a schema of the description."""
    validator = Draft202012Validator({**_describe_closed_components(), **schema})
    return [error.message for error in validator.iter_errors(value)]


def list_faults_of_payload(payload: Any) -> list[str]:
    """Return the validation errors of a webhook's payload against the description of its event."""
    operation = describe_api()["webhooks"][payload["type"]]["post"]
    return list_faults(payload, operation["requestBody"]["content"]["application/json"]["schema"])


def check_described(answer):
    """Check that the description lists a refusal's code for this operation. Return the answer."""
    if answer.get("Content-Type") == PROBLEM_JSON:
        problem = answer.json()
        path = re.sub(r"<int:(\w+)>", r"{\1}", f"/{answer.resolver_match.route}")
        method = answer.wsgi_request.method.lower()
        operation = describe_api()["paths"].get(path, {}).get(method)
        if operation is not None:
            codes = list_codes(operation, describe_api()["components"])
            assert problem["code"] in codes.get(str(answer.status_code), ()), (path, problem)
    return answer


def person(name):
    user = User.objects.create_user(f"{name.lower()}@example.com", None, player_name=name)
    wallet.grant_welcome_chips(user_id=user.pk)
    return user


def table_for_programs() -> Table:
    """Open a points table for two that allows API players, with the default fee schedule."""
    wallet.set_starting_fees(valid_from=timezone.now())
    return open_points_table("Peepal Room", allows_api_players=True)


def chips_of(user):
    return get_player_balances(user.pk).chips


def refusal(answer):
    """Check that an error has the shape that all errors share. Return its status and code."""
    problem = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    names = {"type", "title", "status", "detail", "code", "fields"}
    if "scope" in problem:
        names.add("scope")
        assert problem["code"] == "permission_denied"
        assert problem["scope"] in problem["detail"]
    assert set(problem) == names
    assert problem["type"] == f"/api/v1/docs/#{problem['code']}"
    assert problem["title"] == list_error_codes()[problem["code"]]
    assert problem["status"] == answer.status_code
    assert problem["detail"]
    return answer.status_code, problem["code"]
