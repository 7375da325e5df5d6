"""Each operation's description lists the error codes that it can answer with, and an example of each."""

import re
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from accounts.api.base import REFUSALS, ApiView
from config.api.description import read_version
from config.api.errors import NothingView, urlpatterns
from config.api.problems import list_codes, list_error_codes
from tables.refusals import NOT_THE_HOST
from tests.config.api.reached import list_reached

# The ledger raises these only for errors in our own code.
OF_THE_LEDGER = {
    "already_reversed",
    "hold_ended",
    "hold_exceeded",
    "hold_expired",
    "hold_not_expired",
    "idempotency_conflict",
    "malformed_posting",
    "nothing_to_reverse",
    "unknown_hold",
}
OF_PAYING = {
    "address_not_confirmed",
    "age_not_proven",
    "cash_is_off",
    "insufficient_funds",
    "loss_limit_reached",
    "region_not_stated",
    "region_refuses_cash",
    "too_young_for_cash",
}
OF_A_HOST = {"not_all_ready", "not_the_host", "officers_only", "too_few_players"}
OF_INVITATIONS = {"club_only", "friends_only", "invitation_needed", "sent_away"}
# Impossible at a free table on the caller's own terms that is opened for this request.
AT_A_NEW_TABLE = {
    *(
        "buy_in_out_of_range",
        "match_running",
        "no_guests",
        "no_such_seat",
        "not_for_bot_accounts",
        "pair_is_done",
    ),
    *(
        "seat_taken",
        "seats_are_arranged",
        "table_not_found",
        "table_out_of_order",
        "no_fee_schedule",
    ),
}
# Refusals that the static analysis finds in an operation's code but that it never answers with.
NEVER: dict[str, set[str]] = {
    "leave": {"account_frozen", "self_excluded", "account_closed", *OF_PAYING},
    "play_among_bots": {*OF_PAYING, *OF_INVITATIONS, *AT_A_NEW_TABLE},
    "play_now": OF_INVITATIONS,  # it only seats at public tables
    "practise": {
        *("bots_play_for_nothing", "not_seated", "stake_not_offered"),
        *OF_PAYING,
        *OF_A_HOST,
        *OF_INVITATIONS,
        *AT_A_NEW_TABLE,
    },
    "register": {"bots_do_not_play_for_cash"},  # for practice bots only
    "wait_no_longer": {"insufficient_funds", "account_closed"},  # it only pays money back
    "withdraw": {"account_frozen", "no_ticket", "self_excluded", "account_closed", *OF_PAYING},
}


def list_views():
    """Yield each operation's id, the method that answers it, and the refusals that its view declares."""
    for pattern in urlpatterns:
        view: Any = getattr(pattern.callback, "cls", object)
        for method in ("get", "post", "patch", "delete"):
            handler = getattr(view, method, None)
            kwargs = getattr(handler, "kwargs", {})
            if "schema" in kwargs and issubclass(view, ApiView) and view is not NothingView:
                schema = kwargs["schema"]()
                schema.view, schema.method = view(request=None, args=(), kwargs={}), method.upper()
                name = f"{view.__module__}.{view.__name__}.{method}"
                yield schema.get_operation_id(), name, schema.get_extensions().get(REFUSALS, ())


VIEWS = {name: (handler, kinds) for name, handler, kinds in list_views()}


def test_the_views_of_all_operations_are_found(described):
    operations = {
        operation["operationId"]
        for operations in described["paths"].values()
        for operation in operations.values()
    }
    assert operations == set(VIEWS)


@pytest.mark.parametrize("operation", VIEWS)
def test_an_operation_declares_the_refusals_that_its_code_can_reach(operation):
    handler, kinds = VIEWS[operation]
    reached = (
        list_reached(handler) - {"idempotency_key_missing", "idempotency_conflict"} - OF_THE_LEDGER
    )
    declared = {kind.code for kind in kinds}
    assert reached == declared | (reached & NEVER.get(operation, set()))
    assert not declared & NEVER.get(operation, set())


def test_the_search_for_refusals_finds_those_of_distant_code():
    reached = list_reached("tables.api.seats.SitView.post")
    assert {
        "seat_taken",
        "too_many_tables",
        "idempotency_key_missing",
        "loss_limit_reached",
        "kept_apart",
    } <= reached
    assert list_reached("history.api.MatchesView.get") == set()


def list_operations(described):
    for operations in described["paths"].values():
        yield from operations.values()


def test_every_status_of_a_problem_names_its_codes_with_an_example_of_each(described):
    components = described["components"]
    problem = Draft202012Validator({"components": components, **components["schemas"]["Problem"]})
    count = 0
    for operation in list_operations(described):
        for status, codes in list_codes(operation, components).items():
            assert codes, (operation["operationId"], status)
            for code in codes:
                example = components["examples"][code]["value"]
                assert (example["code"], str(example["status"])) == (code, status)
                assert example["detail"], code
                problem.validate(example)
                count += 1
    assert count > 300


def test_a_refused_operation_has_a_problem_of_its_own(described):
    schemas = described["components"]["schemas"]
    codes = schemas["SitRefusal"]["properties"]["code"]["enum"]
    assert {"seat_taken", "buy_in_out_of_range", "idempotency_conflict"} <= {*codes}
    assert {"not_registered", "club_name_taken", "not_found"}.isdisjoint(codes)
    assert "409" not in described["paths"]["/api/v1/wallet/"]["get"]["responses"]
    assert "404" not in described["paths"]["/api/v1/lobby/"]["get"]["responses"]


@pytest.mark.django_db
def test_the_description_says_where_it_was_asked_and_the_release(client, settings):
    settings.ALLOWED_HOSTS = ["cards.example"]
    headers = {"Accept": "application/json", "Host": "cards.example"}
    told = client.get("/api/v1/schema/", headers=headers).json()
    assert told["servers"] == [{"url": "http://cards.example"}]
    assert told["info"]["license"]["identifier"] == "MIT"
    assert told["info"]["version"] == read_version()


@pytest.mark.django_db
def test_the_page_names_the_codes_of_an_operation_and_explains_each(client):
    text = client.get("/api/v1/docs/").text
    of_leaving = text.partition("POST /api/v1/tables/{table_id}/leave/")[2].partition("</dd>")[0]
    named = re.findall(r'href="#(\w+)"', of_leaving)
    assert named == [
        *("idempotency_conflict", "idempotency_key_missing", "not_seated"),
        *("seats_are_arranged", "table_not_found"),
    ]
    assert all(f'id="{code}"' in text for code in named)


def test_the_code_of_two_kinds_is_described_by_the_general_one():
    assert list_error_codes()["not_the_host"] == str(NOT_THE_HOST.message)


def test_no_code_is_given_with_two_statuses(described):
    shared: dict[str, set[str]] = {}
    for operation in list_operations(described):
        for status, codes in list_codes(operation, described["components"]).items():
            for code in codes:
                shared.setdefault(code, set()).add(status)
    assert {code for code, statuses in shared.items() if len(statuses) > 1} == set()
