"""Corrections of a finished cash match: made by two staff members, and shown to both players."""

import re

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.desk.staff_roles import Role
from core.models import OutgoingEmail
from core.models.audit import AuditEntry
from history.desk.corrections import approve_correction
from history.models import MatchCorrection
from tables.models import MatchStatus, Table
from tests.accounts.staff import decide, member, office
from tests.given import require
from tests.tables.driving import play_short_match
from tests.together import run_at_once
from tests.wallet.cash_players import bring_deposit, bring_winnings, read_cash
from wallet.ledger.checks import reconcile
from wallet.models import Journal

pytestmark = pytest.mark.django_db
ADD = "/admin/history/matchcorrection/add/"
WHY = "The last card was counted twice."
State = MatchCorrection.State


@pytest.fixture
def played(players, make_table):
    """A finished match for cash, its winner and its loser."""
    match = play_short_match(make_table(), *players[:2])
    Table.objects.filter(pk=match.table_id).update(currency="INR")
    match.refresh_from_db()
    won = {
        match.players[seat]["user"]: amount
        for seat, amount in require(match.settlement)["amounts"].items()
    }
    winner, loser = sorted(players[:2], key=lambda one: -won[one.pk])
    return match, winner, loser


@pytest.fixture
def first():
    return office(member(Role.FINANCE, "first"))


@pytest.fixture
def second():
    return office(member(Role.FINANCE, "second"))


def propose(desk, match, payer, payee, amount="50", reason=WHY):
    asked = {"match": match.pk, "payer": payer.pk, "payee": payee.pk}
    return desk.post(ADD, {**asked, "amount": amount, "reason": reason}, follow=True)


@pytest.fixture
def proposed(first, played):
    match, winner, loser = played
    bring_winnings(winner, 12_000)
    assert propose(first, match, winner, loser).status_code == 200
    return MatchCorrection.objects.get()


def winnings(user):
    return read_cash(user).winnings


def page_of(row):
    return reverse("admin:history_matchcorrection_change", args=[row.pk])


def test_two_put_a_match_right_and_both_players_read_it(played, proposed, first, second, client):
    match, winner, loser = played
    before = winnings(winner), winnings(loser)
    # The staff member who proposed it sees no approval button, and may not approve.
    page = first.get(page_of(proposed)).text
    assert 'value="approve"' not in page
    assert 'value="refuse"' in page
    assert 'value="approve"' in second.get(page_of(proposed)).text
    decide(first, proposed, "approve", "I say so.")
    assert (proposed.state, winnings(winner)) == (State.PROPOSED, before[0])
    decide(second, proposed, "approve", "The replay shows it.")
    assert (proposed.state, proposed.by_house) == (State.APPROVED, 0)
    assert (winnings(winner), winnings(loser)) == (before[0] - 5_000, before[1] + 5_000)
    assert reconcile().findings == ()
    for user in (winner, loser):
        client.force_login(user)
        shown = client.get(reverse("match", args=[match.pk])).text
        assert WHY in shown
        assert "₹50.00 went from" in shown
        statement = client.get(reverse("wallet:statement"), {"account": "winnings"}).text
        assert "Correction of a match" in statement
        assert reverse("match", args=[match.pk]) in statement
    entry = AuditEntry.objects.get(action="approve")
    assert (entry.staff_name, entry.reason) == ("Staff second", "The replay shows it.")
    assert "Correct this match" in second.get(f"/admin/tables/match/{match.pk}/change/").text
    # A repeated approval changes nothing.
    decide(second, proposed, "approve", "Again.")
    assert winnings(loser) == before[1] + 5_000
    assert OutgoingEmail.objects.count() == 2


def test_both_players_get_a_mail_in_their_language(played, proposed, second):
    match, winner, loser = played
    loser.language = "hi"
    loser.save()
    decide(second, proposed, "approve", "The replay shows it.")
    mails = {one.user_id: one for one in OutgoingEmail.objects.all()}
    assert mails.keys() == {winner.pk, loser.pk}
    assert mails[winner.pk].subject == f"Your match #{match.pk} was corrected"
    assert f"₹50.00 of your cash went to {loser.player_name}." in mails[winner.pk].text
    in_hindi = f"{winner.player_name} के साथ मैच से आपको ₹50.00 मिले।"
    assert in_hindi in mails[loser.pk].text
    assert all(f": {WHY}" in one.text for one in mails.values())


