"""A TypeScript program that uses the types compiles without `any` and plays a practice match of each game."""

import re
import shutil
import subprocess

import pytest
from django.utils import timezone

from accounts.api_tokens.services import make_token
from accounts.models import Scope
from accounts.people.bots import get_practice_bots
from games.registry import GAMES
from packages.build import JSON2TS, ROOT
from tables.live import clock
from tables.play import apply, start
from tests.api_program import person
from tests.live_site import run_clock
from tests.packages.test_types import TSC, unpack_types
from wallet import api as wallet

PLAYER = ROOT / "examples/player.ts"
OPTIONS = (
    "--noEmit --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --skipLibCheck false"
)
MODULES = "--module esnext --moduleResolution bundler --target es2023 --lib es2023,dom"
# Each game's preset whose match is a single deal.
PRESETS = {
    code: next(format.presets[0] for format in game.formats if format.stake == "per_point")
    for code, game in GAMES.items()
}

pytestmark = pytest.mark.skipif(not JSON2TS.exists(), reason="npm has installed no json2ts here")


@pytest.fixture(scope="module")
def project(types, tmp_path_factory):
    folder = unpack_types(types, tmp_path_factory.mktemp("player"))
    shutil.copy(PLAYER, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


def compile_player(project, text):
    (project / "checked.ts").write_text(text)
    command = [str(TSC), *OPTIONS.split(), *MODULES.split(), "checked.ts"]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False).stdout


def test_the_program_compiles_without_any(project):
    text = PLAYER.read_text()
    assert not re.search(r"\bany\b(?! card)(?! of)", re.sub(r"//.*|/\*.*?\*/", "", text))
    assert compile_player(project, text) == ""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('kind: "defend", groups', 'kind: "defends", groups'),
        ("you.defence.lay_offs", "you.defence.lays"),
        ('find(you.legal, "knock")', 'find(you.legal, "declare")'),
        ('{ kind: "draw", source: "closed" };', '{ kind: "draw", source: "open" };'),
        ("return playGin(state)", "return playIndian(state)"),
        ('  if (isGame(state, "rummikub")) return playRummikub(state);\n', ""),
    ],
)
def test_the_compiler_finds_a_move_of_another_game(project, right, wrong):
    text = PLAYER.read_text()
    assert right in text
    assert "error TS" in compile_player(project, text.replace(right, wrong, 1))


def test_no_type_is_open_or_numbered(project):
    types = project / "node_modules/openrummy-types"
    passages = r"/\*.*?\*/|\"[^\"]*\"|\[k: string\]: unknown"
    for name in ("protocol", "api"):
        text = re.sub(passages, "", (types / f"{name}.d.ts").read_text(), flags=re.DOTALL)
        assert not re.findall(r"\bany\b|\bunknown\b|\{\}|\b[A-Za-z]+[a-z]1\b", text), name


@pytest.mark.parametrize("game", GAMES)
def test_the_program_plays_a_practice_match(
    project, live_site, transactional_db, monkeypatch, game
):
    monkeypatch.setattr(apply, "BOT_MOVE_PAUSE", (20, 40))
    monkeypatch.setattr(start, "START_PAUSE", 300)
    monkeypatch.setattr(clock, "LONGEST_SLEEP_SECONDS", 0.02)
    get_practice_bots()
    wallet.set_starting_fees(valid_from=timezone.now())
    player = person("Asha")
    _token, token = make_token(user_id=player.pk, name="bot", scopes=[Scope.READ, Scope.PLAY])
    with run_clock():
        ran = subprocess.run(
            [shutil.which("node") or "node", "player.ts", live_site, token, game, PRESETS[game]],
            cwd=project, capture_output=True, text=True, check=False, timeout=240,
        )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, "")
    assert re.fullmatch(r"The match is over: place [12]\.\n", ran.stdout)
