"""What the administration opens tables with: each rule set of each game with melds on the table."""

import pytest

from accounts.models import User
from tables.games.registry import GAMES, get_format
from tables.models import Table, TableTemplate
from tables.seating.supply import keep_supplied

pytestmark = pytest.mark.django_db
ADD = "/admin/tables/tabletemplate/add/"
EVERY_PRESET = {
    ("basic", "POINTS"): ["points", "one_meld"],
    ("basic", "RACE"): ["race100", "one_meld100"],
    ("contract", "CONTRACTS"): [
        "contract",
        "pagat",
        "no_buying",
        "multiple_buys",
        "deuces_wild",
    ],
    ("contract", "POINTS"): ["single"],
    ("rummikub", "POINTS"): ["points", "sabra30", "modern"],
    ("rummikub", "DEALS"): ["session4", "modern4"],
}


@pytest.fixture
def desk(client, make_table, settings):
    settings.GAMES_OFFERED = ["indian", "gin", "basic", "contract", "rummikub"]
    make_table()  # the fees, for chips
    client.force_login(User.objects.create_superuser("a@example.com", "x", player_name="Boss"))
    return client


def form(game: str, preset: str, **fields: object) -> dict[str, object]:
    format = GAMES[game].format_of(GAMES[game].preset(preset))
    is_per_point = get_format(game, format).stake == "per_point"
    return {
        "game": game,
        "name": f"Room of {preset}",
        "preset": preset,
        "currency": "CHIPS",
        "point_value": 2 if is_per_point else 0,
        "entry_fee": 0 if is_per_point else 50,
        "max_seats": 3,
        "bots_wanted": 0,
        "bot_strength": "medium",
        "is_open": "on",
        "reason_for_audit": "Asked for by players.",
        **fields,
    }


def test_all_presets_of_the_three_games_stand_here():
    formats = {
        (code, one.code): list(one.presets)
        for code in ("basic", "contract", "rummikub")
        for one in GAMES[code].formats
    }
    assert formats == EVERY_PRESET


@pytest.mark.parametrize("kind", EVERY_PRESET, ids="-".join)
def test_a_template_is_made_with_each_preset_and_tables_open_by_it(desk, kind):
    game, format = kind
    for preset in EVERY_PRESET[kind]:
        answer = desk.post(ADD, form(game, preset))
        assert answer.status_code == 302, answer.context["adminform"].form.errors
    keep_supplied()
    opened = Table.objects.exclude(template=None)
    assert sorted(opened.values_list("game", "format", "rules__name")) == sorted(
        (game, format, preset) for preset in EVERY_PRESET[kind]
    )
    for table in opened:
        assert table.template is not None
        rules = GAMES[game].parse_rules(table.rules)
        assert rules == GAMES[game].preset(table.template.preset)


@pytest.mark.parametrize(
    ("game", "preset", "fields", "words"),
    [
        ("basic", "pagat", {}, "There is no rule set"),
        ("contract", "race100", {}, "There is no rule set"),
        ("rummikub", "oklahoma", {}, "There is no rule set"),
        ("contract", "pagat", {"max_seats": 6}, "This game is played by 2 to 5."),
        ("rummikub", "modern", {"max_seats": 5}, "This game is played by 2 to 4."),
        ("basic", "race100", {"point_value": 2, "entry_fee": 0}, "everything else for a fee"),
        ("rummikub", "points", {"point_value": 0, "entry_fee": 9}, "everything else for a fee"),
    ],
)
def test_what_a_game_does_not_know_is_refused(desk, game, preset, fields, words):
    known = preset if preset in GAMES[game].presets() else GAMES[game].formats[0].presets[0]
    answer = desk.post(ADD, {**form(game, known, **fields), "preset": preset})
    assert answer.status_code == 200
    assert words in answer.content.decode()
    assert not TableTemplate.objects.exists()


def test_the_form_names_the_presets_of_every_format(desk):
    page = desk.get(ADD).content.decode()
    for presets in EVERY_PRESET.values():
        assert f": {', '.join(presets)}" in page