def test_the_form_offers_the_players_of_the_match_by_name(played, players, first):
    match, winner, loser = played
    page = first.get(f"{ADD}?match={match.pk}").text
    for name in ("payer", "payee"):
        (choices,) = re.findall(f'<select name="{name}".*?</select>', page, re.S)
        assert f">{winner.player_name}<" in choices
        assert f">{loser.player_name}<" in choices
        assert players[2].player_name not in choices
        assert not re.search(rf'id="(add|change|view)_id_{name}"', page)
    # Without a match there are no players to choose from.
    answer = first.get(ADD, follow=True)
    assert answer.redirect_chain[0][0] == reverse("admin:tables_match_changelist")
    assert "Open the match, and press Correct this match there." in answer.text
    assert ">---------<" in first.get(f"{ADD}?match=0").text
    assert propose(first, match, winner, loser).status_code == 200
    assert MatchCorrection.objects.get().payee == loser


def test_a_refused_correction_moves_nothing(played, proposed, second, client):
    match, winner, _loser = played
    before = winnings(winner)
    decide(second, proposed, "refuse", "The replay does not show it.")
    assert (proposed.state, winnings(winner)) == (State.REFUSED, before)
    client.force_login(winner)
    assert WHY not in client.get(reverse("match", args=[match.pk])).text
    assert not OutgoingEmail.objects.exists()


def test_a_winner_who_has_too_little_pays_what_there_is_and_the_house_the_rest(
    played, first, second
):
    match, winner, loser = played
    bring_winnings(winner, 3_000)
    bring_deposit(winner, 1_000)
    propose(first, match, winner, loser)
    row = MatchCorrection.objects.get()
    answer = decide(second, row, "approve", "The replay shows it.")
    assert "There is not enough" in answer.content.decode()
    assert (row.state, winnings(winner), winnings(loser)) == (State.PROPOSED, 3_000, 0)
    decide(second, row, "approve_with_house", "The house pays.")
    assert (row.state, row.by_house) == (State.APPROVED, 1_000)
    assert (read_cash(winner).total, winnings(loser)) == (0, 5_000)
    mails = {one.user_id: one.text for one in OutgoingEmail.objects.all()}
    assert "₹40.00 of your cash went to" in mails[winner.pk]
    assert "You received ₹50.00 from the match" in mails[loser.pk]
    assert reconcile().findings == ()


@pytest.mark.parametrize("what", ["stranger", "running", "chips", "closed", "same", "nothing"])
def test_what_cannot_be_put_right_is_refused_at_the_form(played, players, first, what):
    match, winner, loser = played
    payee, amount = loser, "50"
    if what == "stranger":
        payee = players[2]
    elif what == "running":
        match.status = MatchStatus.RUNNING
        match.save()
    elif what == "chips":
        Table.objects.filter(pk=match.table_id).update(currency="CHIPS")
    elif what == "closed":
        loser.closed_at, loser.is_active = timezone.now(), False
        loser.save()
    elif what == "same":
        payee = winner
    else:
        amount = "0"
    assert "errornote" in propose(first, match, winner, payee, amount).content.decode()
    assert not MatchCorrection.objects.exists()


def test_only_those_who_decide_about_withdrawals_propose(played):
    match, winner, loser = played
    for role in (Role.SUPPORT, Role.GAMES):
        desk = office(member(role))
        assert propose(desk, match, winner, loser).status_code == 403
        page = desk.get(f"/admin/tables/match/{match.pk}/change/").text
        assert "Correct this match" not in page
    assert not MatchCorrection.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_approvals_at_once_move_the_amount_once(played, proposed):
    _match, winner, loser = played
    others = [member(Role.FINANCE, f"other{number}") for number in range(3)]
    before = winnings(winner)
    results = run_at_once(
        *(
            lambda staff=staff: approve_correction(correction_id=proposed.pk, staff_id=staff.pk)
            for staff in others
        )
    )
    assert results.count(None) == 1
    assert (winnings(winner), winnings(loser)) == (before - 5_000, 5_000)
    assert Journal.objects.filter(key__contains=":correction:").count() == 1


def test_the_database_wants_two(proposed):
    proposed.state, proposed.decided_at = State.APPROVED, timezone.now()
    proposed.decided_by = proposed.proposed_by
    with pytest.raises(IntegrityError, match="approved_by_another"), transaction.atomic():
        proposed.save()
