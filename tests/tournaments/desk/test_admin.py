"""Running tournaments from the administration."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.desk.staff_roles import Role
from core.models.audit import AuditEntry
from tables.models import HouseRules
from tests.accounts.staff import act_on_rows, decide, member, office
from tests.given import reload
from tests.tournaments.browsing import read_page
from tests.tournaments.driving import (
    begin,
    chips_of,
    enter,
    play_to_the_end,
    pool_of,
    tick_and_reload,
)
from tournaments.models import EntrantState, Tournament, TournamentTemplate
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.running.scheduling import make_tournament
from tournaments.running.tick import tick

pytestmark = pytest.mark.django_db
TEMPLATES = "/admin/tournaments/tournamenttemplate/"
TOURNAMENTS = "/admin/tournaments/tournament/"
REASON = "The server was down."


def template_form(**changed):
    return {
        "name": "Monsoon Cup", "preset": "indian:deals2", "seats": 6, "deals": 2, "qualifiers": 2,
        "break_seconds": "1:30", "round_seconds": 20, "overtime_turn_seconds": 10,
        "overtime_seconds": 120, "seats_early": "on", "late_seconds": 0, "currency": "CHIPS",
        "entry_fee": 100, "min_entrants": 2, "max_entrants": 100, "guarantee": 0,
        "stakes": "1, 2, 4", "start_chips": 0, "payout_kind": "PERCENT",
        "payout_text": "50, 30, 2x10", "rebuys": 0, "rebuy_rounds": 1, "rebuy_below": 0,
        "bots_to": 0, "bot_strength": "medium", "schedule": "*/30 * * * *",
        "announce_seconds": 1440, "registration_seconds": 60, "rake_bps": 10, "ticket_for": "",
        "is_open": "on", "reason_for_audit": "A season begins.", **changed,
    }  # fmt: skip


def save(staff, **changed):
    answer = staff.post(f"{TEMPLATES}add/", template_form(**changed), follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_staff_create_and_preview_a_template(staff):
    save(staff)
    template = TournamentTemplate.objects.get()
    assert template.payout_table == [[1, 5_000], [1, 3_000], [2, 1_000]]
    times = ("break_seconds", "round_seconds", "announce_seconds", "registration_seconds")
    assert [getattr(template, name) for name in times] == [90, 1_200, 86_400, 3_600]
    assert (template.rake_bps, template.entry_fee) == (1_000, 100)
    body = read_page(staff, f"{TEMPLATES}{template.pk}/change/")
    preview = body.split('data-region="preview"')[1].split("</div>")[0]
    assert preview.split("</p>")[1].count(";") == 4  # five starts
    assert "4,500 chips" in preview  # the first of 9,000 with a hundred players
    assert "50, 30, 2x10" in body
    assert staff.get(TEMPLATES).status_code == 200


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"schedule": "whenever"}, "five fields"),
        ({"schedule": "99 * * * *"}, "This is not a valid schedule"),
        ({"payout_text": "50, 30"}, "The shares must add up to 100 percent."),
        ({"payout_text": "30, 70"}, "A lower place must not get more"),
        ({"payout_text": "half"}, "Enter shares with commas"),
        ({"preset": "indian:whist"}, "There are no such rules: choose from the list."),
        ({"seats": 7}, "cannot be played by that many players"),
        ({"qualifiers": 6}, "Fewer players must advance from a table"),
        ({"max_entrants": 1}, "the maximum must not be below the minimum"),
        ({"currency": "INR", "bots_to": 6}, "Bots play for chips only."),
        ({"entry_fee": 0, "rebuys": 1}, "A free tournament has no rebuys."),
        ({"format": "heads-up"}, "A heads-up bracket has two seats at a table"),
        ({"format": "shoot-out", "rebuys": 1}, "A points shoot-out has no rebuys."),
        ({"stakes": "4, 2"}, "cannot have a lower stake than an earlier one"),
        ({"format": "shoot-out", "stakes": "5"}, "Enter 2 to 12 stakes"),
        (
            {"format": "shoot-out", "stakes": "5, 9", "start_chips": 799},
            "The first round can cost 800 chips: enter at least that many.",
        ),
        # A player who wins all rounds has 2,147,483,647 chips.
        (
            {"format": "shoot-out", "stakes": "5, 9", "seats": 4, "start_chips": 2_147_476_928},
            "Enter 2,147,476,927 or less.",
        ),
        (
            {"format": "shoot-out", "preset": "gin:game100", "seats": 2, "qualifiers": 1},
            "A point is no tournament chip in this game.",
        ),
        (
            {"format": "shoot-out", "preset": "indian:pool101"},
            "A pool has no tournament chips.",
        ),
        ({"currency": "INR", "allows_api_players": "on"}, "API players play for chips only."),
        ({"round_seconds": "0:30"}, "Enter 1 or more."),
        ({"round_seconds": "half an hour"}, "Enter minutes, such as 20"),
        ({"rake_bps": "ten"}, "Enter a percentage"),
        ({"entry_fee": "9.5"}, "Chips are whole"),
    ],
)
def test_an_unplayable_template_is_refused(staff, changed, said):
    assert said in save(staff, **changed)
    assert not TournamentTemplate.objects.exists()


def test_staff_create_a_shoot_out(staff):
    changed = {"format": "shoot-out", "stakes": " 5,9 ", "start_chips": 800, "seats": 4}
    save(staff, **changed)
    template = TournamentTemplate.objects.get()
    assert (template.stakes, template.stake_of_rounds, template.costs) == (
        "5, 9",
        (5, 9),
        (800, 1_440),
    )
    assert template.starting_stack == 800
    body = read_page(staff, f"{TEMPLATES}{template.pk}/change/")
    preview = body.split('data-region="preview"')[1]
    assert "<td>2</td>" in preview  # rounds
    template.start_chips = 0
    assert template.starting_stack == 800 + 1_440


def test_stakes_are_ignored_in_other_formats(staff):
    save(staff, stakes="")
    template = TournamentTemplate.objects.get()
    assert (template.stakes, template.stake_of_rounds) == ("1, 2, 4", ())


def test_prizes_of_cash_are_written_in_rupees(staff):
    fixed = {"currency": "INR", "entry_fee": "25.50", "payout_kind": "FIXED", "guarantee": "100"}
    save(staff, **fixed, payout_text="50, 2x12.50")
    template = TournamentTemplate.objects.get()
    assert template.payout_table == [[1, 5_000], [2, 1_250]]
    assert (template.entry_fee, template.guarantee) == (2_550, 10_000)
    body = read_page(staff, f"{TEMPLATES}{template.pk}/change/")
    for written in ("25.50", "100.00", "50, 2x12.50", "1:30"):
        assert f'value="{written}"' in body


def preview(staff, about="", **changed):
    answer = staff.post(f"{TEMPLATES}preview/{about}", template_form(**changed))
    assert answer.status_code == 200
    return answer.text


def test_a_preview_saves_nothing(staff, make_template):
    """The preview needs neither a name nor a reason."""
    shown = preview(staff, name="", reason_for_audit="", max_entrants=10, entry_fee=50)
    assert "every 30 minutes" in shown
    assert shown.split("</p>")[1].count(";") == 4  # five starts
    assert "225 chips" in shown  # the first of 450 with ten players
    assert not TournamentTemplate.objects.exists()
    template = make_template(entry_fee=100)
    about = f"?template={template.pk}"
    assert "2,250 chips" in preview(staff, about, max_entrants=10, entry_fee=500)
    assert reload(template).entry_fee == 100


def test_a_preview_lists_the_errors_of_the_form(staff):
    shown = preview(staff, seats=7, payout_text="50, 30")
    assert "Seats at a table:" in shown
    assert "cannot be played by that many players" in shown
    assert "The shares must add up to 100 percent." in shown


def test_a_preview_needs_the_permission_to_add_templates():
    desk = office(member(Role.FINANCE))
    assert desk.post(f"{TEMPLATES}preview/", template_form()).status_code == 403


@pytest.mark.parametrize(
    ("said", "crontab"),
    [
        ({"repeats": "week", "weekdays": ["0"], "times": "18:00"}, "0 18 * * 0"),
        ({"repeats": "week", "weekdays": [*"0123456"], "times": "9:30, 18:30"}, "30 9,18 * * *"),
        ({"repeats": "minutes", "every": "15"}, "*/15 * * * *"),
        ({"repeats": "month", "date": "1", "times": "20:00"}, "0 20 1 * *"),
        ({"repeats": "never"}, ""),
        ({"repeats": "crontab", "schedule": "0 20 * 12 sat"}, "0 20 * 12 sat"),
    ],
)
def test_a_schedule_is_written_in_words(staff, said, crontab):
    save(staff, **said)
    template = TournamentTemplate.objects.get()
    assert template.schedule == crontab
    initial = staff.get(f"{TEMPLATES}{template.pk}/change/").context["adminform"].form.initial
    assert initial["repeats"] == said["repeats"]
    assert initial["times"] == said.get("times", "").replace("9:30,", "09:30,")


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"repeats": "week", "times": "18:00"}, "weekdays"),
        ({"repeats": "week", "weekdays": ["1"]}, "times"),
        ({"repeats": "week", "weekdays": ["1"], "times": "18:00, 19:30"}, "times"),
        ({"repeats": "month", "times": "18:00"}, "date"),
        ({"repeats": "month", "date": "32", "times": "18:00"}, "date"),
        ({"repeats": "minutes"}, "every"),
        ({"repeats": "sometimes"}, "repeats"),
    ],
)
def test_an_incomplete_schedule_is_refused_beside_its_field(staff, said, field):
    answer = staff.post(f"{TEMPLATES}add/", template_form(**said))
    assert field in answer.context["adminform"].form.errors
    assert not TournamentTemplate.objects.exists()


def test_a_read_only_template_is_described_in_words(make_template):
    template = make_template(schedule="0 18 * * sun")
    page = office(member(Role.FINANCE)).get(f"{TEMPLATES}{template.pk}/change/").text
    assert "every Sunday at 18:00" in page
    assert "Indian rummy · " in page
    assert "50, 30, 20" in page


@pytest.mark.parametrize(("preset", "limit"), [("pool61", 61), ("pool101", 101), ("pool201", 201)])
def test_r10_13_staff_create_and_preview_a_pool(staff, preset, limit):
    changed = {"preset": f"indian:{preset}", "deals": 2, "max_entrants": 10}
    shown = " ".join(preview(staff, **changed).split())
    assert f"Indian rummy · Pool {limit}" in shown
    assert (
        f"Pool {limit}: everybody begins each match with 0 points, and a player who reaches"
        in shown
    )
    assert "There is no rejoining, and no prize is split at a table." in shown
    assert "Matches that are not over after 20 minutes are decided by score." in shown
    assert "450 chips" in shown  # the first of 900 with ten players
    assert not TournamentTemplate.objects.exists()
    save(staff, **changed)
    template = TournamentTemplate.objects.get()
    assert (template.preset, template.out_at, template.starting_stack) == (preset, limit, 0)


def test_r10_13_the_form_marks_rule_sets_of_pools(staff):
    """With such a rule set, the page hides the deals of a round and the rebuy limit in chips."""
    house = HouseRules.objects.create(
        name="Short", game="indian", preset="pool61", changes={"max_turns": 5}
    )
    form = staff.get(f"{TEMPLATES}add/").context["adminform"].form
    pools = form.fields["preset"].widget.attrs["data-pools"].split()
    assert {"indian:pool61", "indian:pool101", "indian:pool201"} < {*pools}
    assert f"indian:pool61:{house.pk}" in pools
    assert {code.split(":")[1].rpartition("-")[2] for code in pools} == {
        "pool61", "pool101", "pool201",
    }  # fmt: skip


def test_r10_13_the_administration_shows_a_pool_without_fields_of_deals(staff, start_tournament):
    tournament = start_tournament(3, preset="pool61", seats=3, qualifiers=1)
    address = f"{TOURNAMENTS}{tournament.pk}/change/"
    page = read_page(staff, address)
    assert "Indian rummy · Pool 61" in page
    assert "field-deals" not in page
    assert "field-rebuy_below" not in page
    play_to_the_end(tournament)
    assert staff.get(address).status_code == 200


def test_house_rules_are_chosen_in_the_field_of_rules(staff):
    house = HouseRules.objects.create(
        name="Mild deals", game="indian", preset="deals2", changes={"max_points": 60}
    )
    page = staff.get(f"{TEMPLATES}add/")
    assert 'name="house_rules"' not in page.text
    save(staff, preset=f"indian:deals2:{house.pk}")
    template = TournamentTemplate.objects.get()
    assert (template.preset, template.house_rules) == ("deals2", house)


def test_a_new_template_has_an_empty_preview(staff):
    assert 'data-preview-url="/admin/tournaments/tournamenttemplate/preview/"' in (
        read_page(staff, f"{TEMPLATES}add/")
    )


def test_a_template_without_a_fee_schedule_is_marked(staff, make_template):
    template = make_template(rake_bps=None)
    body = read_page(staff, f"{TEMPLATES}{template.pk}/change/")
    assert "There is no service fee for this stake yet." in body


def test_staff_make_a_tournament_from_a_template(staff, make_template):
    template = make_template()
    starts = timezone.localtime() + timedelta(days=1)
    staff.post(
        f"{TOURNAMENTS}add/",
        {
            "template": template.pk,
            "starts_at_0": f"{starts:%Y-%m-%d}",
            "starts_at_1": f"{starts:%H:%M:%S}",
            "reason_for_audit": "A festival.",
        },
    )
    tournament = Tournament.objects.get()
    assert (tournament.entry_fee, tournament.rake_bps, tournament.template) == (
        100,
        1_000,
        template,
    )
    assert tournament.due_at == tournament.opens_at


def make_special(staff, template, **own):
    starts = timezone.localtime() + timedelta(days=1)
    asked = {
        "template": template.pk,
        "starts_at_0": f"{starts:%Y-%m-%d}",
        "starts_at_1": f"{starts:%H:%M:%S}",
        "reason_for_audit": "A festival.",
    }
    return staff.post(f"{TOURNAMENTS}add/", {**asked, **own}, follow=True)


def test_a_special_tournament_has_its_own_name_fee_prizes_and_guarantee(staff, make_template):
    template = make_template()
    before = template.terms()
    make_special(
        staff,
        template,
        own_name="Diwali Special",
        own_entry_fee="250",
        own_guarantee="5,000",
        own_prizes="60, 40",
    )
    tournament = Tournament.objects.get()
    assert (tournament.name, tournament.entry_fee) == ("Diwali Special", 250)
    assert (tournament.guarantee, tournament.template) == (5_000, template)
    assert tournament.payout_table == [[1, 6_000], [1, 4_000]]
    # All other terms are the template's own, which is unchanged.
    changed = {"name", "entry_fee", "guarantee", "payout_table"}
    assert {k: v for k, v in tournament.terms().items() if k not in changed} == {
        k: v for k, v in before.items() if k not in changed
    }
    assert reload(template).terms() == before


@pytest.mark.parametrize(
    "own",
    [{"own_entry_fee": "a lot"}, {"own_prizes": "60, 60"}, {"own_guarantee": "-1"}],
)
def test_a_special_tournament_with_terms_that_cannot_be_is_refused(staff, make_template, own):
    answer = make_special(staff, make_template(), **own)
    assert "errornote" in answer.text
    assert not Tournament.objects.exists()


@pytest.fixture
def announced(make_template):
    now = timezone.now()
    return make_tournament(make_template(), starts_at=now + timedelta(days=1), now=now)


def edit(staff, tournament, **changed):
    opens, starts = (
        timezone.localtime(moment) for moment in (tournament.opens_at, tournament.starts_at)
    )
    return staff.post(
        f"{TOURNAMENTS}{tournament.pk}/change/",
        template_form(
            opens_at_0=f"{opens:%Y-%m-%d}",
            opens_at_1=f"{opens:%H:%M:%S}",
            starts_at_0=f"{starts:%Y-%m-%d}",
            starts_at_1=f"{starts:%H:%M:%S}",
            **changed,
        ),
    )


def test_terms_may_be_edited_before_registration(staff, announced):
    assert staff.get(f"{TOURNAMENTS}{announced.pk}/change/").status_code == 200
    assert edit(staff, announced, entry_fee=250, payout_text="100").status_code == 302
    announced.refresh_from_db()
    assert (announced.entry_fee, announced.payout_table) == (250, [[1, 10_000]])


def test_terms_cannot_be_edited_after_registration_opens(staff, announced):
    Tournament.objects.update(status=LifecycleStatus.REGISTERING)
    edit(staff, announced, entry_fee=250)
    assert reload(announced).entry_fee == 100
    assert staff.get(f"{TOURNAMENTS}{announced.pk}/change/").status_code == 200


def test_cancelling_refunds_all_entrants(staff, make_tournament_of, make_player):
    tournament, player = make_tournament_of(), make_player()
    enter(tournament, player)
    assert "is cancelled. Everybody gets" in act_on_rows(staff, "cancel_them", tournament).text
    tick_and_reload(tournament)
    assert (tournament.status, pool_of(tournament)) == (LifecycleStatus.CANCELLED, 0)
    assert chips_of(player) == 10_000
    assert "This tournament is over." in act_on_rows(staff, "cancel_them", tournament).text


def test_the_page_of_a_running_tournament_pauses_and_cancels_it(
    staff, make_tournament_of, make_player
):
    tournament, players = make_tournament_of(), [make_player() for _ in range(3)]
    enter(tournament, *players)
    begin(tournament)
    page = read_page(staff, f"{TOURNAMENTS}{tournament.pk}/change/")
    assert page.count("View on site") == 1
    assert re.findall(r'name="decision"\s+value="(\w+)"', page) == ["pause", "cancel"]
    for nothing_to_save in ('name="_save"', "reason_for_audit", 'name="_continue"'):
        assert nothing_to_save not in page

    assert "is paused until it is resumed" in decide(staff, tournament, "pause", REASON).text
    assert reload(tournament).paused_at is not None
    assert "is resumed." in decide(staff, tournament, "resume", REASON).text
    assert reload(tournament).paused_at is None

    asked = decide(staff, tournament, "cancel", REASON).text
    assert "3 players get 300 chips back in all." in asked
    assert re.search(r"[1-9] tables? that (is|are) being played ends?", asked)
    tournament.refresh_from_db()
    assert not tournament.is_over  # so far it was only asked for confirmation
    entries = AuditEntry.objects.values_list("action", flat=True)
    assert list(entries.order_by("pk")) == ["pause", "resume"]

    assert "is cancelled." in decide(staff, tournament, "cancel", REASON, confirmed="yes").text
    for _ in range(5):
        tick()
    tournament.refresh_from_db()
    assert (tournament.status, pool_of(tournament)) == (LifecycleStatus.CANCELLED, 0)
    assert [chips_of(player) for player in players] == [10_000] * 3
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.reason) == ("cancel", REASON)
    over = read_page(staff, f"{TOURNAMENTS}{tournament.pk}/change/")
    assert 'name="decision"' not in over
    assert "Nothing was done" in decide(staff, tournament, "cancel", REASON, confirmed="yes").text


def test_decisions_need_the_permission_to_change_tournaments(make_tournament_of):
    tournament, desk = make_tournament_of(), office(member(Role.SUPPORT))
    page = read_page(desk, f"{TOURNAMENTS}{tournament.pk}/change/")
    assert 'name="decision"' not in page
    assert decide(desk, tournament, "cancel", REASON, confirmed="yes").status_code == 403
    assert not tournament.is_over


def test_staff_pause_and_resume_a_tournament(staff, make_tournament_of):
    tournament = make_tournament_of()
    act_on_rows(staff, "pause_them", tournament)
    assert reload(tournament).paused_at is not None
    assert tournament.due_at is None
    act_on_rows(staff, "resume_them", tournament)
    assert reload(tournament).paused_at is None
    assert tournament.due_at == tournament.starts_at


def test_staff_find_and_resume_a_broken_tournament(staff, make_tournament_of):
    broken = make_tournament_of(name="Broken Cup")
    make_tournament_of(name="Sound Cup")
    Tournament.objects.filter(pk=broken.pk).update(
        broken_at=timezone.now(), broken_reason="ValueError: no"
    )
    body = read_page(staff, f"{TOURNAMENTS}?broken_at__isempty=0")
    assert "Broken Cup" in body
    assert "Sound Cup" not in body
    assert "ValueError: no" in read_page(staff, f"{TOURNAMENTS}{broken.pk}/change/")
    act_on_rows(staff, "resume_them", broken)
    broken.refresh_from_db()
    assert (broken.broken_at, broken.broken_reason) == (None, "")


def test_staff_disqualify_an_entrant(staff, make_tournament_of, make_player):
    tournament = make_tournament_of()
    (entrant,) = enter(tournament, make_player())
    entrants = "/admin/tournaments/entrant/"
    assert "is disqualified." in act_on_rows(staff, "disqualify_them", entrant).text
    assert reload(entrant).state == EntrantState.DISQUALIFIED
    answer = staff.get(f"{entrants}?tournament__id__exact={tournament.pk}")
    assert answer.status_code == 200


def test_the_money_page_lists_all_movements_with_a_zero_sum(staff, make_tournament_of, make_player):
    tournament = make_tournament_of(guarantee=500)
    players = make_player(), make_player()
    enter(tournament, *players)
    address = f"{TOURNAMENTS}{tournament.pk}/money/"
    assert "200 chips" in read_page(staff, address)
    begin(tournament)
    play_to_the_end(tournament)
    body = read_page(staff, address)
    assert "the movements sum to zero" in body
    names = [player.player_name for player in players]
    for words in ("Entry fee", "From the house", "Service fee", "Prize", "the house", *names):
        assert f"<td>{words}</td>" in body
    for words in ("520 chips", "0 chips"):
        assert words in body


def test_only_staff_see_the_money_page(client, make_tournament_of):
    address = f"{TOURNAMENTS}{make_tournament_of().pk}/money/"
    assert client.get(address).status_code == 302


def test_a_tournament_without_trouble_shows_no_red_cross(staff, make_template):
    tournament = make_tournament(
        make_template(), starts_at=timezone.now() + timedelta(days=1), now=timezone.now()
    )
    assert "icon-no" not in staff.get(TOURNAMENTS).text
    Tournament.objects.filter(pk=tournament.pk).update(paused_at=timezone.now())
    page = staff.get(TOURNAMENTS).text
    assert '<td class="field-is_paused">yes</td>' in page
    assert '<td class="field-is_broken"></td>' in page
