"""The registry, as programs that add their own game use it."""

import sys
from dataclasses import replace

import pytest

from games import registry
from games.registry import GAMES, get_game, load_installed, register
from tests.games.highest_card import GAME, choose


@pytest.fixture(autouse=True)
def own_games(monkeypatch):
    """Restore the registry after the test."""
    known = dict(GAMES)
    yield
    GAMES.clear()
    GAMES.update(known)


def test_a_registered_game_is_found_behind_its_guard():
    game = register(GAME)
    assert get_game("highest") is game
    with pytest.raises(TypeError):
        game.core.play()  # type: ignore[call-arg]


def test_a_game_is_registered_once():
    register(GAME)
    with pytest.raises(ValueError, match="'highest' already"):
        register(GAME)
    with pytest.raises(ValueError, match="'gin' already"):
        register(replace(GAME, code="gin"))
    assert GAMES["gin"].title.message == "Gin rummy"


def test_what_is_no_game_is_refused():
    with pytest.raises(TypeError, match="is not a Game"):
        register(choose)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="strength"):
        register(replace(GAME, bots=lambda view, seat: {}))  # type: ignore[arg-type]
    assert "highest" not in GAMES


def test_games_of_installed_packages_are_registered_once(tmp_path, monkeypatch):
    """The package consists of a module and of metadata with an entry point, as pip installs it."""
    (tmp_path / "table_of_mine.py").write_text("from tests.games.highest_card import GAME\n")
    metadata = tmp_path / "table_of_mine-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: table-of-mine\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        f"[{registry.ENTRY_POINTS}]\nhighest = table_of_mine:GAME\n"
    )
    assert load_installed() == []
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    assert load_installed() == ["highest"]
    assert load_installed() == []
    assert get_game("highest").code == "highest"
