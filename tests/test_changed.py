"""`bin/test --changed` finds the tests of a file through imports, and does not follow imports past hubs."""

import pytest

from config.run.preparation import PACKAGES as PREPARED
from games.registry import GAMES
from tests.changed import HUBS, PACKAGES, find_affected, list_dependents


def test_a_changed_file_of_a_game_runs_the_tests_of_that_game():
    found = find_affected(["games/gin/rules/melds.py"])
    assert {"tests/games/gin/test_melding.py", "tests/games/test_laws.py"} <= {*found}
    assert not [path for path in found if path.startswith(("tests/e2e/", "tests/wallet/"))]


@pytest.mark.parametrize("code", GAMES)
def test_a_changed_file_of_a_game_runs_no_tests_of_another(code):
    found = find_affected([f"games/{code}/game.py"])
    games = {path.split("/")[2] for path in found if path.startswith("tests/games/")}
    of_games = {name for name in games if not name.startswith("test_")}
    assert of_games - {"laid", "model"} == {code}  # code that games share
    assert "tests/test_query_counts.py" not in found
    assert "tests/tables/clock/test_processes.py" not in found


def test_a_changed_test_helper_runs_the_tests_that_import_it():
    found = find_affected(["tests/e2e/seated.py"])
    assert "tests/e2e/test_gin_game.py" in found
    assert not [path for path in found if not path.startswith("tests/e2e/")]


def test_every_package_of_the_product_is_known():
    assert set(PREPARED) <= set(PACKAGES)
    assert "tests/accounts/test_sign_in_limits.py" in find_affected(["core/throttling.py"])


def test_a_changed_template_runs_the_tests_that_name_it():
    assert "tests/test_skips.py" not in find_affected(["templates/base.html"])
    assert "tests/test_changed.py" in find_affected(["docs/games.md"])  # this file names it


def test_a_hub_is_followed_only_if_it_has_changed():
    hub = min(HUBS)
    graph: dict[str, set[str]] = {"game": {hub}, hub: {"page"}, "page": set()}
    assert list_dependents(["game"], graph) == {"game", hub}
    assert list_dependents([hub], graph) == {hub, "page"}
