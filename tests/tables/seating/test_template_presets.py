"""Rule sets of table templates."""

import re

import pytest
from django.utils.translation import override

from accounts.models import User
from core.models.audit import AuditEntry
from games.registry import GAMES, get_format
from tables.catalog import format_title, list_offered_games, list_presets, title_of_preset
from tables.models import Table, TableTemplate
from tables.seating.supply import keep_supplied
from tests.accounts.staff import office
from tests.given import reload, require
from tests.tables.driving import make_kind

pytestmark = pytest.mark.django_db
ADD = "/admin/tables/tabletemplate/add/"
EVERY_PRESET = {
    (code, format.code): list_presets(code, format.code)
    for code, game in GAMES.items()
    for format in game.formats
}


@pytest.fixture
def desk(fees):
    return office(User.objects.create_superuser("a@example.com", "x", player_name="Boss"))


@pytest.fixture
def add(desk):
    """Add a template through the admin form. Return it and the path of its page."""

    def add_by_form(game, preset, **fields):
        answer = desk.post(ADD, form(game, preset, **fields))
        assert answer.status_code == 302, answer.context["adminform"].form.errors
        made = TableTemplate.objects.latest("pk")
        return made, f"/admin/tables/tabletemplate/{made.pk}/change/"

    return add_by_form


def form(game: str, preset: str, **fields: object) -> dict[str, object]:
    format = GAMES[game].money.get_format_code(GAMES[game].rules.preset(preset))
    is_per_point = get_format(game, format).stake == "per_point"
    return {
        "name": f"Room of {preset}",
        "preset": f"{game}:{preset}",
        "currency": "CHIPS",
        "point_value": 2 if is_per_point else 0,
        "entry_fee": 0 if is_per_point else 50,
        "max_seats": 2,
        "bots_wanted": 0,
        "bot_strength": "medium",
        "is_open": "on",
        "reason_for_audit": "Asked for by players.",
        **fields,
    }


def test_every_preset_except_the_lesson_is_offered():
    for code, game in list_offered_games().items():
        offered = {preset for one in game.formats for preset in EVERY_PRESET[code, one.code]}
        assert offered == set(game.rules.presets) - {"lesson"}


@pytest.mark.parametrize("language", ["en", "hi"])
def test_the_rule_sets_of_a_game_have_different_titles(language):
    with override(language):
        for game in list_offered_games():
            titles = [
                title_of_preset(game, preset)
                for (code, _format), presets in EVERY_PRESET.items()
                if code == game
                for preset in presets
            ]
            assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("kind", EVERY_PRESET, ids="-".join)
def test_tables_open_by_a_template_of_every_preset(add, kind):
    game, format = kind
    for preset in EVERY_PRESET[kind]:
        add(game, preset)
    keep_supplied()
    opened = Table.objects.exclude(template=None)
    assert sorted(opened.values_list("game", "format", "rules__name")) == sorted(
        (game, format, preset) for preset in EVERY_PRESET[kind]
    )
    for table in opened:
        rules = GAMES[game].rules.parse(table.rules)
        assert rules == GAMES[game].rules.preset(require(table.template).preset)


@pytest.mark.parametrize(
    ("game", "preset", "fields", "words"),
    [
        ("basic", "pagat", {}, "There are no such rules"),
        ("contract", "race100", {}, "There are no such rules"),
        ("indian", "lesson", {}, "There are no such rules"),
        ("indian", "junglee-lesson", {}, "There are no such rules"),
        ("rummikub", "oklahoma", {}, "There are no such rules"),
        ("contract", "pagat", {"max_seats": 9}, "This game is for 2 to 8 players."),
        ("basic", "race100", {"max_seats": 7}, "This game is for 2 to 6 players."),
        ("rummikub", "modern", {"max_seats": 5}, "This game is for 2 to 4 players."),
        ("basic", "race100", {"point_value": 2, "entry_fee": 0}, "all other tables an entry fee"),
        ("rummikub", "points", {"point_value": 0, "entry_fee": 9}, "all other tables an entry fee"),
        ("indian", "points", {"bot_strength": "expert"}, "Expert is not one of the available"),
    ],
)
def test_what_the_game_does_not_have_is_refused(desk, game, preset, fields, words):
    known = preset if preset in GAMES[game].rules.presets else GAMES[game].formats[0].presets[0]
    answer = desk.post(ADD, {**form(game, known, **fields), "preset": f"{game}:{preset}"})
    assert answer.status_code == 200
    assert words in answer.text
    assert not TableTemplate.objects.exists()


