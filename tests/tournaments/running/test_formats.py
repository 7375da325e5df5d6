"""A tournament format of a single round: a format needs only one module and its registration."""

import pytest

from tests.tournaments.browsing import read_page
from tests.tournaments.driving import begin, enter, open_tables, play_round
from tournaments.models import Round, Tournament
from tournaments.rules import formats
from tournaments.rules.format import KnockOut
from tournaments.rules.lifecycle import LifecycleStatus
from wallet.ledger.checks import reconcile

pytestmark = pytest.mark.django_db


class OneRound(KnockOut):
    """Format of a single round. The winners of its tables rank above all other players."""

    code = "one-round"
    title = "One round"
    summary = "One round: everybody plays once."

    def rounds(self, players, structure):
        return (players,)

    def will_be_final(self, players, *, number, structure):
        return True

    def was_final(self, *, number, tables, byes, structure):
        return True


@pytest.fixture
def one_round(monkeypatch):
    monkeypatch.setitem(formats.FORMATS, OneRound.code, OneRound())


def test_a_tournament_is_run_by_its_format(one_round, make_tournament_of, make_player, client):
    tournament = make_tournament_of(seats=3, qualifiers=1, format="one-round")
    tournament.full_clean(exclude=["rake_cap"])
    assert tournament.get_format_display() == "One round"
    enter(tournament, *(make_player() for _ in range(6)))
    begin(tournament)
    assert len(open_tables(tournament)) == 2
    assert play_round(tournament).status == LifecycleStatus.FINISHED
    assert Round.objects.get().is_final
    places = tournament.entrants.order_by("place").values_list("rank", flat=True)
    assert sorted(places)[:2] == [1, 1]
    assert reconcile().findings == ()
    assert "One round: everybody plays once." in read_page(client, "/tournaments/")


def test_knock_out_is_the_default_format():
    assert Tournament().format == formats.KNOCK_OUT.code
    assert Tournament().format_rules is formats.KNOCK_OUT
