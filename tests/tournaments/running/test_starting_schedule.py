"""The starting schedule: closed templates of several games, which staff open or close with one button."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.desk.staff_roles import Role
from core.models.audit import AuditEntry
from games.registry import GAMES
from tests.accounts.staff import member, office
from tests.given import reload, require
from tests.tournaments.browsing import read_page
from tournaments.models import Tournament, TournamentTemplate
from tournaments.running.scheduling import MOST_AHEAD, plan_starts
from tournaments.running.starting_schedule import SCHEDULE, make_demo_templates, schedule_state
from tournaments.running.tick import tick

pytestmark = pytest.mark.django_db
TEMPLATES = "/admin/tournaments/tournamenttemplate/"
SWITCH = f"{TEMPLATES}starting-schedule/"


@pytest.fixture
def every_game(settings):
    settings.GAMES_OFFERED = list(GAMES)
    settings.DEMO_DATA = False


@pytest.fixture
def staff():
    return office(member(Role.GAMES))


def list_open():
    return set(TournamentTemplate.objects.filter(is_open=True).values_list("starting", flat=True))


def test_a_new_site_has_the_starting_schedule_closed_and_only_once(every_game, capsys):
    call_command("starting_tournaments")
    assert f"{len(SCHEDULE)} tournament templates made, closed." in capsys.readouterr().out
    TournamentTemplate.objects.filter(starting="freeroll").update(name="Ours", guarantee=7)
    call_command("starting_tournaments")
    assert "0 tournament templates made" in capsys.readouterr().out
    assert TournamentTemplate.objects.count() == len(SCHEDULE)
    assert TournamentTemplate.objects.get(starting="freeroll").guarantee == 7
    assert list_open() == set()
    tick()
    assert not Tournament.objects.exists()
    with pytest.raises(CommandError):
        call_command("seed_demo")


def test_the_starting_schedule_has_all_games_for_chips_at_sensible_hours(every_game, settings):
    call_command("starting_tournaments")
    templates = list(TournamentTemplate.objects.all())
    assert {template.game for template in templates} == set(GAMES)
    assert {template.currency for template in templates} == {"CHIPS"}
    assert 0 in {template.entry_fee for template in templates}
    now = timezone.now()
    for template in templates:
        template.full_clean()
        assert template.rules(places=template.qualifiers)
        template.announce_seconds = 8 * 86_400
        starts = plan_starts(template, now=now)
        # At least once a week, at most three times a day, and in the daytime.
        assert 1 <= len(starts) <= MOST_AHEAD
        assert all(10 <= timezone.localtime(start).hour <= 21 for start in starts)
    satellite = TournamentTemplate.objects.get(starting="monsoon-satellite")
    assert require(satellite.ticket_for).starting == "monsoon-cup"


def test_the_starting_schedule_has_only_games_that_the_site_offers(every_game, settings, staff):
    settings.GAMES_OFFERED = ["gin"]
    staff.post(SWITCH, {"is_on": "1"})
    assert list_open() == {"juniper-duel"}
    settings.GAMES_OFFERED = ["gin", "basic"]
    state = schedule_state()
    assert (state.made, state.possible, state.open, state.is_on) == (1, 2, 1, False)


class TestTheSwitch:
    def test_one_press_opens_the_whole_schedule_and_another_closes_it(self, every_game, staff):
        page = read_page(staff, TEMPLATES)
        assert "Switch on the starting schedule" in page
        assert "Switch off the starting schedule" not in page
        answer = staff.post(SWITCH, {"is_on": "1"}, follow=True).content.decode()
        assert "The starting schedule is on." in answer
        assert "Switch on the starting schedule" not in answer
        assert list_open() == {start.code for start in SCHEDULE}
        tick()
        made = Tournament.objects.count()
        assert made > 0
        assert not Tournament.objects.filter(starts_at__gt=timezone.now() + timedelta(days=7))
        staff.post(SWITCH, {"is_on": "0"})
        assert list_open() == set()
        assert Tournament.objects.count() == made  # announced tournaments still take place

    def test_repeated_presses_are_logged_once(self, every_game, staff):
        for _ in range(2):
            staff.post(SWITCH, {"is_on": "1"})
        entries = AuditEntry.objects.filter(object_type="tournaments.tournamenttemplate")
        for action in ("add", "open"):
            assert entries.filter(action=action).count() == len(SCHEDULE)
        assert set(entries.values_list("reason", flat=True)) == {"The starting schedule"}
        staff.post(SWITCH, {"is_on": "0"})
        assert entries.filter(action="close").count() == len(SCHEDULE)

    def test_the_switch_leaves_other_templates_open(self, every_game, staff):
        own = TournamentTemplate.objects.create(
            game="indian", preset="deals2", name="Ours", schedule="0 9 * * *"
        )
        staff.post(SWITCH, {"is_on": "0"})
        assert reload(own).is_open

    def test_the_switch_needs_the_permission_to_change_templates(self, every_game):
        support = office(member(Role.SUPPORT))
        assert support.post(SWITCH, {"is_on": "1"}).status_code in {302, 403}
        assert office(member(Role.GAMES, "other")).get(SWITCH).status_code == 403
        assert not TournamentTemplate.objects.exists()


def test_demo_data_reuse_the_templates_of_the_schedule(every_game):
    make_demo_templates()
    make_demo_templates()
    of_demo = {start.code for start in SCHEDULE if start.demo is not None}
    assert list_open() == of_demo
    assert TournamentTemplate.objects.get(starting="chai-break").schedule == "*/5 * * * *"
    call_command("starting_tournaments")
    assert list_open() == of_demo
    assert TournamentTemplate.objects.count() == len(SCHEDULE)
