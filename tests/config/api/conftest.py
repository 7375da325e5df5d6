"""Fixtures: a player, their program, and a table that allows programs."""

from typing import Any

import pytest

from tests.api_program import describe_api, person, table_for_programs
from tests.oauth_program import enter_program


@pytest.fixture
def asha():
    return person("Asha")


@pytest.fixture
def player(asha):
    return asha


@pytest.fixture
def program():
    return enter_program()


@pytest.fixture
def table():
    return table_for_programs()


@pytest.fixture(scope="session")
def described() -> Any:
    """The API's OpenAPI description."""
    return describe_api()
