"""The REST API for a player's own limits and for tournaments."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from accounts.models import Scope
from tables.models import Table
from tests.api_program import WELCOME, Browser, Program, chips_of, person, refusal
from tests.given import reload
from tournaments.models import Entrant, EntrantState, Tournament, TournamentTemplate
from tournaments.running.scheduling import make_tournament
from tournaments.running.tick import tick
from wallet.limits.services import exclude_oneself
from wallet.models import DepositLimit, LossLimit

pytestmark = pytest.mark.django_db
PERIODS = ["DAY", "WEEK", "MONTH"]


def limit(period, amount=None, **others):
    blank = {"coming": None, "coming_from": None, "used": None}
    return {"period": period, "amount": amount, **blank, **others}


def test_limits_are_lowered_at_once_and_raised_later(asha):
    program = Program(asha)
    assert program.get("wallet/limits/").json() == {
        "deposits": [limit(period) for period in PERIODS],
        "losses": [limit(period, used=0) for period in PERIODS],
        "exclusion": None,
    }
    lowered = program.post("wallet/limits/deposits/", {"period": "DAY", "amount": 50_000}).json()
    assert lowered["deposits"][0] == limit("DAY", 50_000)
    raised = program.post("wallet/limits/deposits/", {"period": "DAY", "amount": None}).json()
    coming_from = DepositLimit.objects.get(amount=None).effective_from
    assert coming_from > timezone.now() + timedelta(hours=71)
    day_limit = raised["deposits"][0]
    assert (day_limit["amount"], day_limit["coming"]) == (50_000, None)
    assert day_limit["coming_from"] is not None
    lost = program.post("wallet/limits/losses/", {"period": "WEEK", "amount": 7}).json()
    assert lost["losses"][1] == limit("WEEK", 7, used=0)
    assert lost["deposits"] == raised["deposits"]
    assert not LossLimit.objects.exclude(user=asha).exists()


def test_an_exclusion_is_shown_with_its_end(asha):
    until = timezone.now() + timedelta(days=2)
    exclude_oneself(user_id=asha.pk, until=until)
    exclusion = Program(asha, Scope.READ).get("wallet/limits/").json()["exclusion"]
    assert datetime.fromisoformat(exclusion["until"]) == until


@pytest.mark.parametrize("path", ["deposits", "losses"])
def test_refused_limits_change_nothing(asha, path, settings):
    program = Program(asha)
    for body in ({}, {"period": "YEAR", "amount": 5}, {"period": "DAY", "amount": 0}):
        assert refusal(program.post(f"wallet/limits/{path}/", body)) == (400, "invalid")
    body = {"period": "DAY", "amount": 5}
    reading = Program(asha, Scope.READ, Scope.PLAY)
    assert refusal(reading.post(f"wallet/limits/{path}/", body)) == (403, "permission_denied")
    settings.CASH_PLAY = "off"
    assert refusal(program.post(f"wallet/limits/{path}/", body)) == (409, "cash_is_off")
    limits = program.get("wallet/limits/").json()
    assert limits == {"deposits": [], "losses": [], "exclusion": None}
    assert not DepositLimit.objects.exists()
    assert not LossLimit.objects.exists()


@pytest.fixture
def template():
    return TournamentTemplate.objects.create(
        game="indian",
        preset="deals2",
        name="Monsoon Cup",
        entry_fee=100,
        rake_bps=1_000,
        deals=1,
        seats=3,
        qualifiers=1,
        guarantee=1_000,
        registration_seconds=90_000,
    )


def make_cup(template, *, hours=1, **values):
    now = timezone.now()
    cup = make_tournament(template, starts_at=now + timedelta(hours=hours), now=now)
    Tournament.objects.filter(pk=cup.pk).update(status="REGISTERING", **values)
    return reload(cup)


def enter(program, cup):
    return program.post(f"tournaments/{cup.pk}/register/", key="enter-01")


def test_a_tournament_shows_its_prizes_and_the_players_options(asha, template):
    cup = make_cup(template)
    program = Browser(asha)
    enter(program, cup)
    [listed] = program.get("tournaments/").json()["results"]
    assert (listed["name"], listed["entry_fee"]) == ("Monsoon Cup", 100)
    assert listed["mine"] == "REGISTERED"
    answer = program.get(f"tournaments/{cup.pk}/").json()
    assert (answer["name"], answer["mine"]) == ("Monsoon Cup", "REGISTERED")
    assert (answer["entered"], answer["round"], answer["ended_at"]) == (1, 0, None)
    assert (answer["paid_in"], answer["prize_pool"]) == (100, 1_000)
    assert sum(prize["amount"] for prize in answer["prizes"]) == 1_000
    assert answer["prizes"][0]["first"] == 1
    assert answer["options"] == {
        "register": False,
        "withdraw": True,
        "rebuy": False,
        "has_ticket": False,
        "table": None,
    }
    other = Browser(person("Binod")).get(f"tournaments/{cup.pk}/").json()
    assert (other["mine"], other["options"]["register"]) == (None, True)
    for missing in (program.get("tournaments/999/"), enter(program, Tournament(pk=999))):
        assert refusal(missing) == (404, "not_found")


def test_cash_tournaments_are_404_when_cash_is_off(asha, template, settings):
    cup = make_cup(template, currency="INR")
    program = Program(asha)
    assert program.get(f"tournaments/{cup.pk}/").status_code == 200
    settings.CASH_PLAY = "off"
    for answer in (program.get(f"tournaments/{cup.pk}/"), enter(program, cup)):
        assert refusal(answer) == (404, "not_found")
    assert not Entrant.objects.exists()


@pytest.mark.parametrize(("phase", "status"), [("upcoming", "REGISTERING"), ("over", "CANCELLED")])
def test_tournaments_are_paged(asha, template, monkeypatch, phase, status):
    monkeypatch.setattr("tournaments.api.tournaments.TOURNAMENTS_ON_A_PAGE", 2)
    cups = [make_cup(template, hours=hours).pk for hours in (2, 4, 3)]
    Tournament.objects.update(status=status)
    soonest_first = [cups[0], cups[2], cups[1]]
    expected = soonest_first if phase == "upcoming" else soonest_first[::-1]
    program = Program(asha)
    first = program.get("tournaments/", phase=phase).json()
    assert [row["id"] for row in first["results"]] == expected[:2]
    assert first["next"] == expected[1]
    second = program.get("tournaments/", phase=phase, cursor=first["next"]).json()
    assert ([row["id"] for row in second["results"]], second["next"]) == (expected[2:], None)
    assert program.get("tournaments/", phase=phase, cursor=999).json()["results"] == []


def test_a_refused_registration_costs_nothing(asha, template):
    cup = make_cup(template)
    program = Browser(asha)
    answers = [
        program.post(f"tournaments/{cup.pk}/register/", {"with_ticket": True}, key="enter-01"),
        program.post(f"tournaments/{cup.pk}/register/", {"with_ticket": "?"}, key="enter-01"),
        program.post(f"tournaments/{cup.pk}/rebuy/", key="again-01"),
        program.post(f"tournaments/{cup.pk}/withdraw/", key="leave-01"),
        program.post(f"tournaments/{cup.pk}/rebuy/"),
        enter(Program(asha, Scope.READ), cup),
    ]
    assert [refusal(answer) for answer in answers] == [
        (409, "no_ticket"),
        (400, "invalid"),
        (409, "not_registered"),
        (409, "not_registered"),
        (400, "idempotency_key_missing"),
        (403, "permission_denied"),
    ]
    assert chips_of(asha) == WELCOME
    assert not Entrant.objects.filter(state=EntrantState.REGISTERED).exists()


def test_a_program_enters_a_tournament_that_admits_programs(asha, template):
    """Its tables will allow programs, too (R10.3)."""
    template.allows_api_players, template.bots_to = True, 3
    cup, program = make_cup(template), Program(asha)
    assert program.get(f"tournaments/{cup.pk}/").json()["allows_api_players"] is True
    entered = enter(program, cup).json()
    assert entered == {"tournament": cup.pk, "state": "REGISTERED"}
    assert chips_of(asha) == WELCOME - 100
    Tournament.objects.update(starts_at=timezone.now(), due_at=timezone.now())
    tick()
    table = Table.objects.get()
    assert table.allows_api_players
    assert program.get(f"tournaments/{cup.pk}/").json()["options"]["table"] == table.pk


def test_a_program_cannot_enter_a_tournament_for_people(asha, template):
    template.rebuys = 1
    cup, full = make_cup(template), make_cup(template, seats_taken=2, max_entrants=2)
    program = Program(asha)
    for path in (f"{cup.pk}/register", f"{full.pk}/register", f"{cup.pk}/rebuy"):
        answer = program.post(f"tournaments/{path}/", key="enter-01")
        assert refusal(answer) == (409, "api_players_not_allowed")
    assert chips_of(asha) == WELCOME
    assert not Entrant.objects.exists()
    for _ in range(2):
        entered = enter(Browser(asha), cup).json()
        assert entered == {"tournament": cup.pk, "state": "REGISTERED"}
    assert chips_of(asha) == WELCOME - 100
    # A program may leave, since that costs nothing.
    left = program.post(f"tournaments/{cup.pk}/withdraw/", key="leave-01").json()
    assert left == {"tournament": cup.pk, "state": "WITHDRAWN"}
    assert chips_of(asha) == WELCOME


def test_a_waiting_player_takes_the_place_of_one_who_withdraws(
    asha, template, django_capture_on_commit_callbacks
):
    cup = make_cup(template, max_entrants=2)
    binod = person("Binod")
    first, second = Browser(asha), Browser(binod)
    enter(Browser(person("Chand")), cup)
    entered = enter(first, cup).json()
    assert entered == {"tournament": cup.pk, "state": "REGISTERED"}
    waiting = enter(second, cup).json()
    assert waiting["state"] == "WAITING"
    assert (chips_of(asha), chips_of(binod)) == (WELCOME - 100, WELCOME)
    with django_capture_on_commit_callbacks(execute=True):
        first.post(f"tournaments/{cup.pk}/withdraw/", key="leave-01")
    assert second.get(f"tournaments/{cup.pk}/").json()["mine"] == "REGISTERED"
    assert (chips_of(asha), chips_of(binod)) == (WELCOME, WELCOME - 100)


def test_a_player_rebuys_once_per_idempotency_key(asha, template):
    template.rebuys = 1
    cup = make_cup(template)
    program = Browser(asha)
    enter(program, cup)
    path = f"tournaments/{cup.pk}/rebuy/"
    assert refusal(program.post(path, key="again-01")) == (409, "no_rebuy")
    assert chips_of(asha) == WELCOME - 100
    # The break after the first round: she is out, and four others continue.
    for name in ("Binod", "Chand", "Dev", "Esha"):
        enter(Browser(person(name)), cup)
    Entrant.objects.update(state=EntrantState.PLAYING)
    Entrant.objects.filter(user=asha).update(state=EntrantState.OUT, round_out=1, chips=0)
    next_round_at = timezone.now() + timedelta(minutes=5)
    Tournament.objects.update(status="BREAK", round_number=1, next_round_at=next_round_at)
    assert program.get(f"tournaments/{cup.pk}/").json()["options"]["rebuy"] is True
    for _ in range(2):
        answer = program.post(path, key="again-01")
        assert answer.json() == {"tournament": cup.pk, "state": "PLAYING"}
    assert refusal(program.post(path, key="again-02")) == (409, "no_rebuy")
    assert chips_of(asha) == WELCOME - 200