def test_the_form_offers_the_presets_of_every_format_in_one_drop_down(desk):
    groups = read_choices(desk.get(ADD)).split("<optgroup")[1:]
    offered = [re.findall(r'value="(\w+):([\w-]+)"', group) for group in groups]
    for (game, _format), presets in EVERY_PRESET.items():
        assert [(game, preset) for preset in presets] in offered
    # A game that is not offered is refused.
    unknown = desk.post(ADD, form("basic", "points") | {"preset": "x:y"})
    assert "There are no such rules" in unknown.text


def read_choices(answer) -> str:
    """Return the options of the rules field on an administration page."""
    page: str = answer.text
    return page.partition('name="preset"')[2].partition("</select>")[0]


def test_a_template_shows_its_rules_and_can_be_saved_again(desk, add):
    made, change = add("indian", "junglee-points")
    selected = r'<option value="indian:junglee-points" selected>([^<]+)<'
    assert re.findall(selected, read_choices(desk.get(change))) == [
        "Points, rules of Junglee Rummy"
    ]
    assert desk.post(change, form("indian", "junglee-points", point_value=3)).status_code == 302
    assert (reload(made).preset, made.point_value) == ("junglee-points", 3)
    keep_supplied()
    assert format_title(Table.objects.get(template=made)) == "Points, rules of Junglee Rummy"


def test_a_template_of_a_game_no_longer_offered_can_be_closed(desk, add, settings):
    made, change = add("gin", "classic")
    settings.GAMES_OFFERED = ["indian"]
    assert '<option value="gin:classic" selected>' in read_choices(desk.get(change))
    fields = {name: value for name, value in form("gin", "classic").items() if name != "is_open"}
    assert desk.post(change, fields).status_code == 302
    assert (reload(made).game, made.preset, made.is_open) == ("gin", "classic", False)
    # New templates do not offer it.
    assert "gin:classic" not in read_choices(desk.get(ADD))


def test_a_new_template_and_a_copy_are_drafts(desk, add):
    assert "checked" not in desk.get(ADD).text.partition('name="is_open"')[2][:40]
    made, change = add("basic", "points")
    assert made.is_open  # as chosen in the form
    assert 'name="_saveasnew"' in desk.get(change).text
    desk.post(change, {**form("basic", "points", point_value=5), "_saveasnew": "1"})
    copy = TableTemplate.objects.exclude(pk=made.pk).get()
    assert (copy.point_value, copy.is_open, copy.preset) == (5, False, "points")
    assert (reload(made).point_value, made.is_open) == (2, True)
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.object_id) == ("add", str(copy.pk))
    keep_supplied()
    assert set(Table.objects.values_list("template", flat=True)) - {None} == {made.pk}


def test_the_list_opens_several_templates_with_one_reason(desk):
    rows = [make_kind(name=name, is_open=name == "C") for name in "ABC"]
    chosen = {"action": "open_them", "_selected_action": [row.pk for row in rows]}
    page = "/admin/tables/tabletemplate/"
    assert "Write a reason" in desk.post(page, chosen, follow=True).text
    assert TableTemplate.objects.filter(is_open=True).count() == 1
    desk.post(page, {**chosen, "reason_for_audit": "The season begins."})
    assert TableTemplate.objects.filter(is_open=True).count() == 3
    entries = AuditEntry.objects.filter(action="open").values_list("object_id", "reason")
    # Templates that were open are not logged again.
    assert sorted(entries) == [(str(row.pk), "The season begins.") for row in rows[:2]]


@pytest.mark.parametrize(
    ("currency", "written", "kept"),
    [("CHIPS", "50", 50), ("INR", "50", 5_000), ("INR", "0.05", 5), ("INR", "1,200.50", 120_050)],
)
def test_amounts_are_written_in_rupees_or_chips(desk, add, settings, currency, written, kept):
    settings.CASH_PLAY = "sandbox"
    fields = {"currency": currency, "entry_fee": written, "point_value": "0"}
    made, change = add("rummikub", "session4", **fields)
    assert (made.entry_fee, made.currency) == (kept, currency)
    shown = require(re.search(r'name="entry_fee" value="([^"]+)"', desk.get(change).text))
    # Saving the shown value changes nothing.
    again = {**form("rummikub", "session4"), **fields, "entry_fee": shown[1]}
    desk.post(change, again)
    assert reload(made).entry_fee == kept


@pytest.mark.parametrize(
    ("currency", "written", "words"),
    [
        ("CHIPS", "1.5", "Chips are whole"),
        ("INR", "1.555", "two digits after the decimal point"),
        ("INR", "-5", "Enter an amount in digits"),
        ("INR", "9" * 20, "Enter an amount in digits"),
    ],
)
def test_an_invalid_amount_is_refused_with_a_sentence(desk, currency, written, words):
    fields = {"currency": currency, "entry_fee": written, "point_value": "0"}
    assert words in desk.post(ADD, form("rummikub", "session4", **fields)).text
    assert not TableTemplate.objects.exists()
