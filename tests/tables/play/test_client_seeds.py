"""Players' seeds, added after the server's promise and before the deal."""

import copy
import json
from dataclasses import dataclass

import pytest

from core.threads import in_thread
from history.records import deal_record
from tables.models import Deal, Match, Table
from tables.play.seeds import add_client_seed, compute_commitment, deal_seed
from tables.refusals import SEED_NOT_TAKEN, NotSeated
from tests.refusals import refused
from tests.tables.driving import let_time_pass, play_to_the_end, player_at, seat_all
from tests.tables.records import verify
from tests.tables.socket_client import TableSocket, session_of

pytestmark = pytest.mark.django_db
ONE, OTHER = "00112233445566778899aabbccddeeff", "f" * 32


@dataclass
class Adding:
    table: Table

    def __call__(self, seat, seed, promise=None):
        self.table.refresh_from_db()
        add_client_seed(
            table_id=self.table.pk,
            user_id=player_at(self.table, seat).pk,
            promise=promise or compute_commitment(bytes(self.table.next_seed)),
            seed=seed,
        )

    @property
    def taken(self):
        self.table.refresh_from_db()
        return self.table.client_seeds


@pytest.fixture
def add(make_table, make_player):
    table = make_table()
    seat_all(table, make_player(), make_player())
    return Adding(table)


def test_the_seed_of_a_deal_is_computed_as_documented():
    server = bytes(range(32))
    assert deal_seed(server, {}) == server
    # printf 'seed|0:…,1:…' | sha256sum
    assert deal_seed(server, {"1": OTHER, "0": ONE}).hex() == (
        "563663cec0c67b21d2c4d4f6902ed9b425efa2f6b11e3d8615a6e0ecefd9d34e"
    )


def test_seeds_of_players_are_recorded_and_verified(add):
    add(0, ONE)
    add(1, OTHER)
    let_time_pass(add.table)
    assert add.taken == {}
    deal = Deal.objects.get()
    assert deal.client_seeds == {"0": ONE, "1": OTHER}
    play_to_the_end(add.table)
    record = json.loads(json.dumps(deal_record(match_id=deal.match_id, number=1)))
    assert verify(record)[0] == 0
    for forge in (
        lambda r: r["client_seeds"].update({"0": OTHER}),
        lambda r: r["client_seeds"].pop("1"),
        lambda r: r["client_seeds"].clear(),
        lambda r: r["client_seeds"].update({"5": ONE}),
    ):
        forged = copy.deepcopy(record)
        forge(forged)
        code, words = verify(forged)
        assert (code, words.split(":")[0]) == (1, "NOT HONEST"), words


def test_each_deal_of_a_match_takes_new_seeds(make_table, make_player):
    table = make_table(preset="deals2", entry_fee=100)
    seat_all(table, make_player(), make_player(), amount=100)
    add = Adding(table)
    add(0, ONE)
    let_time_pass(table)
    add(1, OTHER)
    match = play_to_the_end(table)
    seeds = list(match.deals.order_by("number").values_list("client_seeds", flat=True))
    assert seeds[:2] == [{"0": ONE}, {"1": OTHER}]
    for number in range(1, len(seeds) + 1):
        assert verify(deal_record(match_id=match.pk, number=number))[0] == 0


def test_a_player_adds_one_seed_for_the_current_promise(add, make_player):
    add(0, ONE)
    for seat, seed, promise in (
        (0, OTHER, None),
        (1, "ff", None),
        (1, OTHER.upper(), None),
        (1, "g" * 32, None),
        (1, OTHER, "0" * 64),
    ):
        with refused(SEED_NOT_TAKEN):
            add(seat, seed, promise)
    with pytest.raises(NotSeated):
        add_client_seed(
            table_id=add.table.pk,
            user_id=make_player().pk,
            promise=compute_commitment(bytes(add.table.next_seed)),
            seed=OTHER,
        )
    assert add.taken == {"0": ONE}


def test_no_seed_is_taken_after_the_deal(add):
    promise = compute_commitment(bytes(Table.objects.get(pk=add.table.pk).next_seed))
    let_time_pass(add.table)
    with refused(SEED_NOT_TAKEN):
        add(0, ONE, promise)
    assert Deal.objects.get(match=Match.objects.get()).client_seeds == {}


@pytest.mark.django_db(transaction=True)
async def test_a_seed_is_added_over_the_socket(live_site, make_table, make_player):
    def prepare():
        table = make_table()
        seat_all(table, make_player())
        return table, session_of(player_at(table, 0))

    table, session = await in_thread(prepare)
    async with TableSocket(live_site, table.pk, session) as socket:
        await socket.hello()
        promise = socket.state["table"]["commitment"]
        await socket.send(type="seed", promise=promise, seed=ONE)
        await socket.send(type="seed", promise=promise, seed=OTHER)
        assert (await socket.receive_until("error"))["code"] == "seed_not_taken"
    assert (await in_thread(Table.objects.get, pk=table.pk)).client_seeds == {"0": ONE}
