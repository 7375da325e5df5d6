"""A player, their program, and a table that programs may play at."""

import pytest

from tests.api_program import person, table_for_programs
from tests.oauth_program import enter_program


@pytest.fixture
def player():
    return person("Asha")


@pytest.fixture
def program():
    return enter_program()


@pytest.fixture
def table():
    return table_for_programs()
